import { GUARD_OF, type PolicyGuards } from '@countersign/proof-kit/effective-policy';
import type { VariablesOf } from '../../graphql/graphql.ts';
import type { CreatePolicy, Policy } from './policy.ts';

type CreateInput = VariablesOf<typeof CreatePolicy>['input'];
export type GuardsInput = NonNullable<CreateInput['guards']>;
type Guards = Policy['guards'];

export interface SeatDraft {
  group: string | null;
  /** Empty while it is typed. */
  count: number | '';
  authentication: NonNullable<Guards['approverAuthentication']> | null;
}

/** Null, or empty: left to wider policies. */
export interface PolicyDraft {
  name: string;
  scope: Policy['scope'];
  country: string;
  region: string;
  actionPattern: string;
  active: boolean;
  humanReviewForAi: boolean | null;
  /** In percent. */
  risk: number | '';
  riskRequired: boolean | null;
  dualApproval: boolean | null;
  seats: SeatDraft[];
  ordered: boolean;
  escalateAfterSeconds: number | null;
  escalateToGroup: string | null;
  approverAuthentication: Guards['approverAuthentication'];
  passkeyAgeHours: number | null;
  minimumEvidenceLevel: Guards['minimumEvidenceLevel'];
  enforced: string[];
}

export const emptyDraft: PolicyDraft = {
  name: '',
  scope: 'CENTER',
  country: '',
  region: '',
  actionPattern: '*',
  active: true,
  humanReviewForAi: null,
  risk: '',
  riskRequired: null,
  dualApproval: null,
  seats: [],
  ordered: false,
  escalateAfterSeconds: null,
  escalateToGroup: null,
  approverAuthentication: null,
  passkeyAgeHours: null,
  minimumEvidenceLevel: null,
  enforced: [],
};

/** Floating-point noise: 0.07 times 100 is 7.000000000000001. */
const clean = (value: number) => Number(value.toPrecision(12));

export function draftOf({ guards, country, region, ...policy }: Policy): PolicyDraft {
  const { quorum, quorumOrdered, riskThreshold, ...others } = guards;
  const { name, scope, actionPattern, active } = policy;
  return {
    name,
    scope,
    country: country ?? '',
    region: region ?? '',
    actionPattern,
    active,
    ...others,
    risk: riskThreshold === null ? '' : clean(riskThreshold * 100),
    seats: (quorum ?? []).map(({ group, count, authentication }) => ({ group, count, authentication })),
    ordered: quorumOrdered ?? false,
  };
}

/** Members that are null are left out, and so is the escalation of a policy without seats. */
export function guardsOf(draft: PolicyDraft): GuardsInput {
  const { seats, ordered, risk, escalateAfterSeconds, escalateToGroup } = draft;
  const guards: GuardsInput = {
    humanReviewForAi: draft.humanReviewForAi,
    riskThreshold: risk === '' ? null : clean(risk / 100),
    riskRequired: draft.riskRequired,
    dualApproval: draft.dualApproval,
    approverAuthentication: draft.approverAuthentication,
    passkeyAgeHours: draft.passkeyAgeHours,
    minimumEvidenceLevel: draft.minimumEvidenceLevel,
    ...(seats.length > 0 && {
      quorum: seats.map(({ count, ...seat }) => ({ ...seat, count: count || 0 })),
      quorumOrdered: seats.length > 1 && ordered,
      escalateAfterSeconds,
      escalateToGroup,
    }),
  };
  const given = Object.fromEntries(
    Object.entries(guards).filter(([, value]) => value !== null && value !== undefined),
  ) as GuardsInput;
  const set = guardsSetBy(given);
  const enforced = draft.enforced.filter((guard) => set.includes(guard));
  return { ...given, ...(enforced.length > 0 && { enforced }) };
}

/** The guards that have a value. */
export const guardsSetBy = (guards: GuardsInput): string[] => [
  ...new Set(
    Object.keys(guards).flatMap((member) =>
      member === 'quorum' ? 'quorum' : (GUARD_OF[member as keyof typeof GUARD_OF] ?? []),
    ),
  ),
];

/** The guards as the rules read them. */
export const rulesOf = (draft: PolicyDraft) => guardsOf(draft) as PolicyGuards;

/** The input of `checkPolicy` and `tryPolicy`. */
export const adviceInput = (draft: PolicyDraft, id: string | null) => ({
  ...placeInput(draft),
  ...(id !== null && { id }),
  actionPattern: draft.actionPattern.trim(),
  guards: guardsOf(draft),
});

export const createInput = (draft: PolicyDraft): CreateInput => ({
  ...placeInput(draft),
  name: draft.name.trim(),
  actionPattern: draft.actionPattern.trim(),
  guards: guardsOf(draft),
});

const placeInput = ({ scope, country, region }: PolicyDraft) => ({
  scope,
  ...((scope === 'COUNTRY' || scope === 'REGION') && { country: country || null }),
  ...(scope === 'REGION' && { region: region.trim() || null }),
});
