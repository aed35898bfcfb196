import { IconHistory } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { graphql } from '../../graphql/graphql.ts';
import { useBusiness } from '../../session/live-business.tsx';
import { count } from '../../text/labels.ts';
import { auditColumns } from '../../ui/audit-columns.tsx';
import { DayRange } from '../../ui/day-range.tsx';
import { Filters } from '../../ui/filters.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Empty } from '../../ui/states.tsx';
import { useList } from '../../ui/use-list.ts';
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
type Search = ReturnType<typeof route.useSearch>;
const columns = auditColumns('Your account');

export default function PartnerAuditScreen() {
  const days = ({ from, to }: Search) => ({ startDate: from, endDate: to });
  const read = useList(PartnerAudit, route.useSearch(), days, 50);
  useBusiness(['done'], read.reload);
  // Sealed decisions are too frequent for live updates: poll.
  useRefresh(read.reload);
  return (
    <Page title="Audit log" intro="Changes in your centers and settings.">
      <Filters of={read}>
        <DayRange of={read} />
      </Filters>
      <PagedTable
        of={read}
        empty={<Empty icon={<IconHistory />} title="No entries in this period" />}
        label="Audit log"
        columns={columns}
        words={(total) => count(total, 'entry', 'entries')}
      />
    </Page>
  );
}
