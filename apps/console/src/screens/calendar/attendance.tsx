import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useSession } from '../../session/session-context.ts';
import { Pill } from '../../ui/pill.tsx';
import type { Booking } from './schedule.ts';

const Note = graphql(`
  mutation NoteAttendance($input: NoteAttendanceInput!) { noteAttendance(input: $input) { id attendedAt } }
`);

interface AttendanceProps {
  booking: Booking;
  onChanged: () => void;
}

/** Whether the attendee was present, and the button to record it once the booking has begun. */
export function Attendance({ booking, onChanged }: AttendanceProps) {
  const { me } = useSession();
  const note = useAction(Note, { done: 'Attendance was recorded.' });
  if (booking.attendedAt) return <Pill tone="good">Attended</Pill>;
  const may = me.role === 'ADMIN' || booking.instructorId === me.actorId;
  const begun = Date.parse(booking.startsAt) <= Date.now();
  if (!may || !begun || booking.status !== 'BOOKED') return null;
  return (
    <Button
      size="compact-sm"
      variant="light"
      leftSection={<IconCheck size={14} />}
      loading={note.busy}
      aria-label={`Note that ${booking.bookedForName} attended`}
      onClick={() => void note.run({ input: { bookingId: booking.id } }).then(onChanged)}
    >
      Note attendance
    </Button>
  );
}
