import { z } from 'zod';
import type { ChatChannel } from '../../db/generated/prisma/client.ts';
import { ChatKind } from '../../db/generated/prisma/enums.ts';
import type { Vault } from '../../lib/crypto.ts';
import { DomainError, requireFound, validationError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { plainText } from '../../lib/text.ts';
import { type Context, currentCenterId } from '../context.ts';
import { transact, type Work } from '../unit-of-work.ts';

const MOST_CHANNELS = 20;
const LONGEST_URL = 2_048;

export const chatChannelInput = z.object({
  name: plainText(128)
    .trim()
    .min(1)
    .describe('The name that people see, unique in the center, 1 to 128 characters.'),
  url: z
    .string()
    .trim()
    .min(1)
    .max(LONGEST_URL)
    .describe(
      'The https address that takes messages, at most 2,048 characters; private hosts are refused, as for webhooks.',
    ),
  kind: z.enum(ChatKind).describe('Which chat messages are formatted for.'),
});

/** Anyone with a chat's address can write to it, so it is encrypted and never shown again. */
const sealUrl = (vault: Vault, url: string, id: string) => vault.seal(url, `chat:${id}`);
export const openUrl = (vault: Vault, { id, url }: Pick<ChatChannel, 'id' | 'url'>) =>
  vault.open(url, `chat:${id}`);

export function listChatChannels(ctx: Context): Promise<ChatChannel[]> {
  return ctx.db.chatChannel.findMany({ orderBy: { name: 'asc' } });
}

/** Creates a channel, or changes the one of this name. */
export async function saveChatChannel(
  ctx: Context,
  { name, url, kind }: z.infer<typeof chatChannelInput>,
): Promise<ChatChannel> {
  const target = await ctx.app.outbound.checkTarget(url);
  if (!target.ok) throw validationError([{ path: 'url', message: target.reason }]);
  const { host } = target.url;
  const centerId = currentCenterId(ctx);
  return transact(ctx, async (work) => {
    await work.db.$queryRaw`SELECT FROM center WHERE id = ${centerId} FOR NO KEY UPDATE`;
    const existing = await work.db.chatChannel.findFirst({ where: { name } });
    if (!existing && (await work.db.chatChannel.count()) >= MOST_CHANNELS) {
      throw new DomainError(
        'CONFLICT',
        `A center can have at most ${MOST_CHANNELS} chat channels; delete one first.`,
      );
    }
    const id = existing?.id ?? newId('cht');
    const data = { url: sealUrl(ctx.app.vault, url, id), host, kind };
    const afresh = { attempts: 0, nextAttemptAt: null, problem: null };
    const channel = existing
      ? await work.db.chatChannel.update({ where: { id }, data: { ...data, ...afresh } })
      : await work.db.chatChannel.create({ data: { id, centerId, name, ...data, createdAt: ctx.now } });
    audit(work, channel, existing ? 'chat channel changed' : 'chat channel created');
    return channel;
  });
}

export async function deleteChatChannel(ctx: Context, id: string): Promise<ChatChannel> {
  return transact(ctx, async (work) => {
    const channel = await getChannel(work, id);
    await work.db.chatChannel.delete({ where: { id } });
    audit(work, channel, 'chat channel deleted');
    return channel;
  });
}

/** Sends a test message that contains nothing about any decision. The channel then shows whether it arrived. */
export async function testChatChannel(ctx: Context, id: string): Promise<ChatChannel> {
  return transact(ctx, async (work) => {
    const channel = await getChannel(work, id);
    work.enqueue('send_chat', { channelId: id, test: true }, { key: `chat-test:${id}` });
    audit(work, channel, 'chat channel tested');
    return channel;
  });
}

async function getChannel({ db }: Work, id: string): Promise<ChatChannel> {
  const channel = await db.chatChannel.findUnique({ where: { id } });
  return requireFound(channel, 'Chat channel not found.');
}

function audit(work: Work, { id, name, kind, host }: ChatChannel, change: string): void {
  work.audit({ type: 'center.updated', target: id, detail: { change, name, kind, host } });
}
