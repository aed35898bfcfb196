import { policyDraftInput } from '../../domain/policies/policy-input.ts';
import { checkPolicy } from '../../domain/policy-advice/check.ts';
import {
  MOST_TRIED,
  type PolicyTrial as Trial,
  type TriedRequest as Tried,
  tryPolicy,
} from '../../domain/policy-advice/try.ts';
import type { PolicyWarning as Warning } from '../../domain/policy-advice/warning.ts';
import { builder } from '../builder.ts';
import { enumType } from '../enum-types.ts';
import { onlyProperties, properties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';
import { EXPORT_COMPLEXITY, VERIFICATION_COST } from '../request-cost.ts';
import { SimulatedOutcome } from './judgement.ts';
import { PolicyGuardsInput } from './policies.ts';
import { PolicyScope } from './policy.ts';

/** What the author of a policy needs while writing it. */

const PolicyDraftInput = inputType('PolicyDraftInput', policyDraftInput, {
  description: 'A policy that is being written, or a change of one. Nothing is saved.',
  types: { id: 'ID', scope: PolicyScope, guards: PolicyGuardsInput },
});

const WarningLevel = enumType<Warning['level']>(
  'PolicyWarningLevel',
  'How serious a warning about a policy is.',
  {
    warning: 'Requests could not be approved, or a value would have no effect.',
    hint: 'Something to know; the policy works.',
  },
);

const PolicyWarning = builder.objectRef<Warning>('PolicyWarning').implement({
  description:
    'Something that a policy would do and that its author may not want. It can be saved all the same.',
  fields: onlyProperties({
    path: ['String', 'The field of the input, such as `guards.quorum.0`.'],
    level: [WarningLevel, 'How serious it is.'],
    message: ['String', 'What would happen, in a sentence.'],
  }),
});

const TriedRequest = builder.objectRef<Tried>('TriedRequest').implement({
  description: 'A request of the past that a policy would have settled in another way.',
  fields: onlyProperties({
    eventId: ['ID', 'The id of the decision event, `evt_…`.'],
    actionType: ['String', 'The action type, such as `refund.grant`.'],
    agent: ['String?', 'The name of the actor, otherwise its id; null if both are erased.'],
    recordedAt: ['DateTime', 'When it was recorded, in UTC.'],
    before: [SimulatedOutcome, 'What it would lead to under the policies in force now.'],
    after: [SimulatedOutcome, 'What it would lead to with the policy.'],
    needs: [
      '[String]',
      'What it would need with the policy, or what forbids it; empty if it is sealed at once.',
    ],
  }),
});

const PolicyTrial = builder.objectRef<Trial>('PolicyTrial').implement({
  description: 'What a policy would have changed for the requests of the last 30 days.',
  fields: (t) => ({
    ...properties(t, {
      since: ['DateTime', 'The time from which requests were looked at, in UTC.'],
      covered: ['Int', 'How many of them the policy covers; for a change, also those that it covers now.'],
      waitingBefore: ['Int', 'How many of these wait for an approval under the policies in force now.'],
      waiting: ['Int', 'How many of these would wait with the policy.'],
      changed: ['Int', 'How many of these would be settled in another way, or by other approvers.'],
      changes: [[TriedRequest], 'The newest 100 of those that would change.'],
    }),
    complete: t.exposeBoolean('isComplete', {
      description: `False if there were more than ${MOST_TRIED} requests: only the newest ${MOST_TRIED} were looked at.`,
    }),
  }),
});

const editors = { access: { roles: ['ADMIN'] } } as const;

builder.queryFields((t) => ({
  checkPolicy: t.field({
    type: [PolicyWarning],
    description:
      'Validates a policy without saving it, and warns about seats that no member can fill, values without effect and the like.',
    authScopes: editors,
    complexity: 50,
    args: inputArg(PolicyDraftInput, 'The policy as it is at the moment.'),
    resolve: (_, { input }, ctx) => checkPolicy(ctx, input),
  }),
  tryPolicy: t.field({
    type: PolicyTrial,
    description:
      'Evaluates the requests of the last 30 days with a policy that is not saved. Nothing is recorded.',
    authScopes: editors,
    complexity: EXPORT_COMPLEXITY,
    extensions: { cost: VERIFICATION_COST },
    args: inputArg(PolicyDraftInput, 'The policy as it is at the moment.'),
    resolve: (_, { input }, ctx) => tryPolicy(ctx, input),
  }),
}));
