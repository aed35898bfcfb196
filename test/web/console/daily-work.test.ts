import type { Locator } from 'playwright-core';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';
import { inOneDay } from '../../helpers/same-day.ts';
import { makeCenter, makeKey, makeMember, makeMembership, makeStage } from '../../helpers/world.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { administrator, expectGoodScreen, PASSWORD, startSession, visitor } from './visitor.ts';

const ZONE = 'Europe/Berlin';

const stage = consoleStage({ worker: true, env: { CHECKPOINT_SECONDS: '300' } });

/** The slots of the previous day are shown until the new ones arrive; a day without slots keeps them apart. */
async function chooseDay(dialog: Locator, day: string): Promise<void> {
  const field = dialog.getByLabel('Day', { exact: true });
  await field.fill('2020-01-06');
  await dialog.getByText('No free slots on this day.').waitFor();
  await field.fill(day);
}

describe.runIf(hasBrowser)('the ledger', () => {
  test('all chains are verified, a chain head is signed, and the records around a position are shown as a chain', async () => {
    const { page, open, center, faults, close } = await administrator(stage);
    const key = await makeKey(stage.running.app, center.id);
    for (let n = 0; n < 9; n++) {
      const { body } = await stage.running.call('POST', '/v1/agents/decide', {
        token: key,
        body: { agent: { id: 'planner' }, action: { type: 'plan.adjust' }, riskScore: 0.1 },
      });
      expect(body.data.outcome).toBe('completed');
    }
    await open('/ledger');
    await page.getByRole('button', { name: 'Verify all chains' }).click();
    await page.getByText('All chains are valid.').waitFor();
    await page.getByRole('button', { name: 'Sign now Sealed decisions' }).click();
    await page.getByRole('row', { name: /Sealed decisions.*9.*All signed/ }).waitFor();
    await expectGoodScreen(page, 'ledger');
    await page.getByRole('link', { name: 'Sealed decisions' }).click();
    await page.getByRole('heading', { name: 'Around record 9' }).waitFor();
    await page.getByLabel('Record number').fill('4');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('heading', { name: 'Around record 4' }).waitFor();
    const records = page.getByRole('list', { name: 'Records' }).getByRole('listitem');
    await records.nth(6).getByText('Hash fits').waitFor();
    await expect.poll(() => records.getByText('Hash fits').count()).toBe(7);
    await page.getByRole('row', { name: /^9 / }).waitFor();
    await expectGoodScreen(page, 'chain');
    await page.getByRole('link', { name: 'View decision' }).first().click();
    await page.waitForURL('**/decisions/evt_*');
    expect(faults).toEqual([]);
    await close();
  });
});

