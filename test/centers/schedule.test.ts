import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeMember, makeStage } from '../helpers/world.ts';

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

const SCHEDULE = /* GraphQL */ `
  query ($input: ScheduleInput!, $after: String) {
    schedule(input: $input) {
      days { date state freeCount hours { startsAt endsAt } freeSlots { startsAt instructorName } }
      bookings(after: $after) { items { id startsAt bookedForName } next }
    }
  }`;
const SET = /* GraphQL */ `
  mutation ($input: SetAvailabilityInput!) { setAvailability(input: $input) { weekday } }`;
const BOOK = /* GraphQL */ `mutation ($input: BookInput!) { book(input: $input) { id } }`;
const GUESTS = /* GraphQL */ `
  query ($search: String, $role: ActorRole) { bookingGuests(search: $search, role: $role) { name role email } }`;

const ZONE = 'Europe/Berlin';
/** A Monday well ahead, so that nothing in it is past. */
const monday = (() => {
  const soon = Temporal.Now.plainDateISO(ZONE).add({ days: 14 });
  return soon.add({ days: 8 - soon.dayOfWeek });
})();
const at = (time: string, day = 0) => {
  const zoned = monday.add({ days: day }).toZonedDateTime({ timeZone: ZONE, plainTime: time });
  return new Date(zoned.epochMilliseconds);
};
const week = { from: monday.toString(), days: 7 };
const rule = (weekday: number, startMinute: number, endMinute: number) => ({
  weekday,
  startMinute,
  endMinute,
  slotMinutes: 60,
});

async function schedule(token: string, input: Record<string, unknown> = {}, after: string | null = null) {
  const { data, errors } = await running.graphql(SCHEDULE, { input: { ...week, ...input }, after }, token);
  return errors ? { code: errors[0]!.extensions.code } : data.schedule;
}

async function makeWeek() {
  const { app, graphql } = running;
  const stage = await makeStage(app);
  const ann = await makeMember(app, stage.center.id, 'INSTRUCTOR', { name: 'Ann' });
  const bob = await makeMember(app, stage.center.id, 'INSTRUCTOR', { name: 'Bob' });
  const hours = (instructorId: string, rules: unknown[]) =>
    graphql(SET, { input: { instructorId, rules } }, stage.token);
  await hours(ann.actor.id, [rule(1, 540, 660), rule(2, 540, 600)]);
  await hours(bob.actor.id, [rule(1, 600, 720), rule(1, 840, 900)]);
  return { ...stage, ann, bob };
}

test('a week shows merged hours of all instructors, free slots, and fully booked days as FULL', async () => {
  const { token, ann } = await makeWeek();
  const { errors } = await running.graphql(
    BOOK,
    { input: { instructorId: ann.actor.id, startsAt: at('09:00', 1) } },
    token,
  );
  expect(errors).toBeUndefined();
  const { days, bookings } = await schedule(token);
  expect(
    days.map(({ state, freeCount }: { state: string; freeCount: number }) => [state, freeCount]),
  ).toEqual([['OPEN', 5], ['FULL', 0], ...Array.from({ length: 5 }, () => ['CLOSED', 0])]);
  expect(days[0]).toMatchObject({
    date: monday.toString(),
    hours: [
      { startsAt: at('09:00').toISOString(), endsAt: at('12:00').toISOString() },
      { startsAt: at('14:00').toISOString(), endsAt: at('15:00').toISOString() },
    ],
    freeSlots: [],
  });
  expect(bookings.items).toHaveLength(1);

  const own = await schedule(token, { instructorId: ann.actor.id });
  expect(own.days[0].freeSlots).toEqual(
    ['09:00', '10:00'].map((time) => ({ startsAt: at(time).toISOString(), instructorName: 'Ann' })),
  );
  const past = await schedule(token, { from: '2026-01-05', days: 1 });
  expect(past.days).toMatchObject([{ state: 'OVER', freeCount: 0 }]);
});

