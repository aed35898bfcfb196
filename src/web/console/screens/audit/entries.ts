import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const Entries = graphql(`
  query Entries($first: Int, $last: Int, $after: String, $before: String, $filter: AuditFilter) {
    auditEntries(first: $first, last: $last, after: $after, before: $before, filter: $filter) {
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { node { id type actorId actorEmail target detail ip occurredAt chainIndex } }
    }
  }
`);

export type Entry = ResultOf<typeof Entries>['auditEntries']['edges'][number]['node'];
