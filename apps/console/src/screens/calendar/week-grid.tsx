import { useMemo } from 'react';
import { useZone } from '../../session/session-context.ts';
import { count } from '../../text/labels.ts';
import { dayOfMonth } from '../../text/time.ts';
import { useNow } from '../../ui/use-now.ts';
import { DayColumn, type GridActions } from './day-column.tsx';
import classes from './grid.module.css';
import { hoursAround } from './layout.ts';
import type { Booking, ScheduleDay, ShownSchedule } from './schedule.ts';
import { clock, wallTime, weekdayOf } from './week.ts';

interface WeekGridProps extends GridActions {
  schedule: ShownSchedule;
  /** The day to show; all days without it. */
  day?: string | undefined;
  /** How many bookings have room side by side. */
  mostLanes: number;
  /** Opens a day. */
  onDay: (date: string) => void;
  /** Whether to mark free and full days. */
  showsFree: boolean;
}

const HOUR_HEIGHT = 64;
const TALLEST_HOUR = 192;
/** An appointment of this many minutes has room for two lines of text. */
const ROOMY_MINUTES = 45;

/** Days side by side, or one day with a row to choose from. Hours run down the side. */
export function WeekGrid({ schedule, day, mostLanes, onDay, showsFree, ...actions }: WeekGridProps) {
  const { days, bookings } = schedule;
  const zone = useZone();
  const now = wallTime(zone, useNow(60_000).toISOString());
  const byDay = useMemo(
    () => Map.groupBy(bookings, ({ startsAt }) => wallTime(zone, startsAt).day),
    [bookings, zone],
  );
  const shown = day ? days.filter(({ date }) => date === day) : days;
  const hours = useMemo(() => {
    const spans = [...bookings, ...days.flatMap((each) => each.hours)].map(({ startsAt, endsAt }) => {
      const [from, to] = [wallTime(zone, startsAt), wallTime(zone, endsAt)];
      return { from: from.minute, to: to.day > from.day ? 1_440 : to.minute };
    });
    return hoursAround(spans);
  }, [bookings, days, zone]);
  const scale = hourHeight(bookings) / 60;
  return (
    <div>
      {day && (
        <nav className={classes.strip} aria-label="Days">
          {days.map((each) => (
            <button
              key={each.date}
              type="button"
              className={classes.pick}
              aria-current={each.date === day ? 'date' : undefined}
              data-today={each.date === now.day || undefined}
              onClick={() => onDay(each.date)}
            >
              <span>{weekdayOf(each.date).slice(0, 2)}</span>
              <strong>{Number(each.date.slice(8))}</strong>
              <span className={classes.dot} data-filled={byDay.has(each.date) || undefined}>
                <span className="visually-hidden">{count(byDay.get(each.date)?.length ?? 0, 'booking')}</span>
              </span>
            </button>
          ))}
        </nav>
      )}
      <div className={classes.grid} data-days={shown.length}>
        <div className={classes.corner} />
        {shown.map((each) => (
          <DayHead
            key={each.date}
            day={each}
            today={each.date === now.day}
            booked={byDay.get(each.date)?.length ?? 0}
            showsFree={showsFree}
            onDay={day ? undefined : onDay}
          />
        ))}
        <div className={classes.times} aria-hidden="true" style={{ height: (hours.to - hours.from) * scale }}>
          {Array.from({ length: (hours.to - hours.from) / 60 }, (_, i) => hours.from + i * 60).map(
            (minute) => (
              <span key={minute} style={{ top: (minute - hours.from) * scale }}>
                {clock(minute)}
              </span>
            ),
          )}
        </div>
        {shown.map((each) => (
          <DayColumn
            key={each.date}
            day={each}
            bookings={byDay.get(each.date) ?? NONE}
            hours={hours}
            scale={scale}
            mostLanes={mostLanes}
            now={each.date === now.day ? now.minute : undefined}
            {...actions}
          />
        ))}
      </div>
    </div>
  );
}

const NONE: Booking[] = [];

/** Short appointments get taller hours, so that they can be read. */
function hourHeight(bookings: Booking[]): number {
  const lengths = bookings.map(
    ({ startsAt, endsAt }) => (Date.parse(endsAt) - Date.parse(startsAt)) / 60_000,
  );
  const shortest = lengths.reduce((a, b) => Math.min(a, b), 60);
  return Math.min(TALLEST_HOUR, Math.max(HOUR_HEIGHT, (HOUR_HEIGHT * ROOMY_MINUTES) / shortest));
}

function DayHead({
  day,
  today,
  booked,
  showsFree,
  onDay,
}: {
  day: ScheduleDay;
  today: boolean;
  booked: number;
  showsFree: boolean;
  onDay: ((date: string) => void) | undefined;
}) {
  const title = (
    <>
      {weekdayOf(day.date)} <span>{dayOfMonth(day.date)}</span>
    </>
  );
  return (
    <div className={classes.head} data-today={today || undefined}>
      <h3 className={classes.dayName}>
        {onDay ? (
          <button type="button" className={classes.dayLink} onClick={() => onDay(day.date)}>
            {title}
          </button>
        ) : (
          title
        )}
      </h3>
      {showsFree ? (
        <p className={classes.state} data-state={day.state}>
          {stateLabel(day)}
        </p>
      ) : (
        <p className={classes.state}>{booked > 0 ? count(booked, 'booking') : ''}</p>
      )}
    </div>
  );
}

function stateLabel({ state, freeCount }: ScheduleDay): string {
  switch (state) {
    case 'OPEN':
      return `${freeCount.toLocaleString('en')} free`;
    case 'FULL':
      return 'Full';
    case 'CLOSED':
      return 'Closed';
    case 'OVER':
      return 'Over';
  }
}
