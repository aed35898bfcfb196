import type { PolicyGuards } from '@countersign/proof-kit/effective-policy';
import { policyStatements } from '@countersign/proof-kit/policy-sentences';
import { printable } from '@countersign/proof-kit/printable';
import type { GroupName } from '@countersign/proof-kit/seat-sentences';
import { useCallback, useMemo } from 'react';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useSession } from '../../session/session-context.ts';
import { countryName } from '../../text/countries.ts';
import { useAllGroups } from '../groups/group.ts';

const PolicyFields = graphql(`
  fragment PolicyFields on Policy @_unmask {
    id
    name
    scope
    country
    region
    actionPattern
    active
    version
    guards {
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
  }
`);

export const Policies = graphql(
  `query Policies { policies(first: 100) { edges { node { ...PolicyFields } } } }`,
  [PolicyFields],
);

export type Policy = ResultOf<typeof Policies>['policies']['edges'][number]['node'];

export const OnePolicy = graphql(
  `
    query OnePolicy($id: ID!) {
      node(id: $id) {
        ... on Policy {
          ...PolicyFields
          versions { version active changes changedBy changedById createdAt }
        }
      }
    }
  `,
  [PolicyFields],
);

type Node = NonNullable<ResultOf<typeof OnePolicy>['node']>;
export type WholePolicy = Extract<Node, { versions: unknown }>;
export type Version = WholePolicy['versions'][number];

/** Null if there is no such policy. */
export const policyIn = ({ node }: ResultOf<typeof OnePolicy>): WholePolicy | null =>
  node && 'versions' in node ? node : null;

export const CreatePolicy = graphql(`
  mutation CreatePolicy($input: CreatePolicyInput!) { createPolicy(input: $input) { id } }
`);
export const UpdatePolicy = graphql(`
  mutation UpdatePolicy($input: UpdatePolicyInput!) { updatePolicy(input: $input) { id version } }
`);

/** Policies above centers belong to platform administrators. */
export function useMayChange(): (policy: Pick<Policy, 'scope'>) => boolean {
  const { me } = useSession();
  return ({ scope }) => me.platformAdmin || (scope === 'CENTER' && me.role === 'ADMIN');
}

/** The approval groups of the center, with names in which invisible characters are escaped. */
export function useGroups() {
  const all = useAllGroups();
  const groups = useMemo(() => all.map((group) => ({ ...group, name: printable(group.name) })), [all]);
  const groupName: GroupName = useCallback((id) => groups.find((group) => group.id === id)?.name, [groups]);
  return { groups, groupName };
}

/** What a policy asks for, as sentences without full stops. */
export const statementsOf = (guards: Policy['guards'], groupName: GroupName): string[] =>
  policyStatements(guards as PolicyGuards, groupName).map(printable);

/** The centers in which a policy holds. */
export function placeOf({ scope, country, region }: Pick<Policy, 'scope' | 'country' | 'region'>): string {
  switch (scope) {
    case 'CENTER':
      return 'This center';
    case 'GLOBAL':
      return 'All centers';
    case 'COUNTRY':
      return `All centers in ${countryName(country ?? '')}`;
    case 'REGION':
      return `All centers in ${printable(region ?? '')}, ${countryName(country ?? '')}`;
  }
}
