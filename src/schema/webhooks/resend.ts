import { eventTypes, isEventType } from '../../domain/events/catalogue.ts';
import { recoverInput, recoverWebhook, type recoveryScopes } from '../../domain/webhooks/recover.ts';
import { sendSample } from '../../domain/webhooks/sample.ts';
import { validationError } from '../../lib/errors.ts';
import { builder } from '../builder.ts';
import { worded } from '../enum-values.ts';

const SampleEvent = builder.objectRef<{ eventId: string }>('SampleEvent').implement({
  description: 'A made-up event that is on its way to a webhook.',
  fields: (t) => ({ eventId: t.exposeID('eventId', { description: 'The id that the sample carries.' }) }),
});

const SendSampleEventInput = builder.inputType('SendSampleEventInput', {
  description: 'A made-up event to try a webhook with.',
  fields: (t) => ({
    webhookId: t.id({ required: true, description: 'The webhook to send it to.' }),
    type: t.string({ required: true, description: `The type of event: ${eventTypes.join(', ')}.` }),
  }),
});

const RecoveryScope = builder.enumType('RecoveryScope', {
  description: 'What to send again: what failed, or everything.',
  values: worded<(typeof recoveryScopes)[number]>({
    FAILED: 'Only what never reached the webhook.',
    ALL: 'Everything, also what it had accepted already.',
  }),
});

const Recovery = builder.objectRef<Awaited<ReturnType<typeof recoverWebhook>>>('Recovery').implement({
  description: 'What is being sent again.',
  fields: (t) => ({
    queued: t.exposeInt('queued', { description: 'How many deliveries this call has queued.' }),
    hasMore: t.exposeBoolean('hasMore', {
      description: 'Whether the same call, with the same `until`, would find more.',
    }),
    until: t.expose('until', { type: 'DateTime', description: 'What to give when calling again.' }),
  }),
});

const RecoverWebhookInput = builder
  .inputType('RecoverWebhookInput', {
    description: 'What to send again to one webhook.',
    fields: (t) => ({
      webhookId: t.id({ required: true, description: 'The webhook that missed something.' }),
      since: t.field({ type: 'DateTime', required: true, description: 'Only what happened from here on.' }),
      scope: t.field({ type: RecoveryScope, required: true, description: 'What failed, or everything.' }),
      until: t.field({
        type: 'DateTime',
        description:
          'Only what was last attempted before; now when not given. Repeat it to make a call repeatable.',
      }),
    }),
  })
  .validate(recoverInput);

builder.mutationFields((t) => ({
  sendSampleEvent: t.field({
    type: SampleEvent,
    description: 'Sends the example of an event type to one webhook, signed and retried like any other.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:write' } },
    args: {
      input: t.arg({
        type: SendSampleEventInput,
        required: true,
        description: 'What to send, and where to.',
      }),
    },
    resolve: (_, { input: { webhookId, type } }, ctx) => {
      if (!isEventType(type)) throw validationError([{ path: 'type', message: 'is no type of event' }]);
      return sendSample(ctx, String(webhookId), type);
    },
  }),
  recoverWebhook: t.field({
    type: Recovery,
    description: 'Sends again what a webhook missed since a time; at most 1000 deliveries a call.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:write' } },
    args: { input: t.arg({ type: RecoverWebhookInput, required: true, description: 'What and where to.' }) },
    resolve: (_, { input }, ctx) => recoverWebhook(ctx, input),
  }),
}));
