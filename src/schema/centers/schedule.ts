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
import { describedValues } from '../enum-values.ts';
import { ActorRole } from '../enums.ts';
import { inputType } from '../input-types.ts';
import { FreeSlotRef } from './availability.ts';
import { Booking } from './bookings.ts';

/** A week of a large center is a thousand rows: ten of them in one request would delay other callers. */
const SCHEDULE_COMPLEXITY = 1_000;

const ScheduleDayState = builder.enumType('ScheduleDayState', {
  description: 'What can still be booked on a day.',
  values: describedValues<(typeof dayStates)[number]>({
    CLOSED: 'No instructor has hours.',
    OPEN: 'At least one slot is free.',
    FULL: 'All remaining slots are booked.',
    OVER: 'No slot of the day starts any more.',
  }),
});

const OpenHours = builder.objectRef<ScheduleDay['hours'][number]>('OpenHours').implement({
  description: 'A period in which at least one instructor has hours.',
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'The start time.' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'The end time.' }),
  }),
});

const ScheduleDayRef = builder.objectRef<ScheduleDay>('ScheduleDay').implement({
  description: "A day in the center's time zone.",
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The day.' }),
    state: t.expose('state', { type: ScheduleDayState, description: 'What can still be booked.' }),
    hours: t.field({
      type: [OpenHours],
      description: 'The hours of the instructors, merged, earliest first.',
      resolve: ({ hours }) => hours,
    }),
    freeCount: t.exposeInt('freeCount', { description: 'The number of free slots.' }),
    freeSlots: t.field({
      type: [FreeSlotRef],
      description: 'The free slots, earliest first. Empty unless the schedule is of one instructor.',
      resolve: ({ freeSlots }) => freeSlots,
    }),
  }),
});

const BookingPageRef = builder.objectRef<BookingPage>('ScheduleBookings').implement({
  description: 'Bookings of a schedule, at most 1,000 at a time.',
  fields: (t) => ({
    items: t.field({
      type: [Booking],
      description: 'The bookings, earliest first.',
      resolve: ({ bookings }) => bookings,
    }),
    next: t.exposeString('next', {
      nullable: true,
      description:
        'Where to continue: the argument "after" of the next request. Null after the last booking.',
    }),
  }),
});

const Schedule = builder.objectRef<ScheduleInput>('Schedule').implement({
  description: "Some days of the current center's calendar.",
  fields: (t) => ({
    days: t.field({
      type: [ScheduleDayRef],
      description: 'The days, with open hours and free slots.',
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
  description: 'A person for whom the caller can book.',
  fields: (t) => ({
    actorId: t.exposeID('actorId', { description: 'The id of the person.' }),
    name: t.exposeString('name', { description: 'The name.' }),
    role: t.expose('role', { type: ActorRole, description: 'The role in the center.' }),
    email: t.exposeString('email', {
      nullable: true,
      description: 'The address, for ADMINs only; null for everybody else.',
    }),
  }),
});

builder.queryFields((t) => ({
  schedule: t.field({
    type: Schedule,
    description: "Up to seven days of the current center's calendar: open hours, free slots and bookings.",
    authScopes: { access: { roles: everyRole, feature: 'booking' } },
    complexity: SCHEDULE_COMPLEXITY,
    args: {
      input: t.arg({ type: ScheduleInputRef, required: true, description: 'The days.' }),
    },
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
