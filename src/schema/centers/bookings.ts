import * as enums from '../../db/generated/prisma/enums.ts';
import { everyRole } from '../../domain/access.ts';
import { book, bookInput } from '../../domain/centers/book.ts';
import {
  type BookingView,
  bookingFilter,
  cancelBooking,
  cancelBookingInput,
  findBooking,
  listBookings,
} from '../../domain/centers/bookings.ts';
import { builder } from '../builder.ts';
import { connectionById } from '../connections.ts';

const BookingStatus = builder.enumType(enums.BookingStatus, {
  name: 'BookingStatus',
  description: 'Whether a booking holds.',
});

const Booking = builder.node(builder.objectRef<BookingView>('Booking'), {
  id: { resolve: ({ id }) => id, description: 'The global id.' },
  loadOne: (id, ctx) => findBooking(ctx, id),
  description: "An instructor's booked time.",
  fields: (t) => ({
    instructorId: t.exposeID('instructorId', { description: 'The instructor.' }),
    instructorName: t.exposeString('instructorName', { description: "The instructor's name." }),
    bookedForId: t.exposeID('bookedForId', { description: 'Whom it is for.' }),
    bookedForName: t.exposeString('bookedForName', { description: 'The name of whom it is for.' }),
    bookedById: t.exposeID('bookedById', { description: 'Who booked it.' }),
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'When it begins.' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'When it is over.' }),
    status: t.expose('status', { type: BookingStatus, description: 'Whether it holds.' }),
    note: t.exposeString('note', { description: 'What was said at booking.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was booked.' }),
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
        description: 'Only those that hold, or only those that do not.',
      }),
      from: t.field({ type: 'DateTime', description: 'Only those that are not over by then.' }),
      to: t.field({ type: 'DateTime', description: 'Only those that begin before then.' }),
    }),
  })
  .validate(bookingFilter);

const BookInput = builder
  .inputType('BookInput', {
    description: 'A slot to book in the current center.',
    fields: (t) => ({
      instructorId: t.id({ required: true, description: 'The instructor.' }),
      startsAt: t.field({ type: 'DateTime', required: true, description: 'When the free slot begins.' }),
      forActorId: t.id({ description: 'Whom it is for; the caller unless given.' }),
      note: t.string({ description: 'What the instructor should know.' }),
    }),
  })
  .validate(bookInput);

const CancelBookingInput = builder
  .inputType('CancelBookingInput', {
    description: 'A booking to cancel.',
    fields: (t) => ({ id: t.id({ required: true, description: 'Its id.' }) }),
  })
  .validate(cancelBookingInput);

builder.queryField('bookings', (t) =>
  t.connection({
    type: Booking,
    description: 'The bookings of the center that concern the caller, newest first; an ADMIN sees all.',
    authScopes: { access: { roles: everyRole } },
    args: { filter: t.arg({ type: BookingFilter, description: 'Which ones.' }) },
    resolve: (_, { filter, ...args }, ctx) =>
      connectionById('bkg', args, (window) => listBookings(ctx, filter ?? {}, window)),
  }),
);

builder.mutationFields((t) => ({
  book: t.field({
    type: Booking,
    description:
      'Books a free slot: a PARENT for itself or its children, an INSTRUCTOR or ADMIN for any member.',
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR', 'PARENT'] } },
    args: { input: t.arg({ type: BookInput, required: true, description: 'What to book.' }) },
    resolve: (_, { input }, ctx) => book(ctx, input),
  }),
  cancelBooking: t.field({
    type: Booking,
    description: 'Cancels a booking that concerns the caller, as long as it has not begun.',
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR', 'PARENT'] } },
    args: { input: t.arg({ type: CancelBookingInput, required: true, description: 'Which one.' }) },
    resolve: (_, { input }, ctx) => cancelBooking(ctx, String(input.id)),
  }),
}));
