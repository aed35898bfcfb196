import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBuildingCommunity } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useBusiness } from '../../session/live-business.tsx';
import { centerStates, count } from '../../text/labels.ts';
import { useCommand } from '../../ui/commands.ts';
import { choicesOf, Filters } from '../../ui/filters.tsx';
import { RowDialog } from '../../ui/form-dialog.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { useList } from '../../ui/use-list.ts';
import { useRowDialog } from '../../ui/use-row-dialog.ts';
import { centerColumns, verticalColumn } from '../centers/center-columns.tsx';
import { PendingMembers } from '../people/pending-members.tsx';
import { AllCenters, type AnyCenter, StrandedMembers } from './all-centers.ts';
import { CenterItems, EndForm } from './move-center.tsx';
import { NewCenterDialog } from './new-center.tsx';

const route = getRouteApi('/inside/platform/centers');
const selects = { status: ['Status', 'Any status', choicesOf(centerStates)] } as const;

const partnerColumn: Column<AnyCenter> = { name: 'Partner', cell: ({ partner }) => partner?.name ?? 'None' };
const columns = centerColumns<AnyCenter>('/platform/centers', partnerColumn, verticalColumn);

/** Members who have no one in their center to approve them. */
function Stranded() {
  const read = useRead(StrandedMembers, {});
  useBusiness(['centers'], read.reload);
  return (
    <PendingMembers
      members={read.data?.strandedMembers.edges.map(({ node }) => node) ?? []}
      hint="They have accepted an invitation to a center that has no administrator yet."
      onDone={read.reload}
    />
  );
}

export default function AllCentersScreen() {
  const read = useList(AllCenters, route.useSearch(), ({ search, status, partner: partnerId }) => ({
    search,
    status: status as VariablesOf<typeof AllCenters>['status'],
    partnerId,
  }));
  const { search, status, partner } = read.shown;
  useBusiness(['centers'], read.reload);
  const ending = useRowDialog<AnyCenter>();
  const [creating, { open, close }] = useDisclosure();
  useCommand('new-center', open);
  const filtered = Boolean(search || status || partner);
  return (
    <Page
      title="Centers"
      intro="All centers of this installation. Their data is visible only to their members."
      actions={<NewButton onClick={open}>New center</NewButton>}
    >
      <Stranded />
      <Filters of={read} search="Search name or address" selects={selects}>
        {partner && (
          <Button variant="default" onClick={() => read.narrow({ partner: undefined })}>
            Show all partners
          </Button>
        )}
      </Filters>
      <PagedTable
        of={read}
        empty={
          <Empty icon={<IconBuildingCommunity />} title={filtered ? 'No matching centers' : 'No centers yet'}>
            {filtered && 'Remove a filter.'}
          </Empty>
        }
        label="Centers"
        linked
        columns={columns}
        menu={(center) => (
          <CenterItems center={center} onEnd={() => ending.show(center)} onDone={read.reload} />
        )}
        words={(total) => count(total, 'center')}
        ways={['Previous', 'Next']}
      />
      <RowDialog of={ending} title={({ name }) => `End ${name} for good?`} onDone={read.reload}>
        {(center, done) => <EndForm center={center} onDone={done} />}
      </RowDialog>
      <NewCenterDialog opened={creating} onClose={close} onDone={read.reload} />
    </Page>
  );
}
