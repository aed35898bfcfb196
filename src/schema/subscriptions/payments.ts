import type { Payment as PaymentRow } from '../../db/generated/prisma/client.ts';
import {
  changePlan,
  changePlanInput,
  moveSubscription,
  moveSubscriptionInput,
  type subscriptionActions,
} from '../../domain/subscriptions/manage.ts';
import {
  type RecordedPayment,
  recordPayment,
  recordPaymentFailure,
  recordPaymentFailureInput,
  recordPaymentInput,
} from '../../domain/subscriptions/payments.ts';
import { builder } from '../builder.ts';
import { enumType, storedEnum } from '../enum-types.ts';
import { columnsOf, onlyProperties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';
import { CenterSubscription } from './subscription.ts';

storedEnum('PaymentStatus', 'Whether a payment succeeded.', {
  COMPLETED: 'The provider confirmed the payment.',
  FAILED: 'The payment failed for good.',
});

export const Payment = builder.objectRef<PaymentRow>('Payment').implement({
  description: 'A payment for a subscription, as reported by the provider.',
  fields: (t) => ({
    ...columnsOf('Payment', t, {
      centerId: 'The id of the center, a positive integer.',
      status: 'Whether the payment succeeded.',
      amount: 'The amount in the smallest currency unit, such as cents.',
      currency: 'The currency (ISO 4217).',
      reference: 'The reference of the payment provider, unique in the center.',
      failureReason: 'Why it failed, in the words of the provider; null if it succeeded or none was given.',
      occurredAt: 'When the payment succeeded or failed, in UTC.',
    }),
    id: t.exposeID('id', { description: 'The id of the payment, `pay_…`.' }),
  }),
});

const RecordedPaymentType = builder.objectRef<RecordedPayment>('RecordedPayment').implement({
  description: 'A payment and the resulting subscription.',
  fields: onlyProperties({
    payment: [Payment, 'The payment, with the id that it was given.'],
    subscription: [CenterSubscription, 'The subscription after the payment.'],
  }),
});

const RecordPaymentInput = inputType('RecordPaymentInput', recordPaymentInput, {
  description: 'A payment that the provider confirmed.',
});

const RecordPaymentFailureInput = inputType('RecordPaymentFailureInput', recordPaymentFailureInput, {
  description: 'A payment that failed for good.',
  descriptions: {
    reference: 'The reference of the payment provider. Each failure is recorded once.',
    occurredAt: 'When it failed, not in the future. Default: now.',
  },
});

const SubscriptionAction = enumType<(typeof subscriptionActions)[number]>(
  'SubscriptionAction',
  'What can be done with a subscription.',
  {
    SUSPEND: 'Suspends it regardless of payments.',
    REINSTATE: 'Reinstates a suspended subscription; it is past due if the paid period is over.',
    CANCEL: 'Cancels it at once, not at the end of the period.',
    RESUME: 'Resumes a canceled subscription; it is past due until the next payment.',
  },
);

const MoveSubscriptionInput = inputType('MoveSubscriptionInput', moveSubscriptionInput, {
  description: "Which center's subscription to change, and how.",
  types: { action: SubscriptionAction },
});

const ChangePlanInput = inputType('ChangePlanInput', changePlanInput, {
  description: 'Which center moves to which plan.',
});

const access = { partner: 'any', platformAdmin: true } as const;

builder.mutationFields((t) => ({
  recordPayment: t.field({
    type: RecordedPaymentType,
    description:
      'Records a successful payment. It ends a trial or overdue state and extends the paid period.',
    authScopes: { access },
    args: inputArg(RecordPaymentInput, 'The payment that was confirmed.'),
    resolve: (_, { input }, ctx) => recordPayment(ctx, input),
  }),
  recordPaymentFailure: t.field({
    type: RecordedPaymentType,
    description: 'Records a failed payment. An active subscription becomes past due.',
    authScopes: { access },
    args: inputArg(RecordPaymentFailureInput, 'The payment that failed.'),
    resolve: (_, { input }, ctx) => recordPaymentFailure(ctx, input),
  }),
  moveSubscription: t.field({
    type: CenterSubscription,
    description: 'Suspends, reinstates, cancels or resumes the subscription of a center.',
    authScopes: { access },
    args: inputArg(MoveSubscriptionInput, 'The center and the action.'),
    resolve: (_, { input }, ctx) => moveSubscription(ctx, input),
  }),
  changePlan: t.field({
    type: CenterSubscription,
    description: 'Moves a center to another plan at once.',
    authScopes: { access },
    args: inputArg(ChangePlanInput, 'The center and its new plan.'),
    resolve: (_, { input }, ctx) => changePlan(ctx, input),
  }),
}));
