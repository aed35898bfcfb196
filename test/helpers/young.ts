import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventually } from './eventually.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

export const MEGABYTE = 1_000_000;
const TIMES = 10;
const heldMegabytes = () => process.memoryUsage().arrayBuffers / MEGABYTE;

/**
 * Fails unless young collections free what the work leaves behind: each run of it is to hold a buffer of a megabyte until
 * it is done. What survives them is on the heap until the next full collection, which stops everything for a moment.
 */
export async function expectToDieYoung(work: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < 3; i++) await work();
  await sleep(1);
  collect();
  const before = heldMegabytes();
  for (let i = 0; i < TIMES; i++) await work();
  await eventually(() => {
    collect({ type: 'minor' });
    return heldMegabytes() - before < TIMES / 2;
  }, 3_000);
}
