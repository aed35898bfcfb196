import { z } from 'zod';
import { BookingStatus } from '../../db/generated/prisma/enums.ts';
import { bookInput } from '../../domain/centers/book.ts';
import { bookingFilter, cancelBookingInput } from '../../domain/centers/bookings.ts';
import { graphql } from '../../schema/document.ts';
import { nextCursor, nodesOf, ok, okList, pageSize, successList } from '../envelope.ts';
import { route } from '../route.ts';
import { cursorQuery, notNull, success, timestamp } from '../schemas.ts';

const bookingStatus = z.enum(BookingStatus).meta({ id: 'BookingStatus' });

const booking = z
  .object({
    id: z.string(),
    instructorId: z.string(),
    instructorName: z.string(),
    bookedForId: z.string(),
    bookedForName: z.string(),
    bookedById: z.string(),
    startsAt: timestamp,
    endsAt: timestamp,
    status: bookingStatus,
    note: z.string(),
    createdAt: timestamp,
    cancelledAt: timestamp.nullable(),
  })
  .meta({ id: 'Booking' });
const BOOKING = `id instructorId instructorName bookedForId bookedForName bookedById startsAt endsAt status note
  createdAt cancelledAt`;

const common = { tag: 'Bookings', auth: 'token' } as const;

export const bookingRoutes = [
  route({
    ...common,
    method: 'GET',
    path: '/bookings',
    operationId: 'listBookings',
    summary: 'The bookings of the center that concern the caller, newest first',
    query: z.object({
      ...cursorQuery,
      instructorId: notNull(bookingFilter.shape.instructorId),
      status: notNull(bookingFilter.shape.status),
      from: timestamp.optional(),
      to: timestamp.optional(),
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
    project: ({ bookings }) => okList(nodesOf(bookings), nextCursor(bookings)),
    response: successList(booking),
    status: 200,
    errors: ['UNAUTHORIZED', 'NO_MEMBERSHIP', 'FEATURE_DISABLED', 'VALIDATION_ERROR'],
  }),
  route({
    ...common,
    method: 'POST',
    path: '/bookings',
    operationId: 'book',
    summary: 'Book a free slot',
    body: bookInput.extend({
      startsAt: timestamp,
      forActorId: notNull(bookInput.shape.forActorId),
      note: notNull(bookInput.shape.note),
    }),
    document: graphql(`mutation ($input: BookInput!) { book(input: $input) { ${BOOKING} } }`),
    variables: ({ body }) => ({ input: body }),
    project: ({ book }) => ok(book),
    response: success(booking),
    status: 201,
    errors: [
      'FEATURE_DISABLED',
      'UNAUTHORIZED',
      'NO_MEMBERSHIP',
      'INSUFFICIENT_ROLE',
      'FORBIDDEN',
      'MISSING_REQUIRED_FIELD',
      'VALIDATION_ERROR',
      'NOT_FOUND',
      'CONFLICT',
    ],
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/bookings/{bookingId}',
    operationId: 'cancelBooking',
    summary: 'Cancel a booking that has not begun',
    params: z.object({ bookingId: cancelBookingInput.shape.id }),
    document: graphql(
      `mutation ($input: CancelBookingInput!) { cancelBooking(input: $input) { ${BOOKING} } }`,
    ),
    variables: ({ params }) => ({ input: { id: params.bookingId } }),
    project: ({ cancelBooking }) => ok(cancelBooking),
    response: success(booking),
    status: 200,
    errors: [
      'UNAUTHORIZED',
      'NO_MEMBERSHIP',
      'FEATURE_DISABLED',
      'INSUFFICIENT_ROLE',
      'FORBIDDEN',
      'NOT_FOUND',
      'CONFLICT',
    ],
  }),
];
