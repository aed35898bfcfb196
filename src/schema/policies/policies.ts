import {
  createPolicy,
  createPolicyInput,
  updatePolicy,
  updatePolicyInput,
} from '../../domain/policies/edit.ts';
import { countPolicies, effectivePolicyFor, listPolicies } from '../../domain/policies/list-policies.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { EvidenceLevel } from '../enums.ts';
import { TOTAL_COUNT, totalOf } from '../paging.ts';
import { ApproverAuthentication, EffectivePolicy, Policy, PolicyScope, policyKeepers } from './policy.ts';

const SeatInput = builder.inputType('SeatInput', {
  description: 'A seat of a quorum: so many different people must approve.',
  fields: (t) => ({
    group: t.id({ description: 'The approval group that they belong to; any human when left out.' }),
    count: t.int({ required: true, description: 'How many people, 1 to 10.' }),
    authentication: t.field({
      type: ApproverAuthentication,
      description: 'How they must be known at least: SESSION by default with a group, else ASSERTED.',
    }),
  }),
});

const PolicyGuardsInput = builder.inputType('PolicyGuardsInput', {
  description: 'What a policy demands. A guard left out or null is left to wider policies.',
  fields: (t) => ({
    minimumEvidenceLevel: t.field({
      type: EvidenceLevel,
      description: 'The level a record must have reached.',
    }),
    humanReviewForAi: t.boolean({ description: 'Whether a person must approve what an AI decides.' }),
    riskThreshold: t.float({ description: 'A risk above it, from 0 to 1, needs the approval of a person.' }),
    riskRequired: t.boolean({ description: 'Whether a decision that nobody rated counts as the riskiest.' }),
    dualApproval: t.boolean({ description: 'Whether two different approvers are needed.' }),
    approverAuthentication: t.field({
      type: ApproverAuthentication,
      description: 'How approvers must be known, at least.',
    }),
    passkeyAgeHours: t.int({
      description:
        'How many hours before the approval a passkey must have been registered to count as SIGNED, 0 to 720; 0 by default.',
    }),
    quorum: t.field({
      type: [SeatInput],
      description: 'The seats that different people must fill, 1 to 5.',
    }),
    quorumOrdered: t.boolean({
      description: 'Whether a later seat waits until the earlier ones are filled.',
    }),
    escalateAfterSeconds: t.int({
      description: 'Seconds after which others may fill the open seats, 60 to 604800.',
    }),
    escalateToGroup: t.id({ description: 'The approval group that may fill them then.' }),
    enforced: t.stringList({
      description:
        'Names of guards, such as `dual_approval`, of which narrower scopes can only ask more, never less.',
    }),
  }),
});

const CreatePolicyInput = builder
  .inputType('CreatePolicyInput', {
    description: 'A policy to make: where it applies, to which actions, and what it demands.',
    fields: (t) => ({
      scope: t.field({
        type: PolicyScope,
        required: true,
        description: 'CENTER for the current center; the others are for platform admins.',
      }),
      country: t.string({ description: 'For COUNTRY and REGION: as centers have it in their settings.' }),
      region: t.string({ description: 'For REGION: as centers have it in their settings.' }),
      name: t.string({ required: true, description: 'What to call it.' }),
      actionPattern: t.string({
        required: true,
        description: 'Which actions it covers: a type, a prefix with .* behind it, or *.',
      }),
      guards: t.field({ type: PolicyGuardsInput, required: true, description: 'What it demands.' }),
    }),
  })
  .validate(createPolicyInput);

const UpdatePolicyInput = builder
  .inputType('UpdatePolicyInput', {
    description: 'The next version of a policy; what is left out stays as it is.',
    fields: (t) => ({
      id: t.id({ required: true, description: 'The id of the policy.' }),
      expectedVersion: t.int({ description: 'Refuses the change when the policy is at another version.' }),
      name: t.string({ description: 'What to call it.' }),
      actionPattern: t.string({ description: 'Which actions it covers.' }),
      guards: t.field({ type: PolicyGuardsInput, description: 'What it demands, as a whole.' }),
      active: t.boolean({ description: 'Whether it is in force.' }),
    }),
  })
  .validate(updatePolicyInput);

builder.queryFields((t) => ({
  policies: t.connection(
    {
      type: Policy,
      description: 'The policies of the center and those above it, newest first.',
      authScopes: { access: policyKeepers },
      resolve: async (_, args, ctx) => ({
        ...(await connectionById('pol', args, (window) => listPolicies(ctx, window))),
        totalCount: () => countPolicies(ctx),
      }),
    },
    { fields: (f) => ({ totalCount: f.int({ description: TOTAL_COUNT, resolve: totalOf }) }) },
  ),
  effectivePolicy: t.field({
    type: EffectivePolicy,
    description: 'What holds for an action in the center.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: {
      actionType: t.arg.string({
        required: true,
        description: 'What kind of action, such as `refund.grant`.',
      }),
    },
    resolve: (_, { actionType }, ctx) => effectivePolicyFor(ctx, actionType),
  }),
}));

builder.mutationFields((t) => ({
  createPolicy: t.field({
    type: Policy,
    description: 'Makes a policy, which counts from then on.',
    authScopes: { access: policyKeepers },
    args: {
      input: t.arg({
        type: CreatePolicyInput,
        required: true,
        description: 'Where the policy applies, and what it demands.',
      }),
    },
    resolve: (_, { input }, ctx) => createPolicy(ctx, input),
  }),
  updatePolicy: t.field({
    type: Policy,
    description:
      'Writes the next version of a policy. Records sealed before keep the version they were sealed under.',
    authScopes: { access: policyKeepers },
    args: {
      input: t.arg({
        type: UpdatePolicyInput,
        required: true,
        description: 'Which policy, and what to change of it.',
      }),
    },
    resolve: (_, { input }, ctx) => updatePolicy(ctx, input),
  }),
}));
