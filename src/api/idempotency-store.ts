import { setTimeout as sleep } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import { isOutOfReach } from '../db/faults.ts';
import { isAliveSql } from '../db/heartbeat.ts';
import { sql } from '../db/sql.ts';
import type { Context } from '../domain/context.ts';
import { type IdempotencyClaim, KEPT_HOURS, subjectsIn } from '../domain/idempotency/claim.ts';
import { centerIdOf, type Principal, principalName } from '../domain/principal.ts';
import { randomToken } from '../lib/crypto.ts';
import { DomainError } from '../lib/errors.ts';

/** How long a call may run before another attempt may take over. */
const LEASE_MS = 60_000;

export interface StoredAnswer {
  status: number;
  body: string | null;
}

interface Row {
  request_hash: string;
  response_status: number | null;
  response_body: string | null;
}

/** A key belongs to the caller in the current center: in another center it is another key. */
const holderOf = (principal: Principal) =>
  `${principalName(principal)} in ${centerIdOf(principal) ?? 'no center'}`;

/**
 * One statement: inserts the key, or takes it over. That may be done when it has expired, when whoever ran the call has
 * had it for too long, and at once when the process that ran it is gone. What that process committed stays on record.
 */
const CLAIM = sql<{ results: string[]; created_at: Date }>('idempotency_claim')`
  INSERT INTO idempotency_record AS r (principal, key, request_hash, fence, holder, locked_until, created_at)
  VALUES ($principal, $key, $requestHash, $fence, $holder, $lockedUntil, $now)
  ON CONFLICT (principal, key) DO UPDATE
    SET request_hash = excluded.request_hash, fence = excluded.fence, holder = excluded.holder,
        locked_until = excluded.locked_until, response_status = NULL, response_body = NULL,
        created_at = CASE WHEN r.created_at < $expired OR r.committed_at IS NULL THEN excluded.created_at ELSE r.created_at END,
        committed_at = CASE WHEN r.created_at < $expired THEN NULL ELSE r.committed_at END,
        results = CASE WHEN r.created_at < $expired THEN '{}' ELSE r.results END,
        subjects = CASE WHEN r.created_at < $expired THEN '{}' ELSE r.subjects END
    WHERE r.created_at < $expired
       OR (r.response_status IS NULL AND r.request_hash = excluded.request_hash
           AND (r.locked_until < $now OR NOT (${isAliveSql('r.holder')})))
  RETURNING r.results, r.created_at`;

/**
 * Takes hold of a key for this call. Answers the stored response when the same call was carried out before, and null
 * when this call is the one to carry it out, or to finish what a process that is gone has begun; anything else is a
 * conflict.
 */
export async function claimKey(ctx: Context, given: string, request: string): Promise<StoredAnswer | null> {
  const { db, heartbeat } = ctx.app;
  const principal = holderOf(ctx.principal);
  const { fingerprint } = await fingerprintsFor(ctx, principal, given);
  const [key, requestHash] = [fingerprint(given), fingerprint(request)];
  const fence = randomToken(12);
  const lockedUntil = new Date(ctx.now.getTime() + LEASE_MS);
  const expired = new Date(ctx.now.getTime() - KEPT_HOURS * 3_600_000);
  const rows = await CLAIM.rows(db.pool, {
    principal,
    key,
    requestHash,
    fence,
    holder: heartbeat.id(),
    lockedUntil,
    now: ctx.now,
    expired,
  });
  const [row] = rows;
  if (!row) return existing(ctx, principal, key, requestHash);
  const { vault } = ctx.app;
  const belongsTo = `result:${principal}:${key}`;
  ctx.idempotency = {
    principal,
    key,
    fence,
    done: row.results.map((kept) => deserialize(Buffer.from(vault.open(kept, belongsTo), 'base64'))),
    keep: (result) => vault.seal(serialize(result).toString('base64'), belongsTo),
  };
  // Whatever the answer says of its time is the time at which it was carried out.
  ctx.now = row.created_at;
  return null;
}

