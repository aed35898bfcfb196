import { setTimeout as sleep } from 'node:timers/promises';

const TURN_BYTES = 262_144;
const MIN_PAUSE_MS = 1;

/** The pauses of all work in progress, one after another. */
let pauses: Promise<void> = Promise.resolve();

/**
 * Pauses whenever this many bytes have been parsed or serialized, for as long as that took, so that others are answered. All
 * such work of the process shares half of its time: however many large answers are in progress, one goes on after each pause.
 */
export function makePace(): (bytes: number) => Promise<void> | undefined {
  let done = 0;
  let since = performance.now();
  return (bytes) => {
    done += bytes;
    if (done < TURN_BYTES) return undefined;
    done = 0;
    const took = performance.now() - since;
    pauses = pauses.then(() => sleep(Math.max(MIN_PAUSE_MS, took)));
    return pauses.then(() => {
      since = performance.now();
    });
  };
}
