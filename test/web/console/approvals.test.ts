import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import { decisionDesk } from './decision-desk.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { expectGoodScreen } from './visitor.ts';

const stage = consoleStage();

/** Holds the timer that ends the time for undo; the test calls endUndo instead. */
const HOLD_UNDO = `(() => {
  const { setTimeout } = window;
  window.setTimeout = (then, ms, ...rest) => {
    if (ms !== 5000) return setTimeout(then, ms, ...rest);
    window.endUndo = then;
  };
})()`;

/** Waits until the page receives changes of decisions. */
const followsDecisions = (page: Page) =>
  page.waitForResponse((answer) => !!answer.request().postData()?.includes('subscription DecisionChanges'));

/** Disabled until the console knows how to approve the request. */
const enabledApprove = (page: Page) =>
  page.getByRole('button', { name: 'Approve', exact: true, disabled: false });

describe.runIf(hasBrowser)('approvals', () => {
  test('four windows over HTTP/1.1 share their streams, and another takes over when one closes', async () => {
    const { page, context, path, ask, close } = await decisionDesk(stage);
    const streams = new Set<Request>();
    context.on('response', (response) => {
      const request = response.request();
      if (request.headers()['accept'] === 'text/event-stream') streams.add(request);
    });
    const ended = (request: Request) => void streams.delete(request);
    context.on('requestfinished', ended);
    context.on('requestfailed', ended);
    const others = await Promise.all([1, 2, 3].map(() => context.newPage()));
    const windows = [page, ...others];
    for (const window of windows) {
      await window.goto(`${path}/approvals`);
      await window.getByText("You're all caught up").waitFor();
    }
    await eventually(() => streams.size === 2);
    await ask('Raise to three sessions');
    for (const window of windows) await window.getByText('Raise to three sessions').first().waitFor();
    expect(streams.size).toBe(2);
    // The first window holds the streams.
    const first = new Set(streams);
    await page.goto('/healthz');
    await eventually(() => streams.size === 2 && ![...streams].some((stream) => first.has(stream)));
    await ask('Raise to four sessions');
    for (const window of others) await window.getByRole('link', { name: /Approvals 2 waiting/ }).waitFor();
    for (const window of others) await window.close();
    await close();
  });

  test('Job: Approve or reject a request. A new request appears without a reload, shows its arguments first, and is approved with the keyboard alone', async () => {
    const { page, path, ask, center, admin, faults, close } = await decisionDesk(stage);
    // An earlier call of the same kind, to compare with.
    const earlier = await ask('Raise to two sessions', { riskScore: 0.1 });
    expect(earlier.body.data.outcome).toBe('completed');
    await Promise.all([followsDecisions(page), page.goto(`${path}/approvals`)]);
    await page.getByText("You're all caught up").waitFor();
    await ask('Raise to three sessions', {
      action: {
        type: 'plan.adjust',
        description: 'Raise to three sessions',
        input: { sessions: 3, goal: 'walk' },
      },
    });
    await page.getByRole('button', { name: /Raise to three sessions.*left/ }).waitFor();
    await page.getByRole('link', { name: /Approvals 1 waiting/ }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Raise to three sessions' }).waitFor();
    await page.getByText('Progress slowed down.').waitFor();
    const given = page.getByRole('table', { name: 'Exact arguments' });
    expect(await given.getByRole('row', { name: /sessions/ }).textContent()).toBe(' sessions3 Changed2');
    expect(await given.getByRole('row', { name: /goal/ }).textContent()).not.toContain('Changed');
    const order = await page.getByRole('article').getByRole('heading').allTextContents();
    expect(order.slice(1, 5)).toEqual([
      'Exact arguments',
      'Risk and reasoning',
      'What the policies require',
      'Your decision',
    ]);
    await expectGoodScreen(page, 'approvals');
    await page.evaluate(HOLD_UNDO);
    await enabledApprove(page).waitFor();
    await page.keyboard.press('r');
    await page.keyboard.type('Agreed with the family.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('You approved this request. It is sent in a few seconds.').waitFor();
    const status = async () => (await center.get('/decision-events?limit=1')).body.data[0].status;
    expect(await status()).toBe('recorded');
    const toast = page.getByRole('alert').filter({ hasText: 'Approved: Raise to three sessions.' });
    // The toast closes after some seconds.
    const announced = toast.getByRole('link', { name: 'Show the decision' }).waitFor();
    await Promise.all([announced, page.evaluate('endUndo()')]);
    await page.getByRole('status').getByText('You approved this request.').waitFor();
    expect(await status()).toBe('sealed');
    const events = await center.get('/decision-events?limit=1');
    const { rows } = await stage.running.app.db
      .declared('acrossTenants')
      .query('SELECT content FROM approval WHERE event_id = $1', [events.body.data[0].id]);
    expect(rows).toMatchObject([
      { content: { approver: { id: admin.actor.id }, reason: 'Agreed with the family.' } },
    ]);
    await page.keyboard.press('Escape');
    await page.getByText("You're all caught up").waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test('the layout is stable after a decision, a second key press has no effect, and undo cancels the decision', async () => {
    const { page, path, ask, center, close } = await decisionDesk(stage);
    for (const name of ['First', 'Second', 'Third']) await ask(`${name} request`);
    await Promise.all([followsDecisions(page), page.goto(`${path}/approvals`)]);
    const names = () =>
      page.getByRole('list', { name: 'Waiting requests' }).getByRole('button').allTextContents();
    await page.getByRole('button', { name: /Second request/ }).click();
    await page.evaluate(HOLD_UNDO);
    await enabledApprove(page).waitFor();
    const before = await names();
    await page.keyboard.press('a');
    await page.keyboard.press('a');
    await page.getByText('You approved this request. It is sent in a few seconds.').waitFor();
    await page.getByRole('heading', { name: 'Second request' }).waitFor();
    // A new request waits behind a button, so that the rows stay where they are.
    await ask('Fourth request');
    await page.getByRole('button', { name: 'Show 1 new request' }).waitFor();
    expect((await names()).map((text) => text.slice(0, 12))).toEqual(before.map((text) => text.slice(0, 12)));
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click();
    await enabledApprove(page).waitFor();
    const statuses = async () =>
      (await center.get('/decision-events')).body.data.map(({ status }: { status: string }) => status);
    expect(await statuses()).toEqual(['recorded', 'recorded', 'recorded', 'recorded']);
    await page.getByRole('button', { name: 'Show 1 new request' }).click();
    await page.getByRole('button', { name: /Fourth request/ }).waitFor();
    await close();
  });

  test('arguments longer than the screen must be scrolled through before anything can be decided', async () => {
    const { page, path, ask, center, close } = await decisionDesk(stage);
    const input = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`line${i}`, `Text ${i}`]));
    await ask('A long letter', { action: { type: 'letter.send', description: 'A long letter', input } });
    await page.goto(`${path}/approvals`);
    await page.getByRole('button', { name: /A long letter/ }).click();
    await page.getByText('Scroll through the arguments first.').waitFor();
    const approve = page.getByRole('button', { name: 'Approve', exact: true });
    expect(await approve.isDisabled()).toBe(true);
    await page.keyboard.press('a');
    await page.getByRole('row', { name: /line79/ }).scrollIntoViewIfNeeded();
    await page.getByText('Scroll through the arguments first.').waitFor({ state: 'detached' });
    await enabledApprove(page).waitFor();
    expect((await center.get('/decision-events?limit=1')).body.data[0].status).toBe('recorded');
    await close();
  });

  test('Job: Decide several requests. Requests are sorted, filtered and compared side by side, and risky ones must be opened before a bulk approval', async () => {
    const { page, path, ask, center, faults, close } = await decisionDesk(stage);
    const input = (sessions: number) => ({
      action: { type: 'plan.adjust', description: `Raise to ${sessions}`, input: { sessions } },
    });
    await ask('', { ...input(3), riskScore: 0.85 });
    await ask('', { ...input(4), riskScore: 0.95, expiresInSeconds: 600 });
    await ask('Call the family', {
      agent: { id: 'caller', name: 'Calling agent' },
      action: { type: 'family.call', description: 'Call the family' },
    });
    await page.goto(`${path}/approvals`);
    const list = page.getByRole('list', { name: 'Waiting requests' });
    const names = async () =>
      (await list.getByRole('button').allTextContents()).map((text) => /^(Raise to \d|Call)/.exec(text)?.[0]);
    await list.getByText('Call the family').waitFor();
    await page.getByRole('combobox', { name: 'Order' }).selectOption('risk');
    await expect.poll(names).toEqual(['Raise to 4', 'Call', 'Raise to 3']);
    await page.getByRole('combobox', { name: 'Order' }).selectOption('expiry');
    await expect.poll(names).toEqual(['Raise to 4', 'Raise to 3', 'Call']);
    await page.getByRole('combobox', { name: 'Agent' }).selectOption('caller');
    await expect.poll(names).toEqual(['Call']);
    await page.getByRole('combobox', { name: 'Agent' }).selectOption('planner');
    await page.waitForURL('**agent=planner**');
    await expectGoodScreen(page, 'approvals-filtered');

    await page.getByLabel('Choose Raise to 3').check();
    await page.getByLabel('Choose Raise to 4').check();
    await page.getByRole('button', { name: 'Approve all' }).click();
    await page.getByText(/Not included, because they are above the risk threshold/).waitFor();
    expect(await page.getByRole('button', { name: 'Approve them' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Compare' }).click();
    const both = page.getByRole('table', { name: 'Two requests side by side' });
    expect(await both.getByRole('row', { name: /sessions/ }).textContent()).toBe(' sessions43 Differs');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Approve all' }).click();
    await page.getByRole('button', { name: 'Approve them' }).click();
    await page.getByText('2 requests approved.').waitFor();
    const { data } = (await center.get('/decision-events?limit=3')).body;
    expect(data.map(({ status }: { status: string }) => status)).toEqual(['recorded', 'sealed', 'sealed']);
    expect(faults).toEqual([]);
    await close();
  });

  test('Job: Approve or reject a request. Rejecting requires a reason', async () => {
    const { page, path, ask, center, close } = await decisionDesk(stage);
    await ask('Third request');
    await page.goto(`${path}/approvals`);
    await page.getByRole('button', { name: /Third request/ }).click();
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByText('Enter a reason to reject the request.').waitFor();
    await page.getByRole('textbox', { name: 'Reason' }).fill('Not now.');
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByRole('status').getByText('You rejected this request.').waitFor();
    const status = async () => (await center.get('/decision-events?limit=1')).body.data[0].status;
    await eventually(async () => (await status()) === 'rejected');
    await close();
  });
});
