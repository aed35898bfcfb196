import type { Payment as PaymentRow } from '../../db/generated/prisma/client.ts';
import { PaymentStatus as PaymentStatuses } from '../../db/generated/prisma/enums.ts';
import {
  changePlan,
  changePlanInput,
  moveSubscription,
  subscriptionActions,
} from '../../domain/subscriptions/manage.ts';
import {
  type RecordedPayment,
  recordPayment,
  recordPaymentFailure,
  recordPaymentFailureInput,
  recordPaymentInput,
} from '../../domain/subscriptions/payments.ts';
import { builder } from '../builder.ts';
import { CenterSubscription } from './subscription.ts';

const PaymentStatus = builder.enumType(PaymentStatuses, {
  name: 'PaymentStatus',
  description: 'How a payment ended.',
});

export const Payment = builder.objectRef<PaymentRow>('Payment').implement({
  description: 'A payment for a subscription, as its provider told of it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names the payment.' }),
    centerId: t.exposeInt('centerId', { description: 'The center it is for.' }),
    status: t.expose('status', { type: PaymentStatus, description: 'How it ended.' }),
    amount: t.exposeInt('amount', { description: "In the currency's smallest unit." }),
    currency: t.exposeString('currency', { description: 'The currency, as ISO 4217 writes it.' }),
    reference: t.exposeString('reference', { description: "The payment provider's own reference." }),
    failureReason: t.exposeString('failureReason', { nullable: true, description: 'Why it failed.' }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When it ended.' }),
  }),
});

const RecordedPaymentType = builder.objectRef<RecordedPayment>('RecordedPayment').implement({
  description: 'A payment and what it made of the subscription.',
  fields: (t) => ({
    payment: t.field({ type: Payment, description: 'The payment.', resolve: ({ payment }) => payment }),
    subscription: t.field({
      type: CenterSubscription,
      description: 'The subscription as it stands now.',
      resolve: ({ subscription }) => subscription,
    }),
  }),
});

const RecordPaymentInput = builder
  .inputType('RecordPaymentInput', {
    description: 'A payment that was confirmed.',
    fields: (t) => ({
      centerId: t.int({ required: true, description: 'The center it is for.' }),
      reference: t.string({
        required: true,
        description: "The payment provider's own reference: a payment is recorded once.",
      }),
      amount: t.int({ required: true, description: "In the currency's smallest unit." }),
      currency: t.string({ description: "Must be the plan's, if given." }),
      occurredAt: t.field({ type: 'DateTime', description: 'When it was confirmed; now, if left out.' }),
    }),
  })
  .validate(recordPaymentInput);

const RecordPaymentFailureInput = builder
  .inputType('RecordPaymentFailureInput', {
    description: 'A payment that failed for good.',
    fields: (t) => ({
      centerId: t.int({ required: true, description: 'The center it was for.' }),
      reference: t.string({
        required: true,
        description: "The payment provider's own reference: a failure is recorded once.",
      }),
      amount: t.int({ required: true, description: "In the currency's smallest unit." }),
      currency: t.string({ description: "Must be the plan's, if given." }),
      reason: t.string({ description: 'Why it failed.' }),
      occurredAt: t.field({ type: 'DateTime', description: 'When it failed; now, if left out.' }),
    }),
  })
  .validate(recordPaymentFailureInput);

const SubscriptionAction = builder.enumType('SubscriptionAction', {
  description: 'What can be done to a subscription by hand.',
  values: subscriptionActions,
});

const MoveSubscriptionInput = builder.inputType('MoveSubscriptionInput', {
  description: 'A move of a subscription.',
  fields: (t) => ({
    centerId: t.int({ required: true, description: 'The center it belongs to.' }),
    action: t.field({ type: SubscriptionAction, required: true, description: 'What to do.' }),
  }),
});

const ChangePlanInput = builder
  .inputType('ChangePlanInput', {
    description: 'Another plan for a center.',
    fields: (t) => ({
      centerId: t.int({ required: true, description: 'The center.' }),
      planId: t.string({ required: true, description: 'The plan.' }),
    }),
  })
  .validate(changePlanInput);

const access = { partner: 'any', platformAdmin: true } as const;

builder.mutationFields((t) => ({
  recordPayment: t.field({
    type: RecordedPaymentType,
    description: 'Records a confirmed payment: it ends a trial or a debt and extends the paid time.',
    authScopes: { access },
    args: { input: t.arg({ type: RecordPaymentInput, required: true, description: 'The payment.' }) },
    resolve: (_, { input }, ctx) => recordPayment(ctx, input),
  }),
  recordPaymentFailure: t.field({
    type: RecordedPaymentType,
    description: 'Records a payment that failed for good: an active subscription falls behind.',
    authScopes: { access },
    args: { input: t.arg({ type: RecordPaymentFailureInput, required: true, description: 'The failure.' }) },
    resolve: (_, { input }, ctx) => recordPaymentFailure(ctx, input),
  }),
  moveSubscription: t.field({
    type: CenterSubscription,
    description: 'Suspends, reinstates, cancels or resumes the subscription of a center.',
    authScopes: { access },
    args: { input: t.arg({ type: MoveSubscriptionInput, required: true, description: 'The move.' }) },
    resolve: (_, { input }, ctx) => moveSubscription(ctx, input.centerId, input.action),
  }),
  changePlan: t.field({
    type: CenterSubscription,
    description: 'Puts a center on another plan.',
    authScopes: { access },
    args: { input: t.arg({ type: ChangePlanInput, required: true, description: 'The change.' }) },
    resolve: (_, { input }, ctx) => changePlan(ctx, input),
  }),
}));