describe.runIf(hasBrowser)('the calendar', () => {
  test('Job: Book a session. Hours are set, a free slot is booked and canceled, full days are marked, and a profile is changed', async () => {
    const { page, open, account, admin, center, faults, close } = await administrator(stage);
    const { app, graphql } = stage.running;
    const teacher = await makeMember(app, center.id, 'INSTRUCTOR', { name: 'Grace Hopper' });
    const pat = await makeMember(app, center.id, 'PARENT', { name: 'Pat Parent' });
    // Newer members, so that Pat is not on the first page.
    const newer = await app.db.acrossTenants.actor.createManyAndReturn({
      data: Array.from({ length: 101 }, (_, n) => ({ name: `Newer ${n}`, baseRole: 'CHILD' as const })),
    });
    await app.db.acrossTenants.membership.createMany({
      data: newer.map(({ id: actorId }) => ({
        id: newId('mbr'),
        actorId,
        centerId: center.id,
        role: 'CHILD' as const,
        status: 'ACTIVE' as const,
      })),
    });
    // Both days from one reading of the clock: past midnight on a Sunday, "next week" would differ.
    const [today, nextWeek] = [0, 7].map((days) =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
    ) as [string, string];
    await open(`/calendar?week=${today}&instructor=${teacher.actor.id}`);
    await page.getByText('No hours yet.').waitFor();
    for (let day = 0; day < 7; day++) await page.getByRole('button', { name: 'Add hours' }).click();
    await page.getByRole('button', { name: 'Save hours' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    // By keyboard: for some seconds the notification about the hours covers the button.
    await page.getByRole('button', { name: 'Book', exact: true }).press('Enter');
    const dialog = page.getByRole('dialog');
    await chooseDay(dialog, nextWeek);
    await dialog.getByRole('button', { name: '10:00' }).click();
    await dialog.getByRole('combobox', { name: 'For' }).fill('pat');
    await page.getByRole('option', { name: /Pat Parent/ }).click();
    await dialog.getByRole('button', { name: 'Confirm booking' }).click();
    await page.getByText('Booked.').waitFor();
    await page.getByRole('button', { name: 'Next week' }).click();
    await page.getByRole('button', { name: /10:00 to 11:00.*Pat Parent/ }).waitFor();
    await page.getByText('7 free').waitFor();
    await expectGoodScreen(page, 'calendar');

    // A fully booked day, and one with more concurrent bookings than fit side by side.
    const hours = `mutation ($input: SetAvailabilityInput!) { setAvailability(input: $input) { weekday } }`;
    const weekday = new Date(nextWeek).getUTCDay() || 7;
    const rules = [{ weekday, startMinute: 600, endMinute: 660, slotMinutes: 60 }];
    const { startsAt } = await app.db.acrossTenants.booking.findFirstOrThrow({
      where: { instructorId: teacher.actor.id },
    });
    const book = `mutation ($input: BookInput!) { book(input: $input) { id } }`;
    for (const name of ['Alan Turing', 'Edsger Dijkstra', 'Barbara Liskov']) {
      const instructorId = (await makeMember(app, center.id, 'INSTRUCTOR', { name })).actor.id;
      await graphql(hours, { input: { instructorId, rules } }, admin.token);
      const input = { instructorId, startsAt: startsAt.toISOString(), forActorId: pat.actor.id };
      expect((await graphql(book, { input }, admin.token)).errors).toBeUndefined();
    }
    await page.reload();
    await page.getByRole('combobox', { name: 'Therapist' }).click();
    await page.getByRole('option', { name: 'Alan Turing' }).click();
    await page.getByText('Full', { exact: true }).waitFor();
    await page.getByRole('button', { name: /10:00 to 11:00.*with Alan Turing/ }).waitFor();
    await open(`/calendar?week=${nextWeek}`);
    await page.getByRole('button', { name: '+3 more bookings' }).waitFor();
    await expectGoodScreen(page, 'calendar-busy');
    await page.getByRole('button', { name: '+3 more bookings' }).click();
    await dialog
      .getByRole('button', { name: /Pat Parent/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Cancel the booking of Pat Parent' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel booking' }).last().click();
    await page.getByRole('button', { name: '+2 more bookings' }).waitFor();
    await account();
    await page.getByLabel('Name', { exact: true }).fill('Ada King');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await page.getByRole('button', { name: /Ada King/ }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test('an instructor of two centers confirms the hours and the booking of the second one', async () => {
    const { app, graphql } = stage.running;
    const first = await makeCenter(app, { name: 'Harbour Clinic' });
    const second = await makeStage(app, { name: 'Hill School' });
    const grace = await makeMember(app, first.id, 'INSTRUCTOR', { name: 'Grace', password: PASSWORD });
    await makeMembership(app, grace.actor.id, second.center.id, 'INSTRUCTOR');
    const nextWeek = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
    const rules = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
      weekday,
      startMinute: 600,
      endMinute: 660,
      slotMinutes: 60,
    }));
    const instructorId = grace.actor.id;
    const hours = `mutation ($input: SetAvailabilityInput!) { setAvailability(input: $input) { weekday } }`;
    await graphql(hours, { input: { instructorId, rules } }, second.token);

    const { page, faults, close } = await visitor(stage.browser, stage.running);
    await startSession(page, grace.actor.email!);
    await page.goto(`/c/${second.center.centerDomain}/calendar?week=${nextWeek}`);
    await page.getByRole('button', { name: 'Confirm these hours' }).click();
    await page.getByText('The center asks for these hours').waitFor({ state: 'detached' });
    const { data } = await graphql(
      `query ($domain: String!, $date: Date) { availableSlots(domain: $domain, input: { date: $date }) { startsAt } }`,
      { domain: second.center.centerDomain, date: nextWeek },
      second.token,
    );
    const [{ startsAt }] = data.availableSlots;
    const book = `mutation ($input: BookInput!) { book(input: $input) { status } }`;
    expect((await graphql(book, { input: { instructorId, startsAt } }, second.token)).data.book.status).toBe(
      'REQUESTED',
    );
    await page.reload();
    await page.getByText('Waiting for you').waitFor();
    await expectGoodScreen(page, 'calendar-request');
    await page.getByRole('button', { name: /10:00 to 11:00.*Waiting for you/ }).click();
    await page.getByRole('button', { name: /^Confirm the booking of/ }).click();
    await page.getByText('Waiting for you').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /10:00 to 11:00/ }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});

describe.runIf(hasBrowser)('members of a center', () => {
  test('Job: Work through the day. An instructor records attendance, a parent books for a child, and the child sees the week', {
    timeout: 480_000,
  }, async () => {
    const { app, graphql } = stage.running;
    const {
      center,
      admin,
      page: desk,
      open,
      faults: deskFaults,
      close: closeDesk,
    } = await administrator(stage);
    const person = (role: 'INSTRUCTOR' | 'PARENT' | 'CHILD', name: string) =>
      makeMember(app, center.id, role, { name, password: PASSWORD });
    const grace = await person('INSTRUCTOR', 'Grace Hopper');
    const pat = await person('PARENT', 'Pat Parent');
    const kim = await person('CHILD', 'Kim Parent');
    await person('CHILD', 'Other Patient');
    await app.db.acrossTenants.guardianship.create({
      data: { centerId: center.id, guardianId: pat.actor.id, childId: kim.actor.id },
    });
    const rules = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
      weekday,
      startMinute: 540,
      endMinute: 720,
      slotMinutes: 60,
    }));
    const hours = `mutation ($input: SetAvailabilityInput!) { setAvailability(input: $input) { weekday } }`;
    await graphql(hours, { input: { instructorId: grace.actor.id, rules } }, admin.token);
    await inOneDay(ZONE, 240);
    const midnight = Temporal.Now.zonedDateTimeISO(ZONE).startOfDay().epochMilliseconds;
    const began = new Date(Math.max(midnight, Date.now() - 60_000));
    await app.db.acrossTenants.booking.create({
      data: {
        id: newId('bkg'),
        centerId: center.id,
        instructorId: grace.actor.id,
        bookedForId: kim.actor.id,
        bookedById: admin.actor.id,
        startsAt: began,
        endsAt: new Date(began.getTime() + 1_800_000),
        note: 'Left knee',
      },
    });

    // The parent books for the child, the only person they can see.
    const parent = await visitor(stage.browser, stage.running);
    await parent.page.goto(await startSession(parent.page, pat.actor.email!));
    await parent.page.getByRole('heading', { name: 'Your family’s week' }).waitFor();
    await parent.page.getByText('Guardian', { exact: true }).waitFor();
    await parent.page.getByRole('button', { name: 'Book', exact: true }).click();
    const dialog = parent.page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'With' }).click();
    await parent.page.getByRole('option', { name: 'Grace Hopper' }).click();
    const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    await chooseDay(dialog, inTwoDays);
    await dialog.getByRole('button', { name: '10:00' }).click();
    await dialog.getByRole('combobox', { name: 'For' }).click();
    await expect
      .poll(() => parent.page.getByRole('option').allTextContents())
      .toEqual(['Kim Parent', 'Pat Parent']);
    await parent.page.getByRole('option', { name: 'Kim Parent' }).click();
    await dialog.getByRole('button', { name: 'Confirm booking' }).click();
    await parent.page.getByText('Booked.').waitFor();
    await expectGoodScreen(parent.page, 'parent');

    // The instructor lands on the day view.
    const teacher = await visitor(stage.browser, stage.running);
    await teacher.page.goto(await startSession(teacher.page, grace.actor.email!));
    await teacher.page.getByRole('heading', { name: 'Today' }).waitFor();
    await teacher.page.getByText('Therapist', { exact: true }).waitFor();
    await teacher.page.getByRole('button', { name: 'Note that Kim Parent attended' }).click();
    await teacher.page.getByText('Attended', { exact: true }).waitFor();
    await expectGoodScreen(teacher.page, 'today');
    await teacher.page.getByRole('button', { name: /Left knee/ }).click();
    await teacher.page.getByRole('dialog').getByRole('button', { name: 'Issue certificate' }).click();
    await teacher.page.getByLabel('Title').fill('Walking without crutches');
    await teacher.page.getByLabel('Course').fill('walk-1');
    await teacher.page.getByRole('dialog').last().getByRole('button', { name: 'Issue certificate' }).click();
    await teacher.page.getByText('The certificate was issued and sealed.').waitFor();
    await teacher.page.goto(`/c/${center.centerDomain}/certificates`);
    await teacher.page.getByRole('row', { name: /Kim Parent.*Walking without crutches/ }).waitFor();
    await parent.page.getByRole('link', { name: 'Certificates', exact: true }).click();
    await parent.page.getByRole('link', { name: 'Kim Parent' }).click();
    await parent.page.getByRole('heading', { name: 'Walking without crutches' }).waitFor();
    expect(await parent.page.getByRole('link', { name: 'Show its record' }).count()).toBe(0);

    // The center disables booking by guardians: the parent still sees the week.
    await open('/settings');
    await desk.getByLabel('Guardians can book and cancel').uncheck();
    await desk.getByText('Saved.', { exact: true }).waitFor();
    await parent.page.goto(`/c/${center.centerDomain}`);
    await parent.page.getByText('To book or cancel, contact the center.').waitFor();
    await parent.page
      .getByRole('button', { name: /Kim Parent.*Grace Hopper/ })
      .first()
      .click();
    await parent.page.getByRole('dialog').getByText('With', { exact: true }).waitFor();
    expect(await parent.page.getByRole('button', { name: /^(Book|Cancel)/ }).count()).toBe(0);

    const child = await visitor(stage.browser, stage.running);
    await child.page.goto(await startSession(child.page, kim.actor.email!));
    await child.page.getByRole('heading', { name: 'Your week' }).waitFor();
    await child.page.getByText('Patient', { exact: true }).waitFor();
    await child.page
      .getByRole('button', { name: /^With Grace Hopper/ })
      .first()
      .waitFor();
    await expectGoodScreen(child.page, 'child');
    expect(await child.page.getByRole('button', { name: /^(Book|Cancel)/ }).count()).toBe(0);
    await child.page.getByRole('link', { name: 'Certificates', exact: true }).click();
    await child.page.getByRole('row', { name: /Kim Parent.*Walking without crutches/ }).waitFor();
    expect(await child.page.getByRole('button', { name: 'Issue certificate' }).count()).toBe(0);
    await expectGoodScreen(child.page, 'child-certificates');

    expect([deskFaults, parent.faults, teacher.faults, child.faults]).toEqual([[], [], [], []]);
    await Promise.all([closeDesk(), parent.close(), teacher.close(), child.close()]);
  });
});
