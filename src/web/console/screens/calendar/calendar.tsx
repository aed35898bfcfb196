import { ActionIcon, Button, Group, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { IconCalendarPlus, IconChevronLeft, IconChevronRight, IconX } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useAct } from '../../graphql/use-act.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useCenter, useSession } from '../../session/session-context.ts';
import { count } from '../../text/labels.ts';
import { dayOfMonth } from '../../text/time.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Lines, Loaded } from '../../ui/states.tsx';
import { useRefresh } from '../../ui/use-refresh.ts';
import { BookDialog } from './book.tsx';
import classes from './calendar.module.css';
import { Hours } from './hours.tsx';
import { aroundWeek, dayIn, mondayOf, plusDays, timeIn, weekdays, weekOf } from './week.ts';

const Week = graphql(`
  query Week($filter: BookingFilter, $after: String) {
    bookings(first: 100, after: $after, filter: $filter) {
      pageInfo { hasNextPage }
      edges { node { id startsAt endsAt instructorId instructorName bookedForName note status clashes } }
    }
  }
`);
const Instructors = graphql(
  `query Instructors($domain: String!) { instructors(domain: $domain) { id name } }`,
);
const Cancel = graphql(`
  mutation CancelBooking($input: CancelBookingInput!) { cancelBooking(input: $input) { id status } }
`);

const Confirm = graphql(`
  mutation ConfirmBooking($input: ConfirmBookingInput!) { confirmBooking(input: $input) { id status } }
`);

type Booking = ResultOf<typeof Week>['bookings']['edges'][number]['node'];

const route = getRouteApi('/inside/c/$center/calendar');

/** A week of bookings, and the hours in which they can be made. */
export function CalendarScreen() {
  const { center } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const { me } = useSession();
  const { settings } = useCenter();
  const zone = (settings as { timezone?: string }).timezone ?? 'UTC';
  const [opened, { open, close }] = useDisclosure();
  const own = me.role === 'INSTRUCTOR';
  const instructor = own ? me.actorId : search.instructor;
  const monday = mondayOf(
    /^\d{4}-\d{2}-\d{2}$/.test(search.week ?? '') ? search.week! : dayIn(zone, new Date()),
  );
  const change = (changes: Partial<typeof search>) =>
    void navigate({
      to: '/c/$center/calendar',
      params: { center },
      search: { ...search, ...changes },
      replace: true,
    });
  const people = useRead(Instructors, { domain: center });
  const read = useRead(Week, {
    filter: { ...aroundWeek(monday), open: true, ...(instructor && { instructorId: instructor }) },
  });
  useRefresh(read.reload);
  const choices = (people.data?.instructors ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Page
      title="Calendar"
      intro={`Bookings and hours, in the time of the center (${zone}).`}
      actions={
        !own && (
          <Button leftSection={<IconCalendarPlus size={16} />} onClick={open}>
            Book
          </Button>
        )
      }
    >
      <Group justify="space-between">
        <Group gap={8}>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label="Previous week"
            onClick={() => change({ week: plusDays(monday, -7) })}
          >
            <IconChevronLeft size={18} />
          </ActionIcon>
          <Button variant="default" onClick={() => change({ week: undefined })}>
            This week
          </Button>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label="Next week"
            onClick={() => change({ week: plusDays(monday, 7) })}
          >
            <IconChevronRight size={18} />
          </ActionIcon>
        </Group>
        {!own && (
          <Select
            aria-label="Instructor"
            placeholder="All instructors"
            clearable
            searchable
            data={choices}
            value={instructor ?? null}
            onChange={(value) => change({ instructor: value ?? undefined })}
          />
        )}
      </Group>
      <Panel
        title={`${dayOfMonth(monday)} to ${dayOfMonth(plusDays(monday, 6))}`}
        hint={
          read.data &&
          bookingCount(
            read.data.bookings.edges.map(({ node }) => node),
            monday,
            zone,
          )
        }
      >
        <Loaded of={read} skeleton={<Lines count={6} />} small>
          {({ bookings: { edges } }) => (
            <div className={classes.week}>
              {weekOf(monday).map((day, place) => (
                <Day
                  key={day}
                  name={weekdays[place]!}
                  day={day}
                  today={day === dayIn(zone, new Date())}
                  zone={zone}
                  bookings={edges
                    .map(({ node }) => node)
                    .filter((each) => dayIn(zone, new Date(each.startsAt)) === day)}
                  own={own}
                  onChanged={read.reload}
                />
              ))}
            </div>
          )}
        </Loaded>
      </Panel>
      {instructor ? (
        <Hours
          key={instructor}
          instructorId={instructor}
          own={own}
          name={choices.find(({ value }) => value === instructor)?.label}
        />
      ) : (
        <Panel title="Hours">
          <p className={classes.quiet}>Choose an instructor to view and edit their hours.</p>
        </Panel>
      )}
      <BookDialog
        opened={opened}
        onClose={close}
        onDone={read.reload}
        instructors={choices}
        instructor={instructor}
        zone={zone}
      />
    </Page>
  );
}

