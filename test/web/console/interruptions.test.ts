import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { makeMember } from '../../helpers/world.ts';
import { decisionDesk } from './decision-desk.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { expectGoodScreen, PASSWORD } from './visitor.ts';

const stage = consoleStage();

const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 900 };

/** The service does not answer; the files of the console are still delivered. */
const stopService = (page: Page) => page.route('**/graphql', (route) => route.abort('connectionrefused'));
const startService = (page: Page) => page.unroute('**/graphql');

const drafts = (page: Page): Promise<string[]> =>
  page.evaluate(`Object.keys(sessionStorage).filter((key) => key.startsWith('countersign-draft '))`);

async function signInAs(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email or phone').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
}

describe.runIf(hasBrowser)('interruptions', () => {
  test('Job: Decide on a phone through an interruption. The screen and the reason stay, one bar tells the cause, and the decision is sent once the service is back', async () => {
    const { page, path, ask, center, admin, close } = await decisionDesk(stage);
    const statuses = async () =>
      (await center.get('/decision-events')).body.data.map(({ status }: { status: string }) => status);
    await ask('Raise to three sessions');
    await page.setViewportSize(phone);
    await page.goto(`${path}/approvals`);
    const row = page.getByRole('listitem').filter({ hasText: 'Raise to three sessions' });
    await row.waitFor();
    // The whole row opens the request, its end too.
    const { x, y, width, height } = (await row.boundingBox())!;
    await page.mouse.click(x + width - 8, y + height / 2);
    const reason = page.getByRole('textbox', { name: 'Reason' });
    const approve = page.getByRole('button', { name: 'Approve', exact: true });
    const reject = page.getByRole('button', { name: 'Reject', exact: true });
    await approve.and(page.locator(':enabled')).waitFor();
    for (const control of [reason, approve, reject]) {
      const box = (await control.boundingBox())!;
      expect(box.y).toBeGreaterThan(phone.height * 0.75);
      expect(box.y + box.height).toBeLessThanOrEqual(phone.height);
    }
    // The end of the page is above the bar.
    const link = page.getByRole('link', { name: 'Open the full record' });
    await link.scrollIntoViewIfNeeded();
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    const end = (await link.boundingBox())!;
    expect(end.y + end.height).toBeLessThan((await reason.boundingBox())!.y);
    await expectGoodScreen(page, 'approvals-phone-bar');
    await page.setViewportSize(phone);

    await reason.fill('Agreed with the family.');
    const bar = page.getByText('Reconnecting…');
    await stopService(page);
    // The stream reports the new request, and reading it fails.
    await ask('Another request');
    await bar.waitFor();
    await expectGoodScreen(page, 'reconnecting');
    await page.setViewportSize(phone);
    const heading = page.getByRole('heading', { name: 'Raise to three sessions' });
    expect(await heading.count()).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(0);
    await reject.click();
    await page.getByText('You rejected this request. It is sent in a few seconds.').waitFor();
    await page
      .getByRole('alert')
      .getByText('Not saved: the service cannot be reached. Send it again when the connection is back.')
      .waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    expect(await reason.inputValue()).toBe('Agreed with the family.');
    // Without the service a reload waits too.
    await page.reload();
    await bar.waitFor();
    await startService(page);
    await page.getByText('Restored your draft.').waitFor();
    await bar.waitFor({ state: 'detached' });
    expect(await reason.inputValue()).toBe('Agreed with the family.');
    expect(await statuses()).toEqual(['recorded', 'recorded']);

    // The end of the session keeps it too.
    await page.context().clearCookies();
    await page.getByRole('button', { name: '← All requests' }).click();
    await page.getByRole('button', { name: /Another request/ }).click();
    await page.waitForURL('**/sign-in?**');
    expect(await drafts(page)).toHaveLength(1);
    await signInAs(page, admin.actor.email!);
    await page.getByRole('button', { name: '← All requests' }).click();
    await page.getByRole('button', { name: /Raise to three sessions/ }).click();
    await page.getByText('Restored your draft.').waitFor();
    expect(await reason.inputValue()).toBe('Agreed with the family.');

    // Leaving the page within the time for undo sends the decision.
    await approve.and(page.locator(':enabled')).click();
    await page.getByText('Leaving the page sends it at once.').waitFor();
    await page.reload();
    await page.getByRole('alert').getByText('Approved: Raise to three sessions.').waitFor();
    expect(await statuses()).toEqual(['recorded', 'sealed']);
    expect(await drafts(page)).toEqual([]);
    await page.setViewportSize(desk);
    await close();
  });

  test('a decision that was not recorded when the page was left is reported, and no other person sees a draft', async () => {
    const { page, path, ask, center, admin, close } = await decisionDesk(stage);
    const other = await makeMember(stage.running.app, center.center.id, 'ADMIN', {
      name: 'Grace Hopper',
      password: PASSWORD,
    });
    await ask('Raise to three sessions');
    await page.goto(`${path}/approvals`);
    await page.getByRole('button', { name: /Raise to three sessions/ }).click();
    const reason = page.getByRole('textbox', { name: 'Reason' });
    const approve = page.getByRole('button', { name: 'Approve', exact: true });
    await reason.fill('For our eyes only.');
    await approve.and(page.locator(':enabled')).click();
    await page.getByText('Leaving the page sends it at once.').waitFor();
    // The session ends before the decision is sent.
    await page.context().clearCookies();
    await page.reload();
    await page.waitForURL('**/sign-in?**');
    await signInAs(page, admin.actor.email!);
    await page.getByRole('alert').getByText('Not decided: Raise to three sessions').waitFor();
    await page.getByText('Restored your draft.').waitFor();
    expect((await center.get('/decision-events?limit=1')).body.data[0].status).toBe('recorded');

    // Drafts of the storage that no form wrote are ignored.
    await page.evaluate(
      `for (const key of Object.keys(sessionStorage)) sessionStorage.setItem(key, '{"at":1,"value":[{}]')`,
    );
    await page.reload();
    await approve.and(page.locator(':enabled')).waitFor();
    expect(await reason.inputValue()).toBe('');

    await reason.fill('For our eyes only.');
    await page.context().clearCookies();
    await page.reload();
    await page.waitForURL('**/sign-in?**');
    await signInAs(page, other.actor.email!);
    await approve.and(page.locator(':enabled')).waitFor();
    expect(await reason.inputValue()).toBe('');
    expect(await drafts(page)).toEqual([]);

    await reason.fill('A second secret.');
    expect(await drafts(page)).toHaveLength(1);
    await page.getByRole('button', { name: /Grace Hopper/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    expect(await drafts(page)).toEqual([]);
    await signInAs(page, admin.actor.email!);
    await page.getByRole('heading', { name: /^Good/ }).waitFor();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toMatch(/secret|eyes/);
    await close();
  });
});
