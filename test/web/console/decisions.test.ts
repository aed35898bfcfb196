import { readFile } from 'node:fs/promises';
import type { Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { makeMember } from '../../helpers/world.ts';
import { proofStage } from '../../proof/stage.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { expectGoodScreen, PASSWORD, startSession, visitor } from './visitor.ts';

const stage = consoleStage();

/** A center with an administrator at the screen. */
async function atTheScreen() {
  const center = await proofStage(stage.running);
  const admin = await makeMember(stage.running.app, center.center.id, 'ADMIN', {
    name: 'Ada Lovelace',
    password: PASSWORD,
  });
  const desk = await visitor(stage.browser, stage.running);
  await startSession(desk.page, admin.actor.email!);
  const path = `/c/${center.center.centerDomain}`;
  const ask = (description: string, change: object = {}) =>
    center.post('/agents/decide', {
      agent: { id: 'planner', name: 'Planning agent' },
      action: {
        type: 'plan.adjust',
        description,
        input: { sessions: 2, goal: 'walk' },
        output: { sessions: 3, goal: 'walk' },
      },
      aiContext: { model: 'm', confidence: 0.8, reasoning: 'Progress slowed down.' },
      riskScore: 0.9,
      ...change,
    });
  return { ...desk, center, admin, path, ask };
}

/** Asks for a page of decisions behind the first. */
const NEXT_PAGE = /query DecisionList.*"after":"/;
const isNextPage = (request: Request) => NEXT_PAGE.test(request.postData() ?? '');

/** Notes when other rows are first painted, and when such a page is next asked for. */
const NOTE_ORDER = `(() => {
  const { fetch } = window;
  const asked = new Promise((resolve) => {
    window.fetch = (address, request) => {
      if (${NEXT_PAGE}.test(request?.body)) resolve(performance.now());
      return fetch(address, request);
    };
  });
  const painted = new Promise((resolve) => {
    const watcher = new MutationObserver(() => requestAnimationFrame(() => resolve(performance.now())));
    watcher.observe(document.querySelector('tbody'), { subtree: true, childList: true, characterData: true });
  });
  window.inOrder = Promise.all([painted, asked]);
})()`;

describe.runIf(hasBrowser)('approvals', () => {
  test('a request appears by itself, is compared, and approved by keyboard alone', async () => {
    const { page, path, ask, center, admin, faults, close } = await atTheScreen();
    await page.goto(`${path}/approvals`);
    await page.getByText('Nothing waits for you').waitFor();
    await ask('Raise to three sessions');
    await page.getByRole('button', { name: /Raise to three sessions/ }).waitFor();
    await page.getByRole('link', { name: /Approvals 1 waiting/ }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Raise to three sessions' }).waitFor();
    await page.getByText('Progress slowed down.').waitFor();
    const changed = page.getByRole('row', { name: /Sessions/ });
    expect(await changed.textContent()).toContain('Changed');
    await expectGoodScreen(page, 'approvals');
    await page.keyboard.press('r');
    await page.keyboard.type('Agreed with the family.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing waits for you').waitFor();
    const events = await center.get('/decision-events?limit=1');
    expect(events.body.data[0].status).toBe('sealed');
    const { rows } = await stage.running.app.db
      .declared('acrossTenants')
      .query('SELECT approver_id, reason FROM approval WHERE event_id = $1', [events.body.data[0].id]);
    expect(rows).toEqual([{ approver_id: admin.actor.id, reason: 'Agreed with the family.' }]);
    expect(faults).toEqual([]);
    await close();
  });

  test('rejecting asks for a reason; several are decided at once', async () => {
    const { page, path, ask, center, close } = await atTheScreen();
    for (const name of ['First', 'Second', 'Third']) await ask(`${name} request`);
    await page.goto(`${path}/approvals`);
    await page.getByRole('button', { name: /Third request/ }).click();
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByText('Say why you reject it.').waitFor();
    await page.getByLabel('Reason').fill('Not now.');
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByRole('button', { name: /Third request/ }).waitFor({ state: 'detached' });
    await page.getByLabel('Choose First request').check();
    await page.getByLabel('Choose Second request').check();
    await page.getByRole('button', { name: 'Approve all' }).click();
    await page.getByRole('button', { name: 'Approve them' }).click();
    await page.getByText('Nothing waits for you').waitFor();
    const { data } = (await center.get('/decision-events?limit=3')).body;
    expect(data.map(({ status }: { status: string }) => status)).toEqual(['rejected', 'sealed', 'sealed']);
    await close();
  });
});

describe.runIf(hasBrowser)('decisions', () => {
  test('the list is filtered and searched, and says so in its address', async () => {
    const { page, path, ask, faults, close } = await atTheScreen();
    for (let i = 0; i < 30; i++) await ask(`Routine ${i}`, { riskScore: 0.1 });
    await ask('The dangerous one');
    await page.goto(`${path}/decisions`);
    await page.getByText('31 decisions').waitFor();
    await expectGoodScreen(page, 'decisions');
    const older = page.getByRole('button', { name: 'Older' });
    await Promise.all([page.waitForResponse((answer) => isNextPage(answer.request())), older.hover()]);
    // From here on the service keeps its answers to itself: what is shown has been read before.
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/graphql', (route) => released.then(() => route.continue()));
    await page.evaluate(NOTE_ORDER);
    await older.click();
    await page.getByRole('link', { name: 'Routine 0', exact: true }).waitFor();
    await page.waitForURL('**after=**');
    // Whether it is still so is asked when it can be seen.
    const [painted, asked] = await page.evaluate<[number, number]>('window.inOrder');
    expect(asked).toBeGreaterThan(painted);
    release();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByLabel('Search').fill('dangerous');
    await page.waitForURL('**search=dangerous**');
    await page.getByText('1 decision', { exact: true }).waitFor();
    await page.getByLabel('Search').fill('100%_sure');
    await page.getByText('Nothing fits this filter').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Sealed');
    await page.waitForURL('**status=sealed**');
    await page.getByText('30 decisions').waitFor();
    await page.goto(`${path}/decisions?status=recorded`);
    await page.getByText('1 decision', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'The dangerous one' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('recorded');
    expect(faults).toEqual([]);
    await close();
  });

  test('one decision is told as it went, checked in the browser, and exported', async () => {
    const { page, path, ask, faults, close } = await atTheScreen();
    const { eventId } = (await ask('Send a reminder', { riskScore: 0.1 })).body.data;
    await page.goto(`${path}/decisions/${eventId}`);
    await page.getByRole('heading', { name: 'Send a reminder' }).waitFor();
    await page.getByText('Sealed as record 0 of the proof chain').waitFor();
    await page
      .getByRole('status')
      .getByText(/^Proven/)
      .waitFor();
    await page.getByText('Risk threshold').waitFor();
    await expectGoodScreen(page, 'decision');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export the proof' }).click(),
    ]);
    const document = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(document['@type']).toBe('DecisionProof');
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    await page.getByLabel('Only what I choose').check();
    await page.getByLabel('The name of the actor').check();
    await page.getByRole('textbox', { name: 'Why' }).fill('The person asked for it.');
    await page.getByRole('button', { name: 'Erase for good' }).click();
    await page.getByText('Erased: the name of the actor').waitFor();
    await page
      .getByRole('status')
      .getByText(/a part is withheld, erased or missing/)
      .waitFor();
    await page.getByText('Planning agent').first().waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain('Planning agent');
    await page
      .getByRole('link', { name: /of the journal/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Journal' }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test('what is not there or not allowed is said plainly', async () => {
    const { page, path, center, close } = await atTheScreen();
    await page.goto(`${path}/decisions/evt_unknown`);
    await page.getByText('There is nothing at this address').waitFor();
    await expectGoodScreen(page, 'not-there');
    const parent = await makeMember(stage.running.app, center.center.id, 'PARENT', { password: PASSWORD });
    const other = await visitor(stage.browser, stage.running);
    await startSession(other.page, parent.actor.email!);
    await other.page.goto(`${path}/decisions`);
    await other.page.getByText('You cannot see this here').waitFor();
    await expectGoodScreen(other.page, 'not-allowed');
    await other.close();
    await close();
  });
});
