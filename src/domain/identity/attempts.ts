import { setTimeout as sleep } from 'node:timers/promises';
import type { Prisma } from '../../db/database.ts';
import { siteOf } from '../../lib/client-address.ts';
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
/** The maximum number of delayed attempts on an account that wait in a process, for each network they come from. */
const MOST_WAITING = 4;

/** The delay after a number of failures: doubles with each, up to a limit. */
export const delayAfter = (failures: number): number =>
  failures < FREE_FAILURES
    ? 0
    : Math.min(LONGEST_DELAY_MS, SHORTEST_DELAY_MS * 2 ** Math.min(10, failures - FREE_FAILURES));

/** The attempts that wait, by account and network. */
const waiting = new Map<string, number>();

/**
 * Slows down password guessing on one account from many addresses. No account is locked: all attempts wait longer with each
 * failure, and few at a time from one network, so that a stranger elsewhere takes none of the owner's places. The owner is not
 * delayed at an address where the account has signed in before. If `attempt` finds nothing, it counts as a failure.
 */
export async function throttleAttempts<T>(
  ctx: Context,
  account: string,
  owner: Prisma.ActorWhereInput,
  attempt: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { limiter } = ctx.app;
  const delay = delayAfter(await limiter.failures(account));
  if (delay > 0 && !(await hasSignedInHere(ctx, owner))) {
    await waitInLine(`${account} ${siteOf(ctx.ip ?? '')}`, delay);
  }
  const found = await attempt();
  if (found === undefined) await limiter.countFailure(account);
  return found;
}

/** Whether the account has a session opened from the caller's IP address. */
async function hasSignedInHere({ app, ip }: Context, owner: Prisma.ActorWhereInput): Promise<boolean> {
  if (ip === null) return false;
  return (await app.db.acrossTenants.session.count({ where: { actor: owner, ip } })) > 0;
}

async function waitInLine(line: string, delay: number): Promise<void> {
  const before = waiting.get(line) ?? 0;
  if (before >= MOST_WAITING) {
    throw new DomainError('RATE_LIMITED', 'Too many failed attempts for this account; try again soon.', {
      retryAfter: Math.ceil(delay / 1_000),
    });
  }
  waiting.set(line, before + 1);
  try {
    await sleep(delay);
  } finally {
    const left = waiting.get(line)! - 1;
    if (left === 0) waiting.delete(line);
    else waiting.set(line, left);
  }
}
