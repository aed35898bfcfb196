import { IconHistory } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { graphql } from '../../graphql/graphql.ts';
import { AuditKinds, auditColumns } from '../../ui/audit-columns.tsx';
import { DayRange } from '../../ui/day-range.tsx';
import { Filters } from '../../ui/filters.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Empty } from '../../ui/states.tsx';
import { useList } from '../../ui/use-list.ts';
import { useRefresh } from '../../ui/use-refresh.ts';

const PlatformAudit = graphql(`
  query PlatformAudit(
    $first: Int, $last: Int, $after: String, $before: String, $types: [String!], $from: DateTime, $to: DateTime
  ) {
    platformAudit(
      first: $first, last: $last, after: $after, before: $before, types: $types, from: $from, to: $to
    ) {
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { node { id type actorEmail actorId detail ip occurredAt center { name } } }
    }
  }
`);

const route = getRouteApi('/inside/platform/audit');
type Search = ReturnType<typeof route.useSearch>;
const columns = auditColumns('Platform');

export default function PlatformAuditScreen() {
  const filterOf = ({ types, from, to }: Search) => ({
    types: types?.split(','),
    ...(from && { from: new Date(`${from}T00:00`).toISOString() }),
    ...(to && { to: new Date(`${to}T24:00`).toISOString() }),
  });
  const read = useList(PlatformAudit, route.useSearch(), filterOf, 50);
  useRefresh(read.reload);
  return (
    <Page title="Audit log" intro="What was done in all centers, by partners and on the platform.">
      <Filters of={read}>
        <AuditKinds of={read} />
        <DayRange of={read} />
      </Filters>
      <PagedTable
        of={read}
        empty={<Empty icon={<IconHistory />} title="No matching entries" />}
        label="Audit log"
        columns={columns}
      />
    </Page>
  );
}
