import type { ReactNode } from 'react';
import { ago, type Times, timeLeft } from '../text/time.ts';
import type { Column } from './column.ts';
import { useNow } from './use-now.ts';
import { useTimes } from './zone.tsx';

interface TimeProps {
  at: string;
  /** The text, and the exact time on hover; by default as the service returned it. */
  show: (times: Times) => [text: ReactNode, title?: string];
}

function Time({ at, show }: TimeProps) {
  const [text, title = at] = show(useTimes());
  return (
    <time dateTime={at} title={title}>
      {text}
    </time>
  );
}

export function Ago({ at }: { at: string }) {
  const now = useNow(30_000);
  return <Time at={at} show={({ exactly }) => [ago(at, now), exactly(at)]} />;
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

export const ExactTime = ({ at }: { at: string }) => <Time at={at} show={({ exactly }) => [exactly(at)]} />;

export const MinuteTime = ({ at }: { at: string }) => (
  <Time at={at} show={({ toTheMinute }) => [toTheMinute(at)]} />
);

export const Day = ({ at }: { at: string }) => (
  <Time at={at} show={({ onDay, exactly }) => [onDay(at), exactly(at)]} />
);

/** Counts down by the second. Not announced: a screen reader would speak every second. */
export function Countdown({ until }: { until: string }) {
  const now = useNow(1_000);
  return <Time at={until} show={({ exactly }) => [timeLeft(until, now), exactly(until)]} />;
}
