import type { AUTHENTICATIONS } from '@countersign/proof-kit';
import type {
  EffectivePolicy as Effective,
  PolicyGuards as Guards,
} from '@countersign/proof-kit/effective-policy';
import type { Policy as PolicyRow, PolicyVersion as VersionRow } from '../../db/generated/prisma/client.ts';
import type * as enums from '../../db/generated/prisma/enums.ts';
import { checkAccess } from '../../domain/access.ts';
import { findPolicy, versionsOf } from '../../domain/policies/list-policies.ts';
import { loadTogether } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { worded } from '../enum-values.ts';
import { EvidenceLevel } from '../enums.ts';

/** Center administrators, and platform admins for what lies above centers. */
export const policyKeepers = { roles: ['ADMIN'], platformAdmin: true } as const;

export const PolicyScope = builder.enumType('PolicyScope', {
  description: 'How far a policy reaches; the narrower one goes before the wider.',
  values: worded<enums.PolicyScope>({
    GLOBAL: 'All centers of the platform.',
    COUNTRY: 'All centers of one country; a center that names none lies in the country of its partner.',
    REGION: 'All centers of one region of a country.',
    CENTER: 'One center alone.',
  }),
});

export const ApproverAuthentication = builder.enumType('ApproverAuthentication', {
  description: 'How an approver is known: by the word of an API key, by a session, or by a signature.',
  values: worded<(typeof AUTHENTICATIONS)[number]>({
    ASSERTED: 'The word of a system with an API key is enough.',
    SESSION: 'The approver must be signed in, or sign.',
    SIGNED: 'The approver must sign with a passkey.',
  }),
});

const PolicySeat = builder.objectRef<NonNullable<Guards['quorum']>[number]>('PolicySeat').implement({
  description: 'A seat of a quorum.',
  fields: (t) => ({
    group: t.id({
      nullable: true,
      description: 'The approval group that may fill it; null for any human.',
      resolve: ({ group }) => group,
    }),
    count: t.exposeInt('count', { description: 'How many different people must fill it.' }),
    authentication: t.field({
      type: ApproverAuthentication,
      nullable: true,
      description: 'How they must be known at least; null for the default.',
      resolve: ({ authentication }) => authentication,
    }),
  }),
});

const PolicyGuards = builder.objectRef<Guards>('PolicyGuards').implement({
  description: 'What a policy demands. A guard that is null is left to wider policies.',
  fields: (t) => ({
    minimumEvidenceLevel: t.field({
      type: EvidenceLevel,
      nullable: true,
      description: 'The level a record must have reached.',
      resolve: (guards) => guards.minimumEvidenceLevel,
    }),
    humanReviewForAi: t.boolean({
      nullable: true,
      description: 'Whether a person must approve what an AI decides.',
      resolve: (guards) => guards.humanReviewForAi,
    }),
    riskThreshold: t.float({
      nullable: true,
      description: 'A risk above it, from 0 to 1, needs the approval of a person.',
      resolve: (guards) => guards.riskThreshold,
    }),
    riskRequired: t.boolean({
      nullable: true,
      description: 'Whether a decision that nobody rated counts as the riskiest.',
      resolve: (guards) => guards.riskRequired,
    }),
    dualApproval: t.boolean({
      nullable: true,
      description: 'Whether two different approvers are needed.',
      resolve: (guards) => guards.dualApproval,
    }),
    approverAuthentication: t.field({
      type: ApproverAuthentication,
      nullable: true,
      description: 'How approvers must be known, at least.',
      resolve: (guards) => guards.approverAuthentication,
    }),
    passkeyAgeHours: t.int({
      nullable: true,
      description:
        'How many hours before the approval a passkey must have been registered to count as SIGNED.',
      resolve: (guards) => guards.passkeyAgeHours,
    }),
    quorum: t.field({
      type: [PolicySeat],
      nullable: true,
      description: 'The seats that different people must fill.',
      resolve: ({ quorum }) => quorum && [...quorum],
    }),
    quorumOrdered: t.boolean({
      nullable: true,
      description: 'Whether a later seat waits until the earlier ones are filled.',
      resolve: (guards) => guards.quorumOrdered,
    }),
    escalateAfterSeconds: t.int({
      nullable: true,
      description: 'Seconds after which others may fill the open seats.',
      resolve: (guards) => guards.escalateAfterSeconds,
    }),
    escalateToGroup: t.id({
      nullable: true,
      description: 'The approval group that may fill them then.',
      resolve: (guards) => guards.escalateToGroup,
    }),
    enforced: t.stringList({
      description: 'Guards of which narrower scopes can only ask more, never less.',
      resolve: (guards) => [...(guards.enforced ?? [])],
    }),
  }),
});

