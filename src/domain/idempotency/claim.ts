import { sqlIn, type Transaction } from '../../db/sql.ts';

/** The caller's Idempotency-Key, once a call holds it. */
export interface IdempotencyClaim {
  principal: string;
  /** A keyed digest of what the caller sent. */
  key: string;
  /** The decision that the call is about: when that is erased, so is the answer. */
  subject?: string;
}

/** How long a repeat of a call is answered with the first answer. */
export const KEPT_HOURS = 24;

/**
 * Marks calls as carried out, in the transaction of their change: from the commit on, a repeat of the key must not run
 * the change again, even if the answer gets lost.
 */
export async function markCarriedOut(
  tx: Transaction,
  claims: readonly (IdempotencyClaim | null | undefined)[],
  at: Date,
): Promise<void> {
  const held = claims.filter((claim) => claim != null);
  if (held.length === 0) return;
  await sqlIn(tx).run({
    name: 'mark_carried_out',
    text: carriedOutSql(
      'unnest($1::text[], $2::text[], $4::text[]) AS k(principal, key, subject)',
      'k',
      '$3::timestamptz',
      'k.subject',
    ),
    values: [
      held.map(({ principal }) => principal),
      held.map(({ key }) => key),
      at,
      held.map(({ subject }) => subject ?? null),
    ],
  });
}

/** The same as a part of a larger statement, for rows with the columns `principal` and `key`. */
export function carriedOutSql(source: string, alias: string, at: string, subject: string): string {
  return `UPDATE idempotency_record r SET committed_at = ${at}, subjects = array_remove(ARRAY[${subject}], NULL)
          FROM ${source} WHERE r.principal = ${alias}.principal AND r.key = ${alias}.key`;
}
