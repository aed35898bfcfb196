import { everyRole } from '../../domain/access.ts';
import { findGuests, type Guest } from '../../domain/centers/guests.ts';
import {
  type BookingPage,
  type dayStates,
  type ScheduleDay,
  type ScheduleInput,
  scheduleBookings,
  scheduleDays,
  scheduleInput,
} from '../../domain/centers/schedule.ts';
import { plainText } from '../../lib/text.ts';
import { builder } from '../builder.ts';
import { enumType } from '../enum-types.ts';
import { ActorRole } from '../enums.ts';
import { onlyProperties, properties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';
import { FreeSlotRef } from './availability.ts';
import { Booking } from './bookings.ts';

/** A week of a large center is a thousand rows: ten of them in one request would delay other callers. */
const SCHEDULE_COMPLEXITY = 1_000;

const ScheduleDayState = enumType<(typeof dayStates)[number]>(
  'ScheduleDayState',
  'What can still be booked on a day.',
  {
    CLOSED: 'No instructor has hours.',
    OPEN: 'At least one slot is free.',
    FULL: 'All remaining slots are booked.',
    OVER: 'No slot of the day starts any more.',
  },
);

const OpenHours = builder.objectRef<ScheduleDay['hours'][number]>('OpenHours').implement({
  description: 'A period in which at least one instructor has hours.',
  fields: onlyProperties({
    startsAt: ['DateTime', 'When the hours begin, in UTC.'],
    endsAt: ['DateTime', 'When the hours end, in UTC.'],
  }),
});

const ScheduleDayRef = builder.objectRef<ScheduleDay>('ScheduleDay').implement({
  description: "A day in the center's time zone.",
  fields: onlyProperties({
    date: ['Date', "The date in the center's time zone."],
    state: [ScheduleDayState, 'What can still be booked.'],
    hours: [[OpenHours], 'The hours of the instructors, merged, earliest first.'],
    freeCount: ['Int', 'The number of slots that can still be booked on this day.'],
    freeSlots: [
      [FreeSlotRef],
      'The free slots, earliest first. Empty unless the schedule is of one instructor.',
    ],
  }),
});

const BookingPageRef = builder.objectRef<BookingPage>('ScheduleBookings').implement({
  description: 'Bookings of a schedule, at most 1,000 at a time.',
  fields: (t) => ({
    ...properties(t, {
      next: [
        'String?',
        'Where to continue: the argument "after" of the next request. Null after the last booking.',
      ],
    }),
    items: t.field({
      type: [Booking],
      description: 'The bookings, earliest first.',
      resolve: ({ bookings }) => bookings,
    }),
  }),
});

const Schedule = builder.objectRef<ScheduleInput>('Schedule').implement({
  description: "Some days of the current center's calendar.",
  fields: (t) => ({
    days: t.field({
      type: [ScheduleDayRef],
      description: 'One entry for each day that was asked for, in order, with open hours and free slots.',
      resolve: (input, _, ctx) => scheduleDays(ctx, input),
    }),
    bookings: t.field({
      type: BookingPageRef,
      description: 'The bookings that concern the caller, without canceled ones. An ADMIN sees all.',
      args: {
        after: t.arg.string({
          description: 'Continues after an earlier answer: its "next".',
          validate: plainText(100).nullish(),
        }),
      },
      resolve: (input, { after }, ctx) => scheduleBookings(ctx, input, after ?? null),
    }),
  }),
});

const ScheduleInputRef = inputType('ScheduleInput', scheduleInput, {
  description: 'Some days of the calendar.',
});

const GuestRef = builder.objectRef<Guest>('BookingGuest').implement({
  description: 'An active member whom the caller can book a slot for.',
  fields: onlyProperties({
    actorId: ['ID', 'The id of the person, a UUID.'],
    name: ['String', 'The name of the person, as in their profile.'],
    role: [ActorRole, 'The role in the center.'],
    email: ['String?', 'The address, for ADMINs only; null for everybody else.'],
  }),
});

builder.queryFields((t) => ({
  schedule: t.field({
    type: Schedule,
    description: "Up to seven days of the current center's calendar: open hours, free slots and bookings.",
    authScopes: { access: { roles: everyRole, feature: 'booking' } },
    complexity: SCHEDULE_COMPLEXITY,
    args: inputArg(ScheduleInputRef, 'The first day, the number of days, and filters.'),
    resolve: (_, { input }) => input,
  }),
  bookingGuests: t.field({
    type: [GuestRef],
    description: 'People for whom the caller can book, found by name. At most 20.',
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR', 'PARENT'] } },
    args: {
      search: t.arg.string({
        description: 'A part of the name. Default: the newest members.',
        validate: plainText(200).nullish(),
      }),
      role: t.arg({ type: ActorRole, description: 'Only people with this role.' }),
    },
    resolve: (_, { search, role }, ctx) => findGuests(ctx, search ?? '', role ?? null),
  }),
}));
