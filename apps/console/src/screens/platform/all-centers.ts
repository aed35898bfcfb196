import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const AllCenters = graphql(`
  query AllCenters(
    $first: Int, $last: Int, $after: String, $before: String,
    $search: String, $status: CenterStatus, $partnerId: ID
  ) {
    allCenters(
      first: $first, last: $last, after: $after, before: $before,
      search: $search, status: $status, partnerId: $partnerId
    ) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges {
        node { id name centerDomain status vertical memberCount createdAt partner { id name } }
      }
    }
  }
`);

export type AnyCenter = ResultOf<typeof AllCenters>['allCenters']['edges'][number]['node'];

export const StrandedMembers = graphql(`
  query StrandedMembers {
    strandedMembers(first: 20) { edges { node { id name email role centerName centerVertical invitedAt } } }
  }
`);
