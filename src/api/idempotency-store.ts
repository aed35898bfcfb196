import { setTimeout as sleep } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import { isDatabaseDown } from '../db/faults.ts';
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

/** A key belongs to the caller in the current center; the same key in another center is a different one. */
const holderOf = (principal: Principal) =>
  `${principalName(principal)} in ${centerIdOf(principal) ?? 'no center'}`;

/**
 * One statement that inserts the key or takes it over: if it has expired, if the lease has expired, or immediately if the
 * process that ran the call is gone. What that process committed is kept.
 */
const CLAIM = sql('idempotency_claim', { results: 'text[]', created_at: 'timestamptz' })`
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
 * Acquires a key for this call. Returns the stored response if the same call was completed before, or null if this call must
 * run or finish what a lost process began. Anything else is a conflict.
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
  // Times in the stored response are those of the original call.
  ctx.now = row.created_at;
  return null;
}

/** While ENCRYPTION_KEY is being rotated, earlier keys are found by the previous one. */
async function fingerprintsFor({ app: { vault, db } }: Context, principal: string, given: string) {
  if (!vault.previous) return vault;
  const { rowCount } = await db.pool.query(
    'SELECT FROM idempotency_record WHERE principal = $1 AND key = $2',
    [principal, vault.previous.fingerprint(given)],
  );
  return rowCount ? vault.previous : vault;
}

const EXISTING = sql('idempotency_existing', {
  request_hash: 'text',
  response_status: 'int?',
  response_body: 'text?',
})`
  SELECT request_hash, response_status, response_body FROM idempotency_record WHERE principal = $principal AND key = $key`;

async function existing(ctx: Context, principal: string, key: string, requestHash: string) {
  const [row] = await EXISTING.rows(ctx.app.db.pool, { principal, key });
  if (row?.request_hash === '') {
    throw new DomainError(
      'CONFLICT',
      'The request with this Idempotency-Key was completed, but its response has been erased since.',
    );
  }
  if (row && row.request_hash !== requestHash) {
    throw new DomainError(
      'CONFLICT',
      'This Idempotency-Key was used with another method, path or body; use a new key.',
    );
  }
  if (row && row.response_status !== null) {
    const body = row.response_body && ctx.app.vault.open(row.response_body, answerOf({ principal, key }));
    return { status: row.response_status, body };
  }
  throw new DomainError(
    'CONFLICT',
    'The first request with this Idempotency-Key is still running; retry to get its response.',
    {
      retryAfter: 1,
    },
  );
}

type Named = Pick<IdempotencyClaim, 'principal' | 'key'>;
const answerOf = ({ principal, key }: Named) => `answer:${principal}:${key}`;

const IDEMPOTENCY_STORE = sql('idempotency_store')`
  UPDATE idempotency_record SET response_status = $status, results = '{}', subjects = $subjects,
         response_body = CASE WHEN request_hash = '' THEN NULL ELSE $body END
  WHERE principal = $principal AND key = $key AND fence = $fence`;

/**
 * Stores the response for replays in place of the results it was made from. It is encrypted, because some responses show a
 * secret once. Nothing is stored if the lease was lost or if content was erased while the call was running.
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
 * Releases the key after a failure of the service. The next attempt starts over if nothing was committed and otherwise
 * finishes the call. While the database is unreachable it keeps trying, so a retry need not wait for the lease to expire.
 */
export async function releaseKey(ctx: Context): Promise<void> {
  if (!ctx.idempotency) return;
  try {
    await deleteOrUnlock(ctx, ctx.idempotency);
  } catch (error) {
    if (!isDatabaseDown(error)) throw error;
    void releaseWhenReachable(ctx, ctx.idempotency);
  }
}

const RELEASE_RETRY_MS = 250;

async function releaseWhenReachable(ctx: Context, claim: IdempotencyClaim): Promise<void> {
  for (const end = Date.now() + LEASE_MS; Date.now() < end && !ctx.app.db.pool.ending; ) {
    await sleep(RELEASE_RETRY_MS, undefined, { ref: false });
    const released = await deleteOrUnlock(ctx, claim).then(
      () => true,
      (error: unknown) => !isDatabaseDown(error),
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
