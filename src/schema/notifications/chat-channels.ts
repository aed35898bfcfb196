import type * as enums from '../../db/generated/prisma/enums.ts';
import {
  chatChannelInput,
  deleteChatChannel,
  listChatChannels,
  saveChatChannel,
  testChatChannel,
} from '../../domain/notifications/chat-channels.ts';
import { builder } from '../builder.ts';
import { describedValues } from '../enum-values.ts';
import { inputType } from '../input-types.ts';

const admins = { roles: ['ADMIN'] } as const;

const ChatKind = builder.enumType('ChatKind', {
  description: 'Which chat messages are written for.',
  values: describedValues<keyof typeof enums.ChatKind>({
    SLACK: 'An incoming webhook of Slack.',
    TEAMS: 'A webhook of Microsoft Teams, which takes adaptive cards.',
    GENERIC: 'Any address that takes JSON.',
  }),
});

const ChatChannel = builder.prismaObject('ChatChannel', {
  description:
    'A chat that is notified of waiting and decided decisions: their action type, description and a link to the console.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names the channel.' }),
    name: t.exposeString('name', { description: 'The name, unique in the center.' }),
    kind: t.expose('kind', { type: ChatKind, description: 'Which chat messages are written for.' }),
    host: t.exposeString('host', {
      description: 'The host that messages are sent to. The whole address is never shown again.',
    }),
    lastSentAt: t.expose('sentAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the chat last accepted a message; null before the first.',
    }),
    problem: t.exposeString('problem', {
      nullable: true,
      description: 'Why the last attempt failed; null when it did not.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
  }),
});

const SaveChatChannelInput = inputType('SaveChatChannelInput', chatChannelInput, {
  description: 'A chat channel to make, or to change by its name.',
  types: { kind: ChatKind },
});

builder.queryField('chatChannels', (t) =>
  t.field({
    type: [ChatChannel],
    description: 'The chat channels of the center, by name.',
    authScopes: { access: admins },
    resolve: (_, __, ctx) => listChatChannels(ctx),
  }),
);

builder.mutationFields((t) => ({
  saveChatChannel: t.field({
    type: ChatChannel,
    description: 'Announces decisions of the center in a chat. A channel of the same name is replaced.',
    authScopes: { access: admins },
    args: {
      input: t.arg({ type: SaveChatChannelInput, required: true, description: 'The channel to save.' }),
    },
    resolve: (_, { input }, ctx) => saveChatChannel(ctx, input),
  }),
  deleteChatChannel: t.field({
    type: ChatChannel,
    description: 'Deletes a chat channel: nothing more is sent.',
    authScopes: { access: admins },
    args: { id: t.arg.id({ required: true, description: 'The id of the channel.' }) },
    resolve: (_, { id }, ctx) => deleteChatChannel(ctx, String(id)),
  }),
  testChatChannel: t.field({
    type: ChatChannel,
    description: 'Sends a test message; `lastSentAt` and `problem` say a moment later how that went.',
    authScopes: { access: admins },
    args: { id: t.arg.id({ required: true, description: 'Which channel to test.' }) },
    resolve: (_, { id }, ctx) => testChatChannel(ctx, String(id)),
  }),
}));
