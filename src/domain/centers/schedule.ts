import { z } from 'zod';
import { validationError } from '../../lib/errors.ts';
import { type Context, currentCenterId } from '../context.ts';
import { visibleBookings } from './booking-rights.ts';
import { type BookingView, matchingBookings, withNames } from './bookings.ts';
import { currentZone, type FreeSlot } from './calendar.ts';
import { activeInstructors } from './instructors.ts';
import { availableSlots, dayBounds, openHours, type Slot } from './slots.ts';

const MOST_DAYS = 7;
/** Bookings per page. The next page continues after the last of them. */
const PAGE = 1_000;

export const scheduleInput = z.object({
  from: z.iso
    .date()
    .refine((date) => date > '0001' && date < '9999', 'must be between the years 1 and 9999')
    .describe("The first day, in the center's time zone."),
  days: z.int().min(1).max(MOST_DAYS).describe('The number of days, 1 to 7.'),
  instructorId: z
    .guid()
    .nullish()
    .describe('Only hours and bookings of the instructor with this id, a UUID.'),
  forActorId: z.guid().nullish().describe('Only bookings for the attendee of this id, a UUID.'),
});

export type ScheduleInput = z.infer<typeof scheduleInput>;

/** CLOSED: no hours. OPEN: slots are left. FULL: all remaining slots are booked. OVER: no slot starts any more. */
export const dayStates = ['CLOSED', 'OPEN', 'FULL', 'OVER'] as const;

export interface ScheduleDay {
  date: string;
  state: (typeof dayStates)[number];
  hours: { startsAt: Date; endsAt: Date }[];
  freeCount: number;
  /** Only for a single instructor, because a whole center has too many to show. */
  freeSlots: FreeSlot[];
}

export interface BookingPage {
  bookings: BookingView[];
  /** The cursor of the next page; null after the last booking. */
  next: string | null;
}

/** The days of the center's calendar: open hours and remaining slots, for all instructors or one. */
export async function scheduleDays(ctx: Context, input: ScheduleInput): Promise<ScheduleDay[]> {
  const { now } = ctx;
  const zone = await currentZone(ctx);
  const dates = datesOf(input);
  const instructors = await activeInstructors(ctx, currentCenterId(ctx), input.instructorId);
  const names = new Map(instructors.map(({ id, name }) => [id, name]));
  const instructorId = { in: [...names.keys()] };
  const rules = await ctx.db.availabilityRule.findMany({ where: { instructorId, requested: false } });
  const { from, to } = boundsOf(dates, zone);
  const busy = await ctx.db.booking.findMany({
    where: { instructorId, status: { not: 'CANCELLED' }, startsAt: { lt: to }, endsAt: { gt: from } },
    select: { instructorId: true, startsAt: true, endsAt: true },
  });
  return dates.map((date) => {
    const hours = openHours(date, zone, rules);
    const left = (taken: Slot[]) => availableSlots({ date, zone, rules, busy: taken, now });
    const free = left(busy);
    const isOver = free.length === 0 && left([]).length === 0;
    return {
      date,
      hours,
      state: hours.length === 0 ? 'CLOSED' : free.length > 0 ? 'OPEN' : isOver ? 'OVER' : 'FULL',
      freeCount: free.length,
      freeSlots: input.instructorId
        ? free.map((slot) => ({ ...slot, instructorName: names.get(slot.instructorId)! }))
        : [],
    };
  });
}

/** The bookings of these days that the caller may see and that are not canceled, earliest first, one page at a time. */
export async function scheduleBookings(
  ctx: Context,
  input: ScheduleInput,
  after: string | null,
): Promise<BookingPage> {
  const bounds = boundsOf(datesOf(input), await currentZone(ctx));
  const filter = matchingBookings({
    instructorId: input.instructorId,
    forActorId: input.forActorId,
    open: true,
    ...bounds,
  });
  const rows = await ctx.db.booking.findMany({
    where: { AND: [await visibleBookings(ctx), filter, after === null ? {} : followers(after)] },
    orderBy: [{ startsAt: 'asc' }, { id: 'asc' }],
    take: PAGE + 1,
  });
  const page = rows.slice(0, PAGE);
  const last = page.at(-1);
  const next = rows.length > PAGE && last ? `${last.startsAt.getTime()}.${last.id}` : null;
  return { bookings: await withNames(ctx, page), next };
}

/** Continues after the last booking of a page. */
function followers(after: string) {
  const [, time, id] = /^(-?\d{1,15})\.(bkg_\w{1,64})$/.exec(after) ?? [];
  if (time === undefined || id === undefined) {
    throw validationError([{ path: 'after', message: 'must be the `next` value of an earlier response' }]);
  }
  const startsAt = new Date(Number(time));
  return { OR: [{ startsAt: { gt: startsAt } }, { startsAt, id: { gt: id } }] };
}

function datesOf({ from, days }: ScheduleInput): string[] {
  const start = Date.parse(from);
  return Array.from({ length: days }, (_, i) => new Date(start + i * 86_400_000).toISOString().slice(0, 10));
}

const boundsOf = (dates: string[], zone: string) => ({
  from: dayBounds(dates[0]!, zone).from,
  to: dayBounds(dates.at(-1)!, zone).to,
});
