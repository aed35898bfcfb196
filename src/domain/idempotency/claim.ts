import { recordset } from '../../db/recordset.ts';
import { sql, type Transaction } from '../../db/sql.ts';
import { DomainError } from '../../lib/errors.ts';

/** The caller's Idempotency-Key, once a request holds it. */
export interface IdempotencyClaim {
  principal: string;
  /** A keyed digest of the request. */
  key: string;
  /** The decision that the request is about. If that is erased, so is the stored response. */
  subject?: string;
  /** Generated whenever a request acquires the key. Only the latest holder can commit. */
  fence: string;
  /** The results so far, if an earlier process committed them and died before it could respond. */
  done: unknown[];
  /** Converts a result to its stored form. */
  keep(result: unknown): string;
}

/** How long a retry gets the original response. */
export const KEPT_HOURS = 24;

/** The request took so long that another one has taken over its key. Nothing of this request is written. */
export class IdempotencyLeaseLost extends DomainError {
  constructor() {
    super('CONFLICT', 'Another request with this Idempotency-Key has taken over.', { retryAfter: 1 });
    this.name = 'IdempotencyLeaseLost';
  }
}

/** A completed part of a request, and its result. */
interface CompletedPart {
  claim: IdempotencyClaim | null | undefined;
  result: unknown;
}

/** The result of the next part of the request, if that part was already committed. */
export function alreadyDone(claim: IdempotencyClaim | null | undefined): { result: unknown } | null {
  return claim && claim.done.length > 0 ? { result: claim.done.shift() } : null;
}

const CLAIM = { principal: 'text', key: 'text', fence: 'text' } as const;
const claimColumns = recordset<IdempotencyClaim>(CLAIM);
type Held = Pick<IdempotencyClaim, keyof typeof CLAIM> & { kept: string; subjects: string[] };
const heldColumns = recordset<Held>({ ...CLAIM, kept: 'text', subjects: 'text[]' });

const MARK = sql('mark_carried_out')`
  ${storeResultSql(`${heldColumns.from('held')} k`, 'k', '$at::timestamptz', 'k.subjects')}`;

/**
 * Stores results in the transaction of the changes that produced them. After the commit, a retry with the key does not repeat
 * the change and still gets the response, even if the process dies. Throws if the request no longer holds the key.
 */
export async function storeResults(
  tx: Transaction,
  parts: readonly CompletedPart[],
  at: Date,
): Promise<void> {
  const held = parts.flatMap(({ claim, result }) => {
    if (!claim) return [];
    const { principal, key, fence, subject } = claim;
    const subjects = subjectsIn(`${subject} ${JSON.stringify(result, plain)}`);
    return [{ principal, key, fence, kept: claim.keep(result), subjects }];
  });
  if (held.length === 0) return;
  const marked = await MARK.run(tx, { at, held: heldColumns.values(held) });
  if (marked < held.length) throw new IdempotencyLeaseLost();
}

/** The same as part of a larger statement, for rows with the columns `principal`, `key`, `fence` and `kept`. */
export function storeResultSql(source: string, alias: string, at: string, subjects: string): string {
  return `UPDATE idempotency_record r SET committed_at = ${at}, subjects = r.subjects || ${subjects},
                 results = array_append(r.results, ${alias}.kept)
          FROM ${source}
          WHERE r.principal = ${alias}.principal AND r.key = ${alias}.key AND r.fence = ${alias}.fence`;
}

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** The ids of decisions and records in a text, so that erasing them also erases the stored result. */
export function subjectsIn(text: string): string[] {
  return [...new Set(text.match(/\b(?:evt|dpu)_[0-9a-z]{26,27}\b/g))];
}

const KEEP_CLAIMS = sql('keep_claims', { principal: 'text', key: 'text' })`
  SELECT r.principal, r.key FROM ${claimColumns.from('claims')} k
  JOIN idempotency_record r ON r.principal = k.principal AND r.key = k.key AND r.fence = k.fence
  ORDER BY r.principal, r.key FOR UPDATE OF r`;

/** Locks the keys until the transaction ends, and returns those that are no longer held. */
export async function expiredClaims(
  tx: Transaction,
  claims: readonly IdempotencyClaim[],
): Promise<Set<IdempotencyClaim>> {
  if (claims.length === 0) return new Set();
  const rows = await KEEP_CLAIMS.rows(tx, { claims: claimColumns.values(claims) });
  const held = new Set(rows.map(({ principal, key }) => `${principal}\n${key}`));
  return new Set(claims.filter(({ principal, key }) => !held.has(`${principal}\n${key}`)));
}
