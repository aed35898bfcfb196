import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { mailTo } from '../helpers/mail.ts';
import { makeMember, makeMembership, makeStage, makeToken } from '../helpers/world.ts';

let house: TestApp;
beforeAll(async () => {
  house = await startTestApp({ worker: true });
});
afterAll(() => house.close());

const ZONE = 'Europe/Berlin';
/** A Monday well ahead, so that nothing in it is past. */
const monday = (() => {
  const soon = Temporal.Now.plainDateISO(ZONE).add({ days: 14 });
  return soon.add({ days: 8 - soon.dayOfWeek });
})();
const at = (time: string) =>
  new Date(monday.toZonedDateTime({ timeZone: ZONE, plainTime: time }).toInstant().toString()).toISOString();
const MORNING = { weekday: 1, startMinute: 540, endMinute: 720, slotMinutes: 60 };

const SET = /* GraphQL */ `
  mutation ($input: SetAvailabilityInput!) { setAvailability(input: $input) { weekday requested } }`;
const CONFIRM_HOURS = /* GraphQL */ `
  mutation ($id: ID!) { confirmAvailability(input: { instructorId: $id }) { weekday requested } }`;
const HOURS = /* GraphQL */ `
  query ($id: ID!) {
    availability(instructorId: $id) { weekday }
    requestedAvailability(instructorId: $id) { weekday }
  }`;
const BOOK = `mutation ($input: BookInput!) { book(input: $input) { id status clashes confirmedAt } }`;
const CONFIRM = `mutation ($id: ID!) { confirmBooking(input: { id: $id }) { id status clashes } }`;
const CANCEL = `mutation ($id: ID!) { cancelBooking(input: { id: $id }) { id status } }`;
const LIST = `query { bookings(first: 100) { edges { node { id status clashes } } } }`;

/** The value of a mutation, or the error code. */
async function ask(document: string, variables: Record<string, unknown>, token: string) {
  const { data, errors } = await house.graphql(document, variables, token);
  return errors ? errors[0]!.extensions.code : Object.values(data as object)[0];
}

/** A clinic, its instructor, and a second center that the instructor joined later. */
async function makeTwoCenters() {
  const { app } = house;
  const clinic = await makeStage(app);
  const second = await makeStage(app);
  const ann = await makeMember(app, clinic.center.id, 'INSTRUCTOR', { name: 'Ann' });
  const id = ann.actor.id;
  await makeMembership(app, id, second.center.id, 'INSTRUCTOR');
  const annAtSecond = await makeToken(app, id, second.center.id);
  await ask(SET, { input: { instructorId: id, rules: [MORNING] } }, clinic.token);
  const book = (token: string, time: string) =>
    ask(BOOK, { input: { instructorId: id, startsAt: at(time) } }, token);
  const slots = async (stage: typeof clinic) => {
    const path = `/centers/${stage.center.centerDomain}/available-slots?date=${monday}`;
    const { body } = await house.call('GET', path, { token: stage.token });
    return body.data.map(({ startsAt }: { startsAt: string }) => startsAt);
  };
  return { clinic, second, ann, id, annAtSecond, book, slots };
}

/** The same, with hours in the second center that the instructor confirmed. */
async function makeBothOpen() {
  const stage = await makeTwoCenters();
  const { second, id, annAtSecond } = stage;
  await ask(SET, { input: { instructorId: id, rules: [MORNING] } }, second.token);
  await ask(CONFIRM_HOURS, { id }, annAtSecond);
  return stage;
}

const all = () => [at('09:00'), at('10:00'), at('11:00')];

