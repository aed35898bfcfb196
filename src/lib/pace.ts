import { setImmediate as nextTurn } from 'node:timers/promises';

const TURN_BYTES = 262_144;

/** Ends the turn of the event loop whenever this many bytes have been parsed or serialized, so that others are answered. */
export function makePace(): (bytes: number) => Promise<void> | undefined {
  let done = 0;
  return (bytes) => {
    done += bytes;
    if (done < TURN_BYTES) return undefined;
    done = 0;
    return nextTurn();
  };
}
