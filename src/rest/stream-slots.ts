import { DomainError } from '../lib/errors.ts';

/** How long a caller without a slot should wait before a retry. */
const RETRY_SECONDS = 10;

interface StreamLimits {
  perCaller: number;
  perProcess: number;
}

/** A stream lasts as long as its reader wants, and meanwhile holds memory and a place in every broadcast. */
const STREAM_LIMITS: StreamLimits = { perCaller: 20, perProcess: 1_000 };

const refused = (message: string) => new DomainError('RATE_LIMITED', message, { retryAfter: RETRY_SECONDS });

/** Counts the open event streams of a process. Acquiring a slot returns the function that releases it, which is idempotent. */
export function makeStreamSlots({ perCaller, perProcess }: StreamLimits = STREAM_LIMITS) {
  const open = new Map<string, number>();
  let all = 0;
  return {
    take(caller: string): () => void {
      const own = open.get(caller) ?? 0;
      if (own >= perCaller) throw refused(`At most ${perCaller} event streams at a time; end one first.`);
      if (all >= perProcess) throw refused('Too many event streams are open here; try again.');
      open.set(caller, own + 1);
      all++;
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        all--;
        const left = open.get(caller)! - 1;
        if (left === 0) open.delete(caller);
        else open.set(caller, left);
      };
    },
  };
}

export type StreamSlots = ReturnType<typeof makeStreamSlots>;
