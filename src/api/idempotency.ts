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

/** Canonical, so that the order of fields makes no other request. What has no canonical form was refused before. */
function requestText({ method, path, body }: KeyedRequest): string {
  return `${method} ${path}\n${canonicalJson(body)}`;
}

/**
 * Runs a call at most once for its key. `run` must turn its own failures into answers: a client error is an answer
 * like any other and is replayed; a failure on our side is not kept, so that the call can be tried again.
 */
export async function once(
  ctx: Context,
  request: KeyedRequest,
  run: () => Promise<StoredAnswer>,
): Promise<Answer> {
  const stored = await claimKey(ctx, request.key, requestText(request));
  if (stored) return { ...stored, replayed: true };
  // A process that is gone has carried it out, at least in part: this call finishes it and gives its answer.
  const replayed = ctx.idempotency!.done.length > 0;
  const answer = await run().catch(async (error: unknown) => {
    await releaseKey(ctx);
    throw error;
  });
  await keep(ctx, request.path, answer);
  return { ...answer, replayed };
}

/** What was done is done, so a fault in keeping its answer is no reason to withhold it: a repeat makes it once more. */
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
