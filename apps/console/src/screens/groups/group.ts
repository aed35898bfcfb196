import { useMemo } from 'react';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';

const Groups = graphql(`
  query Groups($after: String) {
    groups(first: 100, after: $after) {
      pageInfo { hasNextPage endCursor }
      edges { node { id name source members { id name } } }
    }
  }
`);

/** All groups of the center: at most 200 exist, which are two pages. */
export function useAllGroups(): Group[] {
  const newest = useRead(Groups, {}).data?.groups;
  const after = newest?.pageInfo.endCursor ?? null;
  const older = useRead(Groups, { after }, { pause: !newest?.pageInfo.hasNextPage }).data?.groups;
  const rest = newest?.pageInfo.hasNextPage ? older : undefined;
  return useMemo(
    () => [...(newest?.edges ?? []), ...(rest?.edges ?? [])].map(({ node }) => node),
    [newest, rest],
  );
}

export const GroupPages = graphql(`
  query GroupPages($first: Int, $last: Int, $after: String, $before: String) {
    groups(first: $first, last: $last, after: $after, before: $before) {
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { node { id name source members { id name } } }
    }
  }
`);
export type Group = ResultOf<typeof GroupPages>['groups']['edges'][number]['node'];

export const CreateGroup = graphql(`
  mutation CreateGroup($input: CreateGroupInput!) { createGroup(input: $input) { id } }
`);
export const RenameGroup = graphql(`
  mutation RenameGroup($input: RenameGroupInput!) { renameGroup(input: $input) { id name } }
`);
export const SetGroupMembers = graphql(`
  mutation SetGroupMembers($input: SetGroupMembersInput!) { setGroupMembers(input: $input) { id members { id name } } }
`);
export const SetGroupSource = graphql(`
  mutation SetGroupSource($input: SetGroupSourceInput!) { setGroupSource(input: $input) { id source } }
`);
export const DeleteGroup = graphql(`mutation DeleteGroup($id: ID!) { deleteGroup(id: $id) { id } }`);

/** Candidates: active members. */
export const ActiveMembers = graphql(`
  query ActiveMembers($search: String) {
    members(first: 20, filter: { status: ACTIVE, search: $search }) {
      pageInfo { hasNextPage }
      edges { node { id name email } }
    }
  }
`);
