import { useDisclosure } from '@mantine/hooks';
import { IconBuildingCommunity } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useBusiness } from '../../session/live-business.tsx';
import { count, tenantLabels } from '../../text/labels.ts';
import { useCommand } from '../../ui/commands.ts';
import { Filters } from '../../ui/filters.tsx';
import { RowDialog } from '../../ui/form-dialog.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Empty } from '../../ui/states.tsx';
import { useList } from '../../ui/use-list.ts';
import { useRowDialog } from '../../ui/use-row-dialog.ts';
import { centerColumns, verticalColumn } from '../centers/center-columns.tsx';
import { CenterItems, ChangeForm } from './center-menu.tsx';
import { type PartnerCenter, PartnerCenters } from './centers-list.ts';
import { NewCenterDialog } from './new-center.tsx';

const route = getRouteApi('/inside/partner/centers');

const columns = centerColumns<PartnerCenter>('/partner/centers', verticalColumn, {
  name: 'Kind',
  wideOnly: true,
  cell: ({ tenantType }) => tenantLabels[tenantType],
});

export default function PartnerCentersScreen() {
  const [opened, { open, close }] = useDisclosure();
  const changing = useRowDialog<PartnerCenter>();
  useCommand('new-center', open);
  const read = useList(PartnerCenters, route.useSearch(), ({ search }) => ({ search }));
  const { search } = read.shown;
  useBusiness(['done'], read.reload);
  return (
    <Page
      title="Centers"
      intro="Your centers. To create a center, invite its administrator."
      actions={<NewButton onClick={open}>New center</NewButton>}
    >
      <Filters of={read} search="Search name or address" />
      <PagedTable
        of={read}
        empty={
          <Empty icon={<IconBuildingCommunity />} title={search ? 'No matching center' : 'No centers yet'}>
            {search ? 'Try a shorter search.' : 'Create the first one.'}
          </Empty>
        }
        label="Centers"
        linked
        columns={columns}
        menu={(center) => (
          <CenterItems center={center} onChange={() => changing.show(center)} onDone={read.reload} />
        )}
        words={(total) => count(total, 'center')}
        ways={['Previous', 'Next']}
      />
      <RowDialog of={changing} title={({ name }) => name} onDone={read.reload}>
        {(center, done) => <ChangeForm center={center} onDone={done} />}
      </RowDialog>
      <NewCenterDialog opened={opened} onClose={close} onDone={read.reload} />
    </Page>
  );
}
