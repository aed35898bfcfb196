import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import type { State } from '../../text/labels.ts';

export const Mandates = graphql(`
  query Mandates($first: Int, $last: Int, $after: String, $before: String) {
    mandates(first: $first, last: $last, after: $after, before: $before) {
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges {
        node {
          id status agent { id } keys actionPattern condition maxUses used budget { member limit } spent
          validFrom validUntil reason eventId createdAt revokedAt
        }
      }
    }
  }
`);
export const KeyNames = graphql(`
  query KeyNames { apiKeys(first: 100) { edges { node { id name publicId expiresAt revokedAt } } } }
`);
export type Mandate = ResultOf<typeof Mandates>['mandates']['edges'][number]['node'];

export const MandateUses = graphql(`
  query MandateUses($id: ID!) {
    mandate(id: $id) { id uses(first: 50) { id createdAt action { type description } } }
  }
`);
export const RequestMandate = graphql(`
  mutation RequestMandate($input: RequestMandateInput!) { requestMandate(input: $input) { mandateId eventId } }
`);
export const RevokeMandate = graphql(`
  mutation RevokeMandate($input: RevokeMandateInput!) { revokeMandate(input: $input) { id status } }
`);

export const mandateStates: Record<Mandate['status'], State> = {
  pending: ['Waits for approval', 'warn'],
  active: ['Active', 'good'],
  exhausted: ['Used up', 'quiet'],
  expired: ['Expired', 'quiet'],
  revoked: ['Revoked', 'bad'],
  rejected: ['Rejected', 'bad'],
};
