import { sql } from '../../db/sql.ts';
import { addJobs, jobSql } from '../../queue/enqueue.ts';
import type { Infrastructure } from '../context.ts';
import { runFairPass } from '../fair-pass.ts';
import { centersToFollow } from './follow.ts';
import { mailApprovers } from './mails.ts';

/**
 * Queues mails and messages about everything since the last run, and what could not be sent before. Returns whether no other
 * process reads what happened.
 */
export async function notifyOfDecisions(app: Infrastructure, now: Date = new Date()): Promise<boolean> {
  const isComplete = await runFairPass(app, 'notifications', () => centersToFollow(app, now));
  await mailApprovers(app, now);
  await QUEUE_MESSAGES.run(app.db.declared('acrossTenants'), { now: now.toISOString() });
  return isComplete;
}

const SEND_CHAT = jobSql('send_chat', {
  payload: { channelId: 'c.id', test: 'false' },
  key: `'chat:' || c.id`,
});
const QUEUE_MESSAGES = sql('queue_chat_messages')`${addJobs(`SELECT ${SEND_CHAT} FROM (
  SELECT c.id FROM chat_channel c JOIN center o ON o.id = c.center_id AND o.status = 'ACTIVE'
  WHERE (c.next_attempt_at IS NULL OR c.next_attempt_at <= $now) AND EXISTS (
    SELECT FROM chat_notice n
    WHERE n.channel_id = c.id AND n.sent_at IS NULL AND (n.leased_until IS NULL OR n.leased_until < $now))) c`)}`;
