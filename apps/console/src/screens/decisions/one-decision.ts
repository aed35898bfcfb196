import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const OneDecision = graphql(`
  query OneDecision($id: ID!) {
    decisionEvent(id: $id) {
      id
      decisionId
      dpuId
      status
      type
      riskScore
      tags
      occurredAt
      createdAt
      updatedAt
      actor { id name type }
      action { type description input output }
      aiContext { model provider confidence reasoning }
      expiresAt
      outcome { status recordedAt journalIndex }
      approvals { id result reason by createdAt approver { id name type } }
      seats { index group groupName count authentication open filledBy { id approver { id name } } }
      evidence { id status chainHash chainIndex }
      journal { index kind at }
      erased { path at reason }
    }
  }
`);

export type Decision = ResultOf<typeof OneDecision>['decisionEvent'];
