import { canonicalJson } from '@countersign/proof-kit/canonical';
import type { Context } from '../domain/context.ts';
import { DomainError } from '../lib/errors.ts';
import { claimKey, releaseKey, type StoredAnswer, storeAnswer } from './idempotency-store.ts';

interface KeyedRequest {
  key: string;
  method: string;
  path: string;
  body: unknown;
}

export interface Answer extends StoredAnswer {
  replayed: boolean;
}

const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

export function checkKeyForm(key: string): void {
  if (!KEY_FORM.test(key)) {
    throw new DomainError('VALIDATION_ERROR', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
  }
}

/** Canonical, so that the order of fields does not matter. Values without a canonical form were rejected before. */
function requestText({ method, path, body }: KeyedRequest): string {
  return `${method} ${path}\n${canonicalJson(body)}`;
}

/**
 * Runs a call at most once per key. `run` must turn its own failures into responses: a client error is stored and replayed; a
 * server error is not stored, so the call can be retried.
 */
export async function runIdempotently(
  ctx: Context,
  request: KeyedRequest,
  run: () => Promise<StoredAnswer>,
): Promise<Answer> {
  const stored = await claimKey(ctx, request.key, requestText(request));
  if (stored) return { ...stored, replayed: true };
  // A lost process has completed at least part of the call: this call finishes it and returns its response.
  const replayed = ctx.idempotency!.done.length > 0;
  const answer = await run().catch(async (error: unknown) => {
    await releaseKey(ctx);
    throw error;
  });
  await keep(ctx, request.path, answer);
  return { ...answer, replayed };
}

/** The call has succeeded, so a failure to store its response is no reason to withhold it: a retry rebuilds it. */
async function keep(ctx: Context, path: string, answer: StoredAnswer): Promise<void> {
  try {
    if (answer.status >= 500) await releaseKey(ctx);
    else await storeAnswer(ctx, path, answer);
  } catch (error) {
    ctx.app.log.warn(
      { err: error, requestId: ctx.requestId },
      'could not store the response for an Idempotency-Key',
    );
    await releaseKey(ctx).catch(() => {});
  }
}
