import { useState } from 'react';
import { useSession, useZone } from '../../session/session-context.ts';
import { dayOfMonth } from '../../text/time.ts';
import { Pill } from '../../ui/pill.tsx';
import classes from './agenda.module.css';
import { Attendance } from './attendance.tsx';
import { BookingDialog } from './booking-dialog.tsx';
import { type Booking, peopleOf } from './schedule.ts';
import { timeIn, wallTime, weekdayOf } from './week.ts';

interface AgendaProps {
  bookings: Booking[];
  /** For bookings of several days. */
  withDay?: boolean;
  mayCancel: boolean;
  onChanged: () => void;
}

/** A list of bookings with their actions. */
export function Agenda({ bookings, withDay, mayCancel, onChanged }: AgendaProps) {
  const { me } = useSession();
  const zone = useZone();
  const [open, setOpen] = useState<Booking | null>(null);
  return (
    <>
      <ul className={classes.agenda}>
        {bookings.map((booking) => {
          const { day } = wallTime(zone, booking.startsAt);
          const own = booking.instructorId === me.actorId;
          const { main, other } = peopleOf(booking, me.actorId);
          return (
            <li key={booking.id} className={classes.entry}>
              <div className={classes.time}>
                {withDay && (
                  <span>
                    {weekdayOf(day).slice(0, 3)}, {dayOfMonth(day)}
                  </span>
                )}
                <strong>{timeIn(zone, booking.startsAt)}</strong>
                <span>to {timeIn(zone, booking.endsAt)}</span>
              </div>
              <button type="button" className={`row-button ${classes.what}`} onClick={() => setOpen(booking)}>
                <strong>{main}</strong>
                <span>{[other, booking.note].filter(Boolean).join(' · ')}</span>
              </button>
              <div className={classes.state}>
                {booking.status === 'REQUESTED' && (
                  <Pill tone="warn">{own ? 'Waiting for you' : 'Waiting for confirmation'}</Pill>
                )}
                <Attendance booking={booking} onChanged={onChanged} />
              </div>
            </li>
          );
        })}
      </ul>
      <BookingDialog
        booking={open}
        mayCancel={mayCancel}
        onClose={() => setOpen(null)}
        onChanged={onChanged}
      />
    </>
  );
}
