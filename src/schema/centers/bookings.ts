import { everyRole } from '../../domain/access.ts';
import { noteAttendance, noteAttendanceInput } from '../../domain/attendance/note-attendance.ts';
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
import { storedEnum } from '../enum-types.ts';
import { onlyProperties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';
import { counted } from '../paging.ts';

const BookingStatus = storedEnum(
  'BookingStatus',
  'Whether a booking is confirmed, waits for the instructor, or was canceled.',
  {
    REQUESTED:
      'It waits for the instructor, who works in another center too; the slot is taken in this center.',
    BOOKED: 'Confirmed; the slot is taken.',
    CANCELLED: 'Canceled; the slot is free again.',
  },
);

export const Booking = builder.node(builder.objectRef<BookingView>('Booking'), {
  id: { resolve: ({ id }) => id, description: 'The id of the booking, `bkg_…`.' },
  loadOne: (id, ctx) => findBooking(ctx, id),
  description: 'A time that an instructor is booked for.',
  fields: onlyProperties({
    instructorId: ['ID', 'The id of the instructor, a UUID.'],
    instructorName: ['String', 'The name of the instructor, as in their profile.'],
    bookedForId: ['ID', 'The id of the attendee, a UUID.'],
    bookedForName: ['String', 'The name of the attendee.'],
    bookedById: ['ID', 'The id of the person who made the booking, a UUID.'],
    startsAt: ['DateTime', 'When the booked slot begins, in UTC.'],
    endsAt: ['DateTime', 'When the booked slot ends, in UTC.'],
    status: [BookingStatus, 'Whether it is confirmed, waits for the instructor, or was canceled.'],
    note: ['String', 'The note for the instructor, given when booking; empty if there was none.'],
    clashes: [
      'Boolean',
      'Whether it overlaps a booking in another center. Only the instructor learns that; false for everybody else.',
    ],
    attendedAt: ['DateTime?', 'When the attendance was confirmed; null until then.'],
    createdAt: ['DateTime', 'When the booking was made, in UTC.'],
    confirmedAt: ['DateTime?', 'When the instructor confirmed it, where that was needed.'],
    cancelledAt: ['DateTime?', 'When it was canceled; null if it was not.'],
  }),
});

const BookingFilter = inputType('BookingFilter', bookingFilter, {
  description: 'Which bookings to list. All conditions must match.',
  types: { status: BookingStatus },
});

const BookInput = inputType('BookInput', bookInput, { description: 'A slot to book in the current center.' });

const CancelBookingInput = inputType('CancelBookingInput', cancelBookingInput, {
  description: 'The booking whose slot becomes free again.',
  types: { id: 'ID' },
});

const ConfirmBookingInput = inputType('ConfirmBookingInput', confirmBookingInput, {
  description: 'The booking that its instructor confirms.',
  types: { id: 'ID' },
});

const NoteAttendanceInput = inputType('NoteAttendanceInput', noteAttendanceInput, {
  description: 'A booking that was attended.',
  types: { bookingId: 'ID' },
});

builder.queryField('bookings', (t) =>
  t.connection(
    {
      type: Booking,
      description: 'Bookings of the caller in the center, newest first. An ADMIN sees all.',
      extensions: { fromReplica: true },
      authScopes: { access: { roles: everyRole, feature: 'booking' } },
      args: {
        filter: t.arg({
          type: BookingFilter,
          description: 'Filters. Default: all bookings of the caller.',
        }),
      },
      resolve: async (_, { filter, ...args }, ctx) => ({
        ...(await connectionById('bkg', args, (window) => listBookings(ctx, filter ?? {}, window))),
        totalCount: () => countBookings(ctx, filter ?? {}),
      }),
    },
    counted(),
  ),
);

builder.mutationFields((t) => ({
  book: t.field({
    type: Booking,
    description:
      'Books a free slot: an INSTRUCTOR or ADMIN for any member, a PARENT for itself and the children tied to it in this ' +
      'center, if the setting guardianBooking of the center allows it. It is REQUESTED where ' +
      'the instructor already works in another center, until the instructor confirms it.',
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR', 'PARENT'], feature: 'booking' } },
    args: inputArg(BookInput, 'The instructor, the time and the attendee.'),
    resolve: (_, { input }, ctx) => book(ctx, input),
  }),
  confirmBooking: t.field({
    type: Booking,
    description:
      'The calling instructor agrees to a booking that waits. CONFLICT where it overlaps one in another center. To decline, ' +
      'cancel it.',
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR'], feature: 'booking' } },
    args: inputArg(ConfirmBookingInput, 'The booking, which must not have begun.'),
    resolve: (_, { input }, ctx) => confirmBooking(ctx, input.id),
  }),
  noteAttendance: t.field({
    type: Booking,
    description:
      'Confirms that the attendee of a booking was there, with a decision record, and emits an event. For an ADMIN and the ' +
      'instructor of the booking, once it has begun. Confirming it again has no effect.',
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR'], feature: 'booking' } },
    args: inputArg(NoteAttendanceInput, 'The booking, which must have begun.'),
    resolve: (_, { input }, ctx) => noteAttendance(ctx, input.bookingId),
  }),
  cancelBooking: t.field({
    type: Booking,
    description:
      'Cancels a booking of the caller before it starts. A PARENT needs the setting guardianBooking of the center.',
    authScopes: { access: { roles: ['ADMIN', 'INSTRUCTOR', 'PARENT'], feature: 'booking' } },
    args: inputArg(CancelBookingInput, 'The booking, which must not have begun.'),
    resolve: (_, { input }, ctx) => cancelBooking(ctx, input.id),
  }),
}));
