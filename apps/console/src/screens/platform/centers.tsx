import { Button } from '@mantine/core';
import { IconBuildingCommunity } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { usePages } from '../../graphql/use-pages.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useBusiness } from '../../session/live-business.tsx';
import { centerStates, count, stateOf, verticalLabels } from '../../text/labels.ts';
import { CenterActions } from '../../ui/center-actions.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { RowLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { CenterState } from '../../ui/state-pill.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Day } from '../../ui/time.tsx';
import { useListAddress } from '../../ui/use-list-address.ts';
import classes from '../partner/partner.module.css';
import { PendingMembers } from '../people/pending-members.tsx';
import { AllCenters, type AnyCenter, StrandedMembers } from './all-centers.ts';
import { CenterMenus } from './move-center.tsx';

const route = getRouteApi('/inside/platform/centers');
const PAGE = 25;
const statusChoices = Object.entries(centerStates).map(([value, [label]]) => ({ value, label }));

const columns: Column<AnyCenter>[] = [
  {
    name: 'Center',
    text: ({ name }) => name,
    cell: ({ id, name, centerDomain }) => (
      <>
        <RowLink href={`/platform/centers/${id}`}>{name}</RowLink>
        <span className={classes.place}>{centerDomain}</span>
      </>
    ),
  },
  { name: 'Partner', cell: ({ partner }) => partner?.name ?? 'None' },
  { name: 'Vertical', wideOnly: true, cell: ({ vertical }) => verticalLabels[vertical] },
  { name: 'Address', fileOnly: true, cell: ({ centerDomain }) => centerDomain },
  {
    name: 'Status',
    text: ({ status }) => stateOf(centerStates, status)[0],
    cell: (center) => <CenterState status={center.status} />,
  },
  { name: 'Members', right: true, cell: ({ memberCount }) => memberCount.toLocaleString() },
  { name: 'Since', right: true, wideOnly: true, cell: ({ createdAt }) => <Day at={createdAt} /> },
  {
    name: 'Actions',
    unnamed: true,
    right: true,
    cell: (center) => <CenterActions center={center} />,
  },
];

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

export function AllCentersScreen() {
  const { shown, change, narrow } = useListAddress(route.useSearch());
  const { search: words, status, partner, after, before } = shown;
  const read = usePages(
    AllCenters,
    PAGE,
    { after, before },
    { search: words, status: status as VariablesOf<typeof AllCenters>['status'], partnerId: partner },
  );
  useBusiness(['centers'], read.reload);
  const filtered = Boolean(words || status || partner);
  const centers = read.data?.allCenters.edges.map(({ node }) => node) ?? [];
  return (
    <Page
      title="Centers"
      intro="All centers of this installation. Their data is visible only to their members."
    >
      <Stranded />
      <FilterBar>
        <SearchField initial={words ?? ''} placeholder="Search name or address" onChange={narrow} />
        <FilterSelect
          name="status"
          label="Status"
          placeholder="Any status"
          choices={statusChoices}
          value={status}
          onChange={narrow}
        />
        {partner && (
          <Button variant="default" onClick={() => narrow({ partner: undefined })}>
            Show all partners
          </Button>
        )}
      </FilterBar>
      <Panel flush>
        <CenterMenus centers={centers} onDone={read.reload}>
          <PagedTable
            of={read}
            list={({ allCenters }) => allCenters}
            empty={
              <Empty
                icon={<IconBuildingCommunity />}
                title={filtered ? 'No matching centers' : 'No centers yet'}
              >
                {filtered && 'Remove a filter.'}
              </Empty>
            }
            label="Centers"
            linked
            columns={columns}
            keyOf={({ id }) => String(id)}
            words={(total) => count(total, 'center')}
            ways={['Previous', 'Next']}
            onPage={change}
          />
        </CenterMenus>
      </Panel>
    </Page>
  );
}
