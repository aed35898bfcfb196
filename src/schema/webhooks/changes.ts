import { createWebhookInput, updateWebhookInput } from '../../domain/webhooks/input.ts';
import { createWebhook, deleteWebhook, rotateSecret, updateWebhook } from '../../domain/webhooks/manage.ts';
import { builder } from '../builder.ts';
import { onlyProperties } from '../exposed.ts';
import { idInput, inputArg, inputType, nestedInput } from '../input-types.ts';
import { Webhook } from './webhook.ts';

const access = { roles: ['ADMIN'], apiKey: 'proof:write', feature: 'webhooks' } as const;

const WebhookWithSecret = builder
  .objectRef<Awaited<ReturnType<typeof createWebhook>>>('WebhookWithSecret')
  .implement({
    description: 'A webhook with its new signing secret, which is shown only here.',
    fields: onlyProperties({
      webhook: [Webhook, 'The webhook as it is now.'],
      signingSecret: ['String', 'The secret that signs deliveries (HMAC-SHA256), shown only once.'],
    }),
  });

const DeletedWebhook = builder.objectRef<{ id: string }>('DeletedWebhook').implement({
  description: 'What remains of a webhook that was deleted.',
  fields: onlyProperties({ id: ['ID', 'The id of the deleted webhook, `whk_…`.'] }),
});

const CreateWebhookInput = inputType('CreateWebhookInput', createWebhookInput, {
  description: 'Where to deliver which events.',
});

const WebhookChanges = nestedInput('WebhookChanges', updateWebhookInput.shape.changes, {
  description: 'What to change in a webhook. Omitted members stay unchanged.',
});

const UpdateWebhookInput = inputType('UpdateWebhookInput', updateWebhookInput, {
  description: 'A webhook and what to change in it.',
  types: { id: 'ID', changes: WebhookChanges },
});

const WebhookRef = idInput(
  'WebhookRef',
  'Identifies a webhook of the center.',
  'The id of the webhook, `whk_…`.',
);

builder.mutationFields((t) => ({
  createWebhook: t.field({
    type: WebhookWithSecret,
    description: 'Creates a webhook for events of the current center.',
    authScopes: { access },
    args: inputArg(CreateWebhookInput, 'Where to deliver which events.'),
    resolve: (_, { input }, ctx) => createWebhook(ctx, input),
  }),
  updateWebhook: t.field({
    type: Webhook,
    description: 'Changes a webhook, or switches its deliveries on or off.',
    authScopes: { access },
    args: inputArg(UpdateWebhookInput, 'The webhook and what to change in it.'),
    resolve: (_, { input }, ctx) => updateWebhook(ctx, input.id, input.changes),
  }),
  deleteWebhook: t.field({
    type: DeletedWebhook,
    description: 'Deletes a webhook. Nothing more is delivered to it.',
    authScopes: { access },
    args: inputArg(WebhookRef, 'The webhook that receives no more deliveries.'),
    resolve: (_, { input }, ctx) => deleteWebhook(ctx, input.id),
  }),
  rotateWebhookSecret: t.field({
    type: WebhookWithSecret,
    description: 'Creates a new signing secret. The old one stays valid for 24 hours.',
    authScopes: { access },
    args: inputArg(WebhookRef, 'The webhook whose deliveries the new secret signs.'),
    resolve: (_, { input }, ctx) => rotateSecret(ctx, input.id),
  }),
}));
