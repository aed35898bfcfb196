import type * as enums from '../../db/generated/prisma/enums.ts';
import { everyRole } from '../../domain/access.ts';
import { book, bookInput, confirmBooking, confirmBookingInput } from '../../domain/centers/book.ts';
import {
  type BookingView,
  bookingFilter,
  cancelBooking,
  cancelBookingInput,
  countBookings,
  findBooking,
  listBookings,
} from '../../domain/centers/bookings.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';
import { worded } from '../enum-values.ts';
import { TOTAL_COUNT, totalOf } from '../paging.ts';

const BookingStatus = builder.enumType('BookingStatus', {
  description: 'Whether a booking holds.',
  values: worded<enums.BookingStatus>({
    REQUESTED:
      'It waits for the instructor, who works in another center too; the slot is taken in this center.',
    BOOKED: 'It holds; the slot is taken.',
    CANCELLED: 'It was cancelled, and the slot is free again.',
  }),
});

const Booking = builder.node(builder.objectRef<BookingView>('Booking'), {
  id: { resolve: ({ id }) => id, description: 'Its id, unique among everything there is.' },
  loadOne: (id, ctx) => findBooking(ctx, id),
  description: "An instructor's booked time.",
  fields: (t) => ({
    instructorId: t.exposeID('instructorId', { description: 'The instructor who is booked.' }),
    instructorName: t.exposeString('instructorName', { description: 'The name of the instructor to show.' }),
    bookedForId: t.exposeID('bookedForId', { description: 'The person who comes.' }),
    bookedForName: t.exposeString('bookedForName', { description: 'The name of the person who comes.' }),
    bookedById: t.exposeID('bookedById', { description: 'The person who made the booking.' }),
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'When the booked time begins.' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'When it is over.' }),
    status: t.expose('status', { type: BookingStatus, description: 'Whether it holds.' }),
    note: t.exposeString('note', { description: 'What was said at booking.' }),
    clashes: t.exposeBoolean('clashes', {
      description:
        'Whether it overlaps a booking in another center. Only the instructor learns that; false for everybody else.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was booked.' }),
    confirmedAt: t.expose('confirmedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the instructor confirmed it, where that was needed.',
    }),
    cancelledAt: t.expose('cancelledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was cancelled, if it was.',
    }),
  }),
});

const BookingFilter = builder
  .inputType('BookingFilter', {
    description: 'Which bookings to show.',
    fields: (t) => ({
      instructorId: t.id({ description: 'Only those of this instructor.' }),
      status: t.field({
        type: BookingStatus,
        description: 'Only those in this state.',
      }),
      open: t.boolean({ description: 'Only those that are not cancelled.' }),
      from: t.field({ type: 'DateTime', description: 'Only those that are not over by then.' }),
      to: t.field({ type: 'DateTime', description: 'Only those that begin before then.' }),
    }),
  })
  .validate(bookingFilter);

const BookInput = builder
  .inputType('BookInput', {
    description: 'A slot to book in the current center.',
    fields: (t) => ({
      instructorId: t.id({ required: true, description: 'The instructor who is booked.' }),
      startsAt: t.field({ type: 'DateTime', required: true, description: 'When the free slot begins.' }),
      forActorId: t.id({ description: 'Whom it is for; the caller unless given.' }),
      note: t.string({ description: 'What the instructor should know.' }),
    }),
  })
  .validate(bookInput);

const CancelBookingInput = builder
  .inputType('CancelBookingInput', {
    description: 'A booking that shall not take place.',
    fields: (t) => ({ id: t.id({ required: true, description: 'The id of the booking.' }) }),
  })
  .validate(cancelBookingInput);

const ConfirmBookingInput = builder
  .inputType('ConfirmBookingInput', {
    description: 'A booking to confirm.',
    fields: (t) => ({ id: t.id({ required: true, description: 'The id of the booking.' }) }),
  })
  .validate(confirmBookingInput);

builder.queryField('bookings', (t) =>
  t.connection(
    {
      type: Booking,
      description: 'The bookings of the center that concern the caller, newest first; an ADMIN sees all.',
      authScopes: { access: { roles: everyRole } },
      args: {
        filter: t.arg({
          type: BookingFilter,
          description: 'Which bookings to list; all that concern the caller when left out.',
        }),
      },
      resolve: async (_, { filter, ...args }, ctx) => ({
        ...(await connectionById('bkg', args, (window) => listBookings(ctx, filter ?? {}, window))),
        totalCount: () => countBookings(ctx, filter ?? {}),
      }),
    },
    { fields: (f) => ({ totalCount: f.int({ description: TOTAL_COUNT, resolve: totalOf }) }) },
  ),
);

builder.mutationFields((t) => ({
  book: t.field({
    type: Booking,
    description:
      'Books a free slot: a PARENT for itself or its children, an INSTRUCTOR or ADMIN for any member. It is REQUESTED where ' +
      'the instructor already works in another center, until the instructor confirms it.',
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR', 'PARENT'] } },
    args: {
      input: t.arg({
        type: BookInput,
        required: true,
        description: 'The instructor, the time, and whom it is for.',
      }),
    },
    resolve: (_, { input }, ctx) => book(ctx, input),
  }),
  confirmBooking: t.field({
    type: Booking,
    description:
      'The calling instructor agrees to a booking that waits. CONFLICT where it overlaps one in another center. To decline, ' +
      'cancel it.',
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR'] } },
    args: {
      input: t.arg({ type: ConfirmBookingInput, required: true, description: 'Which booking to confirm.' }),
    },
    resolve: (_, { input }, ctx) => confirmBooking(ctx, String(input.id)),
  }),
  cancelBooking: t.field({
    type: Booking,
    description: 'Cancels a booking that concerns the caller, as long as it has not begun.',
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR', 'PARENT'] } },
    args: {
      input: t.arg({ type: CancelBookingInput, required: true, description: 'Which booking to cancel.' }),
    },
    resolve: (_, { input }, ctx) => cancelBooking(ctx, String(input.id)),
  }),
}));
