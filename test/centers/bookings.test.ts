import { randomUUID } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeActor, makeCenter, makeMember, makeStage, makeToken } from '../helpers/world.ts';

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

const SET = /* GraphQL */ `
  mutation ($input: SetAvailabilityInput!) {
    setAvailability(input: $input) { weekday startMinute endMinute slotMinutes }
  }`;
const BOOK = /* GraphQL */ `
  mutation ($input: BookInput!) {
    book(input: $input) { id instructorName bookedForId bookedForName bookedById startsAt endsAt status note }
  }`;
const CANCEL = /* GraphQL */ `mutation ($id: ID!) { cancelBooking(input: { id: $id }) { id status cancelledAt } }`;
const LIST = /* GraphQL */ `
  query ($filter: BookingFilter) { bookings(filter: $filter, first: 100) { edges { node { id note } } } }`;

const ZONE = 'Europe/Berlin';
/** A Monday well ahead, so that nothing in it is past. */
const monday = (() => {
  const soon = Temporal.Now.plainDateISO(ZONE).add({ days: 14 });
  return soon.add({ days: 8 - soon.dayOfWeek });
})();
const at = (time: string) =>
  monday.toZonedDateTime({ timeZone: ZONE, plainTime: time }).toInstant().toString();
const MORNING = { weekday: 1, startMinute: 540, endMinute: 720, slotMinutes: 60 };

/** A center whose instructor works on Monday mornings. */
async function makeSchedule(rules = [MORNING]) {
  const { app, graphql } = running;
  const stage = await makeStage(app);
  const instructor = await makeMember(app, stage.center.id, 'INSTRUCTOR', { name: 'Ann' });
  const { errors } = await graphql(SET, { input: { instructorId: instructor.actor.id, rules } }, stage.token);
  expect(errors).toBeUndefined();
  return { ...stage, instructor, instructorId: instructor.actor.id };
}

const slots = async (domain: string, token: string, query: Record<string, string> = {}) => {
  const path = `/centers/${domain}/available-slots?${new URLSearchParams({ date: monday.toString(), ...query })}`;
  const { body } = await running.call('GET', path, { token });
  return body.data?.map((slot: { startsAt: string }) => slot.startsAt) ?? body.error.code;
};

/** The booking, or the error code. */
async function book(token: string, input: Record<string, unknown>) {
  const { data, errors } = await running.graphql(BOOK, { input }, token);
  return errors ? { code: errors[0]!.extensions.code } : data.book;
}

const iso = (time: string) => new Date(at(time)).toISOString();

