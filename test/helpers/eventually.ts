import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the condition holds; fails when it does not within the time given. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  milliseconds = 10_000,
): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Still not so after ${milliseconds} ms: ${condition}`);
    await sleep(20);
  }
}