describe('hours of an instructor in a second center', () => {
  test('need confirmation by the instructor; until then the previous hours stay in force', async () => {
    const { second, ann, id, annAtSecond, slots } = await makeTwoCenters();
    const input = { instructorId: id, rules: [MORNING] };
    expect(await ask(SET, { input }, second.token)).toEqual([{ weekday: 1, requested: true }]);
    expect(await slots(second)).toEqual([]);
    expect((await house.graphql(HOURS, { id }, second.token)).data).toEqual({
      availability: [],
      requestedAvailability: [{ weekday: 1 }],
    });
    expect(await ask(CONFIRM_HOURS, { id }, second.token)).toBe('FORBIDDEN');
    expect(await ask(CONFIRM_HOURS, { id }, annAtSecond)).toEqual([{ weekday: 1, requested: false }]);
    expect(await slots(second)).toEqual(all());
    expect(await ask(CONFIRM_HOURS, { id }, annAtSecond)).toBe('NOT_FOUND');

    const other = { instructorId: id, rules: [{ ...MORNING, endMinute: 600 }] };
    await ask(SET, { input: other }, second.token);
    expect(await slots(second)).toEqual(all());
    await ask(SET, { input: { ...input, rules: [] } }, second.token);
    expect(await slots(second)).toEqual([]);
    const mail = await mailTo(house, ann.actor.email!, 'asks you');
    expect(mail.subject).toContain('asks you to confirm');
    expect(mail.links[0]).toMatch(new RegExp(`/c/${second.center.centerDomain}/calendar$`));
  });

  test('need no confirmation if the instructor sets them', async () => {
    const { second, id, annAtSecond, slots } = await makeTwoCenters();
    const input = { instructorId: id, rules: [MORNING] };
    expect(await ask(SET, { input }, annAtSecond)).toEqual([{ weekday: 1, requested: false }]);
    expect(await slots(second)).toEqual(all());
  });
});

describe('bookings of an instructor in a second center', () => {
  test('are not visible to the other center, neither as missing slots nor as conflicts', async () => {
    const { clinic, second, annAtSecond, book, slots } = await makeBothOpen();
    expect(await book(clinic.token, '09:00')).toMatchObject({ status: 'BOOKED' });
    expect(await slots(second)).toEqual(all());
    const atNine = await book(second.token, '09:00');
    const atTen = await book(second.token, '10:00');
    // The result for the second center does not depend on the clinic's booking.
    expect(atNine).toEqual({ ...atTen, id: atNine.id });
    expect(atTen).toMatchObject({ status: 'REQUESTED', clashes: false, confirmedAt: null });
    expect(await slots(second)).toEqual([at('11:00')]);
    expect(await slots(clinic)).toEqual([at('10:00'), at('11:00')]);

    expect(await ask(CONFIRM, { id: atTen.id }, annAtSecond)).toMatchObject({ status: 'BOOKED' });
    expect(await slots(clinic)).toEqual([at('10:00'), at('11:00')]);
    expect(await book(clinic.token, '10:00')).toMatchObject({ status: 'BOOKED', clashes: false });
    const { data } = await house.graphql(LIST, {}, second.token);
    expect(data.bookings.edges.map(({ node }: { node: object }) => node)).toEqual([
      { id: atTen.id, status: 'BOOKED', clashes: false },
      { id: atNine.id, status: 'REQUESTED', clashes: false },
    ]);
  });

  test('are confirmed by the instructor alone, who sees overlaps', async () => {
    const { clinic, second, ann, annAtSecond, book } = await makeBothOpen();
    const { id: inClinic } = await book(clinic.token, '09:00');
    const { id: inSecond } = await book(second.token, '09:00');
    expect(await ask(CONFIRM, { id: inSecond }, second.token)).toBe('FORBIDDEN');
    expect(await ask(CONFIRM, { id: inSecond }, clinic.token)).toBe('NOT_FOUND');
    expect(await ask(CONFIRM, { id: inSecond }, ann.token)).toBe('NOT_FOUND');
    const seen = await house.graphql(LIST, {}, annAtSecond);
    expect(seen.data.bookings.edges[0].node).toMatchObject({ id: inSecond, clashes: true });
    expect(await ask(CONFIRM, { id: inSecond }, annAtSecond)).toBe('CONFLICT');
    expect(await ask(CANCEL, { id: inClinic }, ann.token)).toMatchObject({ status: 'CANCELLED' });
    const confirmed = { id: inSecond, status: 'BOOKED', clashes: false };
    expect(await ask(CONFIRM, { id: inSecond }, annAtSecond)).toEqual(confirmed);

    // The clinic books over it: both centers keep their view, and the instructor gets a mail.
    expect(await book(clinic.token, '09:00')).toMatchObject({ status: 'BOOKED', clashes: false });
    expect((await mailTo(house, ann.actor.email!, 'overlap')).subject).toBe('Two of your bookings overlap');
    const later = await house.graphql(LIST, {}, annAtSecond);
    expect(later.data.bookings.edges[0].node).toMatchObject({ id: inSecond, clashes: true });
  });

  test('never overlap once confirmed, even if confirmed concurrently', async () => {
    const { app } = house;
    const { second, id, annAtSecond, book } = await makeBothOpen();
    const third = await makeStage(app);
    await makeMembership(app, id, third.center.id, 'INSTRUCTOR');
    const annAtThird = await makeToken(app, id, third.center.id);
    await ask(SET, { input: { instructorId: id, rules: [MORNING] } }, annAtThird);
    const requests = [await book(second.token, '09:00'), await book(third.token, '09:00')];
    const answers = await Promise.all(
      [annAtSecond, annAtThird].map((token, i) => ask(CONFIRM, { id: requests[i].id }, token)),
    );
    expect(answers.filter((answer) => answer === 'CONFLICT')).toHaveLength(1);
    // The database itself rejects two confirmed bookings at one time.
    const refused = app.db.acrossTenants.booking.updateMany({
      where: { id: { in: requests.map((each) => each.id) } },
      data: { status: 'BOOKED', confirmedAt: new Date() },
    });
    await expect(refused).rejects.toThrow();
  });

  test('made by the instructor are booked immediately, unless the instructor is busy', async () => {
    const { clinic, annAtSecond, book } = await makeBothOpen();
    await book(clinic.token, '09:00');
    expect(await book(annAtSecond, '09:00')).toBe('CONFLICT');
    expect(await book(annAtSecond, '10:00')).toMatchObject({ status: 'BOOKED' });
  });

  test('need no confirmation after the instructor has left the first center', async () => {
    const { clinic, second, ann, book } = await makeBothOpen();
    await house.graphql(
      `mutation ($id: ID!) { endMembership(input: { membershipId: $id }) { status } }`,
      { id: ann.membership.id },
      clinic.token,
    );
    expect(await book(second.token, '09:00')).toMatchObject({ status: 'BOOKED' });
  });
});

