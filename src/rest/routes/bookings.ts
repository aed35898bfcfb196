import { z } from 'zod';
import { BookingStatus } from '../../db/generated/prisma/enums.ts';
import { bookInput } from '../../domain/centers/book.ts';
import { bookingFilter, cancelBookingInput } from '../../domain/centers/bookings.ts';
import { A_PERSON, doc, example } from '../../lib/doc.ts';
import { graphql } from '../../schema/document.ts';
import { ok, okList, pageSize, successList } from '../envelope.ts';
import { routesOf } from '../route.ts';
import { cursorQuery, ids, notNull, success, timestamp } from '../schemas.ts';

const bookingStatus = z.enum(BookingStatus).meta({ id: 'BookingStatus' });

const booking = z
  .object({
    id: z.string().meta(ids.booking),
    instructorId: z.string().meta(ids.instructor),
    instructorName: z.string().meta(example('Alex Moreau')),
    bookedForId: z.string().meta(doc('The id of the attendee, a UUID.', A_PERSON)),
    bookedForName: z.string().meta(example('Kim Novak')),
    bookedById: z.string().meta(doc('The id of the person who made the booking, a UUID.', A_PERSON)),
    startsAt: timestamp.meta(example('2026-11-16T09:00:00.000Z')),
    endsAt: timestamp.meta(example('2026-11-16T10:00:00.000Z')),
    status: bookingStatus,
    note: z.string().meta(example('First visit')),
    createdAt: timestamp,
    cancelledAt: timestamp.nullable().meta(example(null)),
  })
  .meta({ id: 'Booking' });
const BOOKING = `id instructorId instructorName bookedForId bookedForName bookedById startsAt endsAt status note
  createdAt cancelledAt`;

const route = routesOf({ tag: 'Bookings', auth: 'token', errors: ['NO_MEMBERSHIP', 'FEATURE_DISABLED'] });

export const bookingRoutes = [
  route({
    method: 'GET',
    path: '/bookings',
    operationId: 'listBookings',
    summary: 'The bookings of the center that concern the caller, newest first',
    query: z.object({
      ...cursorQuery,
      instructorId: notNull(bookingFilter.shape.instructorId).meta(ids.instructor),
      status: notNull(bookingFilter.shape.status).describe('Only bookings with this status.'),
      from: timestamp
        .optional()
        .meta(doc('Only bookings that end after this time.', '2026-11-15T00:00:00.000Z')),
      to: timestamp
        .optional()
        .meta(doc('Only bookings that start before this time.', '2026-11-22T00:00:00.000Z')),
    }),
    document: graphql(`
      query ($limit: Int!, $after: String, $filter: BookingFilter) {
        bookings(first: $limit, after: $after, filter: $filter) {
          edges { node { ${BOOKING} } }
          pageInfo { hasNextPage endCursor }
        }
      }`),
    variables: ({ query: { limit: asked, after = null, ...filter } }) => ({
      limit: pageSize(asked),
      after,
      filter,
    }),
    project: ({ bookings }) => okList(bookings),
    response: successList(booking),
  }),
  route({
    method: 'POST',
    path: '/bookings',
    operationId: 'book',
    summary: 'Book a free slot',
    body: bookInput.extend({
      startsAt: timestamp.meta(
        doc('The start of a free slot, within the next two years.', '2026-11-16T09:00:00.000Z'),
      ),
      forActorId: notNull(bookInput.shape.forActorId).meta(
        doc('The id of the person to book for, a UUID. Default: the caller.', A_PERSON),
      ),
      note: notNull(bookInput.shape.note).meta(
        doc('A note for the instructor, at most 1,000 characters.', 'First visit'),
      ),
    }),
    document: graphql(`mutation ($input: BookInput!) { book(input: $input) { ${BOOKING} } }`),
    variables: ({ body }) => ({ input: body }),
    project: ({ book }) => ok(book),
    response: success(booking),
    status: 201,
    errors: [
      'INSUFFICIENT_ROLE',
      'FORBIDDEN',
      'MISSING_REQUIRED_FIELD',
      'VALIDATION_ERROR',
      'NOT_FOUND',
      'CONFLICT',
    ],
  }),
  route({
    method: 'DELETE',
    path: '/bookings/{bookingId}',
    operationId: 'cancelBooking',
    summary: 'Cancel a booking that has not begun',
    params: z.object({
      bookingId: cancelBookingInput.shape.id.meta(ids.booking),
    }),
    document: graphql(
      `mutation ($input: CancelBookingInput!) { cancelBooking(input: $input) { ${BOOKING} } }`,
    ),
    variables: ({ params }) => ({ input: { id: params.bookingId } }),
    project: ({ cancelBooking }) => ok(cancelBooking),
    response: success(booking),
    errors: ['INSUFFICIENT_ROLE', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
];
