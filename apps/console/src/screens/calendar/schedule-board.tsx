import { ActionIcon, Button, Group, Modal, SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Read } from '../../graphql/use-read.ts';
import { useZone } from '../../session/session-context.ts';
import { count } from '../../text/labels.ts';
import { dayOfMonth } from '../../text/time.ts';
import { Panel } from '../../ui/panel.tsx';
import { Lines, Loaded } from '../../ui/states.tsx';
import { BookingDialog, whenOf } from './booking-dialog.tsx';
import classes from './calendar.module.css';
import type { Booking, FreeSlot, ShownSchedule } from './schedule.ts';
import { dayIn, mondayOf, plusDays } from './week.ts';
import { WeekGrid } from './week-grid.tsx';

/** The part of an address that says which days are shown. */
export interface ShownDays {
  /** Any day of the week, and the one that a single day shows. */
  week?: string | undefined;
  view?: string | undefined;
}

/** The day an address names, or today in the zone. */
export const anchorOf = ({ week }: ShownDays, zone: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(week ?? '') && !Number.isNaN(Date.parse(week!))
    ? week!
    : dayIn(zone, new Date());

interface ScheduleBoardProps {
  read: Read<ShownSchedule>;
  shown: ShownDays;
  onShow: (changes: ShownDays) => void;
  mayCancel: boolean;
  showsFree: boolean;
  onFree?: ((slot: FreeSlot) => void) | undefined;
  /** The filters of the bookings. */
  filters?: ReactNode;
}

/** A week view with a dialog for each booking. Narrow windows show one day at a time. */
export function ScheduleBoard(props: ScheduleBoardProps) {
  const { read, shown, onShow, mayCancel, showsFree, onFree, filters } = props;
  const zone = useZone();
  const isNarrow = useMediaQuery('(max-width: 62em)', false, { getInitialValueInEffect: false });
  const [open, setOpen] = useState<Booking | null>(null);
  const [several, setSeveral] = useState<Booking[]>([]);
  const anchor = anchorOf(shown, zone);
  const monday = mondayOf(anchor);
  const isDay = isNarrow || shown.view === 'day';
  return (
    <>
      <Group justify="space-between">
        <Group gap={8}>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label="Previous week"
            onClick={() => onShow({ week: plusDays(anchor, -7) })}
          >
            <IconChevronLeft size={18} />
          </ActionIcon>
          <Button variant="default" onClick={() => onShow({ week: undefined })}>
            {isDay ? 'Today' : 'This week'}
          </Button>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label="Next week"
            onClick={() => onShow({ week: plusDays(anchor, 7) })}
          >
            <IconChevronRight size={18} />
          </ActionIcon>
          {!isNarrow && (
            <SegmentedControl
              aria-label="View"
              value={isDay ? 'day' : 'week'}
              data={[
                { value: 'week', label: 'Week' },
                { value: 'day', label: 'Day' },
              ]}
              onChange={(view) => onShow({ view: view === 'day' ? 'day' : undefined })}
            />
          )}
        </Group>
        {filters}
      </Group>
      <Panel
        title={`${dayOfMonth(monday)} to ${dayOfMonth(plusDays(monday, 6))}`}
        hint={read.data && count(read.data.bookings.length, 'booking')}
      >
        <Loaded of={read} skeleton={<Lines count={12} />} small>
          {(schedule) => (
            <>
              {schedule.incomplete && (
                <p className={classes.clash} role="status">
                  This week has too many bookings to show at once. Narrow the list down to one person.
                </p>
              )}
              <WeekGrid
                schedule={schedule}
                day={isDay ? anchor : undefined}
                mostLanes={isNarrow ? 3 : isDay ? 6 : 2}
                onDay={(week) => onShow({ week, view: 'day' })}
                showsFree={showsFree}
                onBooking={setOpen}
                onOverflow={setSeveral}
                onFree={onFree}
              />
            </>
          )}
        </Loaded>
      </Panel>
      <Modal
        opened={several.length > 0}
        onClose={() => setSeveral([])}
        title={count(several.length, 'booking')}
      >
        <ul className={classes.several}>
          {several.map((booking) => (
            <li key={booking.id}>
              <button type="button" className="row-button" onClick={() => setOpen(booking)}>
                <strong>{booking.bookedForName}</strong>
                <span>
                  {whenOf(zone, booking)}, with {booking.instructorName}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </Modal>
      <BookingDialog
        booking={open}
        mayCancel={mayCancel}
        onClose={() => setOpen(null)}
        onChanged={() => {
          setSeveral([]);
          read.reload();
        }}
      />
    </>
  );
}
