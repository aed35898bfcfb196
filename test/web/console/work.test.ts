import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';
import { inOneDay } from '../../helpers/same-day.ts';
import { makeCenter, makeKey, makeMember, makeMembership, makeStage } from '../../helpers/world.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { administrator, expectGoodScreen, PASSWORD, startSession, visitor } from './visitor.ts';

const ZONE = 'Europe/Berlin';
// Nothing is signed on schedule while a user is about to sign.
const stage = consoleStage({ worker: true, env: { CHECKPOINT_SECONDS: '300' } });

describe.runIf(hasBrowser)('workflows', () => {
  test('a workflow is written with immediate validation, run, reviewed, retried at the failed step and scheduled', async () => {
    const { page, open, follow, faults, close } = await administrator(stage);
    await open('/workflows');
    await page.getByText('No workflows yet').waitFor();
    await page.getByRole('link', { name: 'New workflow' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Discharge');
    const first = page.getByRole('region', { name: 'Step 1' });
    await first.getByRole('textbox', { name: 'Text' }).fill('Hello {{ steps.nobody.text }}');
    await first.getByText('Reads steps.nobody, which does not run before this step.').waitFor();
    expect(await page.getByRole('button', { name: 'Save workflow' }).isDisabled()).toBe(true);
    await expectGoodScreen(page, 'workflow-editor');
    await first
      .getByRole('textbox', { name: 'Text' })
      .fill('{{ center.name }} lets {{ parameters.patient }} go.');
    await page.getByRole('button', { name: 'Add parameter' }).click();
    await page.getByLabel('Name', { exact: true }).last().fill('patient');
    await page.getByLabel('Shown as').fill('Patient');
    await page.getByRole('combobox', { name: 'Add step' }).click();
    await page.getByRole('option', { name: 'Review' }).click();
    const QUESTION = 'Let {{ parameters.patient }} go?';
    // Nothing can be saved during the last check: a click at that moment would be lost.
    const checked = page.waitForResponse((response) => !!response.request().postData()?.includes(QUESTION));
    await page
      .getByRole('region', { name: 'Step 2' })
      .getByRole('textbox', { name: 'Question' })
      .fill(QUESTION);
    await checked;
    await page.getByRole('button', { name: 'Save workflow' }).click();

    await page.getByRole('heading', { name: 'Discharge' }).waitFor();
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByLabel('Patient').fill('Mr Grey');
    await page.getByRole('button', { name: 'Run it' }).click();
    await page.getByText('Let Mr Grey go?').waitFor({ timeout: 90_000 });
    await expectGoodScreen(page, 'workflow-run');
    await page.getByLabel('Reason').fill('Not yet.');
    await page.getByRole('button', { name: 'No', exact: true }).click();
    await page.getByText('step2: rejected').waitFor();

    await page.getByRole('button', { name: 'Retry from the failed step' }).click();
    await page.getByText('Let Mr Grey go?').waitFor({ timeout: 90_000 });
    // The question is also in Approvals, counted by its badge and by the overview.
    await page.getByRole('link', { name: /^Approvals\s*1\s*waiting$/ }).waitFor();
    await follow('Overview');
    await page
      .getByRole('link', { name: /Waiting for approval\s*1\s*Including 1 question from workflows/ })
      .click();
    await page.getByRole('row', { name: /Let Mr Grey go\?/ }).waitFor();
    await expectGoodScreen(page, 'approvals-workflow-question');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Yes, continue' }).click();
    await page.getByText("You're all caught up").waitFor();
    await follow('Workflows');
    await page
      .getByRole('row', { name: /Discharge.*Completed/ })
      .first()
      .waitFor({ timeout: 90_000 });
    const { rows } = await stage.running.app.db.declared('acrossTenants').query(
      `SELECT count(*)::int AS runs, count(DISTINCT s.started_at)::int AS beginnings
       FROM workflow_step_run s WHERE s.name = 'text'`,
    );
    // The first step was reused, not run again.
    expect(rows).toEqual([{ runs: 2, beginnings: 1 }]);

    await page
      .getByRole('row', { name: /Discharge/ })
      .first()
      .getByRole('link', { name: 'Discharge' })
      .click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Remove patient' }).click();
    await page
      .getByRole('region', { name: 'Step 1' })
      .getByRole('textbox', { name: 'Text' })
      .fill('Good morning.');
    await page
      .getByRole('region', { name: 'Step 2' })
      .getByRole('textbox', { name: 'Question' })
      .fill('Open the doors?');
    await page.getByRole('radiogroup', { name: 'Trigger' }).getByText('A schedule').click();
    await page.getByRole('combobox', { name: 'Runs' }).click();
    await page.getByRole('option', { name: 'Expert: cron expression' }).click();
    await page.getByLabel('Cron expression').fill('61 8 * * 1');
    await page.getByText('1 problem to fix').waitFor();
    await page.getByRole('combobox', { name: 'Runs' }).click();
    await page.getByRole('option', { name: 'On days of the week' }).click();
    await page.getByText('Thu', { exact: true }).click();
    expect(await page.getByRole('checkbox', { name: 'Thursdays' }).isChecked()).toBe(true);
    await page.getByLabel('Time of day').fill('06:45');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Asia/Tok');
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    await page.getByText('Next runs, in Asia/Tokyo:').waitFor();
    await expectGoodScreen(page, 'workflow-schedule');
    await page.getByRole('button', { name: 'Save as new version' }).click();
    await page.getByText(/Version 2, saved/).waitFor();
    await page.getByRole('list', { name: 'Next runs' }).waitFor();
    const runs = await page.getByRole('list', { name: 'Next runs' }).getByRole('listitem').allTextContents();
    expect(runs).toHaveLength(5);
    // The screen uses the time zone of the schedule and names it once.
    for (const run of runs) expect(run).toMatch(/06:45$/);
    expect(await page.getByText('Times in Asia/Tokyo.').count()).toBe(1);
    await page.getByText('Mondays and Thursdays at 06:45').waitFor();
    await expectGoodScreen(page, 'workflow');
    await follow('Workflows');
    await page.getByText('Times in Europe/Berlin.').waitFor();
    await page.getByRole('row', { name: /Discharge.*On a schedule in Asia\/Tokyo/ }).waitFor();
    await expectGoodScreen(page, 'workflows');
    expect(faults).toEqual([]);
    await close();
  });
});

describe.runIf(hasBrowser)('workflow branches', () => {
  test('Job: Build a workflow. Both sides of a branch are built with autocompletion, tested in a dry run, guarded against unsaved changes, and run', async () => {
    const { page, open, follow, faults, close } = await administrator(stage);
    await page.setViewportSize({ width: 390, height: 844 });
    await open('/workflows/new');
    await page.getByLabel('Name', { exact: true }).fill('Refund');
    await page.getByRole('button', { name: 'Add parameter' }).click();
    await page.getByLabel('Name', { exact: true }).last().fill('amount');
    await page.getByRole('combobox', { name: 'Kind' }).last().click();
    await page.getByRole('option', { name: 'Number', exact: true }).click();
    await page.getByRole('combobox', { name: 'Add step', exact: true }).click();
    await page.getByRole('option', { name: 'Branch (if / else)' }).click();
    const condition = page.getByRole('textbox', { name: 'If', exact: true });
    // Typed by hand, so that completions are offered; the first one is accepted.
    await condition.pressSequentially('parameters.am');
    await page.getByRole('option', { name: /parameters\.amount/ }).waitFor();
    await condition.press('Enter');
    await condition.pressSequentially(' > 100.0 && facts.membrs > 0');
    await page.getByText(/Unknown property facts\.membrs: use facts\.members/).waitFor();
    await condition.fill('parameters.amount > 100.0');
    for (const [side, words] of [
      ['Add step if true', 'Ask a person about {{ parameters.amount }}.'],
      ['Add step otherwise', 'Paid at once.'],
    ] as const) {
      await page.getByRole('combobox', { name: side }).click();
      await page.getByRole('option', { name: 'Text', exact: true }).click();
      await page
        .getByRole('textbox', { name: 'Text', exact: true })
        .nth(side === 'Add step if true' ? 1 : 2)
        .fill(words);
    }
    await page.getByRole('combobox', { name: 'Add step', exact: true }).click();
    await page.getByRole('option', { name: 'Text', exact: true }).click();
    const last = page.getByRole('textbox', { name: 'Text', exact: true });
    await last.nth(3).fill('Amount: ');
    await page.getByRole('button', { name: 'Insert a value into Text' }).last().click();
    await page.getByRole('option', { name: /steps\.step2\.holds/ }).click();
    await last.first().fill('Refund.');
    expect(await last.nth(3).inputValue()).toBe('Amount: {{ steps.step2.holds }}');
    await page.setViewportSize({ width: 1280, height: 900 });
    await expectGoodScreen(page, 'workflow-branch');
    // A step moves to the other side, out of the branch, and back.
    const textsOf = (side: string) =>
      page
        .getByRole('region', { name: `step2: ${side}` })
        .getByRole('textbox', { name: 'Text', exact: true });
    const moveStep = async (number: number, place: string) => {
      await page.getByRole('button', { name: `Move step ${number} to another branch` }).click();
      await page.getByRole('menuitem', { name: place }).click();
    };
    await moveStep(4, 'step2: If true');
    await expect.poll(() => textsOf('If true').count()).toBe(2);
    expect(await textsOf('If true').last().inputValue()).toBe('Paid at once.');
    expect(await textsOf('Otherwise').count()).toBe(0);
    await moveStep(4, 'Main steps');
    await expect.poll(() => textsOf('If true').count()).toBe(1);
    expect(await last.nth(2).inputValue()).toBe('Paid at once.');
    await moveStep(4, 'step2: Otherwise');
    await expect.poll(() => textsOf('Otherwise').count()).toBe(1);

    await page.getByRole('button', { name: 'Dry run' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('amount').fill('500');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    const steps = dialog.getByRole('list', { name: 'Result of the dry run' }).getByRole('listitem');
    await steps.first().waitFor();
    const seen = async () =>
      (await steps.allTextContents()).map((text) => /^(Would run|Skipped)/.exec(text)?.[0]);
    expect(await seen()).toEqual(['Would run', 'Would run', 'Would run', 'Skipped', 'Would run']);
    await expectGoodScreen(page, 'workflow-dry-run');
    await dialog.getByLabel('amount').fill('5');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(seen).toEqual(['Would run', 'Would run', 'Skipped', 'Would run', 'Would run']);
    await page.keyboard.press('Escape');

    await follow('Overview');
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByText('Keep editing').click();
    await page.getByRole('button', { name: 'Save workflow' }).click();
    await page.getByRole('heading', { name: 'Refund' }).waitFor();
    await page.getByText('Paid at once.').waitFor();
    await page.getByRole('button', { name: 'Dry run' }).click();
    await dialog.getByLabel('amount').fill('5');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await expect.poll(seen).toEqual(['Would run', 'Would run', 'Skipped', 'Would run', 'Would run']);
    await page.keyboard.press('Escape');
    await page.getByText('No runs yet').waitFor();
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByLabel('amount').fill('5');
    await page.getByRole('button', { name: 'Run it' }).click();
    await page.getByText('Completed', { exact: true }).first().waitFor({ timeout: 90_000 });
    expect(await page.getByText(': skipped').count()).toBe(1);
    await page.getByRole('link', { name: 'Refund' }).first().click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await last.first().fill('Something else.');
    await follow('Overview');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('heading', { name: /^Good/ }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});

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
    await page.getByRole('heading', { name: 'Around record 8' }).waitFor();
    await page.getByLabel('Record number').fill('4');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('heading', { name: 'Around record 4' }).waitFor();
    const records = page.getByRole('list', { name: 'Records' }).getByRole('listitem');
    await records.nth(6).getByText('Hash fits').waitFor();
    expect(await records.getByText('Hash fits').count()).toBe(7);
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
    await dialog.getByLabel('Day', { exact: true }).fill(nextWeek);
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
  test('Job: Work through the day. An instructor records attendance, a parent books for a child, and the child sees the week', async () => {
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
    await inOneDay(ZONE, 60);
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
    await dialog.getByLabel('Day', { exact: true }).fill(inTwoDays);
    await dialog.getByRole('button', { name: '10:00' }).click();
    await dialog.getByRole('combobox', { name: 'For' }).click();
    expect(await parent.page.getByRole('option').allTextContents()).toEqual(['Kim Parent', 'Pat Parent']);
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
    await expectGoodScreen(teacher.page, 'certificates');
    await parent.page.getByRole('link', { name: 'Certificates', exact: true }).click();
    await parent.page.getByRole('link', { name: 'Kim Parent' }).click();
    await parent.page.getByRole('heading', { name: 'Walking without crutches' }).waitFor();
    expect(await parent.page.getByRole('link', { name: 'Show its record' }).count()).toBe(0);
    await parent.page.goto(`/c/${center.centerDomain}`);

    // The center disables booking by guardians: the parent still sees the week.
    await open('/settings');
    await desk.getByLabel('Guardians can book and cancel').uncheck();
    await desk.getByText('Saved.', { exact: true }).waitFor();
    await parent.page.reload();
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
