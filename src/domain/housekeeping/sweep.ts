import { sql } from '../../db/sql.ts';
import type { Infrastructure } from '../context.ts';
import { KEPT_HOURS } from '../idempotency/claim.ts';

/** Repeats a statement with a row limit until it affects fewer rows. Returns the total. */
export async function inBatches(most: number, take: () => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const taken = await take();
    total += taken;
    if (taken < most) return total;
  }
}

const BATCH = 5_000;

/** In whole milliseconds, like the column: a comparison with a fraction could not use the index. */
const RUN_OUT = `expire < (extract(epoch FROM now()) * 1000)::bigint`;

const EXPIRED: [table: string, condition: string][] = [
  ['idempotency_record', `created_at < now() - interval '${KEPT_HOURS} hours'`],
  ['refresh_token', `expires_at < now() - interval '1 day'`],
  ['session', `expires_at < now() - interval '30 days'`],
  ['sso_token', `expires_at < now() - interval '1 day'`],
  ['link_token', `expires_at < now() - interval '1 day'`],
  ['passkey_challenge', `expires_at < now()`],
  ['sign_in_flow', `expires_at < now()`],
  ['sign_in_ticket', `expires_at < now()`],
  ['waiting_identity', `expires_at < now()`],
  ['provider_test', `expires_at < now()`],
  ['seen_code', `expires_at < now()`],
  ['used_logout_token', `expires_at < now()`],
  ['mail', `created_at < now() - interval '30 days'`],
  ['decision_notice', `created_at < now() - interval '30 days'`],
  ['question_notice', `created_at < now() - interval '30 days'`],
  ['chat_notice', `created_at < now() - interval '30 days'`],
  ['prepared_approval', `expires_at < now()`],
  ['partner_activity', `day < (now() - interval '2 days')::date`],
  // The counts of those days (tally keys active:<day>:<partner>) are never read again.
  ['tally', `key BETWEEN 'active:' AND 'active:' || to_char(now() - interval '2 days', 'YYYY-MM-DD')`],
  ['rate_counter', RUN_OUT],
  ['login_counter', RUN_OUT],
];

/** Each statement deletes a limited batch and is repeated while it finds rows. */
const DELETE_EXPIRED = EXPIRED.map(
  ([table, condition]) => sql(null)`
    DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH})`,
);

/** Deletes expired data. Returns how many rows it deleted. */
export async function sweep(app: Infrastructure): Promise<number> {
  let deleted = 0;
  for (const statement of DELETE_EXPIRED)
    deleted += await inBatches(BATCH, () => statement.run(app.db.declared('acrossTenants'), {}));
  return deleted;
}
