import {
  chatChannelInput,
  deleteChatChannel,
  listChatChannels,
  saveChatChannel,
  testChatChannel,
} from '../../domain/notifications/chat-channels.ts';
import { builder } from '../builder.ts';
import { storedEnum } from '../enum-types.ts';
import { columns } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';

const admins = { roles: ['ADMIN'] } as const;

const ChatKind = storedEnum('ChatKind', 'Which chat messages are formatted for.', {
  SLACK: 'An incoming webhook of Slack.',
  TEAMS: 'A webhook of Microsoft Teams, which takes adaptive cards.',
  GENERIC: 'Any address that accepts a JSON object with the message.',
});

const ChatChannel = builder.prismaObject('ChatChannel', {
  description:
    'A chat that is notified of waiting and decided decisions: their action type, description and a link to the console.',
  fields: (t) => ({
    ...columns(t, {
      name: 'The name that people see, unique in the center.',
      kind: 'Which chat messages are formatted for.',
      host: 'The host of the address that messages are sent to. The whole address is never shown again.',
      problem: 'Why the last attempt failed; null if it did not.',
      createdAt: 'When the channel was created, in UTC.',
    }),
    id: t.exposeID('id', { description: 'The id of the channel, `cht_…`.' }),
    lastSentAt: t.expose('sentAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the chat last accepted a message; null before the first.',
    }),
  }),
});

const SaveChatChannelInput = inputType('SaveChatChannelInput', chatChannelInput, {
  description: 'A chat channel to create, or to replace by its name.',
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
    args: inputArg(SaveChatChannelInput, 'The name, the kind and the address of the channel.'),
    resolve: (_, { input }, ctx) => saveChatChannel(ctx, input),
  }),
  deleteChatChannel: t.field({
    type: ChatChannel,
    description: 'Deletes a chat channel: nothing more is sent.',
    authScopes: { access: admins },
    args: { id: t.arg.id({ required: true, description: 'The id of the channel, `cht_…`.' }) },
    resolve: (_, { id }, ctx) => deleteChatChannel(ctx, String(id)),
  }),
  testChatChannel: t.field({
    type: ChatChannel,
    description: 'Sends a test message; `lastSentAt` and `problem` say a moment later how that went.',
    authScopes: { access: admins },
    args: { id: t.arg.id({ required: true, description: 'The id of the channel, `cht_…`.' }) },
    resolve: (_, { id }, ctx) => testChatChannel(ctx, String(id)),
  }),
}));