test('all bookings of a week are returned in order, in pages of a thousand', async () => {
  const { app } = running;
  const { center, token, ann, bob } = await makeWeek();
  const starts = Array.from({ length: 1_250 }, (_, i) => new Date(at('00:00').getTime() + i * 5 * 60_000));
  const rows = starts.map((startsAt) => ({
    id: newId('bkg'),
    centerId: center.id,
    instructorId: ann.actor.id,
    bookedForId: bob.actor.id,
    bookedById: ann.actor.id,
    startsAt,
    endsAt: new Date(startsAt.getTime() + 300_000),
  }));
  // One before the week and one after it.
  for (const [place, hour] of [
    [0, -24],
    [1_249, 24],
  ] as const) {
    const { startsAt, endsAt } = rows[place]!;
    const moved = (time: Date) => new Date(time.getTime() + hour * 7 * 3_600_000);
    Object.assign(rows[place]!, { startsAt: moved(startsAt), endsAt: moved(endsAt) });
  }
  await app.db.acrossTenants.booking.createMany({ data: rows });
  const first = await schedule(token);
  expect(first.bookings.items).toHaveLength(1_000);
  const second = await schedule(token, {}, first.bookings.next);
  expect(second.bookings.next).toBeNull();
  const found = [...first.bookings.items, ...second.bookings.items];
  expect(found.map(({ startsAt }: { startsAt: string }) => startsAt)).toEqual(
    starts.slice(1, -1).map((start) => start.toISOString()),
  );
  expect((await schedule(token, { days: 1 })).bookings.items).toHaveLength(287);
  expect((await schedule(token, { instructorId: bob.actor.id })).bookings.items).toEqual([]);
  expect(await schedule(token, {}, 'tomorrow')).toEqual({ code: 'VALIDATION_ERROR' });
  expect(await schedule(token, { days: 8 })).toEqual({ code: 'VALIDATION_ERROR' });
});

test('members see only bookings that involve them; another center sees none', async () => {
  const { app, graphql } = running;
  const { center, token, ann } = await makeWeek();
  const child = await makeMember(app, center.id, 'CHILD', { name: 'Kim' });
  const neighbor = await makeMember(app, center.id, 'CHILD');
  const other = await makeStage(app);
  const input = { instructorId: ann.actor.id, startsAt: at('09:00'), forActorId: child.actor.id };
  await graphql(BOOK, { input }, token);
  const names = async (by: string, filter = {}) =>
    (await schedule(by, filter)).bookings.items.map((each: { bookedForName: string }) => each.bookedForName);
  expect(await names(token)).toEqual(['Kim']);
  expect(await names(token, { forActorId: neighbor.actor.id })).toEqual([]);
  expect(await names(child.token)).toEqual(['Kim']);
  expect(await names(neighbor.token)).toEqual([]);
  expect(await names(neighbor.token, { forActorId: child.actor.id })).toEqual([]);
  expect(await names(other.token, { instructorId: ann.actor.id })).toEqual([]);
  expect((await schedule(other.token, { instructorId: ann.actor.id })).days[0].state).toBe('CLOSED');
});

test('staff search for people to book for by name, even with many members', async () => {
  const { app, graphql } = running;
  const { center, token, ann } = await makeWeek();
  const zoe = await makeMember(app, center.id, 'CHILD', { name: 'Zoe 100%', email: 'z@hidden.test' });
  const gone = await makeMember(app, center.id, 'CHILD', { name: 'Zoe Gone' });
  await app.db.acrossTenants.membership.update({
    where: { id: gone.membership.id },
    data: { status: 'SUSPENDED' },
  });
  const many = await app.db.acrossTenants.actor.createManyAndReturn({
    data: Array.from({ length: 120 }, (_, i) => ({ name: `Member ${i}`, baseRole: 'CHILD' as const })),
  });
  await app.db.acrossTenants.membership.createMany({
    data: many.map(({ id: actorId }) => ({
      id: newId('mbr'),
      actorId,
      centerId: center.id,
      role: 'CHILD' as const,
      status: 'ACTIVE' as const,
    })),
  });
  const find = async (by: string, search?: string, role?: string) => {
    const { data, errors } = await graphql(GUESTS, { search, role }, by);
    return errors ? errors[0]!.extensions.code : data.bookingGuests;
  };
  const found = { name: 'Zoe 100%', role: 'CHILD', email: 'z@hidden.test' };
  expect(await find(token, 'zOE')).toEqual([found]);
  expect(await find(token, 'hidden.test')).toEqual([found]);
  expect(await find(token)).toHaveLength(20);
  expect(await find(token, 'zoe', 'PARENT')).toEqual([]);
  expect(await find(token, 'zoe', 'CHILD')).toEqual([found]);
  expect(await find(ann.token, '100%')).toEqual([{ ...found, email: null }]);
  // A search must not confirm an address that the caller cannot see.
  expect(await find(ann.token, 'hidden.test')).toEqual([]);
  expect(await find(zoe.token, 'Zoe')).toBe('INSUFFICIENT_ROLE');
  const other = await makeStage(app);
  expect(await find(other.token, 'Zoe')).toEqual([]);
});
