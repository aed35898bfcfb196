import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeMember, makeMembership, makeStage, makeToken } from '../helpers/world.ts';

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

const SET = /* GraphQL */ `
  mutation ($input: SetAvailabilityInput!) { setAvailability(input: $input) { weekday } }`;
const BOOK = /* GraphQL */ `mutation ($input: BookInput!) { book(input: $input) { id status } }`;
const CANCEL = /* GraphQL */ `mutation ($id: ID!) { cancelBooking(input: { id: $id }) { id status } }`;
const ATTEND = /* GraphQL */ `
  mutation ($id: ID!) { noteAttendance(input: { bookingId: $id }) { id attendedAt } }`;
const SETTING = /* GraphQL */ `
  mutation ($allowed: Boolean!) { updateCenter(input: { guardianBooking: $allowed }) { settings } }`;
const SEES = /* GraphQL */ `query ($input: ScheduleInput!) {
  schedule(input: $input) { bookings { items { id attendedAt } } }
}`;

const ZONE = 'Europe/Berlin';
/** A Monday well ahead, so that nothing in it is past. */
const monday = (() => {
  const soon = Temporal.Now.plainDateISO(ZONE).add({ days: 14 });
  return soon.add({ days: 8 - soon.dayOfWeek });
})();
const at = (hour: number) =>
  monday.toZonedDateTime({ timeZone: ZONE, plainTime: { hour } }).toInstant().toString();

/** The value of a call, or the error code. */
async function ask(document: string, variables: Record<string, unknown>, token: string) {
  const { data, errors } = await running.graphql(document, variables, token);
  return errors ? (errors[0]!.extensions.code as string) : (Object.values(data)[0] as { id: string });
}
const cancel = async (id: string, token: string) => {
  const answer = await ask(CANCEL, { id }, token);
  return typeof answer === 'string' ? answer : 'canceled';
};

async function tie(centerId: number, guardianId: string, childId: string) {
  await running.app.db.acrossTenants.guardianship.create({ data: { centerId, guardianId, childId } });
}

/** A center with an instructor who works on Mondays, and a parent with a child. */
async function makeFamily() {
  const { app, graphql } = running;
  const stage = await makeStage(app);
  const instructor = await makeMember(app, stage.center.id, 'INSTRUCTOR', { name: 'Ann' });
  const parent = await makeMember(app, stage.center.id, 'PARENT', { name: 'Pat' });
  const child = await makeMember(app, stage.center.id, 'CHILD', { name: 'Kim' });
  await tie(stage.center.id, parent.actor.id, child.actor.id);
  const rules = [{ weekday: 1, startMinute: 480, endMinute: 1_080, slotMinutes: 60 }];
  await graphql(SET, { input: { instructorId: instructor.actor.id, rules } }, stage.token);
  const book = (token: string, hour: number, forActorId?: string) =>
    ask(BOOK, { input: { instructorId: instructor.actor.id, startsAt: at(hour), forActorId } }, token);
  const booked = async (token: string, hour: number, forActorId?: string) => {
    const answer = await book(token, hour, forActorId);
    if (typeof answer === 'string') throw new Error(answer);
    return answer.id;
  };
  return { ...stage, instructor, parent, child, book, booked };
}

/** The ids of the bookings of the week that a member sees. */
async function seen(token: string): Promise<string[]> {
  const input = { from: monday.toString(), days: 7 };
  const { data } = await running.graphql(SEES, { input }, token);
  return data.schedule.bookings.items.map(({ id }: { id: string }) => id);
}