describe('free slots', () => {
  test('follow the weekly rules, exclude booked times, and include the instructor name', async () => {
    const { center, token, instructorId } = await makeSchedule();
    expect(await slots(center.centerDomain, token)).toEqual([iso('09:00'), iso('10:00'), iso('11:00')]);
    const { body } = await running.call(
      'GET',
      `/centers/${center.centerDomain}/available-slots?date=${monday}&instructorId=${instructorId}`,
      { token },
    );
    expect(body.data[0]).toEqual({
      startsAt: iso('09:00'),
      endsAt: iso('10:00'),
      instructorId,
      instructorName: 'Ann',
    });
    const { id } = await book(token, { instructorId, startsAt: at('10:00') });
    expect(await slots(center.centerDomain, token)).toEqual([iso('09:00'), iso('11:00')]);
    await running.graphql(CANCEL, { id }, token);
    expect(await slots(center.centerDomain, token)).toHaveLength(3);
    expect(await slots(center.centerDomain, token, { instructorId: randomUUID() })).toEqual([]);
  });

  test('of former instructors are not offered', async () => {
    const { center, token, instructor } = await makeSchedule();
    await running.app.db.acrossTenants.membership.update({
      where: { id: instructor.membership.id },
      data: { status: 'ENDED' },
    });
    expect(await slots(center.centerDomain, token)).toEqual([]);
    const booked = await book(token, { instructorId: instructor.actor.id, startsAt: at('09:00') });
    expect(booked).toEqual({ code: 'NOT_FOUND' });
  });

  test('default to today in the time zone of the center and exclude past slots', async () => {
    const wholeDay = Array.from({ length: 7 }, (_, i) => ({
      weekday: i + 1,
      startMinute: 0,
      endMinute: 1440,
      slotMinutes: 60,
    }));
    const { center, token } = await makeSchedule(wholeDay);
    // Far enough east that its day often differs from the UTC day.
    await running.app.db.acrossTenants.center.update({
      where: { id: center.id },
      data: { settings: { timezone: 'Pacific/Kiritimati' } },
    });
    const before = Temporal.Now.zonedDateTimeISO('Pacific/Kiritimati');
    const { body } = await running.call('GET', `/centers/${center.centerDomain}/available-slots`, { token });
    const after = Temporal.Now.zonedDateTimeISO('Pacific/Kiritimati');
    const left = (now: Temporal.ZonedDateTime) =>
      24 - now.hour - (now.minute || now.second || now.millisecond ? 1 : 0);
    expect([left(before), left(after)]).toContain(body.data.length);
    expect(await slots(center.centerDomain, token, { date: '2020-01-06' })).toEqual([]);
    expect(await slots(center.centerDomain, token, { date: '0000-01-03' })).toBe('VALIDATION_ERROR');
  });

  test('are correct on days with a daylight saving change', async () => {
    const night = { weekday: 7, startMinute: 0, endMinute: 300, slotMinutes: 60 };
    const { center, token } = await makeSchedule([night]);
    // Not today, whose first slots may be past.
    const tomorrow = Temporal.Now.zonedDateTimeISO(ZONE).add({ days: 1 });
    const changes = [tomorrow.getTimeZoneTransition('next')!];
    changes.push(changes[0]!.getTimeZoneTransition('next')!);
    const lengths = await Promise.all(
      changes.map(async (change) => {
        const hoursBefore = change.subtract({ minutes: 1 }).offsetNanoseconds;
        const longer = hoursBefore > change.offsetNanoseconds;
        const found: string[] = await slots(center.centerDomain, token, {
          date: change.toPlainDate().toString(),
        });
        const starts = found.map((start) => Date.parse(start));
        expect(starts.every((start, i) => i === 0 || start - starts[i - 1]! === 3_600_000)).toBe(true);
        return [longer, found.length];
      }),
    );
    // Five hours by the clock: six real ones in fall, four in spring.
    expect(lengths).toEqual(
      expect.arrayContaining([
        [true, 6],
        [false, 4],
      ]),
    );
  });

  test('are rejected for non-members and for invalid dates', async () => {
    const { center, token } = await makeSchedule();
    const other = await makeStage(running.app);
    expect(await slots(center.centerDomain, other.token)).toBe('NO_MEMBERSHIP');
    expect(await slots('nowhere', token)).toBe('CENTER_NOT_FOUND');
    for (const date of ['2026-02-30', 'tomorrow', '', '9999-12-31', '2026-1-1']) {
      expect(await slots(center.centerDomain, token, { date }), date).toBe('VALIDATION_ERROR');
    }
    expect(await slots(center.centerDomain, token, { instructorId: 'ann' })).toBe('VALIDATION_ERROR');
  });
});

describe('availability', () => {
  const set = async (token: string, instructorId: string, rules: unknown[]) =>
    (await running.graphql(SET, { input: { instructorId, rules } }, token)).errors?.[0]?.extensions.code ??
    'set';

  test('is set only by an ADMIN or the instructor', async () => {
    const { center, token, instructor, instructorId } = await makeSchedule();
    const colleague = await makeMember(running.app, center.id, 'INSTRUCTOR');
    const parent = await makeMember(running.app, center.id, 'PARENT');
    const other = await makeStage(running.app);
    expect(await set(instructor.token, instructorId, [MORNING])).toBe('set');
    expect(await set(colleague.token, instructorId, [MORNING])).toBe('INSUFFICIENT_ROLE');
    expect(await set(parent.token, instructorId, [MORNING])).toBe('INSUFFICIENT_ROLE');
    expect(await set(other.token, instructorId, [MORNING])).toBe('NOT_FOUND');
    expect(await set(token, parent.actor.id, [MORNING])).toBe('NOT_FOUND');
    expect(await set(token, instructorId, [])).toBe('set');
    expect(await slots(center.centerDomain, token)).toEqual([]);
    const { data } = await running.graphql(
      `query ($id: ID!) { availability(instructorId: $id) { weekday } }`,
      { id: colleague.actor.id },
      token,
    );
    expect(data.availability).toEqual([]);
  });

  test.each([
    [[{ ...MORNING, weekday: 0 }]],
    [[{ ...MORNING, weekday: 8 }]],
    [[{ ...MORNING, startMinute: 800 }]],
    [[{ ...MORNING, endMinute: 1441 }]],
    [[{ ...MORNING, slotMinutes: 0 }]],
    [[{ ...MORNING, slotMinutes: 181 }]],
    [[MORNING, { ...MORNING, startMinute: 600 }]],
  ])('%j is rejected', async (rules) => {
    const { token, instructorId } = await makeSchedule();
    expect(await set(token, instructorId, rules)).toBe('VALIDATION_ERROR');
  });
});

