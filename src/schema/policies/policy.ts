import type { AUTHENTICATIONS } from '@countersign/proof-kit';
import type {
  EffectivePolicy as Effective,
  PolicyGuards as Guards,
} from '@countersign/proof-kit/effective-policy';
import type { Policy as PolicyRow, PolicyVersion as VersionRow } from '../../db/generated/prisma/client.ts';
import type * as enums from '../../db/generated/prisma/enums.ts';
import { checkAccess } from '../../domain/access.ts';
import { actorNamesOf } from '../../domain/audit/names.ts';
import { findPolicy, versionsOf } from '../../domain/policies/list-policies.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { describedValues } from '../enum-values.ts';
import { EvidenceLevel } from '../enums.ts';

/** Center administrators, and platform admins for policies above centers. */
export const policyEditors = { roles: ['ADMIN'], platformAdmin: true } as const;

export const PolicyScope = builder.enumType('PolicyScope', {
  description: 'The scope of a policy. Narrower scopes take precedence.',
  values: describedValues<enums.PolicyScope>({
    GLOBAL: 'All centers of the platform.',
    COUNTRY: 'All centers of one country; a center that names none lies in the country of its partner.',
    REGION: 'All centers of one region of a country.',
    CENTER: 'One center.',
  }),
});

export const ApproverAuthentication = builder.enumType('ApproverAuthentication', {
  description: 'Required authentication of an approver: asserted by an API key, session, or signature.',
  values: describedValues<(typeof AUTHENTICATIONS)[number]>({
    ASSERTED: 'Asserted by a system with an API key.',
    SESSION: 'The approver must be signed in, or sign.',
    SIGNED: 'The approver must sign with a passkey.',
  }),
});

const PolicySeat = builder.objectRef<NonNullable<Guards['quorum']>[number]>('PolicySeat').implement({
  description: 'A seat of a quorum.',
  fields: (t) => ({
    group: t.id({
      nullable: true,
      description: 'The approval group that can fill it; null for any human.',
      resolve: ({ group }) => group,
    }),
    count: t.exposeInt('count', { description: 'The number of different people required.' }),
    authentication: t.field({
      type: ApproverAuthentication,
      nullable: true,
      description: 'The minimum authentication; null for the default.',
      resolve: ({ authentication }) => authentication,
    }),
  }),
});

const PolicyGuards = builder.objectRef<Guards>('PolicyGuards').implement({
  description: 'The guards of a policy. Guards that are null are inherited from wider policies.',
  fields: (t) => ({
    minimumEvidenceLevel: t.field({
      type: EvidenceLevel,
      nullable: true,
      description: 'The minimum evidence level.',
      resolve: (guards) => guards.minimumEvidenceLevel,
    }),
    humanReviewForAi: t.boolean({
      nullable: true,
      description: 'Whether a person must approve decisions of an AI.',
      resolve: (guards) => guards.humanReviewForAi,
    }),
    riskThreshold: t.float({
      nullable: true,
      description: 'Decisions with a higher risk score (0 to 1) require a person.',
      resolve: (guards) => guards.riskThreshold,
    }),
    riskRequired: t.boolean({
      nullable: true,
      description: 'Whether a decision without a risk score counts as the riskiest.',
      resolve: (guards) => guards.riskRequired,
    }),
    dualApproval: t.boolean({
      nullable: true,
      description: 'Whether two different approvers are required.',
      resolve: (guards) => guards.dualApproval,
    }),
    approverAuthentication: t.field({
      type: ApproverAuthentication,
      nullable: true,
      description: 'The minimum authentication of approvers.',
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
      description: 'The seats of the quorum, filled by different people.',
      resolve: ({ quorum }) => quorum && [...quorum],
    }),
    quorumOrdered: t.boolean({
      nullable: true,
      description: 'Whether a later seat waits until the earlier ones are filled.',
      resolve: (guards) => guards.quorumOrdered,
    }),
    escalateAfterSeconds: t.int({
      nullable: true,
      description: 'Seconds until open seats escalate.',
      resolve: (guards) => guards.escalateAfterSeconds,
    }),
    escalateToGroup: t.id({
      nullable: true,
      description: 'The approval group that can fill open seats after the escalation.',
      resolve: (guards) => guards.escalateToGroup,
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
    version: t.exposeInt('version', { description: 'The number of the version, from 1.' }),
    name: t.exposeString('name', { description: 'The name.' }),
    actionPattern: t.exposeString('actionPattern', { description: 'The covered actions.' }),
    guards: t.field({
      type: PolicyGuards,
      description: 'The guards.',
      resolve: ({ guards }) => guards as Guards,
    }),
    active: t.exposeBoolean('active', { description: 'Whether it was active.' }),
    changedById: t.exposeString('changedById', {
      nullable: true,
      description: 'The author of this version.',
    }),
    changedBy: t.string({
      nullable: true,
      description: 'The name of the author; null for the service and for people outside the center.',
      complexity: 2,
      resolve: async ({ changedById }, _, ctx) =>
        (changedById && (await authorOf(ctx, changedById.replace(/^(actor|key):/, '')))) || null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was written.' }),
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
    scope: t.expose('scope', { type: PolicyScope, description: 'The scope.' }),
    country: t.exposeString('country', {
      nullable: true,
      description: 'For COUNTRY and REGION: the country (ISO 3166).',
    }),
    region: t.exposeString('region', { nullable: true, description: 'For REGION: the region.' }),
    name: t.exposeString('name', { description: 'The display name.' }),
    actionPattern: t.exposeString('actionPattern', {
      description: 'The covered actions: a type, a prefix followed by .*, or *.',
    }),
    version: t.exposeInt('version', { description: 'The number of the current version.' }),
    guards: t.field({
      type: PolicyGuards,
      description: 'The guards.',
      resolve: ({ guards }) => guards as Guards,
    }),
    active: t.exposeBoolean('active', { description: 'Whether it is active.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
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
