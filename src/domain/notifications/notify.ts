import { sql } from '../../db/sql.ts';
import { enqueue } from '../../queue/enqueue.ts';
import type { Infrastructure } from '../context.ts';
import { followDecisions } from './follow.ts';
import { mailApprovers } from './mails.ts';

/** Queues mails and messages about everything since the last run, and what could not be sent before. */
export async function notifyOfDecisions(app: Infrastructure, now: Date = new Date()): Promise<void> {
  await followDecisions(app, now);
  await mailApprovers(app, now);
  await queueMessages(app, now);
}

const CHATS_DUE = sql('chats_due', { id: 'text' })`
  SELECT c.id FROM chat_channel c JOIN center o ON o.id = c.center_id AND o.status = 'ACTIVE'
  WHERE (c.next_attempt_at IS NULL OR c.next_attempt_at <= $now) AND EXISTS (
    SELECT FROM chat_notice n
    WHERE n.channel_id = c.id AND n.sent_at IS NULL AND (n.leased_until IS NULL OR n.leased_until < $now))`;

async function queueMessages({ db }: Infrastructure, now: Date): Promise<void> {
  for (const { id } of await CHATS_DUE.rows(db.declared('acrossTenants'), { now: now.toISOString() })) {
    await enqueue(db.pool, 'send_chat', { channelId: id, test: false }, { key: `chat:${id}` });
  }
}
