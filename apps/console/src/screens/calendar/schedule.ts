import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { type Read, useRead } from '../../graphql/use-read.ts';

const BookingFields = graphql(`
  fragment BookingFields on Booking @_unmask {
    id startsAt endsAt instructorId instructorName bookedForId bookedForName note status clashes attendedAt
  }
`);
const Schedule = graphql(
  `
    query Schedule($input: ScheduleInput!) {
      schedule(input: $input) {
        days {
          date state freeCount
          hours { startsAt endsAt }
          freeSlots { startsAt endsAt instructorId }
        }
        bookings { next items { ...BookingFields } }
      }
    }
  `,
  [BookingFields],
);
const MoreBookings = graphql(
  `
    query MoreBookings($input: ScheduleInput!, $after: String!) {
      schedule(input: $input) { bookings(after: $after) { next items { ...BookingFields } } }
    }
  `,
  [BookingFields],
);

export type Booking = ResultOf<typeof BookingFields>;
export type ScheduleDay = ResultOf<typeof Schedule>['schedule']['days'][number];
export type FreeSlot = ScheduleDay['freeSlots'][number];

export interface ShownSchedule {
  days: ScheduleDay[];
  bookings: Booking[];
  /** There are more bookings than a screen can show. */
  incomplete: boolean;
}

/** The other person of a booking: users do not need to read their own name. */
export function peopleOf(booking: Booking, actorId: string): { main: string; other: string | null } {
  if (booking.bookedForId === actorId) return { main: `With ${booking.instructorName}`, other: null };
  const other = booking.instructorId === actorId ? null : `with ${booking.instructorName}`;
  return { main: booking.bookedForName, other };
}

/** Further pages of a thousand bookings; a grid cannot show more. */
const MOST_PAGES = 5;

interface Days {
  from: string;
  days: number;
  instructorId?: string | undefined;
  forActorId?: string | undefined;
}

/** Some days of the calendar with all their bookings, read page by page. */
export function useSchedule({ from, days, instructorId, forActorId }: Days): Read<ShownSchedule> {
  const client = useClient();
  const read = useRead(Schedule, { input: { from, days, instructorId, forActorId } });
  const [rest, setRest] = useState<{ of: object; items: Booking[]; next: string | null }>();
  const first = read.data?.schedule.bookings;
  useEffect(() => {
    if (!first?.next) return undefined;
    let stopped = false;
    const readOn = async () => {
      const items: Booking[] = [];
      let next: string | null = first.next;
      for (let page = 0; next !== null && page < MOST_PAGES; page++) {
        const variables = { input: { from, days, instructorId, forActorId }, after: next };
        const { data } = await client
          .query(MoreBookings, variables, { requestPolicy: 'network-only' })
          .toPromise();
        if (!data || stopped) return;
        items.push(...data.schedule.bookings.items);
        next = data.schedule.bookings.next;
      }
      setRest({ of: first, items, next });
    };
    void readOn();
    return () => {
      stopped = true;
    };
  }, [client, first, from, days, instructorId, forActorId]);
  const more = first && rest?.of === first ? rest : undefined;
  return {
    ...read,
    data: read.data && {
      days: read.data.schedule.days,
      bookings: [...read.data.schedule.bookings.items, ...(more?.items ?? [])],
      incomplete: more ? more.next !== null : false,
    },
  };
}
