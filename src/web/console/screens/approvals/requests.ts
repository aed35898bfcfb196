import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const Inbox = graphql(`
  query Inbox($after: String) {
    decisionEvents(first: 50, after: $after, filter: { statuses: [recorded, approved] }) {
      totalCount
      pageInfo { hasNextPage endCursor }
      edges {
        node {
          id
          status
          type
          riskScore
          createdAt
          expiresAt
          actor { id name type }
          action { type description }
        }
      }
    }
  }
`);

export type Waiting = ResultOf<typeof Inbox>['decisionEvents']['edges'][number]['node'];

export const OneRequest = graphql(`
  query OneRequest($id: ID!) {
    decisionEvent(id: $id) {
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
      approvals { id result reason createdAt approver { id name type } }
      outlook { verdict guards { guard verdict detail policyId version } }
    }
  }
`);

export type Request = ResultOf<typeof OneRequest>['decisionEvent'];

export const Prepare = graphql(`
  mutation Prepare($input: PrepareApprovalInput!) {
    prepareApproval(input: $input) { approvalId options }
  }
`);

/** What an approver of this kind of action needs, and whether the person has it. */
export const HowToApprove = graphql(`
  query HowToApprove($actionType: String!) {
    effectivePolicy(actionType: $actionType) { guards { approverAuthentication } }
    passkeys { id }
  }
`);

export const Approve = graphql(`
  mutation Approve($input: ApproveDecisionInput!) {
    approveDecision(input: $input) { approvalId sealedHash }
  }
`);
