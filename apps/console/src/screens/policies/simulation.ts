import { useMemo } from 'react';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useGroups } from './policy.ts';

export const Simulate = graphql(`
  query Simulate($input: SimulatePolicyInput!) {
    simulatePolicy(input: $input) {
      outcome
      selfApproval
      guards { guard verdict detail policyId policyName version }
      seats { group groupName count authentication filledBy open }
    }
  }
`);

export type Simulation = ResultOf<typeof Simulate>['simulatePolicy'];

const Administrators = graphql(`
  query Administrators {
    members(first: 100, filter: { status: ACTIVE, role: ADMIN }) { edges { node { id name } } }
  }
`);

/** The actor of the simulated decision. */
export const REQUESTER = 'the-requester';

export interface Approver {
  id: string;
  name: string;
  isAdmin: boolean;
  groups: readonly string[];
}

/** Stand for people who are not members yet. */
const others: Approver[] = [
  { id: REQUESTER, name: 'The requester', isAdmin: true, groups: [] },
  { id: 'further-1', name: 'A further administrator', isAdmin: true, groups: [] },
  { id: 'further-2', name: 'Another further administrator', isAdmin: true, groups: [] },
];

/** Everyone who can fill a seat: administrators, members of groups, and people to assume. */
export function useApprovers(): Approver[] {
  const { data } = useRead(Administrators, {});
  const { groups } = useGroups();
  return useMemo(() => {
    const people = new Map<string, Approver>();
    const add = (person: Approver) => {
      const known = people.get(person.id);
      people.set(person.id, known ? { ...known, groups: [...known.groups, ...person.groups] } : person);
    };
    for (const { node } of data?.members.edges ?? []) add({ ...node, isAdmin: true, groups: [] });
    for (const { id, members } of groups) {
      for (const member of members) add({ ...member, isAdmin: false, groups: [id] });
    }
    const nameOf = new Map(groups.map(({ id, name }) => [id, name]));
    const labelled = [...people.values()].map((person) => {
      const roles = [
        ...(person.isAdmin ? ['administrator'] : []),
        ...person.groups.flatMap((id) => nameOf.get(id) ?? []),
      ];
      return { ...person, name: `${person.name} (${roles.join(', ')})` };
    });
    return [...labelled, ...others];
  }, [data, groups]);
}
