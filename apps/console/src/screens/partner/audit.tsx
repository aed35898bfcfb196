import { IconHistory } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { graphql } from '../../graphql/graphql.ts';
import { usePages } from '../../graphql/use-pages.ts';
import { useBusiness } from '../../session/live-business.tsx';
import { count } from '../../text/labels.ts';
import { fromWhere, What, whatText, when, who } from '../../ui/audit-columns.tsx';
import { DayRange } from '../../ui/day-range.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { useListAddress } from '../../ui/use-list-address.ts';
import { useRefresh } from '../../ui/use-refresh.ts';

const PartnerAudit = graphql(`
  query PartnerAudit(
    $first: Int, $last: Int, $after: String, $before: String, $startDate: Date, $endDate: Date
  ) {
    partnerAudit(
      first: $first, last: $last, after: $after, before: $before, startDate: $startDate, endDate: $endDate
    ) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { node { id type actorEmail actorId detail ip occurredAt center { name } } }
    }
  }
`);

const route = getRouteApi('/inside/partner/audit');
const PAGE = 50;

export function PartnerAuditScreen() {
  const { shown, change, narrow } = useListAddress(route.useSearch());
  const { from, to, after, before } = shown;
  const read = usePages(PartnerAudit, PAGE, { after, before }, { startDate: from, endDate: to });
  useBusiness(['done'], read.reload);
  // Sealed decisions are too frequent for live updates: poll.
  useRefresh(read.reload);
  return (
    <Page title="Audit log" intro="Changes in your centers and settings. Days are in UTC.">
      <FilterBar>
        <DayRange from={from} to={to} onChange={narrow} />
      </FilterBar>
      <Panel flush>
        <PagedTable
          of={read}
          list={({ partnerAudit }) => partnerAudit}
          empty={<Empty icon={<IconHistory />} title="No entries in this period" />}
          label="Audit log"
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'What',
              text: (entry) => whatText(entry),
              cell: ({ type, detail }) => <What type={type} detail={detail} />,
            },
            { name: 'Where', cell: ({ center }) => center?.name ?? 'Your account' },
            who,
            fromWhere,
            when,
          ]}
          words={(total) => count(total, 'entry', 'entries')}
          onPage={change}
        />
      </Panel>
    </Page>
  );
}
