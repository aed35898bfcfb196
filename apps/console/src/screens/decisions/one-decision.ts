import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const RequestFields = graphql(`
  fragment RequestFields on DecisionEvent {
    id
    decisionId
    status
    type
    riskScore
    tags
    createdAt
    expiresAt
    actor { id name type }
    action { type description input output }
    aiContext { model provider confidence reasoning }
  }
`);

export const SeatFields = graphql(`
  fragment SeatFields on DecisionEvent {
    seats { index group groupName count authentication open filledBy { id approver { id name } } }
  }
`);

export const OneDecision = graphql(
  `
    query OneDecision($id: ID!) {
      decisionEvent(id: $id) {
        ...RequestFields
        ...SeatFields
        dpuId
        updatedAt
        outcome { status recordedAt }
        approvals { id result reason by createdAt approver { id name type } }
        evidence { id chainHash chainIndex }
        journal { index kind }
        erased { path at reason }
      }
    }
  `,
  [RequestFields, SeatFields],
);

export type Decision = ResultOf<typeof OneDecision>['decisionEvent'];

/** The proof, and the keys that can have signed it. */
export const ExportOf = graphql(`
  query ExportOf($id: ID!) { evidenceExport(id: $id) signingKeys { vkey vouched until } }
`);
