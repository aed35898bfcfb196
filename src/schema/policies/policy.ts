import type { AUTHENTICATIONS } from '@countersign/proof-kit';
import type {
  EffectivePolicy as Effective,
  PolicyGuards as Guards,
} from '@countersign/proof-kit/effective-policy';
import type { Policy as PolicyRow, PolicyVersion as VersionRow } from '../../db/generated/prisma/client.ts';
import { checkAccess } from '../../domain/access.ts';
import { actorNamesOf } from '../../domain/audit/names.ts';
import { findPolicy, versionsOf } from '../../domain/policies/list-policies.ts';
import { changesOf } from '../../domain/policies/policy-versions.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { enumType, storedEnum } from '../enum-types.ts';
import { EvidenceLevel } from '../enums.ts';
import { columnsOf, onlyProperties, orNull, properties } from '../exposed.ts';

/** Center administrators, and platform admins for policies above centers. */
export const policyEditors = { roles: ['ADMIN'], platformAdmin: true } as const;

export const PolicyScope = storedEnum(
  'PolicyScope',
  'Where a policy holds. Narrower scopes take precedence.',
  {
    GLOBAL: 'All centers of the installation.',
    COUNTRY: 'All centers of one country; a center that names none lies in the country of its partner.',
    REGION: 'All centers of one region of a country.',
    CENTER: 'The one center that it belongs to.',
  },
);

export const ApproverAuthentication = enumType<(typeof AUTHENTICATIONS)[number]>(
  'ApproverAuthentication',
  'How an approver must be authenticated, from weak to strong.',
  {
    ASSERTED: 'An API key of the center may assert who approves.',
    SESSION: 'The approver must be signed in, or sign.',
    SIGNED: 'The approver must sign the decision with a passkey.',
  },
);

const PolicySeat = builder.objectRef<NonNullable<Guards['quorum']>[number]>('PolicySeat').implement({
  description: 'A seat that people must fill before a decision is sealed.',
  fields: onlyProperties({
    group: ['ID?', 'The id of the approval group that can fill it, `grp_…`; null for any person.'],
    count: ['Int', 'The number of different people that it needs.'],
    authentication: [
      orNull(ApproverAuthentication),
      'The least authentication that its approvers need; null for SESSION with a group, otherwise ASSERTED.',
    ],
  }),
});

const PolicyGuards = builder.objectRef<Guards>('PolicyGuards').implement({
  description: 'The guards of a policy. Guards that are null are inherited from wider policies.',
  fields: (t) => ({
    ...properties(t, {
      humanReviewForAi: ['Boolean?', 'Whether a person must approve decisions of an AI.'],
      riskThreshold: ['Float?', 'From 0 to 1. Decisions with a higher risk score require a person.'],
      riskRequired: ['Boolean?', 'Whether a decision without a risk score counts as the riskiest.'],
      dualApproval: [
        'Boolean?',
        'Whether two different people must approve. Approvals by machines do not count.',
      ],
      passkeyAgeHours: [
        'Int?',
        'How many hours before the approval a passkey must have been registered to count as SIGNED.',
      ],
      quorumOrdered: ['Boolean?', 'Whether a later seat waits until the earlier ones are filled.'],
      escalateAfterSeconds: [
        'Int?',
        'How many seconds after the recording open seats escalate; null for never.',
      ],
      escalateToGroup: [
        'ID?',
        'The id of the approval group that can fill open seats after the escalation, `grp_…`.',
      ],
      minimumEvidenceLevel: [orNull(EvidenceLevel), 'The level below which nothing is sealed.'],
      approverAuthentication: [
        orNull(ApproverAuthentication),
        'The least authentication that an approver needs.',
      ],
    }),
    quorum: t.field({
      type: [PolicySeat],
      nullable: true,
      description: 'The seats, which different people must fill; null if none is required.',
      resolve: ({ quorum }) => quorum && [...quorum],
    }),
    enforced: t.stringList({
      description: 'Guards that narrower scopes can only tighten.',
      resolve: (guards) => [...(guards.enforced ?? [])],
    }),
  }),
});

const authorOf = makeLoader(actorNamesOf);
const changesIn = makeLoader(changesOf);

