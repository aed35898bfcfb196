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
    description: 'A webhook with a new secret.',
    fields: onlyProperties({
      webhook: [Webhook, 'The webhook.'],
      signingSecret: ['String', 'The signing secret, shown only once.'],
    }),
  });

const DeletedWebhook = builder.objectRef<{ id: string }>('DeletedWebhook').implement({
  description: 'A webhook that was deleted.',
  fields: onlyProperties({ id: ['ID', 'The id of the webhook.'] }),
});

const descriptions = {
  url: 'The URL that receives events.',
  events: 'The subscribed events: types, prefixes followed by .*, or *.',
};

const CreateWebhookInput = inputType('CreateWebhookInput', createWebhookInput, {
  description: 'A new webhook.',
  descriptions,
});

const WebhookChanges = nestedInput('WebhookChanges', updateWebhookInput.shape.changes, {
  description: 'Changes to a webhook. Omitted members stay unchanged.',
  descriptions,
});

const UpdateWebhookInput = inputType('UpdateWebhookInput', updateWebhookInput, {
  description: 'A webhook and its changes.',
  types: { id: 'ID', changes: WebhookChanges },
});

const WebhookRef = idInput('WebhookRef', 'Identifies a webhook of the center.', 'The id of the webhook.');

builder.mutationFields((t) => ({
  createWebhook: t.field({
    type: WebhookWithSecret,
    description: 'Creates a webhook for events of the current center.',
    authScopes: { access },
    args: inputArg(CreateWebhookInput, 'The new webhook.'),
    resolve: (_, { input }, ctx) => createWebhook(ctx, input),
  }),
  updateWebhook: t.field({
    type: Webhook,
    description: 'Changes, enables or disables a webhook.',
    authScopes: { access },
    args: inputArg(UpdateWebhookInput, 'The webhook and its changes.'),
    resolve: (_, { input }, ctx) => updateWebhook(ctx, input.id, input.changes),
  }),
  deleteWebhook: t.field({
    type: DeletedWebhook,
    description: 'Deletes a webhook.',
    authScopes: { access },
    args: inputArg(WebhookRef, 'The webhook to delete.'),
    resolve: (_, { input }, ctx) => deleteWebhook(ctx, input.id),
  }),
  rotateWebhookSecret: t.field({
    type: WebhookWithSecret,
    description: 'Creates a new signing secret. The old one stays valid for 24 hours.',
    authScopes: { access },
    args: inputArg(WebhookRef, 'The webhook.'),
    resolve: (_, { input }, ctx) => rotateSecret(ctx, input.id),
  }),
}));
