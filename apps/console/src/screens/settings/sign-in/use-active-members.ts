import { useCallback, useEffect, useState } from 'react';
import { type Client, useClient } from 'urql';
import { failureOf } from '../../../graphql/failure.ts';
import { graphql, type ResultOf } from '../../../graphql/graphql.ts';
import type { Read } from '../../../graphql/use-read.ts';

const ActiveMembersPage = graphql(`
  query MembersBySignIn($after: String) {
    members(first: 100, after: $after, filter: { status: ACTIVE }) {
      pageInfo { hasNextPage endCursor }
      edges { node { id actorId name email role emergencyAccess identity { issuer } } }
    }
  }
`);

export type ActiveMember = ResultOf<typeof ActiveMembersPage>['members']['edges'][number]['node'];

/** Without an identity, the provider has never signed them in; emergency access does not need it. */
export const isLockedOut = ({ identity, emergencyAccess }: ActiveMember) =>
  identity === null && !emergencyAccess;

/** All active members of the center. The service has no filter by sign-in: the console reads every page. */
export function useActiveMembers(): Read<ActiveMember[]> {
  const client = useClient();
  const [{ data, failure }, setResult] = useState<Result>({});
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round reads again
  useEffect(() => {
    let isOver = false;
    void readAll(client).then((result) => isOver || setResult(result));
    return () => {
      isOver = true;
    };
  }, [client, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { data, failure, loading: data === undefined && failure === undefined, reload };
}

type Result = Partial<Pick<Read<ActiveMember[]>, 'data' | 'failure'>>;
type Page = ResultOf<typeof ActiveMembersPage>['members'];

async function readAll(client: Client): Promise<Result> {
  const members: ActiveMember[] = [];
  let page: Page | undefined;
  do {
    const variables = { after: page?.pageInfo.endCursor ?? null };
    const { data, error } = await client
      .query(ActiveMembersPage, variables, { requestPolicy: 'network-only' })
      .toPromise();
    if (!data) return { failure: failureOf(error) };
    page = data.members as Page;
    members.push(...page.edges.map(({ node }) => node));
  } while (page.pageInfo.hasNextPage);
  return { data: members };
}
