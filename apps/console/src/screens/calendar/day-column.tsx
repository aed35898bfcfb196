import { memo } from 'react';
import { useSession, useZone } from '../../session/session-context.ts';
import { dayOfMonth } from '../../text/time.ts';
import classes from './grid.module.css';
import { type Block, placeBlocks } from './layout.ts';
import { type Booking, type FreeSlot, peopleOf, type ScheduleDay } from './schedule.ts';
import { timeIn, wallTime, weekdayOf } from './week.ts';

/** Callbacks to the surrounding screen. */
export interface GridActions {
  onBooking: (booking: Booking) => void;
  /** Bookings that overlap too many others to be drawn. */
  onOverflow: (bookings: Booking[]) => void;
  /** Omitted if the user cannot book. */
  onFree?: ((slot: FreeSlot) => void) | undefined;
}

interface DayColumnProps extends GridActions {
  day: ScheduleDay;
  bookings: Booking[];
  /** Minutes since midnight at which the column starts and ends. */
  hours: { from: number; to: number };
  /** The height of a minute. */
  scale: number;
  mostLanes: number;
  /** The current time in minutes since midnight; only for today. */
  now: number | undefined;
}

/** Text needs this much height, however short the booking is. */
const LEAST_HEIGHT = 20;

/** One day of the grid: open hours, free slots and bookings at their times. */
export const DayColumn = memo(function DayColumn({
  day,
  bookings,
  hours,
  scale,
  mostLanes,
  now,
  onBooking,
  onOverflow,
  onFree,
}: DayColumnProps) {
  const zone = useZone();
  // The user's open requests are marked.
  const { actorId } = useSession().me;
  const top = (minute: number) => (minute - hours.from) * scale;
  const spanOf = <Span extends { startsAt: string; endsAt: string }>(span: Span): Block<Span> => {
    const from = wallTime(zone, span.startsAt);
    const to = wallTime(zone, span.endsAt);
    const start = from.day < day.date ? 0 : from.minute;
    const end = to.day > day.date ? 1_440 : to.minute;
    return { item: span, from: start, to: Math.max(end, start + LEAST_HEIGHT / scale) };
  };
  const { placed, overflow } = placeBlocks(bookings.map(spanOf), mostLanes);
  const at = (from: number, to: number, lane = 0, lanes = 1) => ({
    top: top(from),
    height: (to - from) * scale - 2,
    left: `${(lane / lanes) * 100}%`,
    width: `calc(${100 / lanes}% - 3px)`,
  });
  const name = `${weekdayOf(day.date)}, ${dayOfMonth(day.date)}`;
  return (
    <section
      className={classes.column}
      aria-label={name}
      style={{ height: (hours.to - hours.from) * scale, ['--hour' as string]: `${60 * scale}px` }}
    >
      {day.hours.map(spanOf).map(({ item, from, to }) => (
        <div
          key={item.startsAt}
          className={classes.open}
          style={{ top: top(from), height: (to - from) * scale }}
        />
      ))}
      <ul className={classes.items}>
        {onFree &&
          day.freeSlots.map(spanOf).map(({ item, from, to }) => (
            <li key={item.startsAt} className={classes.item} style={at(from, to)}>
              <button
                type="button"
                className={classes.free}
                aria-label={`Book ${name} at ${timeIn(zone, item.startsAt)}`}
                onClick={() => onFree(item)}
              >
                {timeIn(zone, item.startsAt)}
              </button>
            </li>
          ))}
        {placed.map(({ item, from, to, lane, lanes }) => (
          <li key={item.id} className={classes.item} style={at(from, to, lane, lanes)}>
            <button
              type="button"
              className={classes.booking}
              data-waits={item.status === 'REQUESTED' || undefined}
              data-short={(to - from) * scale < 34 || undefined}
              onClick={() => onBooking(item)}
            >
              <strong>
                {timeIn(zone, item.startsAt)}
                <span className={lanes > 1 ? 'visually-hidden' : undefined}>
                  {' '}
                  to {timeIn(zone, item.endsAt)}
                </span>
              </strong>
              <span className={classes.name}>{peopleOf(item, actorId).main}</span>
              {item.status === 'REQUESTED' && (
                <span className={classes.waits}>
                  {item.instructorId === actorId ? 'Waiting for you' : `Waiting for ${item.instructorName}`}
                </span>
              )}
              {item.clashes && <span className={classes.clash}>Overlaps a booking in another center</span>}
              <span className={classes.with}>{peopleOf(item, actorId).other}</span>
            </button>
          </li>
        ))}
        {overflow.map(({ from, lane, lanes, items }) => (
          <li key={`${from} ${lane}`} className={classes.item} style={at(from, from + 60, lane, lanes)}>
            <button type="button" className={classes.overflow} onClick={() => onOverflow(items)}>
              +{items.length}
              <span className="visually-hidden"> more bookings</span>
            </button>
          </li>
        ))}
      </ul>
      {now !== undefined && now >= hours.from && now <= hours.to && (
        <div className={classes.now} style={{ top: top(now) }} />
      )}
    </section>
  );
});
