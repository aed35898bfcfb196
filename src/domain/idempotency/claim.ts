import { recordset } from '../../db/recordset.ts';
import { sql, type Transaction } from '../../db/sql.ts';
import { DomainError } from '../../lib/errors.ts';

/** The caller's Idempotency-Key, once a call holds it. */
export interface IdempotencyClaim {
  principal: string;
  /** A keyed digest of what the caller sent. */
  key: string;
  /** The decision that the call is about: when that is erased, so is the answer. */
  subject?: string;
  /** Drawn anew whenever a call takes hold of the key: only the last one to do so can commit. */
  fence: string;
  /** What the call came to so far, when an earlier process committed it and died before it could answer. */
  done: unknown[];
  /** A result in the form in which it is kept. */
  keep(result: unknown): string;
}

/** How long a repeat of a call is answered with the first answer. */
export const KEPT_HOURS = 24;

/** The call took so long that another one has taken its key over; nothing of this one is written. */
export class HoldLost extends DomainError {
  constructor() {
    super('CONFLICT', 'Another request with this Idempotency-Key has taken over.', { retryAfter: 1 });
    this.name = 'HoldLost';
  }
}

/** A part of a call that was carried out, and what came of it. */
interface CarriedOut {
  claim: IdempotencyClaim | null | undefined;
  result: unknown;
}

/** The result of the next part of the call, if that part was committed before. */
export function alreadyDone(claim: IdempotencyClaim | null | undefined): { result: unknown } | null {
  return claim && claim.done.length > 0 ? { result: claim.done.shift() } : null;
}

const CLAIM = { principal: 'text', key: 'text', fence: 'text' } as const;
const claimColumns = recordset<IdempotencyClaim>(CLAIM);
type Held = Pick<IdempotencyClaim, keyof typeof CLAIM> & { kept: string; subjects: string[] };
const heldColumns = recordset<Held>({ ...CLAIM, kept: 'text', subjects: 'text[]' });

const MARK = sql('mark_carried_out')`
  ${carriedOutSql(`${heldColumns.from('held')} k`, 'k', '$at::timestamptz', 'k.subjects')} RETURNING 1`;

/**
 * Keeps results in the transaction of the changes they came from: from the commit on a repeat of the key does not run the
 * change again, and can still be given the answer, whatever happens to the process. Throws when the key is no longer held.
 */
export async function markCarriedOut(tx: Transaction, parts: readonly CarriedOut[], at: Date): Promise<void> {
  const held = parts.flatMap(({ claim, result }) => {
    if (!claim) return [];
    const { principal, key, fence, subject } = claim;
    const subjects = subjectsIn(`${subject} ${JSON.stringify(result, plain)}`);
    return [{ principal, key, fence, kept: claim.keep(result), subjects }];
  });
  if (held.length === 0) return;
  const marked = await MARK.rows(tx, { at, held: heldColumns.values(held) });
  if (marked.length < held.length) throw new HoldLost();
}

/** The same as a part of a larger statement, for rows with the columns `principal`, `key`, `fence` and `kept`. */
export function carriedOutSql(source: string, alias: string, at: string, subjects: string): string {
  return `UPDATE idempotency_record r SET committed_at = ${at}, subjects = r.subjects || ${subjects},
                 results = array_append(r.results, ${alias}.kept)
          FROM ${source}
          WHERE r.principal = ${alias}.principal AND r.key = ${alias}.key AND r.fence = ${alias}.fence`;
}

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** The decisions and records that a text speaks of: what is erased there is erased with what was kept of it. */
export function subjectsIn(text: string): string[] {
  return [...new Set(text.match(/\b(?:evt|dpu)_[0-9a-z]{26,27}\b/g))];
}

const KEEP_CLAIMS = sql<{ principal: string; key: string }>('keep_claims')`
  SELECT r.principal, r.key FROM ${claimColumns.from('claims')} k
  JOIN idempotency_record r ON r.principal = k.principal AND r.key = k.key AND r.fence = k.fence
  ORDER BY r.principal, r.key FOR UPDATE OF r`;

/** Makes sure that keys stay held until the transaction ends; gives those that are not held any more. */
export async function lostClaims(
  tx: Transaction,
  claims: readonly IdempotencyClaim[],
): Promise<Set<IdempotencyClaim>> {
  if (claims.length === 0) return new Set();
  const rows = await KEEP_CLAIMS.rows(tx, { claims: claimColumns.values(claims) });
  const held = new Set(rows.map(({ principal, key }) => `${principal}\n${key}`));
  return new Set(claims.filter(({ principal, key }) => !held.has(`${principal}\n${key}`)));
}
