import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { makeActor, makeKey, makeMembership, makePartner, makeSubscription } from '../../helpers/world.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { expectGoodScreen, PASSWORD, signIn, visitor } from './visitor.ts';

const stage = consoleStage();

/**
 * Green colors outside of what reports a success. Avatars of people have the hue of their name. Computed colors are `rgb(…)`, or
 * `color(srgb …)` where they are mixed.
 */
const GREENS = `(() => {
  const SUCCESS = '[data-tone="good"], [data-good], [data-verdict="pass"], figure';
  const channels = (text) => {
    const mixed = /^color\\(srgb ([\\d. /]+)/.exec(text);
    if (mixed) return mixed[1].split(/[ /]+/).map(Number);
    const parts = (/^rgba?\\(([\\d., ]+)/.exec(text)?.[1] ?? '').split(',').map(Number);
    return parts.map((part, at) => (at < 3 ? part / 255 : part));
  };
  const isGreen = (text) => {
    const [red, green, blue, alpha = 1] = channels(text);
    const [low, high] = [Math.min(red, green, blue), Math.max(red, green, blue)];
    return alpha > 0.1 && high === green && high - low > 0.04 && green - red > 0.03;
  };
  return [...document.querySelectorAll('body *')]
    .filter((each) => each.checkVisibility?.() && !each.closest(SUCCESS) && !each.closest('[style*="--hue"]'))
    .flatMap((each) => {
      const style = getComputedStyle(each);
      return ['color', 'backgroundColor', 'borderTopColor', 'borderLeftColor', 'fill', 'stroke']
        .filter((name) => isGreen(style[name]))
        .map((name) => each.tagName + ' ' + each.className + ' ' + name + ' ' + style[name]);
    });
})()`;

const greens = async (page: Page) => [...new Set((await page.evaluate(GREENS)) as string[])];

describe.runIf(hasBrowser)('a red brand', () => {
  test('colors everything that is selected or current; only success stays green, and is readable', async () => {
    const { app, call, superuser } = stage.running;
    const partner = await makePartner(app);
    const center = partner.centers[0]!;
    const branding = { name: 'Red Cross Street', primaryColor: '#c8102e' };
    const saved = await call('PATCH', '/partner/settings', { token: partner.token, body: { branding } });
    expect(saved.status).toBe(200);
    await superuser.query(`UPDATE center SET name = 'Emerald House' WHERE id = $1`, [center.id]);
    await makeSubscription(app, center.id, { status: 'ACTIVE' });
    const admin = await makeActor(app, { name: 'Ada Lovelace', password: PASSWORD });
    await makeMembership(app, admin.id, center.id);
    await call('POST', '/v1/agents/decide', {
      token: await makeKey(app, center.id),
      body: { agent: { id: 'planner' }, action: { type: 'plan.adjust' }, riskScore: 0.1 },
    });
    const { page, faults, close } = await visitor(stage.browser, stage.running);
    await signIn(page, admin.email!);
    const screens = ['/ledger', '/workflows/new', '/calendar', '/subscription', '/people', '/decisions'];
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const path of screens) {
        await page.goto(`/c/${center.centerDomain}${path}`);
        await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
        await page.locator('[aria-label="Loading"]').first().waitFor({ state: 'detached' });
        expect([scheme, path, await greens(page)]).toEqual([scheme, path, []]);
      }
    }
    const icon = await page.locator('link[rel=icon]').getAttribute('href');
    expect(decodeURIComponent(icon!)).toContain('fill="#c8102e"');
    // Success is green beside the brand, and has enough contrast in both schemes.
    await page.goto(`/c/${center.centerDomain}/ledger`);
    await page.getByRole('button', { name: 'Verify all chains' }).click();
    await page.getByText('All chains are valid.').waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    const verdict = page.getByText('All chains are valid.');
    expect(await verdict.evaluate((each) => getComputedStyle(each as never)['color' as never])).toBe(
      'rgb(11, 107, 83)',
    );
    await expectGoodScreen(page, 'red-brand-ledger');
    await page.goto(`/c/${center.centerDomain}/calendar`);
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    await expectGoodScreen(page, 'red-brand-calendar');
    expect(faults).toEqual([]);
    await close();
  });
});