function bookingCount(bookings: Booking[], monday: string, zone: string): string {
  const days = new Set(weekOf(monday));
  return count(
    bookings.filter(({ startsAt }) => days.has(dayIn(zone, new Date(startsAt)))).length,
    'booking',
  );
}

function Day({
  name,
  day,
  today,
  zone,
  bookings,
  own,
  onChanged,
}: {
  name: string;
  day: string;
  today: boolean;
  zone: string;
  bookings: Booking[];
  /** Whether these are the bookings of the person who looks at them. */
  own: boolean;
  onChanged: () => void;
}) {
  const confirm = useAct(Confirm, { done: 'Confirmed.' });
  const cancel = useAct(Cancel, { done: 'Canceled.' });
  const ask = ({ id, bookedForName, startsAt }: Booking) =>
    modals.openConfirmModal({
      title: `Cancel the booking of ${bookedForName}?`,
      children: `${name} at ${timeIn(zone, startsAt)}. The time becomes free again.`,
      labels: { confirm: 'Cancel booking', cancel: 'Keep it' },
      confirmProps: { color: 'red' },
      onConfirm: () => void cancel.run({ input: { id } }).then(onChanged),
    });
  const inOrder = bookings.toSorted((a, b) => a.startsAt.localeCompare(b.startsAt));
  return (
    <section
      className={classes.day}
      data-today={today || undefined}
      aria-label={`${name}, ${dayOfMonth(day)}`}
    >
      <h3 className={classes.dayName}>
        {name} <span>{dayOfMonth(day)}</span>
      </h3>
      {inOrder.length === 0 && <p className={classes.free}>Free</p>}
      <ul className={classes.bookings}>
        {inOrder.map((booking) => (
          <li key={booking.id} className={classes.booking}>
            <strong>
              {timeIn(zone, booking.startsAt)} to {timeIn(zone, booking.endsAt)}
            </strong>
            <span>{booking.bookedForName}</span>
            <span className={classes.with}>with {booking.instructorName}</span>
            {booking.note && <span className={classes.with}>{booking.note}</span>}
            {booking.status === 'REQUESTED' && (
              <span className={classes.waits}>
                {own ? 'Waiting for you' : `Waiting for ${booking.instructorName}`}
              </span>
            )}
            {booking.clashes && <span className={classes.clash}>Overlaps a booking in another center</span>}
            {own && booking.status === 'REQUESTED' && (
              <Button
                size="compact-xs"
                loading={confirm.busy}
                aria-label={`Confirm the booking of ${booking.bookedForName}`}
                onClick={() => void confirm.run({ input: { id: booking.id } }).then(onChanged)}
              >
                Confirm
              </Button>
            )}
            {Date.parse(booking.startsAt) > Date.now() && (
              <ActionIcon
                className={classes.cancel!}
                size="sm"
                variant="subtle"
                color="gray"
                aria-label={`Cancel the booking of ${booking.bookedForName}`}
                onClick={() => ask(booking)}
              >
                <IconX size={14} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