/** While ENCRYPTION_KEY is being changed, keys that were used before are known by the previous one. */
async function fingerprintsFor({ app: { vault, db } }: Context, principal: string, given: string) {
  if (!vault.previous) return vault;
  const { rowCount } = await db.pool.query(
    'SELECT FROM idempotency_record WHERE principal = $1 AND key = $2',
    [principal, vault.previous.fingerprint(given)],
  );
  return rowCount ? vault.previous : vault;
}

async function existing(ctx: Context, principal: string, key: string, requestHash: string) {
  const { rows } = await ctx.app.db.pool.query<Row>(
    'SELECT * FROM idempotency_record WHERE principal = $1 AND key = $2',
    [principal, key],
  );
  const row = rows[0];
  if (row?.request_hash === '') {
    throw new DomainError(
      'CONFLICT',
      'The request with this Idempotency-Key was carried out, and what it told was erased since.',
    );
  }
  if (row && row.request_hash !== requestHash) {
    throw new DomainError('CONFLICT', 'This Idempotency-Key was used for another request.');
  }
  if (row && row.response_status !== null) {
    const body = row.response_body && ctx.app.vault.open(row.response_body, answerOf({ principal, key }));
    return { status: row.response_status, body };
  }
  throw new DomainError('CONFLICT', 'The first request with this Idempotency-Key is still running.', {
    retryAfter: 1,
  });
}

type Named = Pick<IdempotencyClaim, 'principal' | 'key'>;
const answerOf = ({ principal, key }: Named) => `answer:${principal}:${key}`;

const IDEMPOTENCY_STORE = sql('idempotency_store')`
  UPDATE idempotency_record SET response_status = $status, results = '{}', subjects = $subjects,
         response_body = CASE WHEN request_hash = '' THEN NULL ELSE $body END
  WHERE principal = $principal AND key = $key AND fence = $fence`;

/**
 * Keeps the answer for repeats, in place of the results it was made from; encrypted, because some answers show a secret
 * for the only time. Whoever has lost the key keeps nothing, and nothing is kept of what was erased while the call was still
 * running.
 */
export async function storeAnswer(ctx: Context, path: string, answer: StoredAnswer): Promise<void> {
  if (!ctx.idempotency) return;
  const { principal, key, fence } = ctx.idempotency;
  const body = answer.body && ctx.app.vault.seal(answer.body, answerOf({ principal, key }));
  await IDEMPOTENCY_STORE.run(ctx.app.db.pool, {
    principal,
    key,
    fence,
    status: answer.status,
    body,
    subjects: subjectsIn(`${path} ${answer.body ?? ''}`),
  });
}

/**
 * Releases the key after a failure of the service: free for the next attempt where nothing was committed, and otherwise free
 * to be finished by it. While the database is out of reach it keeps trying, so that a caller who retries does not wait for
 * the lease to expire.
 */
export async function releaseKey(ctx: Context): Promise<void> {
  if (!ctx.idempotency) return;
  try {
    await deleteOrUnlock(ctx, ctx.idempotency);
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    void releaseWhenReachable(ctx, ctx.idempotency);
  }
}

const RELEASE_RETRY_MS = 250;

async function releaseWhenReachable(ctx: Context, claim: IdempotencyClaim): Promise<void> {
  for (const end = Date.now() + LEASE_MS; Date.now() < end && !ctx.app.db.pool.ending; ) {
    await sleep(RELEASE_RETRY_MS, undefined, { ref: false });
    const released = await deleteOrUnlock(ctx, claim).then(
      () => true,
      (error: unknown) => !isOutOfReach(error),
    );
    if (released) return;
  }
}

async function deleteOrUnlock(ctx: Context, { principal, key, fence }: IdempotencyClaim): Promise<void> {
  await ctx.app.db.pool.query(
    `WITH unused AS (
       DELETE FROM idempotency_record WHERE principal = $1 AND key = $2 AND fence = $3 AND committed_at IS NULL)
     UPDATE idempotency_record SET locked_until = created_at
     WHERE principal = $1 AND key = $2 AND fence = $3 AND committed_at IS NOT NULL`,
    [principal, key, fence],
  );
}
