import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { RateLimitExceeded } from '../limits/limiter.ts';

/** Counts every attempt to prove a secret. The response shows the count, even when the limit is exceeded. */
export async function countAttempt(ctx: Context, name: string): Promise<void> {
  try {
    ctx.onCounted(await ctx.app.limiter.countLogin(ctx.ip ?? '', name, ctx.now));
  } catch (error) {
    if (error instanceof RateLimitExceeded) ctx.onCounted(error.rate);
    throw error;
  }
}

/** This many wrong passwords in an hour may come from a forgetful person. */
const FREE_FAILURES = 10;
const SHORTEST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
/** The maximum number of delayed attempts per account that wait in a process. */
const MOST_WAITING = 4;

/** The delay after a number of failures: doubles with each, up to a limit. */
export const delayAfter = (failures: number): number =>
  failures < FREE_FAILURES
    ? 0
    : Math.min(LONGEST_DELAY_MS, SHORTEST_DELAY_MS * 2 ** Math.min(10, failures - FREE_FAILURES));

const waiting = new Map<string, number>();

/**
 * Slows down password guessing on one account from many addresses. No account is locked: attempts wait longer and longer, few
 * at a time, and the owner is not delayed at an address where the account has signed in before (`isKnownHere`). If `attempt`
 * finds nothing, it counts as a failure.
 */
export async function throttleAttempts<T>(
  { app }: Context,
  account: string,
  isKnownHere: () => Promise<boolean>,
  attempt: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const delay = delayAfter(await app.limiter.failures(account));
  if (delay > 0 && !(await isKnownHere())) await waitInLine(account, delay);
  const found = await attempt();
  if (found === undefined) await app.limiter.countFailure(account);
  return found;
}

async function waitInLine(account: string, delay: number): Promise<void> {
  const before = waiting.get(account) ?? 0;
  if (before >= MOST_WAITING) {
    throw new DomainError('RATE_LIMITED', 'Too many failed attempts for this account; try again soon.', {
      retryAfter: Math.ceil(delay / 1_000),
    });
  }
  waiting.set(account, before + 1);
  try {
    await sleep(delay);
  } finally {
    const left = waiting.get(account)! - 1;
    if (left === 0) waiting.delete(account);
    else waiting.set(account, left);
  }
}
