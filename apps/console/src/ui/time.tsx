import { ago, timeLeft } from '../text/time.ts';
import type { Column } from './column.ts';
import { useNow } from './use-now.ts';
import { useTimes } from './zone.tsx';

/** How long ago, with the exact time on hover. */
export function Ago({ at }: { at: string }) {
  const now = useNow(30_000);
  const { exactly } = useTimes();
  return (
    <time dateTime={at} title={exactly(at)}>
      {ago(at, now)}
    </time>
  );
}

/** A column with the time since something happened. */
export const agoColumn = <Row,>(
  name: string,
  at: (row: Row) => string | null,
  otherwise = 'Never',
): Column<Row> => ({
  name,
  right: true,
  text: at,
  cell: (row) => {
    const time = at(row);
    return time ? <Ago at={time} /> : otherwise;
  },
});

export function ExactTime({ at }: { at: string }) {
  const { exactly } = useTimes();
  return (
    <time dateTime={at} title={at}>
      {exactly(at)}
    </time>
  );
}

export function MinuteTime({ at }: { at: string }) {
  const { toTheMinute } = useTimes();
  return (
    <time dateTime={at} title={at}>
      {toTheMinute(at)}
    </time>
  );
}

export function Day({ at }: { at: string }) {
  const { onDay, exactly } = useTimes();
  return (
    <time dateTime={at} title={exactly(at)}>
      {onDay(at)}
    </time>
  );
}

/** Counts down by the second. Not announced: a screen reader would speak every second. */
export function Countdown({ until }: { until: string }) {
  const now = useNow(1_000);
  const { exactly } = useTimes();
  return (
    <time dateTime={until} title={exactly(until)}>
      {timeLeft(until, now)}
    </time>
  );
}
