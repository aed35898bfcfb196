import { sql } from '../../db/sql.ts';
import type { Infrastructure } from '../context.ts';
import { MAIL_ADDRESS } from '../email-domains/mail-address.ts';
import { postMail } from '../mail/outbox.ts';

const BATCH = 500;
/** People whose mails one pass queues. */
const PEOPLE_A_PASS = 500;
/** When the daily mails are queued, in UTC. */
const DIGEST_HOUR = 7;
const DAY_MS = 86_400_000;

/** People without a mail on its way, one of each center before the second of any. */
const PEOPLE_WITH_NOTICES = sql('people_with_notices', { actorId: 'uuid', email: 'text' })`
  SELECT a.id AS "actorId", t.email
  FROM (
    SELECT actor_id, min(center_id) AS center_id FROM (
      SELECT actor_id, center_id FROM decision_notice WHERE mail_id IS NULL
      UNION ALL SELECT actor_id, center_id FROM question_notice WHERE mail_id IS NULL) u GROUP BY actor_id) n
  JOIN actor a ON a.id = n.actor_id
  CROSS JOIN LATERAL (SELECT ${MAIL_ADDRESS} AS email) t
  WHERE t.email IS NOT NULL AND a.suspended_at IS NULL AND NOT EXISTS (
    SELECT FROM mail m WHERE m.recipient = t.email AND m.kind = 'approvals_waiting' AND m.status = 'WAITING')
  ORDER BY row_number() OVER (PARTITION BY n.center_id ORDER BY random()) LIMIT ${PEOPLE_A_PASS}`;

/** Queues one mail for each person with new notices. It lists everything pending when it is sent. */
export async function mailApprovers(app: Infrastructure, now: Date): Promise<void> {
  if (!app.config.mail.target) return;
  const rows = await PEOPLE_WITH_NOTICES.rows(app.db.declared('acrossTenants'), {});
  for (const { actorId, email: to } of rows) {
    await app.db.acrossTenants.$transaction((tx) =>
      postMail(app, tx, { kind: 'approvals_waiting', to, about: { actorId } }, now),
    );
  }
}

const DIGESTS_DUE = sql('digests_due', { actorId: 'uuid', email: 'text?' })`
  SELECT s.actor_id AS "actorId", CASE WHEN a.suspended_at IS NULL THEN ${MAIL_ADDRESS} END AS email
  FROM notification_setting s JOIN actor a ON a.id = s.actor_id
  WHERE s.mail = 'DAILY' AND (s.digest_at IS NULL OR s.digest_at < $due)
  ORDER BY s.actor_id LIMIT ${BATCH} FOR UPDATE OF s SKIP LOCKED`;

/** Queues the daily mails that are due. A mail with nothing to list is not sent. */
export async function postDigests(app: Infrastructure, now: Date = new Date()): Promise<void> {
  const due = lastDigestTime(now);
  for (;;) {
    const count = await app.db.acrossTenants.$transaction(async (tx) => {
      const people = await DIGESTS_DUE.rows(tx, { due });
      for (const { actorId, email: to } of people) {
        if (to !== null) await postMail(app, tx, { kind: 'approvals_digest', to, about: { actorId } }, now);
      }
      const actorIds = people.map(({ actorId }) => actorId);
      await tx.notificationSetting.updateMany({
        where: { actorId: { in: actorIds } },
        data: { digestAt: now },
      });
      return people.length;
    });
    if (count < BATCH) return;
  }
}

function lastDigestTime(now: Date): Date {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), DIGEST_HOUR);
  return new Date(today <= now.getTime() ? today : today - DAY_MS);
}
