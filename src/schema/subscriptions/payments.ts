import type { Payment as PaymentRow } from '../../db/generated/prisma/client.ts';
import type { PaymentStatus as PaymentStatuses } from '../../db/generated/prisma/enums.ts';
import {
  changePlan,
  changePlanInput,
  moveSubscription,
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
import { worded } from '../enum-values.ts';
import { CenterSubscription } from './subscription.ts';

const PaymentStatus = builder.enumType('PaymentStatus', {
  description: 'How a payment ended.',
  values: worded<keyof typeof PaymentStatuses>({
    COMPLETED: 'The money was received.',
    FAILED: 'The provider could not collect the money.',
  }),
});

export const Payment = builder.objectRef<PaymentRow>('Payment').implement({
  description: 'A payment for a subscription, as its provider told of it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names the payment.' }),
    centerId: t.exposeInt('centerId', { description: 'The number of the center that is paid for.' }),
    status: t.expose('status', { type: PaymentStatus, description: 'Whether the money came.' }),
    amount: t.exposeInt('amount', { description: "In the currency's smallest unit." }),
    currency: t.exposeString('currency', { description: 'The currency, as ISO 4217 writes it.' }),
    reference: t.exposeString('reference', { description: "The payment provider's own reference." }),
    failureReason: t.exposeString('failureReason', {
      nullable: true,
      description: 'Why the money did not come, as the provider says.',
    }),
    occurredAt: t.expose('occurredAt', {
      type: 'DateTime',
      description: 'When the money came, or failed to.',
    }),
  }),
});

const RecordedPaymentType = builder.objectRef<RecordedPayment>('RecordedPayment').implement({
  description: 'A payment and what it made of the subscription.',
  fields: (t) => ({
    payment: t.field({
      type: Payment,
      description: 'The payment as it is kept.',
      resolve: ({ payment }) => payment,
    }),
    subscription: t.field({
      type: CenterSubscription,
      description: 'The subscription as it stands now.',
      resolve: ({ subscription }) => subscription,
    }),
  }),
});

const RecordPaymentInput = builder
  .inputType('RecordPaymentInput', {
    description: 'A payment that the provider has confirmed.',
    fields: (t) => ({
      centerId: t.int({ required: true, description: 'The number of the center that is paid for.' }),
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
      centerId: t.int({
        required: true,
        description: 'The number of the center that should have been paid for.',
      }),
      reference: t.string({
        required: true,
        description: "The payment provider's own reference: a failure is recorded once.",
      }),
      amount: t.int({ required: true, description: "In the currency's smallest unit." }),
      currency: t.string({ description: "Must be the plan's, if given." }),
      reason: t.string({ description: 'Why the money did not come, as the provider says.' }),
      occurredAt: t.field({ type: 'DateTime', description: 'When it failed; now, if left out.' }),
    }),
  })
  .validate(recordPaymentFailureInput);

const SubscriptionAction = builder.enumType('SubscriptionAction', {
  description: 'What can be done to a subscription by hand.',
  values: worded<(typeof subscriptionActions)[number]>({
    SUSPEND: 'Closes it for a while, whatever was paid.',
    REINSTATE: 'Opens a suspended one again; past due where the paid time has run out.',
    CANCEL: 'Ends it, whatever time is left.',
    RESUME: 'Takes a canceled one up again, past due until the next payment.',
  }),
});

const MoveSubscriptionInput = builder.inputType('MoveSubscriptionInput', {
  description: 'What to do to the subscription of a center.',
  fields: (t) => ({
    centerId: t.int({ required: true, description: 'The number of the center.' }),
    action: t.field({
      type: SubscriptionAction,
      required: true,
      description: 'What to do to the subscription.',
    }),
  }),
});

const ChangePlanInput = builder
  .inputType('ChangePlanInput', {
    description: 'Another plan for a center.',
    fields: (t) => ({
      centerId: t.int({ required: true, description: 'The number of the center.' }),
      planId: t.string({ required: true, description: 'The plan to change to.' }),
    }),
  })
  .validate(changePlanInput);

const access = { partner: 'any', platformAdmin: true } as const;

builder.mutationFields((t) => ({
  recordPayment: t.field({
    type: RecordedPaymentType,
    description: 'Records a confirmed payment: it ends a trial or a debt and extends the paid time.',
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
    description: 'Records a payment that failed for good: an active subscription falls behind.',
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
        description: 'Which subscription, and what to do to it.',
      }),
    },
    resolve: (_, { input }, ctx) => moveSubscription(ctx, input.centerId, input.action),
  }),
  changePlan: t.field({
    type: CenterSubscription,
    description: 'Puts a center on another plan.',
    authScopes: { access },
    args: {
      input: t.arg({
        type: ChangePlanInput,
        required: true,
        description: 'Which center, and the plan it shall have.',
      }),
    },
    resolve: (_, { input }, ctx) => changePlan(ctx, input),
  }),
}));