describe('a parent', () => {
  test('sees the bookings of its children, and books and cancels for them', async () => {
    const { token, parent, child, book, booked } = await makeFamily();
    const own = await booked(parent.token, 8, child.actor.id);
    const byStaff = await booked(token, 9, child.actor.id);
    const forParent = await booked(parent.token, 10);
    expect(await seen(parent.token)).toEqual([own, byStaff, forParent]);
    expect(await seen(child.token)).toEqual([own, byStaff]);
    const { data } = await running.graphql(`{ bookingGuests { name role email } }`, {}, parent.token);
    expect(data.bookingGuests).toEqual([
      { name: 'Kim', role: 'CHILD', email: null },
      { name: 'Pat', role: 'PARENT', email: null },
    ]);
    expect(await cancel(byStaff, parent.token)).toBe('canceled');
    expect(await seen(child.token)).toEqual([own]);
    expect(await book(parent.token, 9, child.actor.id)).toMatchObject({ status: 'BOOKED' });
  });

  test('cannot see, book or cancel for the child of another family', async () => {
    const { app } = running;
    const { center, token, parent, child, book, booked } = await makeFamily();
    const neighbor = await makeMember(app, center.id, 'PARENT');
    const id = await booked(token, 8, child.actor.id);
    expect(await book(neighbor.token, 9, child.actor.id)).toBe('FORBIDDEN');
    expect(await book(parent.token, 9, neighbor.actor.id)).toBe('FORBIDDEN');
    expect(await cancel(id, neighbor.token)).toBe('NOT_FOUND');
    expect(await seen(neighbor.token)).toEqual([]);
    const rest = await running.call('DELETE', `/bookings/${id}`, { token: neighbor.token });
    expect([rest.status, rest.body.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('gets no rights in a center from a guardianship of another center', async () => {
    const { app } = running;
    const { center, token, book, booked } = await makeFamily();
    const hostile = await makeStage(app);
    const stranger = await makeMember(app, hostile.center.id, 'PARENT');
    const victim = await makeMember(app, center.id, 'CHILD');
    await makeMembership(app, victim.actor.id, hostile.center.id, 'CHILD');
    await tie(hostile.center.id, stranger.actor.id, victim.actor.id);
    const id = await booked(token, 8, victim.actor.id);
    // The stranger is a member here too, but this center has linked no one to them.
    await makeMembership(app, stranger.actor.id, center.id, 'PARENT');
    const here = await makeToken(app, stranger.actor.id, center.id);
    expect(await seen(here)).toEqual([]);
    expect(await book(here, 9, victim.actor.id)).toBe('FORBIDDEN');
    expect(await cancel(id, here)).toBe('NOT_FOUND');
    // From the other center, this center's instructor and booking do not exist.
    expect(await book(stranger.token, 9, victim.actor.id)).toBe('NOT_FOUND');
    expect(await cancel(id, stranger.token)).toBe('NOT_FOUND');
  });

  test('loses access to bookings with the guardianship, and cannot book for a suspended child', async () => {
    const { app } = running;
    const { center, token, parent, child, book, booked } = await makeFamily();
    const id = await booked(parent.token, 8, child.actor.id);
    const move = (status: 'ACTIVE' | 'SUSPENDED') =>
      app.db.acrossTenants.membership.update({ where: { id: child.membership.id }, data: { status } });
    await move('SUSPENDED');
    expect(await book(parent.token, 9, child.actor.id)).toBe('FORBIDDEN');
    await move('ACTIVE');
    expect(await seen(parent.token)).toEqual([id]);
    await running.graphql(
      `mutation ($input: GuardianshipInput!) { untieGuardian(input: $input) { childId } }`,
      { input: { guardianId: parent.actor.id, childId: child.actor.id } },
      token,
    );
    expect(await app.db.acrossTenants.guardianship.count({ where: { centerId: center.id } })).toBe(0);
    expect(await seen(parent.token)).toEqual([]);
    expect(await cancel(id, parent.token)).toBe('NOT_FOUND');
    expect(await book(parent.token, 9, child.actor.id)).toBe('FORBIDDEN');
  });

  test('can only view bookings if the center disables guardian booking', async () => {
    const { token, instructor, parent, child, book, booked } = await makeFamily();
    const id = await booked(parent.token, 8, child.actor.id);
    const allow = (allowed: boolean, by: string) => ask(SETTING, { allowed }, by);
    expect(await allow(false, token)).toMatchObject({ settings: { guardianBooking: false } });
    const calls = [
      book(parent.token, 9, child.actor.id),
      book(parent.token, 9),
      cancel(id, parent.token),
      allow(true, parent.token),
    ];
    expect(await Promise.all(calls)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'INSUFFICIENT_ROLE']);
    const posted = await running.call('POST', '/bookings', {
      token: parent.token,
      body: { instructorId: instructor.actor.id, startsAt: at(9), forActorId: child.actor.id },
    });
    const deleted = await running.call('DELETE', `/bookings/${id}`, { token: parent.token });
    expect([posted, deleted].map(({ status, body }) => [status, body.error.code])).toEqual([
      [403, 'FORBIDDEN'],
      [403, 'FORBIDDEN'],
    ]);
    expect(await seen(parent.token)).toEqual([id]);
    const { data } = await running.graphql(`{ centers { settings } }`, {}, parent.token);
    expect(data.centers[0].settings).toMatchObject({ guardianBooking: false });
    // Staff are not affected, and the setting works both ways.
    expect(await cancel(id, instructor.token)).toBe('canceled');
    await allow(true, token);
    expect(await book(parent.token, 8, child.actor.id)).toMatchObject({ status: 'BOOKED' });
  });
});

test('a child sees its own bookings, but can neither book nor cancel', async () => {
  const { app } = running;
  const { center, token, instructor, child, book, booked } = await makeFamily();
  const sibling = await makeMember(app, center.id, 'CHILD');
  const id = await booked(token, 8, child.actor.id);
  await booked(token, 9, sibling.actor.id);
  expect(await seen(child.token)).toEqual([id]);
  expect(await book(child.token, 10)).toBe('INSUFFICIENT_ROLE');
  expect(await book(child.token, 10, child.actor.id)).toBe('INSUFFICIENT_ROLE');
  expect(await cancel(id, child.token)).toBe('INSUFFICIENT_ROLE');
  const body = { instructorId: instructor.actor.id, startsAt: at(10), forActorId: child.actor.id };
  const posted = await running.call('POST', '/bookings', { token: child.token, body });
  expect([posted.status, posted.body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE']);
});

test('the instructor of a booking records attendance once it has started, as one record', async () => {
  const { app } = running;
  const { center, token, instructor, parent, child, booked } = await makeFamily();
  const colleague = await makeMember(app, center.id, 'INSTRUCTOR');
  const other = await makeStage(app);
  const id = await booked(colleague.token, 8, child.actor.id);
  expect(await ask(ATTEND, { id }, instructor.token)).toBe('CONFLICT');
  const startsAt = new Date(Date.now() - 600_000);
  const past = { startsAt, endsAt: new Date(startsAt.getTime() + 3_600_000) };
  await app.db.forCenter(center.id).booking.update({ where: { id }, data: past });
  expect(await ask(ATTEND, { id }, colleague.token)).toBe('FORBIDDEN');
  expect(await ask(ATTEND, { id }, parent.token)).toBe('INSUFFICIENT_ROLE');
  expect(await ask(ATTEND, { id }, child.token)).toBe('INSUFFICIENT_ROLE');
  expect(await ask(ATTEND, { id }, other.token)).toBe('NOT_FOUND');
  const first = await ask(ATTEND, { id }, instructor.token);
  expect(first).toEqual({ id, attendedAt: expect.any(String) });
  expect(await ask(ATTEND, { id }, token)).toEqual(first);
  const rows = await app.db.forCenter(center.id).attendance.findMany();
  expect(rows).toMatchObject([
    { attendeeId: child.actor.id, sessionRef: id, method: 'manual', occurredAt: startsAt },
  ]);
  const local = Temporal.Instant.fromEpochMilliseconds(startsAt.getTime()).toZonedDateTimeISO(ZONE);
  const input = { from: local.toPlainDate().toString(), days: 1 };
  const { data } = await running.graphql(SEES, { input }, parent.token);
  expect(data.schedule.bookings.items).toEqual([first]);
});