const PolicyVersion = builder.objectRef<VersionRow>('PolicyVersion').implement({
  description: 'A policy as it was from one change to the next; never changed.',
  fields: (t) => ({
    ...columnsOf('PolicyVersion', t, {
      version: 'The number of the version, from 1.',
      name: 'The name that people saw.',
      actionPattern: 'The action types that it covered: a type, a prefix followed by `.*`, or `*`.',
      active: 'Whether it applied; an inactive version was ignored.',
      changedById:
        'Who wrote this version: `actor:` and a UUID, `key:` and an id, or `system:` and a name; null if unknown.',
      createdAt: 'When the version was written, in UTC.',
    }),
    guards: t.field({
      type: PolicyGuards,
      description: 'What it required of decisions.',
      resolve: ({ guards }) => guards as Guards,
    }),
    changes: t.stringList({
      description:
        'What it changed from the version before, one sentence for each difference; of version 1, what it requires. Groups have their present names.',
      complexity: 2,
      resolve: async (version, _, ctx) => (await changesIn(ctx, version)) ?? [],
    }),
    changedBy: t.string({
      nullable: true,
      description: 'The name of the author; null for the service and for people outside the center.',
      complexity: 2,
      resolve: async ({ changedById }, _, ctx) =>
        (changedById && (await authorOf(ctx, changedById.replace(/^(actor|key):/, '')))) || null,
    }),
  }),
});

const versionsOfOne = makeLoader(versionsOf);

export const Policy = builder.objectRef<PolicyRow>('Policy');

builder.node(Policy, {
  description: 'A policy for decisions: scope, covered actions and guards.',
  id: { resolve: ({ id }) => id, description: 'The id of the policy, `pol_…`.' },
  isTypeOf: (value) => typeof value === 'object' && value !== null && 'actionPattern' in value,
  loadWithoutCache: (id, ctx) => {
    checkAccess(ctx.principal, policyEditors);
    return findPolicy(ctx, id);
  },
  fields: (t) => ({
    ...columnsOf('Policy', t, {
      scope: 'Where the policy holds.',
      country: 'For COUNTRY and REGION: the country (ISO 3166, two letters); null for other scopes.',
      region: 'For REGION: the name of the region, as in the settings of centers; null for other scopes.',
      name: 'The name that people see.',
      actionPattern: 'The action types that it covers: a type, a prefix followed by `.*`, or `*`.',
      version: 'The number of the current version, from 1.',
      active: 'Whether it applies. An inactive policy is ignored.',
      createdAt: 'When the policy was created, in UTC.',
      updatedAt: 'When the current version was written, in UTC.',
    }),
    guards: t.field({
      type: PolicyGuards,
      description: 'What it requires of decisions.',
      resolve: ({ guards }) => guards as Guards,
    }),
    versions: t.field({
      type: [PolicyVersion],
      description: 'The last 100 versions, newest first.',
      resolve: async ({ id }, _, ctx) => (await versionsOfOne(ctx, id)) ?? [],
    }),
  }),
});

/** The quorum of the narrowest policy; `simulatePolicy` shows those that wider ones add. */
const quorumGuards = ({ seats, ordered, escalation }: Effective['quorums'][number]['value']): Guards => ({
  quorum: seats,
  quorumOrdered: ordered,
  escalateAfterSeconds: escalation?.afterSeconds ?? null,
  escalateToGroup: escalation?.group ?? null,
});

export const EffectivePolicy = builder.objectRef<Effective>('EffectivePolicy').implement({
  description: 'What all policies together require of an action in the center, guard by guard.',
  fields: (t) => ({
    policyId: t.id({
      nullable: true,
      description: 'The id of the most specific policy that covers the action, `pol_…`; null if none does.',
      resolve: ({ policy }) => policy?.id,
    }),
    version: t.int({
      nullable: true,
      description: 'The number of the current version of that policy; null if none covers the action.',
      resolve: ({ policy }) => policy?.version,
    }),
    guards: t.field({
      type: PolicyGuards,
      description: 'The value of each guard, from the most specific policy that sets it.',
      resolve: ({ guards, quorums: [quorum] }) => ({
        ...(quorum && quorumGuards(quorum.value)),
        minimumEvidenceLevel: guards.minimumEvidenceLevel?.value ?? null,
        humanReviewForAi: guards.humanReviewForAi?.value ?? null,
        riskThreshold: guards.riskThreshold?.value ?? null,
        riskRequired: guards.riskRequired?.value ?? null,
        dualApproval: guards.dualApproval?.value ?? null,
        approverAuthentication: guards.approverAuthentication?.value ?? null,
        passkeyAgeHours: guards.passkeyAgeHours?.value ?? null,
      }),
    }),
    sources: t.field({
      type: 'JSON',
      description: 'The policy and version behind each guard; null if none sets it.',
      resolve: ({ guards, quorums: [quorum] }) => ({
        ...Object.fromEntries(Object.entries(guards).map(([guard, set]) => [guard, set?.policy ?? null])),
        quorum: quorum?.policy ?? null,
      }),
    }),
  }),
});