test('the audit log records who sets hours, books, confirms and cancels, without note or guest', async () => {
  const { clinic, second, ann, id, annAtSecond, book } = await makeBothOpen();
  const { id: booking } = await book(second.token, '09:00');
  await ask(CONFIRM, { id: booking }, annAtSecond);
  await ask(CANCEL, { id: booking }, second.token);
  await book(clinic.token, '11:00');
  const entries = async (centerId: number) =>
    (
      await house.app.db
        .forCenter(centerId)
        .auditEntry.findMany({ where: { type: 'center.updated' }, orderBy: { id: 'asc' } })
    ).map(({ actorId, target, detail }) => [actorId, target, detail]);
  const about = { kind: 'booking', instructorId: id, startsAt: at('09:00') };
  const admin = second.admin.actor.id;
  expect(await entries(second.center.id)).toEqual([
    [admin, id, { change: 'requested', kind: 'hours', rules: 1 }],
    [ann.actor.id, id, { change: 'confirmed', kind: 'hours', rules: 1 }],
    [admin, booking, { change: 'requested', ...about }],
    [ann.actor.id, booking, { change: 'confirmed', ...about }],
    [admin, booking, { change: 'cancelled', ...about }],
  ]);
  expect(await entries(clinic.center.id)).toEqual([
    [clinic.admin.actor.id, id, { change: 'set', kind: 'hours', rules: 1 }],
    [clinic.admin.actor.id, expect.any(String), { change: 'booked', ...about, startsAt: at('11:00') }],
  ]);
});
