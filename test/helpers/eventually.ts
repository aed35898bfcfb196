import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until the condition holds; fails when it does not within the time given. Unless the time itself is what is tested,
 * that is nearly all that a test has: machines may be slow, and what comes at all comes sooner.
 */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  milliseconds = 50_000,
): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Still not so after ${milliseconds} ms: ${condition}`);
    await sleep(20);
  }
}
