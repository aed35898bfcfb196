import { requestPractice } from '../../domain/decisions/practice/request-practice.ts';
import {
  dismissFirstSteps,
  type FirstStepKind,
  type FirstSteps,
  readFirstSteps,
} from '../../domain/first-steps/first-steps.ts';
import { builder } from '../builder.ts';
import { enumType } from '../enum-types.ts';
import { onlyProperties } from '../exposed.ts';
import { RecordedDecision } from '../proof/record-event.ts';

const FirstStepKindRef = enumType<FirstStepKind>(
  'FirstStepKind',
  'A step of an administrator of a new center.',
  {
    TIME_ZONE: 'Choose the time zone of the center, in which its days begin and end.',
    PASSKEY: 'Add a passkey to your own account.',
    SECOND_ADMIN: 'Have a second ADMIN who can act.',
    POLICY: 'Activate a policy of the center.',
    AGENT_KEY: 'Create an API key with which an agent can request decisions.',
    PRACTICE: 'Decide a practice request.',
  },
);

const FirstStep = builder.objectRef<FirstSteps['steps'][number]>('FirstStep').implement({
  description: 'A step of an administrator of a new center, and whether it is done.',
  fields: onlyProperties({
    kind: [FirstStepKindRef, 'What the step is about.'],
    done: ['Boolean', 'Whether the center, or for PASSKEY your account, fulfills it now.'],
  }),
});

const FirstStepsRef = builder.objectRef<FirstSteps>('FirstSteps').implement({
  description: 'What an administrator of a new center does first.',
  fields: onlyProperties({
    steps: [[FirstStep], 'The steps in their order; AGENT_KEY is missing without the feature proofApi.'],
    dismissedAt: ['DateTime?', 'When you dismissed them in this center, in UTC; null if you did not.'],
    practiceEventId: [
      'ID?',
      'The id of the practice request that waits, or else of the newest that a person decided, `evt_…`; null without one.',
    ],
  }),
});

const access = { access: { roles: ['ADMIN'] } } as const;

builder.queryField('firstSteps', (t) =>
  t.field({
    type: FirstStepsRef,
    description: 'The first steps in the center. Requires an ADMIN.',
    complexity: 20,
    authScopes: access,
    resolve: (_, __, ctx) => readFirstSteps(ctx),
  }),
);

builder.mutationFields((t) => ({
  dismissFirstSteps: t.field({
    type: FirstStepsRef,
    description: 'Hides the first steps for you in this center. Requires an ADMIN.',
    complexity: 20,
    authScopes: access,
    resolve: (_, __, ctx) => dismissFirstSteps(ctx),
  }),
  requestPractice: t.field({
    type: RecordedDecision,
    description:
      'Records a request to practice an approval, which approves no action and has no outcome, or returns the one that still waits. It expires after a day. Requires an ADMIN.',
    authScopes: access,
    resolve: (_, __, ctx) => requestPractice(ctx),
  }),
}));
