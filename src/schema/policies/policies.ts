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
import { ApproverAuthentication, EffectivePolicy, Policy, PolicyScope, policyEditors } from './policy.ts';

const SeatInput = builder.inputType('SeatInput', {
  description: 'A seat of a quorum: the number of different people who must approve.',
  fields: (t) => ({
    group: t.id({ description: 'The approval group. Default: any human.' }),
    count: t.int({ required: true, description: 'The number of people, 1 to 10.' }),
    authentication: t.field({
      type: ApproverAuthentication,
      description: 'The minimum authentication. Default: SESSION with a group, otherwise ASSERTED.',
    }),
  }),
});

const PolicyGuardsInput = builder.inputType('PolicyGuardsInput', {
  description: 'The guards of a policy. Guards that are omitted or null are inherited from wider policies.',
  fields: (t) => ({
    minimumEvidenceLevel: t.field({
      type: EvidenceLevel,
      description: 'The minimum evidence level.',
    }),
    humanReviewForAi: t.boolean({ description: 'Whether a person must approve decisions of an AI.' }),
    riskThreshold: t.float({ description: 'Decisions with a higher risk score (0 to 1) require a person.' }),
    riskRequired: t.boolean({
      description: 'Whether a decision without a risk score counts as the riskiest.',
    }),
    dualApproval: t.boolean({ description: 'Whether two different approvers are required.' }),
    approverAuthentication: t.field({
      type: ApproverAuthentication,
      description: 'The minimum authentication of approvers.',
    }),
    passkeyAgeHours: t.int({
      description:
        'How many hours before the approval a passkey must have been registered to count as SIGNED, 0 to 720; 0 by default.',
    }),
    quorum: t.field({
      type: [SeatInput],
      description: 'The 1 to 5 seats of the quorum, filled by different people.',
    }),
    quorumOrdered: t.boolean({
      description: 'Whether a later seat waits until the earlier ones are filled.',
    }),
    escalateAfterSeconds: t.int({
      description: 'Seconds until open seats escalate, 60 to 604800.',
    }),
    escalateToGroup: t.id({
      description: 'The approval group that can fill open seats after the escalation.',
    }),
    enforced: t.stringList({
      description: 'Names of guards, such as `dual_approval`, that narrower scopes can only tighten.',
    }),
  }),
});

const CreatePolicyInput = builder
  .inputType('CreatePolicyInput', {
    description: 'A new policy: scope, covered actions and guards.',
    fields: (t) => ({
      scope: t.field({
        type: PolicyScope,
        required: true,
        description: 'CENTER for the current center. Other scopes require a platform admin.',
      }),
      country: t.string({
        description: 'For COUNTRY and REGION: the country, as in the settings of centers.',
      }),
      region: t.string({ description: 'For REGION: the region, as in the settings of centers.' }),
      name: t.string({ required: true, description: 'The name.' }),
      actionPattern: t.string({
        required: true,
        description: 'The covered actions: a type, a prefix followed by .*, or *.',
      }),
      guards: t.field({ type: PolicyGuardsInput, required: true, description: 'The guards.' }),
    }),
  })
  .validate(createPolicyInput);

const UpdatePolicyInput = builder
  .inputType('UpdatePolicyInput', {
    description: 'The next version of a policy. Omitted members stay unchanged.',
    fields: (t) => ({
      id: t.id({ required: true, description: 'The id of the policy.' }),
      expectedVersion: t.int({ description: 'Rejects the change if the policy is at a different version.' }),
      name: t.string({ description: 'The name.' }),
      actionPattern: t.string({ description: 'The covered actions.' }),
      guards: t.field({ type: PolicyGuardsInput, description: 'All guards.' }),
      active: t.boolean({ description: 'Whether it is active.' }),
    }),
  })
  .validate(updatePolicyInput);

builder.queryFields((t) => ({
  policies: t.connection(
    {
      type: Policy,
      description: 'The policies that apply to the center, newest first.',
      authScopes: { access: policyEditors },
      resolve: async (_, args, ctx) => ({
        ...(await connectionById('pol', args, (window) => listPolicies(ctx, window))),
        totalCount: () => countPolicies(ctx),
      }),
    },
    { fields: (f) => ({ totalCount: f.int({ description: TOTAL_COUNT, resolve: totalOf }) }) },
  ),
  effectivePolicy: t.field({
    type: EffectivePolicy,
    description: 'The effective policy for an action in the center.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: {
      actionType: t.arg.string({
        required: true,
        description: 'The action type, such as `refund.grant`.',
      }),
    },
    resolve: (_, { actionType }, ctx) => effectivePolicyFor(ctx, actionType),
  }),
}));

builder.mutationFields((t) => ({
  createPolicy: t.field({
    type: Policy,
    description: 'Creates a policy. It applies immediately.',
    authScopes: { access: policyEditors },
    args: {
      input: t.arg({
        type: CreatePolicyInput,
        required: true,
        description: 'The scope and guards of the policy.',
      }),
    },
    resolve: (_, { input }, ctx) => createPolicy(ctx, input),
  }),
  updatePolicy: t.field({
    type: Policy,
    description:
      'Creates the next version of a policy. Sealed records keep the version they were sealed under.',
    authScopes: { access: policyEditors },
    args: {
      input: t.arg({
        type: UpdatePolicyInput,
        required: true,
        description: 'The policy and its changes.',
      }),
    },
    resolve: (_, { input }, ctx) => updatePolicy(ctx, input),
  }),
}));
