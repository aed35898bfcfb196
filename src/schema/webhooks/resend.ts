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
  fields: onlyProperties({ eventId: ['ID', 'The id of the sample.'] }),
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

const RecoveryScope = enumType<(typeof recoveryScopes)[number]>(
  'RecoveryScope',
  'Which deliveries to repeat.',
  {
    FAILED: 'Only failed deliveries.',
    ALL: 'All deliveries, including accepted ones.',
  },
);

const Recovery = builder.objectRef<Awaited<ReturnType<typeof recoverWebhook>>>('Recovery').implement({
  description: 'The result of a recovery.',
  fields: onlyProperties({
    queued: ['Int', 'The number of queued deliveries.'],
    hasMore: ['Boolean', 'Whether another call with the same `until` would find more.'],
    until: ['DateTime', 'The value of `until` for the next call.'],
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
    args: inputArg(SendSampleEventInput, 'The event type and the webhook.'),
    resolve: (_, { input: { webhookId, type } }, ctx) => {
      if (!isEventType(type)) throw validationError([{ path: 'type', message: 'is not a known event type' }]);
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
