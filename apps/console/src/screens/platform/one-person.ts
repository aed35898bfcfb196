import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const OnePerson = graphql(`
  query OnePerson($id: ID!) {
    person(id: $id) {
      id
      name
      email
      phone
      platformAdmin
      suspendedAt
      createdAt
      activeSessions
      onlyAdminOf { id centerName }
      memberships { id centerId centerName role status }
      partners { id name role }
    }
  }
`);

export type Person = ResultOf<typeof OnePerson>['person'];

export const EndSessions = graphql(`
  mutation EndPersonSessions($input: PersonInput!) { endPersonSessions(input: $input) { id activeSessions } }
`);
export const Grant = graphql(`
  mutation GrantPlatformAdmin($input: PersonInput!) { grantPlatformAdmin(input: $input) { id platformAdmin } }
`);
export const Revoke = graphql(`
  mutation RevokePlatformAdmin($input: PersonInput!) { revokePlatformAdmin(input: $input) { id platformAdmin } }
`);
export const Suspend = graphql(`
  mutation SuspendPerson($input: SuspendPersonInput!) { suspendPerson(input: $input) { id suspendedAt } }
`);
export const Reactivate = graphql(`
  mutation ReactivatePerson($input: PersonInput!) { reactivatePerson(input: $input) { id suspendedAt } }
`);
