import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';

export const MemberFields = graphql(`
  fragment MemberFields on Membership {
    id actorId name email phone role pendingRole status specialties invitedAt activatedAt
    invitation { delivery expiresAt }
    identity { issuer subject lastSignInAt } emergencyAccess hasAccount directory { userName externalId since }
  }
`);
export const Members = graphql(
  `
    query Members($first: Int, $last: Int, $after: String, $before: String, $filter: MemberFilter) {
      members(first: $first, last: $last, after: $after, before: $before, filter: $filter) {
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        edges { node { ...MemberFields } }
      }
    }
  `,
  [MemberFields],
);

export type Member = ResultOf<typeof Members>['members']['edges'][number]['node'];
export type MemberFilter = NonNullable<VariablesOf<typeof Members>['filter']>;

export const MoveMember = graphql(`
  mutation MoveMember($input: MoveMembershipInput!) { moveMembership(input: $input) { id status } }
`);
export const ChangeRole = graphql(`
  mutation ChangeRole($input: ChangeMemberRoleInput!) { changeMemberRole(input: $input) { id role pendingRole } }
`);
export const ResendInvitation = graphql(`
  mutation ResendInvitation($input: MembershipMoveInput!) { resendInvitation(input: $input) { id } }
`);
export const WithdrawInvitation = graphql(`
  mutation WithdrawInvitation($input: MembershipMoveInput!) { withdrawInvitation(input: $input) { id status } }
`);
export const InviteMember = graphql(`
  mutation InviteMember($input: InviteMemberInput!) { inviteMember(input: $input) { id } }
`);

export type Role = VariablesOf<typeof InviteMember>['input']['role'];
