import { Button, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useSession, useZone } from '../../session/session-context.ts';
import { dayOfMonth } from '../../text/time.ts';
import { Facts } from '../../ui/facts.tsx';
import { Pill } from '../../ui/pill.tsx';
import { IssueCertificate } from '../certificates/issue-certificate.tsx';
import { Attendance } from './attendance.tsx';
import classes from './calendar.module.css';
import type { Booking } from './schedule.ts';
import { timeIn, wallTime, weekdayOf } from './week.ts';

const Cancel = graphql(`
  mutation CancelBooking($input: CancelBookingInput!) { cancelBooking(input: $input) { id status } }
`);
const Confirm = graphql(`
  mutation ConfirmBooking($input: ConfirmBookingInput!) { confirmBooking(input: $input) { id status } }
`);

/** "Monday, 16 Nov, 10:00 to 11:00", in the zone of the center. */
export function whenOf(zone: string, { startsAt, endsAt }: Pick<Booking, 'startsAt' | 'endsAt'>): string {
  const { day } = wallTime(zone, startsAt);
  return `${weekdayOf(day)}, ${dayOfMonth(day)}, ${timeIn(zone, startsAt)} to ${timeIn(zone, endsAt)}`;
}

interface BookingDialogProps {
  booking: Booking | null;
  mayCancel: boolean;
  onClose: () => void;
  onChanged: () => void;
}

/** A booking with its actions. */
export function BookingDialog({ booking, onClose, ...rest }: BookingDialogProps) {
  return (
    <Modal opened={booking !== null} onClose={onClose} title="Booking">
      {booking && <Details booking={booking} onClose={onClose} {...rest} />}
    </Modal>
  );
}

function Details({ booking, mayCancel, onClose, onChanged }: BookingDialogProps & { booking: Booking }) {
  const { me } = useSession();
  const zone = useZone();
  const confirm = useAction(Confirm, { done: 'Confirmed.' });
  const cancel = useAction(Cancel, { done: 'Canceled.' });
  const [issuing, issue] = useDisclosure();
  const isStaff = me.role === 'ADMIN' || me.role === 'INSTRUCTOR';
  const own = booking.instructorId === me.actorId;
  const waits = booking.status === 'REQUESTED';
  const ahead = Date.parse(booking.startsAt) > Date.now();
  const finish = (done: unknown) => {
    if (done) onClose();
    onChanged();
  };
  const ask = () =>
    modals.openConfirmModal({
      title: `Cancel the booking of ${booking.bookedForName}?`,
      children: `${whenOf(zone, booking)}. The time becomes free again.`,
      labels: { confirm: 'Cancel booking', cancel: 'Keep it' },
      confirmProps: { color: 'red' },
      onConfirm: () => void cancel.run({ input: { id: booking.id } }).then(finish),
    });
  return (
    <Stack>
      {waits && (
        <div>
          <Pill tone="warn">{own ? 'Waiting for you' : `Waiting for ${booking.instructorName}`}</Pill>
        </div>
      )}
      {booking.clashes && <p className={classes.clash}>Overlaps a booking in another center.</p>}
      <Facts
        of={{
          For: booking.bookedForName,
          With: booking.instructorName,
          When: `${whenOf(zone, booking)} (${zone})`,
          Note: booking.note,
        }}
      />
      <Group>
        {own && waits && ahead && (
          <Button
            loading={confirm.busy}
            aria-label={`Confirm the booking of ${booking.bookedForName}`}
            onClick={() => void confirm.run({ input: { id: booking.id } }).then(finish)}
          >
            Confirm
          </Button>
        )}
        <Attendance booking={booking} onChanged={() => finish(true)} />
        {isStaff && !ahead && (
          <Button variant="default" size="compact-sm" onClick={issue.open}>
            Issue certificate
          </Button>
        )}
        {mayCancel && ahead && (
          <Button
            variant="light"
            color="red"
            loading={cancel.busy}
            aria-label={`Cancel the booking of ${booking.bookedForName}`}
            onClick={ask}
          >
            Cancel booking
          </Button>
        )}
      </Group>
      <IssueCertificate
        opened={issuing}
        person={{ actorId: booking.bookedForId, name: booking.bookedForName }}
        onClose={issue.close}
      />
    </Stack>
  );
}
