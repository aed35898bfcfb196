import { createWebhookInput, webhookChanges } from '../../domain/webhooks/input.ts';
import { createWebhook, deleteWebhook, rotateSecret, updateWebhook } from '../../domain/webhooks/manage.ts';
import { builder } from '../builder.ts';
import { Webhook } from './webhook.ts';

const access = { roles: ['ADMIN'], apiKey: 'proof:write', feature: 'webhooks' } as const;

const WebhookWithSecret = builder
  .objectRef<Awaited<ReturnType<typeof createWebhook>>>('WebhookWithSecret')
  .implement({
    description: 'A webhook with a new secret.',
    fields: (t) => ({
      webhook: t.field({
        type: Webhook,
        description: 'The webhook.',
        resolve: ({ webhook }) => webhook,
      }),
      signingSecret: t.exposeString('signingSecret', {
        description: 'The signing secret, shown only once.',
      }),
    }),
  });

const DeletedWebhook = builder.objectRef<{ id: string }>('DeletedWebhook').implement({
  description: 'A webhook that was deleted.',
  fields: (t) => ({ id: t.exposeID('id', { description: 'The id of the webhook.' }) }),
});

const CreateWebhookInput = builder
  .inputType('CreateWebhookInput', {
    description: 'A new webhook.',
    fields: (t) => ({
      url: t.string({ required: true, description: 'The URL that receives events.' }),
      events: t.stringList({
        required: true,
        description: 'The subscribed events: types, prefixes followed by .*, or *.',
      }),
      description: t.string({ description: 'A description for people.' }),
      active: t.boolean({ description: 'Whether the webhook is active. Default: true.' }),
    }),
  })
  .validate(createWebhookInput);

const WebhookChanges = builder
  .inputType('WebhookChanges', {
    description: 'Changes to a webhook. Omitted members stay unchanged.',
    fields: (t) => ({
      url: t.string({ description: 'The URL that receives events.' }),
      events: t.stringList({ description: 'The subscribed events: types, prefixes followed by .*, or *.' }),
      description: t.string({ description: 'A description for people.' }),
      active: t.boolean({ description: 'Whether it is active.' }),
    }),
  })
  .validate(webhookChanges);

const UpdateWebhookInput = builder.inputType('UpdateWebhookInput', {
  description: 'A webhook and its changes.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The id of the webhook.' }),
    changes: t.field({
      type: WebhookChanges,
      required: true,
      description: 'The changes. Omitted members stay unchanged.',
    }),
  }),
});

const WebhookRef = builder.inputType('WebhookRef', {
  description: 'Identifies a webhook of the center.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The id of the webhook.' }) }),
});

builder.mutationFields((t) => ({
  createWebhook: t.field({
    type: WebhookWithSecret,
    description: 'Creates a webhook for events of the current center.',
    authScopes: { access },
    args: {
      input: t.arg({ type: CreateWebhookInput, required: true, description: 'The new webhook.' }),
    },
    resolve: (_, { input }, ctx) => createWebhook(ctx, input),
  }),
  updateWebhook: t.field({
    type: Webhook,
    description: 'Changes, enables or disables a webhook.',
    authScopes: { access },
    args: {
      input: t.arg({ type: UpdateWebhookInput, required: true, description: 'The webhook and its changes.' }),
    },
    resolve: (_, { input }, ctx) => updateWebhook(ctx, String(input.id), input.changes),
  }),
  deleteWebhook: t.field({
    type: DeletedWebhook,
    description: 'Deletes a webhook.',
    authScopes: { access },
    args: { input: t.arg({ type: WebhookRef, required: true, description: 'The webhook to delete.' }) },
    resolve: (_, { input }, ctx) => deleteWebhook(ctx, String(input.id)),
  }),
  rotateWebhookSecret: t.field({
    type: WebhookWithSecret,
    description: 'Creates a new signing secret. The old one stays valid for 24 hours.',
    authScopes: { access },
    args: { input: t.arg({ type: WebhookRef, required: true, description: 'The webhook.' }) },
    resolve: (_, { input }, ctx) => rotateSecret(ctx, String(input.id)),
  }),
}));
