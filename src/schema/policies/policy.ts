import type { AUTHENTICATIONS } from '@countersign/proof-kit';
import type {
  EffectivePolicy as Effective,
  PolicyGuards as Guards,
} from '@countersign/proof-kit/effective-policy';
import type { Policy as PolicyRow, PolicyVersion as VersionRow } from '../../db/generated/prisma/client.ts';
import { checkAccess } from '../../domain/access.ts';
import { actorNamesOf } from '../../domain/audit/names.ts';
import { findPolicy, versionsOf } from '../../domain/policies/list-policies.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { enumType, storedEnum } from '../enum-types.ts';
import { EvidenceLevel } from '../enums.ts';
import { columnsOf, onlyProperties, orNull, properties } from '../exposed.ts';

/** Center administrators, and platform admins for policies above centers. */
export const policyEditors = { roles: ['ADMIN'], platformAdmin: true } as const;

export const PolicyScope = storedEnum(
  'PolicyScope',
  'The scope of a policy. Narrower scopes take precedence.',
  {
    GLOBAL: 'All centers of the platform.',
    COUNTRY: 'All centers of one country; a center that names none lies in the country of its partner.',
    REGION: 'All centers of one region of a country.',
    CENTER: 'One center.',
  },
);

export const ApproverAuthentication = enumType<(typeof AUTHENTICATIONS)[number]>(
  'ApproverAuthentication',
  'Required authentication of an approver: asserted by an API key, session, or signature.',
  {
    ASSERTED: 'Asserted by a system with an API key.',
    SESSION: 'The approver must be signed in, or sign.',
    SIGNED: 'The approver must sign with a passkey.',
  },
);

const PolicySeat = builder.objectRef<NonNullable<Guards['quorum']>[number]>('PolicySeat').implement({
  description: 'A seat of a quorum.',
  fields: onlyProperties({
    group: ['ID?', 'The approval group that can fill it; null for any human.'],
    count: ['Int', 'The number of different people required.'],
    authentication: [orNull(ApproverAuthentication), 'The minimum authentication; null for the default.'],
  }),
});

const PolicyGuards = builder.objectRef<Guards>('PolicyGuards').implement({
  description: 'The guards of a policy. Guards that are null are inherited from wider policies.',
  fields: (t) => ({
    ...properties(t, {
      humanReviewForAi: ['Boolean?', 'Whether a person must approve decisions of an AI.'],
      riskThreshold: ['Float?', 'Decisions with a higher risk score (0 to 1) require a person.'],
      riskRequired: ['Boolean?', 'Whether a decision without a risk score counts as the riskiest.'],
      dualApproval: ['Boolean?', 'Whether two different approvers are required.'],
      passkeyAgeHours: [
        'Int?',
        'How many hours before the approval a passkey must have been registered to count as SIGNED.',
      ],
      quorumOrdered: ['Boolean?', 'Whether a later seat waits until the earlier ones are filled.'],
      escalateAfterSeconds: ['Int?', 'Seconds until open seats escalate.'],
      escalateToGroup: ['ID?', 'The approval group that can fill open seats after the escalation.'],
      minimumEvidenceLevel: [orNull(EvidenceLevel), 'The minimum evidence level.'],
      approverAuthentication: [orNull(ApproverAuthentication), 'The minimum authentication of approvers.'],
    }),
    quorum: t.field({
      type: [PolicySeat],
      nullable: true,
      description: 'The seats of the quorum, filled by different people.',
      resolve: ({ quorum }) => quorum && [...quorum],
    }),
    enforced: t.stringList({
      description: 'Guards that narrower scopes can only tighten.',
      resolve: (guards) => [...(guards.enforced ?? [])],
    }),
  }),
});

const authorOf = makeLoader(actorNamesOf);

const PolicyVersion = builder.objectRef<VersionRow>('PolicyVersion').implement({
  description: 'A version of a policy.',
  fields: (t) => ({
    ...columnsOf('PolicyVersion', t, {
      version: 'The number of the version, from 1.',
      name: 'The name.',
      actionPattern: 'The covered actions.',
      active: 'Whether it was active.',
      changedById: 'The author of this version.',
      createdAt: 'When it was written.',
    }),
    guards: t.field({
      type: PolicyGuards,
      description: 'The guards.',
      resolve: ({ guards }) => guards as Guards,
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
  id: { resolve: ({ id }) => id, description: 'Globally unique id.' },
  isTypeOf: (value) => typeof value === 'object' && value !== null && 'actionPattern' in value,
  loadWithoutCache: (id, ctx) => {
    checkAccess(ctx.principal, policyEditors);
    return findPolicy(ctx, id);
  },
  fields: (t) => ({
    ...columnsOf('Policy', t, {
      scope: 'The scope.',
      country: 'For COUNTRY and REGION: the country (ISO 3166).',
      region: 'For REGION: the region.',
      name: 'The display name.',
      actionPattern: 'The covered actions: a type, a prefix followed by .*, or *.',
      version: 'The number of the current version.',
      active: 'Whether it is active.',
      createdAt: 'When it was created.',
      updatedAt: 'When it was last changed.',
    }),
    guards: t.field({
      type: PolicyGuards,
      description: 'The guards.',
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
  description: 'The effective policy for an action in the center, guard by guard.',
  fields: (t) => ({
    policyId: t.id({
      nullable: true,
      description: 'The most specific policy that covers the action.',
      resolve: ({ policy }) => policy?.id,
    }),
    version: t.int({
      nullable: true,
      description: 'The version of that policy.',
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
