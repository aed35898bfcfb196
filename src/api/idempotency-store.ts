import type { Context } from '../domain/context.ts';
import { type IdempotencyClaim, KEPT_HOURS } from '../domain/idempotency/claim.ts';
import { centerIdOf, type Principal, principalName } from '../domain/principal.ts';
import { DomainError } from '../lib/errors.ts';

/** How long whoever runs a call may take before another attempt may take over. */
const LEASE_MS = 60_000;

export interface StoredAnswer {
  status: number;
  body: string | null;
}

interface Row {
  request_hash: string;
  locked_until: Date;
  committed_at: Date | null;
  response_status: number | null;
  response_body: string | null;
  mine: boolean;
}

/** A key belongs to whoever calls, in the center they act in: elsewhere, or shut out of it, it is another key. */
const holderOf = (principal: Principal) =>
  `${principalName(principal)} in ${centerIdOf(principal) ?? 'no center'}`;

/**
 * Takes hold of a key for this call. Answers the stored response when the same call was carried out before, and null
 * when this call is the one to carry it out; anything else is a conflict.
 */
export async function claimKey(
  ctx: Context,
  given: string,
  requestHash: string,
): Promise<StoredAnswer | null> {
  const principal = holderOf(ctx.principal);
  const key = ctx.app.vault.fingerprint(given);
  const lockedUntil = new Date(ctx.now.getTime() + LEASE_MS);
  const expired = new Date(ctx.now.getTime() - KEPT_HOURS * 3_600_000);
  // One statement: insert it, or take over a row that has expired or whose runner died before it changed anything.
  const { rows } = await ctx.app.db.pool.query<Row>(
    `INSERT INTO idempotency_record AS r (principal, key, request_hash, locked_until, created_at)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (principal, key) DO UPDATE
       SET request_hash = excluded.request_hash, locked_until = excluded.locked_until,
           created_at = excluded.created_at, committed_at = NULL, response_status = NULL, response_body = NULL,
           subjects = '{}'
       WHERE r.created_at < $6
          OR (r.response_status IS NULL AND r.committed_at IS NULL AND r.locked_until < $5
              AND r.request_hash = excluded.request_hash)
     RETURNING r.*, true AS mine`,
    [principal, key, requestHash, lockedUntil, ctx.now, expired],
  );
  if (rows[0]) {
    ctx.idempotency = { principal, key };
    return null;
  }
  return existing(ctx, principal, key, requestHash);
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
  if (row?.committed_at && row.locked_until < ctx.now) {
    throw new DomainError(
      'CONFLICT',
      'The first request with this Idempotency-Key was carried out, but its answer was lost; look its result up.',
    );
  }
  throw new DomainError('CONFLICT', 'The first request with this Idempotency-Key is still running.', {
    retryAfter: 1,
  });
}

const answerOf = ({ principal, key }: IdempotencyClaim) => `answer:${principal}:${key}`;

/**
 * Keeps the answer for repeats; encrypted, because some answers show a secret for the only time. Nothing is kept of what was
 * erased while the call was still running.
 */
export async function storeAnswer(ctx: Context, path: string, answer: StoredAnswer): Promise<void> {
  if (!ctx.idempotency) return;
  const body = answer.body && ctx.app.vault.seal(answer.body, answerOf(ctx.idempotency));
  await ctx.app.db.pool.query(
    `UPDATE idempotency_record SET response_status = $3, subjects = $5,
            response_body = CASE WHEN request_hash = '' THEN NULL ELSE $4 END
     WHERE principal = $1 AND key = $2`,
    [ctx.idempotency.principal, ctx.idempotency.key, answer.status, body, subjectsOf(path, answer)],
  );
}

/** The decisions and records that a call and its answer speak of: what is erased there is erased here. */
function subjectsOf(path: string, { body }: StoredAnswer): string[] {
  return [...new Set(`${path} ${body ?? ''}`.match(/\b(?:evt|dpu)_[0-9a-z]{26}\b/g))];
}

/** Lets go of the key after a failure on our side, unless the change itself went through. */
export async function releaseKey(ctx: Context): Promise<void> {
  if (!ctx.idempotency) return;
  await ctx.app.db.pool.query(
    'DELETE FROM idempotency_record WHERE principal = $1 AND key = $2 AND committed_at IS NULL',
    [ctx.idempotency.principal, ctx.idempotency.key],
  );
}
