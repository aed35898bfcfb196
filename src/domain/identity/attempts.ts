import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { RateLimitExceeded } from '../limits/limiter.ts';

/** Every attempt to prove a secret counts, and the answer shows the count, also when it is used up. */
export async function countAttempt(ctx: Context, name: string): Promise<void> {
  try {
    ctx.onCounted(await ctx.app.limiter.countLogin(ctx.ip ?? '', name, ctx.now));
  } catch (error) {
    if (error instanceof RateLimitExceeded) ctx.onCounted(error.rate);
    throw error;
  }
}

/** So many wrong passwords in an hour are a forgetful person's. */
const FREE_FAILURES = 10;
const SHORTEST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
/** How many delayed attempts on one account a process keeps waiting at a time. */
const MOST_WAITING = 4;

/** How long an attempt waits after so many failures: twice as long for each, up to a limit. */
export const delayAfter = (failures: number): number =>
  failures < FREE_FAILURES
    ? 0
    : Math.min(LONGEST_DELAY_MS, SHORTEST_DELAY_MS * 2 ** Math.min(10, failures - FREE_FAILURES));

const waiting = new Map<string, number>();

/**
 * Slows down guesses at one account that come from many addresses. Nobody is locked out: attempts wait longer and longer,
 * few at a time, and the owner is not delayed where the account has signed in before (`isKnownHere`). What `attempt`
 * does not find counts as a failure.
 */
export async function slowDown<T>(
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
