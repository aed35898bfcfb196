import type { Payment as PaymentRow } from '../../db/generated/prisma/client.ts';
import type { PaymentStatus as PaymentStatuses } from '../../db/generated/prisma/enums.ts';
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
import { describedValues } from '../enum-values.ts';
import { inputType } from '../input-types.ts';
import { CenterSubscription } from './subscription.ts';

const PaymentStatus = builder.enumType('PaymentStatus', {
  description: 'The status of a payment.',
  values: describedValues<keyof typeof PaymentStatuses>({
    COMPLETED: 'Succeeded.',
    FAILED: 'Failed.',
  }),
});

export const Payment = builder.objectRef<PaymentRow>('Payment').implement({
  description: 'A payment for a subscription, as reported by the provider.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the payment.' }),
    centerId: t.exposeInt('centerId', { description: 'The id of the center.' }),
    status: t.expose('status', { type: PaymentStatus, description: 'The status of the payment.' }),
    amount: t.exposeInt('amount', { description: 'The amount in the smallest currency unit.' }),
    currency: t.exposeString('currency', { description: 'The currency (ISO 4217).' }),
    reference: t.exposeString('reference', { description: 'The reference of the payment provider.' }),
    failureReason: t.exposeString('failureReason', {
      nullable: true,
      description: 'The failure reason from the provider.',
    }),
    occurredAt: t.expose('occurredAt', {
      type: 'DateTime',
      description: 'When the payment succeeded or failed.',
    }),
  }),
});

const RecordedPaymentType = builder.objectRef<RecordedPayment>('RecordedPayment').implement({
  description: 'A payment and the resulting subscription.',
  fields: (t) => ({
    payment: t.field({
      type: Payment,
      description: 'The payment.',
      resolve: ({ payment }) => payment,
    }),
    subscription: t.field({
      type: CenterSubscription,
      description: 'The subscription.',
      resolve: ({ subscription }) => subscription,
    }),
  }),
});

const RecordPaymentInput = inputType('RecordPaymentInput', recordPaymentInput, {
  description: 'A successful payment.',
});

const RecordPaymentFailureInput = inputType('RecordPaymentFailureInput', recordPaymentFailureInput, {
  description: 'A failed payment.',
  descriptions: {
    reference: 'The reference of the payment provider. Each failure is recorded once.',
    occurredAt: 'When it failed. Default: now.',
  },
});

const SubscriptionAction = builder.enumType('SubscriptionAction', {
  description: 'Actions on a subscription.',
  values: describedValues<(typeof subscriptionActions)[number]>({
    SUSPEND: 'Suspends it regardless of payments.',
    REINSTATE: 'Reinstates a suspended subscription; it is past due if the paid period is over.',
    CANCEL: 'Cancels it immediately.',
    RESUME: 'Resumes a canceled subscription; it is past due until the next payment.',
  }),
});

const MoveSubscriptionInput = inputType('MoveSubscriptionInput', moveSubscriptionInput, {
  description: 'An action on the subscription of a center.',
  types: { action: SubscriptionAction },
});

const ChangePlanInput = inputType('ChangePlanInput', changePlanInput, {
  description: 'A new plan for a center.',
});

const access = { partner: 'any', platformAdmin: true } as const;

builder.mutationFields((t) => ({
  recordPayment: t.field({
    type: RecordedPaymentType,
    description:
      'Records a successful payment. It ends a trial or overdue state and extends the paid period.',
    authScopes: { access },
    args: {
      input: t.arg({
        type: RecordPaymentInput,
        required: true,
        description: 'The payment that was confirmed.',
      }),
    },
    resolve: (_, { input }, ctx) => recordPayment(ctx, input),
  }),
  recordPaymentFailure: t.field({
    type: RecordedPaymentType,
    description: 'Records a failed payment. An active subscription becomes past due.',
    authScopes: { access },
    args: {
      input: t.arg({
        type: RecordPaymentFailureInput,
        required: true,
        description: 'The payment that failed.',
      }),
    },
    resolve: (_, { input }, ctx) => recordPaymentFailure(ctx, input),
  }),
  moveSubscription: t.field({
    type: CenterSubscription,
    description: 'Suspends, reinstates, cancels or resumes the subscription of a center.',
    authScopes: { access },
    args: {
      input: t.arg({
        type: MoveSubscriptionInput,
        required: true,
        description: 'The center and the action.',
      }),
    },
    resolve: (_, { input }, ctx) => moveSubscription(ctx, input),
  }),
  changePlan: t.field({
    type: CenterSubscription,
    description: 'Changes the plan of a center.',
    authScopes: { access },
    args: {
      input: t.arg({
        type: ChangePlanInput,
        required: true,
        description: 'The center and its new plan.',
      }),
    },
    resolve: (_, { input }, ctx) => changePlan(ctx, input),
  }),
}));
