import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const PartnerCenters = graphql(`
  query PartnerCenters($first: Int, $last: Int, $after: String, $before: String, $search: String) {
    partnerCenters(first: $first, last: $last, after: $after, before: $before, search: $search) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges {
        node { id name centerDomain customDomain tenantType status vertical memberCount createdAt }
      }
    }
  }
`);

export type PartnerCenter = ResultOf<typeof PartnerCenters>['partnerCenters']['edges'][number]['node'];

export const CreateCenter = graphql(`
  mutation CreatePartnerCenter($input: CreatePartnerCenterInput!) {
    createPartnerCenter(input: $input) { center { id name } admin { email } }
  }
`);
export const ChangeCenter = graphql(`
  mutation ChangePartnerCenter($input: UpdatePartnerCenterInput!) {
    updatePartnerCenter(input: $input) { id name status customDomain }
  }
`);
