import { newId } from '../../src/lib/ids.ts';
import { makeMember } from '../helpers/world.ts';
import type { Examples, RouteStage } from './stage.ts';

/** An instructor of the stage's own center who is free tomorrow at noon. */
async function freeInstructor({ running, center }: RouteStage) {
  const { actor } = await makeMember(running.app, center.id, 'INSTRUCTOR');
  await running.app.db.acrossTenants.availabilityRule.createMany({
    data: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
      id: newId('avl'),
      centerId: center.id,
      instructorId: actor.id,
      ...{ weekday, startMinute: 0, endMinute: 1_440, slotMinutes: 30 },
    })),
  });
  const startsAt = new Date(Date.now() + 86_400_000);
  startsAt.setUTCHours(12, 0, 0, 0);
  return { instructorId: actor.id, startsAt: startsAt.toISOString() };
}

/** Calls that succeed: bookings. */
export const bookingExamples: Examples = {
  listBookings: ({ admin }) => ({
    caller: 'admin',
    query: { limit: '5', status: 'BOOKED', from: '2026-01-01T00:00:00.000Z', instructorId: admin.actor.id },
  }),
  book: async (stage) => ({
    caller: 'admin',
    body: { ...(await freeInstructor(stage)), forActorId: stage.admin.actor.id, note: 'First visit' },
  }),
  cancelBooking: async (stage) => {
    const { running, tokens } = stage;
    const made = await running.call('POST', '/bookings', {
      token: tokens.admin,
      body: await freeInstructor(stage),
    });
    return { caller: 'admin', params: { bookingId: made.body.data.id } };
  },
};
