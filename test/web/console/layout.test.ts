import { describe, expect, test } from 'vitest';
import { consoleStage, hasBrowser } from './stage.ts';
import { administrator, expectGoodScreen } from './visitor.ts';

const stage = consoleStage();

describe.runIf(hasBrowser)('layout', () => {
  test('the table header does not move when the data arrives', async () => {
    const { page, open, faults, close } = await administrator(stage);
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('members(')) await held;
      await route.continue();
    });
    await open('/people');
    const headIn = (table: string) => page.locator(`${table} th`, { hasText: 'Status' }).first();
    const skeleton = headIn('table[aria-hidden]');
    await skeleton.waitFor();
    const before = (await skeleton.boundingBox())!;
    answer();
    const list = headIn('table[aria-label="Members"]');
    await list.waitFor();
    const after = (await list.boundingBox())!;
    expect([after.y, after.height]).toEqual([before.y, before.height]);
    expect(faults).toEqual([]);
    await page.unroute('**/graphql');
    await close();
  });

  test('rows open from every cell and with the keyboard, as a page or as a drawer', async () => {
    const { page, open, faults, close } = await administrator(stage);
    await open('/audit');
    const entry = page.getByRole('row', { name: /Signed in/ }).first();
    // The link or button of a row covers all its cells, so a plain click on a text counts as intercepted.
    await entry.getByText('Ada Lovelace').first().click({ force: true });
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await entry.getByRole('button', { name: /Signed in/ }).press('Enter');
    await page.getByRole('dialog').waitFor();
    await open('/people');
    await page
      .getByRole('row', { name: /Ada Lovelace/ })
      .getByText('Administrator')
      .click({ force: true });
    await page.waitForURL('**/people/mbr_*');
    expect(faults).toEqual([]);
    await close();
  });

  test('the tables of an account fit into their panels at any width', async () => {
    const { page, admin, faults, close } = await administrator(stage);
    const { db } = stage.running.app;
    const { id: actorId } = admin.actor;
    await db.acrossTenants.session.updateMany({
      where: { actorId },
      data: { ip: '2001:0db8:85a3:0000:0000:8a2e:0370:7334' },
    });
    await page.goto('/me');
    await page.getByRole('table', { name: 'Sessions' }).getByText('2001').first().waitFor();
    await page.getByRole('heading', { name: 'Memberships' }).waitFor();
    for (const width of [390, 800, 1000, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const tooWide = await page.evaluate(`[...document.querySelectorAll('main section')]
        .filter((panel) => [...panel.querySelectorAll('table, td > *')].some(
          (part) => part.getBoundingClientRect().right > panel.getBoundingClientRect().right))
        .map((panel) => panel.textContent)`);
      expect([width, tooWide]).toEqual([width, []]);
      expect([width, await page.evaluate('document.documentElement.scrollWidth > innerWidth')]).toEqual([
        width,
        false,
      ]);
    }
    expect(faults).toEqual([]);
    await close();
  });

  test('the question mark and the menu of the person show the keyboard shortcuts', async () => {
    const { page, open, faults, close } = await administrator(stage);
    await open('/decisions');
    await page.getByText('No decisions yet').waitFor();
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await page.getByRole('textbox', { name: 'Search' }).press('?');
    expect(await list.count()).toBe(0);
    await page.getByRole('textbox', { name: 'Search' }).blur();
    await page.keyboard.press('?');
    await list.getByText('Go to the reason, which is required to reject').waitFor();
    await expectGoodScreen(page, 'shortcuts');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /Ada Lovelace/ }).click();
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await list.waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    const find = page.getByRole('dialog', { name: 'Find' });
    for (const [typed, screen] of [
      ['policy', 'Policies'],
      ['rules', 'Policies'],
      ['api key', 'API keys'],
      ['billing', 'Subscription'],
      ['dashboard', 'Overview'],
    ] as const) {
      await page.getByRole('textbox', { name: 'Find' }).fill(typed);
      await find.getByRole('button', { name: screen, exact: true }).waitFor();
    }
    expect(faults).toEqual([]);
    await close();
  });

  test('on a phone, a toast appears below the top bar and covers no button', async () => {
    const { page, open, faults, close } = await administrator(stage);
    await page.setViewportSize({ width: 390, height: 844 });
    await open('/settings');
    const toggle = page.getByRole('switch', { name: /can book and cancel/ });
    await toggle.scrollIntoViewIfNeeded();
    await toggle.click({ force: true });
    const toast = page.getByRole('alert').filter({ hasText: 'Saved.' });
    const place = async () => {
      const { x, y, width, height } = (await toast.boundingBox())!;
      return { below: y > 52, near: y + height < 200, inside: x > 0 && x + width < 390 };
    };
    // It slides in.
    await expect.poll(place).toEqual({ below: true, near: true, inside: true });
    expect(faults).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await close();
  });
});
