import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestApp } from '../../helpers/app.ts';
import { makeCenter, makeMember, makeSubscription } from '../../helpers/world.ts';

const axeSource = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Set to a folder to look at what the tests see. */
const screenshots = process.env['SCREENSHOTS'];

export const PASSWORD = 'correct horse battery';
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

/** Somebody with a browser. Script errors, blocked resources and requests to anybody else are collected as faults. */
export async function visitor(browser: Browser, { url }: TestApp, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    baseURL: url,
    ...options,
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== url) faults.push(`asked ${request.url()}`);
  });
  return { page, context, faults, close: () => context.close() };
}

export async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Email or phone').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((address) => address.pathname !== '/sign-in');
}

/** A center with its administrator at the screen. */
export async function administrator(stage: { running: TestApp; browser: Browser }) {
  const { app } = stage.running;
  const center = await makeCenter(app, { name: 'Harbour Clinic' });
  await makeSubscription(app, center.id, { status: 'ACTIVE' });
  const admin = await makeMember(app, center.id, 'ADMIN', { name: 'Ada Lovelace', password: PASSWORD });
  const desk = await visitor(stage.browser, stage.running);
  await signIn(desk.page, admin.actor.email!);
  const open = (path: string) => desk.page.goto(`/c/${center.centerDomain}${path}`);
  return { ...desk, center, admin, open };
}

/** As a developer's tool would: the page's own policy would not let a foreign script in. */
async function accessibilityFaults(page: Page) {
  if (await page.evaluate('typeof axe === "undefined"'))
    await page.evaluate(await readFile(axeSource, 'utf8'));
  return page.evaluate(
    'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]))',
  );
}

/** Colours fade from one scheme to the other; half-way they are nobody's choice. */
const AT_REST = `(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  for (let frames = 0; frames < 5; frames++) await frame();
  const ending = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity);
  await Promise.all(ending.map(({ finished }) => finished.catch(() => {})));
})()`;

/** A screen as people get it: readable by everybody, light and dark, and on a phone without scrolling sideways. */
export async function expectGoodScreen(page: Page, name: string): Promise<void> {
  const look = async (kind: string) => {
    if (!screenshots) return;
    mkdirSync(screenshots, { recursive: true });
    await page.screenshot({ path: `${screenshots}/${name}-${kind}.png`, fullPage: true });
  };
  const check = async (kind: string) => {
    await page.evaluate(AT_REST);
    await look(kind);
    expect([name, kind, await accessibilityFaults(page)]).toEqual([name, kind, []]);
  };
  const wide = page.viewportSize()!;
  await page.emulateMedia({ colorScheme: 'light' });
  await check('light');
  // Both at once: each look through a whole page costs a second.
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(phone.viewport);
  await check('dark on a phone');
  const overflow = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  expect([name, 'scrolls sideways', overflow]).toEqual([name, 'scrolls sideways', false]);
  await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: 'light' });
}
