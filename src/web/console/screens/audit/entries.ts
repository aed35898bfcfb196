import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const Entries = graphql(`
  query Entries($first: Int, $last: Int, $after: String, $before: String, $filter: AuditFilter) {
    auditEntries(first: $first, last: $last, after: $after, before: $before, filter: $filter) {
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { node { id type actorId actorName actorEmail subject { kind id name } target detail ip occurredAt chainIndex } }
    }
  }
`);

/** People whose entries can be filtered. */
export const People = graphql(`
  query AuditPeople { members(first: 100) { edges { node { actorId name } } } }
`);

export type Entry = ResultOf<typeof Entries>['auditEntries']['edges'][number]['node'];
