import { useSyncExternalStore } from 'react';

/** A shared clock: one timer for all relative times on the screen. */
function makeClock(everyMs: number) {
  const readers = new Set<() => void>();
  let now = new Date();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    now = new Date();
    for (const tell of readers) tell();
  };
  return {
    read() {
      // No timer is running yet: the first reader starts it.
      if (readers.size === 0 && Date.now() - now.getTime() >= everyMs) now = new Date();
      return now;
    },
    follow(tell: () => void) {
      readers.add(tell);
      timer ??= setInterval(tick, everyMs);
      return () => {
        readers.delete(tell);
        if (readers.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

const clocks = new Map<number, ReturnType<typeof makeClock>>();

function clockOf(everyMs: number) {
  const clock = clocks.get(everyMs) ?? makeClock(everyMs);
  clocks.set(everyMs, clock);
  return clock;
}

/** The current time, updated at the given interval. */
export function useNow(everyMs: number): Date {
  const { follow, read } = clockOf(everyMs);
  return useSyncExternalStore(follow, read);
}
