import type { TestApp } from '../helpers/app.ts';
import { mailTo, tokenIn } from '../helpers/mail.ts';

export const password = 'correct horse battery';

let counter = 0;
export const freshAddress = () => `invited-${Date.now().toString(36)}-${counter++}@example.test`;

const MEMBER = 'id actorId name email phone role status invitation { delivery sentAt expiresAt }';

/** The operations of an invitation. Each returns the value of the only field, or the error code. */
export function invitationCalls(running: () => TestApp) {
  async function ask(document: string, variables: Record<string, unknown>, token?: string) {
    const { data, errors } = await running().graphql(document, variables, token);
    return errors ? errors[0]!.extensions.code : Object.values(data as object)[0];
  }
  const signIn = (email: string, secret = password) =>
    running().call('POST', '/auth/login', { body: { email, password: secret } });
  return {
    ask,
    signIn,
    invite: (email: string, by: string, more: object = {}) =>
      ask(
        `mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { ${MEMBER} } }`,
        { input: { email, role: 'INSTRUCTOR', ...more } },
        by,
      ),
    accept: (token: string, more: object = { password }) =>
      ask(`mutation ($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { ${MEMBER} } }`, {
        input: { token, ...more },
      }),
    look: (token: string) =>
      ask(
        `mutation ($token: String!) { readInvitation(input: { token: $token }) {
          centerName centerDomain role email name needsPassword expiresAt } }`,
        { token },
      ),
    /** An operation whose only argument is a membership. */
    about: (name: string, membershipId: string, by?: string) =>
      ask(
        `mutation ($id: ID!) { ${name}(input: { membershipId: $id }) { ${MEMBER} } }`,
        { id: membershipId },
        by,
      ),
    move: (membershipId: string, to: string, by?: string) =>
      ask(
        `mutation ($id: ID!, $to: MembershipStatus!) { moveMembership(input: { membershipId: $id, to: $to }) { status } }`,
        { id: membershipId, to },
        by,
      ),
    members: async (by: string, search?: string) => {
      const { data } = await running().graphql(
        `query ($filter: MemberFilter) { members(filter: $filter) { edges { node { ${MEMBER} } } } }`,
        { filter: { search } },
        by,
      );
      return data.members.edges.map(({ node }: { node: object }) => node);
    },
    linkFor: async (email: string, count = 1) => tokenIn(await mailTo(running(), email, 'Invitation', count)),
  };
}
