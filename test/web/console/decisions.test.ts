import { readFile } from 'node:fs/promises';
import type { Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { makeMember } from '../../helpers/world.ts';
import { decisionDesk } from './decision-desk.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { expectGoodScreen, PASSWORD, startSession, visitor } from './visitor.ts';

const stage = consoleStage();

/** Requests for a page of decisions after the first. */
const NEXT_PAGE = /query DecisionList.*"after":"/;
const isNextPage = (request: Request) => NEXT_PAGE.test(request.postData() ?? '');

/**
 * Records when other rows are first painted, and when such a page is next requested. The console waits at most 100 ms for a
 * frame, which may take longer here; that time starts once the rows are painted.
 */
const NOTE_ORDER = `(() => {
  const { fetch, setTimeout } = window;
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
  window.setTimeout = (then, ms, ...rest) =>
    ms === 100 ? void painted.then(() => setTimeout(then, ms)) : setTimeout(then, ms, ...rest);
  window.inOrder = Promise.all([painted, asked]);
})()`;

describe.runIf(hasBrowser)('decisions', () => {
  test('the list is filtered and searched, and the URL contains the filter', async () => {
    const { page, path, ask, faults, close } = await decisionDesk(stage);
    for (let i = 0; i < 30; i++) await ask(`Routine ${i}`, { riskScore: 0.1 });
    await ask('The dangerous one');
    await page.goto(`${path}/decisions`);
    await page.getByText('31 decisions').waitFor();
    await expectGoodScreen(page, 'decisions');
    const older = page.getByRole('button', { name: 'Older' });
    await Promise.all([page.waitForResponse((answer) => isNextPage(answer.request())), older.hover()]);
    // From here on the service does not answer: what is shown was read before.
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/graphql', (route) => released.then(() => route.continue()));
    await page.evaluate(NOTE_ORDER);
    await older.click();
    await page.getByRole('link', { name: 'Routine 0', exact: true }).waitFor();
    await page.waitForURL('**after=**');
    // The data is refreshed when it becomes visible.
    const [painted, asked] = await page.evaluate<[number, number]>('window.inOrder');
    expect(asked).toBeGreaterThan(painted);
    release();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByLabel('Search').fill('dangerous');
    await page.waitForURL('**search=dangerous**');
    await page.getByText('1 decision', { exact: true }).waitFor();
    await page.getByLabel('Search').fill('100%_sure');
    await page.getByText('No matching entries').waitFor();
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

  test('Job: Erase personal data. A decision is shown with its history, verified in the browser, exported and erased', async () => {
    const { page, path, ask, faults, close } = await decisionDesk(stage);
    const { eventId } = (await ask('Send a reminder', { riskScore: 0.1 })).body.data;
    await page.goto(`${path}/decisions/${eventId}`);
    await page.getByRole('heading', { name: 'Send a reminder' }).waitFor();
    await page.getByText('Sealed as record 1 of the proof chain').waitFor();
    await page
      .getByRole('status')
      .getByText(/^Proven/)
      .waitFor();
    await page.getByText('Risk threshold').waitFor();
    await expectGoodScreen(page, 'decision');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export proof' }).click(),
    ]);
    const document = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(document['@type']).toBe('DecisionProof');
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    await page.getByLabel('Selected values').check();
    await page.getByLabel('Actor name').check();
    await page.getByLabel('Input').check();
    await page.getByRole('textbox', { name: 'Why' }).fill('The person asked for it.');
    await page.getByRole('button', { name: 'Erase permanently' }).click();
    await page.getByText(/Erased: .*actor name/).waitFor();
    await page
      .getByText(/Erased on .*“The person asked for it.”/)
      .first()
      .waitFor();
    await page
      .getByRole('status')
      .getByText(/parts are withheld, erased or missing/)
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

  test('missing pages and missing permissions get a clear message', async () => {
    const { page, path, center, close } = await decisionDesk(stage);
    await page.goto(`${path}/decisions/evt_unknown`);
    await page.getByText('Page not found').waitFor();
    await expectGoodScreen(page, 'not-there');
    const parent = await makeMember(stage.running.app, center.center.id, 'PARENT', { password: PASSWORD });
    const other = await visitor(stage.browser, stage.running);
    await startSession(other.page, parent.actor.email!);
    const requests: string[] = [];
    other.page.on('response', async (response) => {
      if (response.url().endsWith('/graphql')) requests.push(await response.text().catch(() => ''));
    });
    for (const screen of ['decisions', 'audit', 'people', 'policies', 'workflows', 'ledger', 'webhooks']) {
      await other.page.goto(`${path}/${screen}`);
      const main = other.page.getByRole('main');
      await main.getByText('You do not have access').waitFor();
      // Neither filters nor buttons of a page that cannot be used, and no request that is refused.
      expect([screen, await main.getByRole('textbox').count()]).toEqual([screen, 0]);
      expect([screen, await main.getByRole('combobox').count()]).toEqual([screen, 0]);
      expect([screen, await main.getByRole('button').count()]).toEqual([screen, 0]);
    }
    expect(requests.filter((text) => text.includes('INSUFFICIENT_ROLE'))).toEqual([]);
    await other.page.goto(`${path}/audit`);
    await other.page.getByRole('heading', { name: 'Audit log' }).waitFor();
    await expectGoodScreen(other.page, 'not-allowed');
    await other.page.getByRole('link', { name: 'Go to the start page' }).click();
    await other.page.getByText('You do not have access').waitFor({ state: 'detached' });
    await other.close();
    await close();
  });
});