describe('booking', () => {
  test('of one slot by concurrent callers succeeds for exactly one', async () => {
    const { center, token, instructorId } = await makeSchedule();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => book(token, { instructorId, startsAt: at('09:00') })),
    );
    expect(answers.filter((answer) => answer.status === 'BOOKED')).toHaveLength(1);
    expect(answers.filter((answer) => answer.code === 'CONFLICT')).toHaveLength(19);
    expect(await running.app.db.forCenter(center.id).booking.count()).toBe(1);
  });

  test('accepts only free slots from the availability rules', async () => {
    const { token, instructorId } = await makeSchedule();
    const codes = await Promise.all(
      [at('09:30'), at('12:00'), '2020-01-06T09:00:00Z', '9999-12-31T23:00:00Z'].map((startsAt) =>
        book(token, { instructorId, startsAt }),
      ),
    );
    expect(codes).toEqual(Array.from({ length: 4 }, () => ({ code: 'VALIDATION_ERROR' })));
    expect(await book(token, { instructorId: randomUUID(), startsAt: at('09:00') })).toEqual({
      code: 'NOT_FOUND',
    });
    expect(await book(token, { instructorId: 'ann', startsAt: at('09:00') })).toEqual({
      code: 'VALIDATION_ERROR',
    });
  });

  test('is allowed to a PARENT for itself and its children, to staff for all members', async () => {
    const { app } = running;
    const { center, token, instructor, instructorId } = await makeSchedule();
    const parent = await makeMember(app, center.id, 'PARENT', { name: 'Pat' });
    const child = await makeMember(app, center.id, 'CHILD', { name: 'Kim' });
    const stranger = await makeMember(app, center.id, 'CHILD');
    await app.db.acrossTenants.guardianship.create({
      data: { centerId: center.id, guardianId: parent.actor.id, childId: child.actor.id },
    });

    const forChild = await book(parent.token, {
      instructorId,
      startsAt: at('09:00'),
      forActorId: child.actor.id,
      note: 'left knee',
    });
    expect(forChild).toMatchObject({
      instructorName: 'Ann',
      bookedForId: child.actor.id,
      bookedForName: 'Kim',
      bookedById: parent.actor.id,
      startsAt: iso('09:00'),
      endsAt: iso('10:00'),
      status: 'BOOKED',
      note: 'left knee',
    });
    const ten = { instructorId, startsAt: at('10:00') };
    expect(await book(parent.token, { ...ten, forActorId: stranger.actor.id })).toEqual({
      code: 'FORBIDDEN',
    });
    expect(await book(parent.token, { ...ten, forActorId: randomUUID() })).toEqual({ code: 'FORBIDDEN' });
    expect(await book(child.token, ten)).toEqual({ code: 'INSUFFICIENT_ROLE' });
    expect(await book(token, { ...ten, forActorId: randomUUID() })).toEqual({ code: 'NOT_FOUND' });
    expect((await book(parent.token, ten)).bookedForName).toBe('Pat');
    const eleven = { instructorId, startsAt: at('11:00'), forActorId: stranger.actor.id };
    expect((await book(instructor.token, eleven)).status).toBe('BOOKED');
  });
});

