import { setTimeout as sleep } from 'node:timers/promises';

/** Looking more often takes the processor time of what is waited for: a tenth of the wait so far, within these bounds. */
const pauseAfter = (waited: number) => Math.min(250, Math.max(20, waited / 10));

/**
 * Waits until the condition holds; fails after the timeout. Unless the time itself is tested, the default is nearly the whole
 * time of a test, because machines may be slow.
 */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  milliseconds = 50_000,
): Promise<void> {
  const begun = performance.now();
  while (!(await condition())) {
    if (performance.now() > begun + milliseconds)
      throw new Error(`Still not so after ${milliseconds} ms: ${condition}`);
    await sleep(pauseAfter(performance.now() - begun));
  }
}
