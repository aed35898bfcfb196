import { newGrantProblem } from '../../domain/decisions/approve/grant-approvers.ts';
import {
  type MandateCheck as Check,
  checkMandate,
  mandateDraftInput,
  type MandateTrial as Trial,
  tryMandate,
  tryMandateInput,
} from '../../domain/decisions/mandates/draft.ts';
import {
  MOST_SIMULATED,
  type SimulatedMandate as Simulated,
  simulatedMandates,
} from '../../domain/decisions/mandates/simulated.ts';
import { builder } from '../builder.ts';
import { onlyProperties, properties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';
import { Judgement } from '../policies/judgement.ts';
import { MandateBudgetInput } from './mandates.ts';

/** What the author of a mandate needs while writing it, and what mandates do in a simulation. */

const MandateDraftInput = inputType('MandateDraftInput', mandateDraftInput, {
  description: 'A mandate that is being written. Nothing is saved.',
});

const MandateCheck = builder.objectRef<Check>('MandateCheck').implement({
  description: 'What is known of a mandate before it is requested.',
  fields: (t) => ({
    ...properties(t, {
      conditionProblem: [
        'String?',
        'Why the condition is invalid, with its line and column; null if it is valid or missing.',
      ],
      lifts: [
        '[String]',
        'What it would replace under the policies in force, in sentences. Empty without `actionPattern`.',
      ],
      notUsed: ['String?', 'Why the policies in force would let it approve no call; null if it can be used.'],
    }),
    approvalProblem: t.string({
      nullable: true,
      description:
        'Why the present members could not approve a request of the caller, in a sentence; null if they could.',
      resolve: (_, __, ctx) => newGrantProblem(ctx),
    }),
  }),
});

const TryMandateInput = inputType('TryMandateInput', tryMandateInput, {
  description: 'Terms of a mandate and a call to try them on. Nothing is saved or recorded.',
  types: { budget: MandateBudgetInput, input: 'JSON' },
});

const MandateTrial = builder.objectRef<Trial>('MandateTrial').implement({
  description: 'Whether a mandate would approve a call.',
  fields: onlyProperties({
    approves: [
      'Boolean',
      'Whether the call would be approved, if the mandate were granted and still unused.',
    ],
    reason: ['String', 'Why, in a sentence.'],
  }),
});

const SimulatedMandate = builder.objectRef<Simulated>('SimulatedMandate').implement({
  description: 'An active mandate that covers the action of a simulated call.',
  fields: onlyProperties({
    mandateId: ['ID', 'The id of the mandate, `mnd_…`.'],
    agent: ['String', 'The one agent whose calls it approves, by the id in its calls.'],
    approves: ['Boolean', 'Whether it would approve the call, made by its agent with one of its keys.'],
    reason: ['String', 'Why, in a sentence.'],
  }),
});

builder.objectField(Judgement, 'mandates', (t) =>
  t.field({
    type: [SimulatedMandate],
    complexity: 10,
    description: `For a simulated call of an agent without approvals: the newest ${MOST_SIMULATED} active mandates that cover its action. Empty elsewhere. \`outcome\` is that without a mandate.`,
    resolve: ({ simulated }, _, ctx) =>
      simulated?.actorType === 'ai_agent' && !simulated.approvals?.length
        ? simulatedMandates(ctx, simulated)
        : [],
  }),
);

const authors = { access: { roles: ['ADMIN'] } } as const;

builder.queryFields((t) => ({
  checkMandate: t.field({
    type: MandateCheck,
    description:
      'Validates the condition of a mandate, says what the mandate would replace, and whether the present members could approve it.',
    authScopes: authors,
    complexity: 50,
    args: inputArg(MandateDraftInput, 'The mandate as it is at the moment.'),
    resolve: (_, { input }, ctx) => checkMandate(ctx, input),
  }),
  tryMandate: t.field({
    type: MandateTrial,
    description: 'Evaluates the terms of a mandate for an example of a call. Nothing is recorded.',
    authScopes: authors,
    complexity: 50,
    args: inputArg(TryMandateInput, 'The terms and the call.'),
    resolve: (_, { input }, ctx) => tryMandate(ctx, input),
  }),
}));
