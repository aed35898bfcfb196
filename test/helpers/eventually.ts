import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until the condition holds; fails after the timeout. Unless the time itself is tested, the default is nearly the whole
 * time of a test, because machines may be slow.
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
