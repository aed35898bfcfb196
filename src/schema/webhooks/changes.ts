import { createWebhookInput, webhookChanges } from '../../domain/webhooks/input.ts';
import { createWebhook, deleteWebhook, rotateSecret, updateWebhook } from '../../domain/webhooks/manage.ts';
import { builder } from '../builder.ts';
import { Webhook } from './webhook.ts';

const access = { roles: ['ADMIN'], apiKey: 'proof:write' } as const;

const WebhookWithSecret = builder
  .objectRef<Awaited<ReturnType<typeof createWebhook>>>('WebhookWithSecret')
  .implement({
    description: 'A webhook whose secret was just made.',
    fields: (t) => ({
      webhook: t.field({
        type: Webhook,
        description: 'The webhook that signs with it.',
        resolve: ({ webhook }) => webhook,
      }),
      signingSecret: t.exposeString('signingSecret', {
        description: 'What deliveries are signed with, shown this once.',
      }),
    }),
  });

const DeletedWebhook = builder.objectRef<{ id: string }>('DeletedWebhook').implement({
  description: 'A webhook that was deleted.',
  fields: (t) => ({ id: t.exposeID('id', { description: 'The id of the webhook.' }) }),
});

const CreateWebhookInput = builder
  .inputType('CreateWebhookInput', {
    description: 'A url that shall be told of events.',
    fields: (t) => ({
      url: t.string({ required: true, description: 'Where to send events.' }),
      events: t.stringList({ required: true, description: 'Which events: types, prefixes with .*, or *.' }),
      description: t.string({ description: 'What it is for, as a note to people.' }),
      active: t.boolean({ description: 'Whether to send at once; true when not given.' }),
    }),
  })
  .validate(createWebhookInput);

const WebhookChanges = builder
  .inputType('WebhookChanges', {
    description: 'What to change of a webhook; what is not given stays.',
    fields: (t) => ({
      url: t.string({ description: 'Where to send events.' }),
      events: t.stringList({ description: 'Which events to send: types, prefixes with .*, or *.' }),
      description: t.string({ description: 'What it is for, as a note to people.' }),
      active: t.boolean({ description: 'Whether to send events.' }),
    }),
  })
  .validate(webhookChanges);

const UpdateWebhookInput = builder.inputType('UpdateWebhookInput', {
  description: 'A webhook, and what to change of it.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The id of the webhook.' }),
    changes: t.field({
      type: WebhookChanges,
      required: true,
      description: 'What to change; what is left out stays.',
    }),
  }),
});

const WebhookRef = builder.inputType('WebhookRef', {
  description: 'Names one webhook of the center.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The id of the webhook.' }) }),
});

builder.mutationFields((t) => ({
  createWebhook: t.field({
    type: WebhookWithSecret,
    description: 'Subscribes a url to events of the current center.',
    authScopes: { access },
    args: {
      input: t.arg({ type: CreateWebhookInput, required: true, description: 'The webhook to make.' }),
    },
    resolve: (_, { input }, ctx) => createWebhook(ctx, input),
  }),
  updateWebhook: t.field({
    type: Webhook,
    description: 'Changes a webhook, switches it off or on again.',
    authScopes: { access },
    args: {
      input: t.arg({ type: UpdateWebhookInput, required: true, description: 'The webhook and its changes.' }),
    },
    resolve: (_, { input }, ctx) => updateWebhook(ctx, String(input.id), input.changes),
  }),
  deleteWebhook: t.field({
    type: DeletedWebhook,
    description: 'Ends a webhook: nothing more is sent.',
    authScopes: { access },
    args: { input: t.arg({ type: WebhookRef, required: true, description: 'The webhook to end.' }) },
    resolve: (_, { input }, ctx) => deleteWebhook(ctx, String(input.id)),
  }),
  rotateWebhookSecret: t.field({
    type: WebhookWithSecret,
    description: 'Makes a new signing secret; the old one stays valid beside it for 24 hours.',
    authScopes: { access },
    args: { input: t.arg({ type: WebhookRef, required: true, description: 'Which webhook of the center.' }) },
    resolve: (_, { input }, ctx) => rotateSecret(ctx, String(input.id)),
  }),
}));
