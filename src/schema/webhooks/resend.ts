import { z } from 'zod';
import { eventTypes, isEventType } from '../../domain/events/catalog.ts';
import { recoverInput, recoverWebhook, type recoveryScopes } from '../../domain/webhooks/recover.ts';
import { sendSample } from '../../domain/webhooks/sample.ts';
import { validationError } from '../../lib/errors.ts';
import { builder } from '../builder.ts';
import { enumType } from '../enum-types.ts';
import { onlyProperties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';

const SampleEvent = builder.objectRef<{ eventId: string }>('SampleEvent').implement({
  description: 'A sample event sent to a webhook.',
  fields: onlyProperties({ eventId: ['ID', 'The id of the sample event, `msg_…`.'] }),
});

const SendSampleEventInput = inputType(
  'SendSampleEventInput',
  z.object({
    webhookId: z
      .string()
      .nullish()
      .describe(
        'The id of the webhook to send it to, `whk_…`. Without it, only subscribers of `events` see it.',
      ),
    type: z.string().describe(`The type of event: ${eventTypes.join(', ')}.`),
  }),
  {
    description: 'The type of the sample event, and the webhook to send it to.',
    types: { webhookId: 'ID' },
  },
);

const RecoveryScope = enumType<(typeof recoveryScopes)[number]>(
  'RecoveryScope',
  'Which deliveries a recovery repeats.',
  {
    FAILED: 'Only deliveries whose attempts failed.',
    ALL: 'All deliveries, including accepted ones.',
  },
);

const Recovery = builder.objectRef<Awaited<ReturnType<typeof recoverWebhook>>>('Recovery').implement({
  description: 'What a recovery queued, and how to continue it.',
  fields: onlyProperties({
    queued: ['Int', 'The number of deliveries that were queued, at most 1,000.'],
    hasMore: ['Boolean', 'Whether another call with the same `until` would find more.'],
    until: ['DateTime', 'The value of `until` for the next call.'],
  }),
});

const RecoverWebhookInput = inputType('RecoverWebhookInput', recoverInput, {
  description: 'Which deliveries to repeat for a webhook.',
  types: { webhookId: 'ID', scope: RecoveryScope },
});

builder.mutationFields((t) => ({
  sendSampleEvent: t.field({
    type: SampleEvent,
    description:
      'Sends a sample event to one webhook, signed and retried like any other, or only to subscribers of `events`.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:write', feature: 'webhooks' } },
    args: inputArg(SendSampleEventInput, 'The type of the event, and the webhook to send it to.'),
    resolve: (_, { input: { webhookId, type } }, ctx) => {
      if (!isEventType(type))
        throw validationError([{ path: 'type', message: 'must be an event type, from `eventCatalogue`' }]);
      return sendSample(ctx, webhookId ? String(webhookId) : null, type);
    },
  }),
  recoverWebhook: t.field({
    type: Recovery,
    description: 'Redelivers what a webhook missed since a time; at most 1000 deliveries per call.',
    authScopes: { access: { roles: ['ADMIN'], apiKey: 'proof:write', feature: 'webhooks' } },
    args: inputArg(RecoverWebhookInput, 'The webhook and the period.'),
    resolve: (_, { input }, ctx) => recoverWebhook(ctx, input),
  }),
}));
