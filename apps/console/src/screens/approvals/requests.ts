import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { CardFields } from '../decisions/card-facts.ts';

export const Inbox = graphql(`
  query Inbox($after: String) {
    approvalsForMe(first: 100, after: $after) {
      pageInfo { hasNextPage endCursor }
      edges {
        node {
          reason
          event {
            id
            status
            type
            riskScore
            createdAt
            expiresAt
            actor { id name type }
            requestedBy { id name }
            action { type description words { label } }
          }
        }
      }
    }
  }
`);

type Entry = ResultOf<typeof Inbox>['approvalsForMe']['edges'][number]['node'];
export type Reason = Entry['reason'];
export type Waiting = Entry['event'] & { reason: Reason };

/** Why a decision waits for this user. ADMINs can decide all others. */
export const reasonLabels: Record<Reason, string | null> = {
  ANYONE: null,
  GROUP: 'your group',
  DELEGATION: 'you stand in',
  ESCALATION: 'escalated to you',
};

export const OneRequest = graphql(
  `
    query OneRequest($id: ID!) {
      decisionEvent(id: $id) {
        ...CardFields
        decisionId
        lastSimilar { id createdAt action { input } }
      }
    }
  `,
  [CardFields],
);

export type Request = ResultOf<typeof OneRequest>['decisionEvent'];

export const TwoRequests = graphql(
  `
    query TwoRequests($first: ID!, $second: ID!) {
      first: decisionEvent(id: $first) { ...CardFields }
      second: decisionEvent(id: $second) { ...CardFields }
    }
  `,
  [CardFields],
);

export type Compared = ResultOf<typeof TwoRequests>['first'];

export const Prepare = graphql(`
  mutation Prepare($input: PrepareApprovalInput!) {
    prepareApproval(input: $input) { approvalId options }
  }
`);

/** Requirements for approvers of this action, and whether the user meets them. */
export const HowToApprove = graphql(`
  query HowToApprove($actionType: String!, $isAdmin: Boolean!) {
    effectivePolicy(actionType: $actionType) @include(if: $isAdmin) { guards { approverAuthentication riskThreshold } }
    passkeys { id }
  }
`);

export const Approve = graphql(`
  mutation Approve($input: ApproveDecisionInput!) {
    approveDecision(input: $input) { approvalId sealedHash }
  }
`);