describe('bookings', () => {
  test('can be read and cancelled only by the people involved and by an ADMIN', async () => {
    const { app, graphql } = running;
    const { center, token, instructor, instructorId } = await makeSchedule();
    const colleague = await makeMember(app, center.id, 'INSTRUCTOR');
    const parent = await makeMember(app, center.id, 'PARENT');
    const neighbor = await makeMember(app, center.id, 'PARENT');
    const other = await makeStage(app);
    const { id } = await book(parent.token, { instructorId, startsAt: at('09:00') });

    const sees = async (by: string, filter = {}) =>
      (await graphql(LIST, { filter }, by)).data.bookings.edges.length === 1 &&
      (await graphql(`query ($id: ID!) { node(id: $id) { id } }`, { id }, by)).data.node !== null;
    const cancel = async (by: string) => {
      const { data, errors } = await graphql(CANCEL, { id }, by);
      return errors?.[0]?.extensions.code ?? data.cancelBooking.status;
    };
    expect(await Promise.all([token, instructor.token, parent.token].map((by) => sees(by)))).toEqual([
      true,
      true,
      true,
    ]);
    for (const { token: by } of [colleague, neighbor, other]) {
      expect(await sees(by)).toBe(false);
      expect(await cancel(by)).toBe('NOT_FOUND');
    }
    expect(await sees(token, { from: at('10:00') })).toBe(false);
    expect(await sees(token, { to: at('09:00') })).toBe(false);
    expect(await sees(token, { from: at('09:30'), to: at('09:45'), instructorId, status: 'BOOKED' })).toBe(
      true,
    );
    expect(await cancel(parent.token)).toBe('CANCELLED');
    expect(await cancel(token)).toBe('CANCELLED');
    expect(await sees(token, { status: 'BOOKED' })).toBe(false);
  });

  test('that have started cannot be cancelled', async () => {
    const { center, token, instructorId } = await makeSchedule();
    const { id } = await book(token, { instructorId, startsAt: at('09:00') });
    const past = { startsAt: new Date('2020-01-06T09:00:00Z'), endsAt: new Date('2020-01-06T10:00:00Z') };
    await running.app.db.forCenter(center.id).booking.update({ where: { id }, data: past });
    expect((await running.graphql(CANCEL, { id }, token)).errors![0]!.extensions.code).toBe('CONFLICT');
  });

  test('of a member who leaves are cancelled', async () => {
    const { app, graphql } = running;
    const { center, token, instructor, instructorId } = await makeSchedule();
    const parent = await makeMember(app, center.id, 'PARENT');
    const own = await book(parent.token, { instructorId, startsAt: at('09:00') });
    const other = await book(token, { instructorId, startsAt: at('10:00') });
    const end = (membershipId: string) =>
      graphql(
        `mutation ($id: ID!) { endMembership(input: { membershipId: $id }) { status } }`,
        { id: membershipId },
        token,
      );
    const statusOf = async ({ id }: { id: string }) =>
      (await app.db.forCenter(center.id).booking.findUniqueOrThrow({ where: { id } })).status;
    await end(parent.membership.id);
    expect([await statusOf(own), await statusOf(other)]).toEqual(['CANCELLED', 'BOOKED']);
    await end(instructor.membership.id);
    expect(await statusOf(other)).toBe('CANCELLED');
  });

  test('of a closed center are cancelled', async () => {
    const { app, graphql } = running;
    const { center, token, instructorId } = await makeSchedule();
    const { id } = await book(token, { instructorId, startsAt: at('09:00') });
    const root = await makeActor(app, { platformAdmin: true });
    const rootToken = await makeToken(app, root.id, null);
    await graphql(
      `mutation ($id: ID!) { endCenter(input: { id: $id }) { id } }`,
      { id: center.id },
      rootToken,
    );
    expect(await app.db.forCenter(center.id).booking.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: 'CANCELLED',
    });
  });

  test('cannot be listed with a token that has no center', async () => {
    const center = await makeCenter(running.app);
    const { actor } = await makeMember(running.app, center.id);
    const nowhere = await makeToken(running.app, actor.id, null);
    expect((await running.graphql(LIST, {}, nowhere)).errors![0]!.extensions.code).toBe('NO_MEMBERSHIP');
  });
});