const PolicyVersion = builder.objectRef<VersionRow>('PolicyVersion').implement({
  description: 'What a policy said at one version.',
  fields: (t) => ({
    version: t.exposeInt('version', { description: 'The number of the version, from 1.' }),
    name: t.exposeString('name', { description: 'What it was called.' }),
    actionPattern: t.exposeString('actionPattern', { description: 'Which actions it covered.' }),
    guards: t.field({
      type: PolicyGuards,
      description: 'What it demanded.',
      resolve: ({ guards }) => guards as Guards,
    }),
    active: t.exposeBoolean('active', { description: 'Whether it was in force.' }),
    changedById: t.exposeString('changedById', {
      nullable: true,
      description: 'The person who wrote this version.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was written.' }),
  }),
});

const versionsOfOne = loadTogether(versionsOf);

export const Policy = builder.objectRef<PolicyRow>('Policy');

builder.node(Policy, {
  description: 'A rule set for decisions: where it applies, to which actions, and what it demands.',
  id: { resolve: ({ id }) => id, description: 'Its id, unique among everything there is.' },
  isTypeOf: (value) => typeof value === 'object' && value !== null && 'actionPattern' in value,
  loadWithoutCache: (id, ctx) => {
    checkAccess(ctx.principal, policyKeepers);
    return findPolicy(ctx, id);
  },
  fields: (t) => ({
    scope: t.expose('scope', { type: PolicyScope, description: 'How far it reaches.' }),
    country: t.exposeString('country', {
      nullable: true,
      description: 'With COUNTRY and REGION: the country it is for (ISO 3166).',
    }),
    region: t.exposeString('region', { nullable: true, description: 'With REGION: the region it is for.' }),
    name: t.exposeString('name', { description: 'What it is called.' }),
    actionPattern: t.exposeString('actionPattern', {
      description: 'Which actions it covers: a type, a prefix with .* behind it, or *.',
    }),
    version: t.exposeInt('version', { description: 'The number of its newest version.' }),
    guards: t.field({
      type: PolicyGuards,
      description: 'What it demands.',
      resolve: ({ guards }) => guards as Guards,
    }),
    active: t.exposeBoolean('active', { description: 'Whether it is in force.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    versions: t.field({
      type: [PolicyVersion],
      description: 'What it said before, newest first: the last hundred versions.',
      resolve: async ({ id }, _, ctx) => (await versionsOfOne(ctx, id)) ?? [],
    }),
  }),
});

/** The quorum of the narrowest policy; `simulatePolicy` tells of those that wider ones add. */
const quorumGuards = ({ seats, ordered, escalation }: Effective['quorums'][number]['value']): Guards => ({
  quorum: seats,
  quorumOrdered: ordered,
  escalateAfterSeconds: escalation?.afterSeconds ?? null,
  escalateToGroup: escalation?.group ?? null,
});

export const EffectivePolicy = builder.objectRef<Effective>('EffectivePolicy').implement({
  description: 'What holds for an action in the center, guard by guard.',
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
      description: 'The policy and version behind each guard; null where none sets it.',
      resolve: ({ guards, quorums: [quorum] }) => ({
        ...Object.fromEntries(Object.entries(guards).map(([guard, set]) => [guard, set?.policy ?? null])),
        quorum: quorum?.policy ?? null,
      }),
    }),
  }),
});
