import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const GuardFields = graphql(`
  fragment GuardFields on PolicyGuards @_unmask {
    minimumEvidenceLevel
    humanReviewForAi
    riskThreshold
    riskRequired
    dualApproval
    approverAuthentication
    passkeyAgeHours
    quorum { group count authentication }
    quorumOrdered
    escalateAfterSeconds
    escalateToGroup
    enforced
  }
`);

export const Policies = graphql(
  `
    query Policies {
      policies(first: 100) {
        edges {
          node {
            id
            name
            scope
            country
            region
            actionPattern
            active
            version
            updatedAt
            guards { ...GuardFields }
          }
        }
      }
    }
  `,
  [GuardFields],
);

export type Policy = ResultOf<typeof Policies>['policies']['edges'][number]['node'];

export const CreatePolicy = graphql(`
  mutation CreatePolicy($input: CreatePolicyInput!) { createPolicy(input: $input) { id } }
`);
export const UpdatePolicy = graphql(`
  mutation UpdatePolicy($input: UpdatePolicyInput!) { updatePolicy(input: $input) { id version } }
`);
