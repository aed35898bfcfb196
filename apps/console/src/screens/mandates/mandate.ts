import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import type { State } from '../../text/labels.ts';

const MandateFields = graphql(`
  fragment MandateFields on Mandate @_unmask {
    id status agent { id } actionPattern maxUses used budget { member limit } spent validUntil notUsed approvalProblem
  }
`);

export const Mandates = graphql(
  `
    query Mandates($first: Int, $last: Int, $after: String, $before: String) {
      mandates(first: $first, last: $last, after: $after, before: $before) {
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        edges { node { ...MandateFields } }
      }
    }
  `,
  [MandateFields],
);
export type Mandate = ResultOf<typeof Mandates>['mandates']['edges'][number]['node'];

export const OneMandate = graphql(
  `
    query OneMandate($id: ID!) {
      mandate(id: $id) {
        ...MandateFields
        keys apiKeys { id name publicId usable } condition validFrom reason eventId createdAt revokedAt lifts
        uses(first: 100) { id createdAt action { type description } }
      }
    }
  `,
  [MandateFields],
);
export type WholeMandate = ResultOf<typeof OneMandate>['mandate'];

export const RequestMandate = graphql(`
  mutation RequestMandate($input: RequestMandateInput!) { requestMandate(input: $input) { mandateId eventId } }
`);
export const RevokeMandate = graphql(`
  mutation RevokeMandate($input: RevokeMandateInput!) { revokeMandate(input: $input) { id status } }
`);

const mandateStates: Record<Mandate['status'], State> = {
  pending: ['Waits for approval', 'warn'],
  active: ['Active', 'good'],
  exhausted: ['Used up', 'quiet'],
  expired: ['Expired', 'quiet'],
  revoked: ['Revoked', 'bad'],
  rejected: ['Rejected', 'bad'],
};

/** Its status, and whether an active one is of no use at present. */
export const stateOfMandate = ({ status, notUsed }: Pick<Mandate, 'status' | 'notUsed'>): State =>
  notUsed ? ['Active, not used', 'warn'] : mandateStates[status];

/** Why it has no effect at present, although its status does not tell. */
export const obstacleTo = ({ notUsed, approvalProblem }: Pick<Mandate, 'notUsed' | 'approvalProblem'>) =>
  notUsed ?? approvalProblem;
