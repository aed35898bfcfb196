import { createPolicy, updatePolicy } from '../../domain/policies/edit.ts';
import { countPolicies, effectivePolicyFor, listPolicies } from '../../domain/policies/list-policies.ts';
import { createPolicyInput, updatePolicyInput } from '../../domain/policies/policy-input.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { EvidenceLevel } from '../enums.ts';
import { inputArg, inputType, nestedInput } from '../input-types.ts';
import { counted } from '../paging.ts';
import { ApproverAuthentication, EffectivePolicy, Policy, PolicyScope, policyEditors } from './policy.ts';

const SeatInput = nestedInput('SeatInput', createPolicyInput.shape.guards.shape.quorum, {
  description: 'A seat of a quorum: the number of different people who must approve.',
  types: { group: 'ID', authentication: ApproverAuthentication },
});

export const PolicyGuardsInput = nestedInput('PolicyGuardsInput', createPolicyInput.shape.guards, {
  description: 'The guards of a policy. Guards that are omitted or null are inherited from wider policies.',
  types: {
    minimumEvidenceLevel: EvidenceLevel,
    approverAuthentication: ApproverAuthentication,
    quorum: SeatInput,
    escalateToGroup: 'ID',
  },
});

const CreatePolicyInput = inputType('CreatePolicyInput', createPolicyInput, {
  description: 'Where a policy holds, what it covers and what it requires.',
  types: { scope: PolicyScope, guards: PolicyGuardsInput },
});

const UpdatePolicyInput = inputType('UpdatePolicyInput', updatePolicyInput, {
  description: 'What to change in a policy. Omitted members stay unchanged.',
  types: { id: 'ID', guards: PolicyGuardsInput },
});

builder.queryFields((t) => ({
  policies: t.connection(
    {
      type: Policy,
      description: 'The policies that apply to the center, newest first.',
      extensions: { fromReplica: true },
      authScopes: { access: policyEditors },
      resolve: async (_, args, ctx) => ({
        ...(await connectionById('pol', args, (window) => listPolicies(ctx, window))),
        totalCount: () => countPolicies(ctx),
      }),
    },
    counted(),
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
    args: inputArg(CreatePolicyInput, 'Where the policy holds, what it covers and what it requires.'),
    resolve: (_, { input }, ctx) => createPolicy(ctx, input),
  }),
  updatePolicy: t.field({
    type: Policy,
    description:
      'Creates the next version of a policy. Sealed records keep the version they were sealed under.',
    authScopes: { access: policyEditors },
    args: inputArg(UpdatePolicyInput, 'The policy and what to change in it.'),
    resolve: (_, { input }, ctx) => updatePolicy(ctx, input),
  }),
}));
