import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

export const MEGABYTE = 1_000_000;
const TIMES = 10;
const ROUNDS = 3;
const heldMegabytes = () => process.memoryUsage().arrayBuffers / MEGABYTE;

/**
 * Fails unless young collections free what the work leaves behind: each run of it is to hold a buffer of a megabyte until
 * it is done. What survives them is on the heap until the next full collection, which stops everything for a moment.
 *
 * A collection that V8 begins by itself in the middle of the work lets some of it survive, and so does the marking of a full
 * one, which goes on beside the work. So there is no marking meanwhile, and one round of several is enough: what the code
 * itself keeps, it keeps in every round.
 */
export async function expectToDieYoung(work: () => Promise<unknown>): Promise<void> {
  setFlagsFromString('--no-incremental-marking');
  try {
    let freed = false;
    for (let round = 0; round < ROUNDS && !freed; round++) freed = await diesYoung(work);
    expect(freed, 'freed by young collections').toBe(true);
  } finally {
    setFlagsFromString('--incremental-marking');
  }
}

async function diesYoung(work: () => Promise<unknown>): Promise<boolean> {
  for (let i = 0; i < 3; i++) await work();
  await sleep(1);
  collect();
  const before = heldMegabytes();
  for (let i = 0; i < TIMES; i++) await work();
  const freed = eventually(() => {
    collect({ type: 'minor' });
    return heldMegabytes() - before < TIMES / 2;
  }, 3_000);
  return freed.then(
    () => true,
    () => false,
  );
}
