import { ago, exactly, timeLeft } from '../text/time.ts';
import { useNow } from './use-now.ts';

/** How long ago, with the exact time on hover. */
export function Ago({ at }: { at: string }) {
  const now = useNow(30_000);
  return (
    <time dateTime={at} title={exactly(at)}>
      {ago(at, now)}
    </time>
  );
}

export function Exactly({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {exactly(at)}
    </time>
  );
}

/** Counts down to the second. Not announced: a number that speaks every second is in the way. */
export function Countdown({ until }: { until: string }) {
  const now = useNow(1_000);
  return (
    <time dateTime={until} title={exactly(until)}>
      {timeLeft(until, now)}
    </time>
  );
}
