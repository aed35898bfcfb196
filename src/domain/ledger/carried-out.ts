import type { PoolClient } from '../../db/database.ts';
import { sqlIn } from '../../db/sql.ts';
import type { SealItem } from './seal-kind.ts';

/** From the commit on, a repeat of the call's key must not run the change again, even if the answer gets lost. */
export async function markCarriedOut(
  client: PoolClient,
  done: Pick<SealItem<unknown, unknown>, 'idempotency'>[],
  at: Date,
): Promise<void> {
  const keys = done.flatMap(({ idempotency }) => idempotency ?? []);
  if (keys.length === 0) return;
  await sqlIn(client).run({
    name: 'mark_carried_out',
    text: `UPDATE idempotency_record r SET committed_at = $3
           FROM unnest($1::text[], $2::text[]) AS k(principal, key)
           WHERE r.principal = k.principal AND r.key = k.key`,
    values: [keys.map(({ principal }) => principal), keys.map(({ key }) => key), at],
  });
}
