import { z } from 'zod';
import { eventTypes, isEventType } from '../../domain/events/catalog.ts';
import { recoverInput, recoverWebhook, type recoveryScopes } from '../../domain/webhooks/recover.ts';
import { sendSample } from '../../domain/webhooks/sample.ts';
import { validationError } from '../../lib/errors.ts';
import { builder } from '../builder.ts';
import { describedValues } from '../enum-values.ts';
import { inputType } from '../input-types.ts';

const SampleEvent = builder.objectRef<{ eventId: string }>('SampleEvent').implement({
  description: 'A sample event sent to a webhook.',
  fields: (t) => ({ eventId: t.exposeID('eventId', { description: 'The id of the sample.' }) }),
});

const SendSampleEventInput = inputType(
  'SendSampleEventInput',
  z.object({
    webhookId: z
      .string()
      .nullish()
      .describe(
        'The webhook to send it to. Without it, only those who follow the events of the center see it.',
      ),
    type: z.string().describe(`The type of event: ${eventTypes.join(', ')}.`),
  }),
  {
    description: 'A sample event for a webhook.',
    types: { webhookId: 'ID' },
  },
);

const RecoveryScope = builder.enumType('RecoveryScope', {
  description: 'Which deliveries to repeat.',
  values: describedValues<(typeof recoveryScopes)[number]>({
    FAILED: 'Only failed deliveries.',
    ALL: 'All deliveries, including accepted ones.',
  }),
});

const Recovery = builder.objectRef<Awaited<ReturnType<typeof recoverWebhook>>>('Recovery').implement({
  description: 'The result of a recovery.',
  fields: (t) => ({
    queued: t.exposeInt('queued', { description: 'The number of queued deliveries.' }),
    hasMore: t.exposeBoolean('hasMore', {
      description: 'Whether another call with the same `until` would find more.',
    }),
    until: t.expose('until', { type: 'DateTime', description: 'The value of `until` for the next call.' }),
  }),
});

const RecoverWebhookInput = inputType('RecoverWebhookInput', recoverInput, {
  description: 'Deliveries to repeat for a webhook.',
  types: { webhookId: 'ID', scope: RecoveryScope },
});

builder.mutationFields((t) => ({
  sendSampleEvent: t.field({
    type: SampleEvent,
    description:
      'Sends a sample event to one webhook, signed and retried like any other, or only to subscribers of `events`.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:write', feature: 'webhooks' } },
    args: {
      input: t.arg({
        type: SendSampleEventInput,
        required: true,
        description: 'The event type and the webhook.',
      }),
    },
    resolve: (_, { input: { webhookId, type } }, ctx) => {
      if (!isEventType(type)) throw validationError([{ path: 'type', message: 'is not a known event type' }]);
      return sendSample(ctx, webhookId ? String(webhookId) : null, type);
    },
  }),
  recoverWebhook: t.field({
    type: Recovery,
    description: 'Redelivers what a webhook missed since a time; at most 1000 deliveries per call.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:write', feature: 'webhooks' } },
    args: {
      input: t.arg({ type: RecoverWebhookInput, required: true, description: 'The webhook and the period.' }),
    },
    resolve: (_, { input }, ctx) => recoverWebhook(ctx, input),
  }),
}));
