import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { landingPath } from '../../../apps/console/src/session/landing.ts';
import type { TestApp } from '../../helpers/app.ts';
import { makeCenter, makeMember, makeSubscription } from '../../helpers/world.ts';
import { accessibilityFaults } from '../accessibility.ts';

/** Set to a folder to save screenshots. */
const screenshots = process.env['SCREENSHOTS'];

export const PASSWORD = 'correct horse battery';
const desk = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

/**
 * Without a graphics card, drawing the blurred page behind a dialog takes a sixth of the processor time of a test; transitions
 * and animations repeat that for every frame.
 */
const STILL = `{
  const still = new CSSStyleSheet();
  still.replaceSync(\`*, ::before, ::after {
    backdrop-filter: none !important;
    transition: none !important;
    animation: none !important;
  }\`);
  document.adoptedStyleSheets.push(still);
}`;

/** Unused windows by service: a new one would have to compile the console again. */
const unused = new Map<string, Page[]>();

async function openWindow(browser: Browser, url: string): Promise<Page> {
  const left = unused.get(url)?.pop();
  // A service of an earlier test file may have had the same port; the browser of that file is closed.
  if (left?.context().browser() === browser) return left;
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: desk,
    locale: 'en-GB',
    baseURL: url,
  });
  await context.addInitScript(STILL);
  // Machines may be slow; a missing result still fails.
  context.setDefaultTimeout(30_000);
  return context.newPage();
}

/** The next user is unknown to the service: no session, nothing stored, and no open requests. */
async function leaveWindow(page: Page, url: string): Promise<void> {
  for (const event of ['pageerror', 'console', 'request'] as const) page.removeAllListeners(event);
  try {
    await page.goto('/healthz');
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await page.context().clearCookies();
    unused.set(url, [...(unused.get(url) ?? []), page]);
  } catch {
    // A window that cannot be cleared, for example while the console navigates away, is not reused.
    await page.context().close();
  }
}

/** A person with a browser. Script errors, blocked resources and requests to other hosts are collected as faults. */
export async function visitor(browser: Browser, { url }: Pick<TestApp, 'url'>) {
  const page = await openWindow(browser, url);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== url) faults.push(`asked ${request.url()}`);
  });
  return { page, context: page.context(), faults, close: () => leaveWindow(page, url) };
}

const SIGN_IN = `mutation ($input: SignInInput!) {
  signIn(input: $input) { landing { kind centerDomain } }
}`;

/**
 * Sets the session that the form would have set, and opens the page to which it would have led. entry.test.ts covers the form
 * itself.
 */
export async function startSession(page: Page, email: string): Promise<string> {
  const answer = await page.context().request.post('/graphql', {
    data: { query: SIGN_IN, variables: { input: { email, password: PASSWORD } } },
  });
  const { data, errors } = await answer.json();
  expect(errors).toBeUndefined();
  return landingPath(data.signIn.landing);
}

/** Signed in, on the person's landing page. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(await startSession(page, email));
}

/** A center with its administrator in the browser. */
export async function administrator(stage: { running: TestApp; browser: Browser }) {
  const { app } = stage.running;
  const center = await makeCenter(app, { name: 'Harbour Clinic' });
  await makeSubscription(app, center.id, { status: 'ACTIVE' });
  const admin = await makeMember(app, center.id, 'ADMIN', { name: 'Ada Lovelace', password: PASSWORD });
  const ada = await visitor(stage.browser, stage.running);
  await startSession(ada.page, admin.actor.email!);
  const open = (path: string) => ada.page.goto(`/c/${center.centerDomain}${path}`);
  /** Navigates like a user. */
  const follow = (name: string) => ada.page.getByRole('link', { name, exact: true }).first().click();
  const account = async () => {
    await ada.page.getByRole('button', { name: /Ada Lovelace/ }).click();
    await ada.page.getByRole('menuitem', { name: 'Your account' }).click();
  };
  return { ...ada, center, admin, open, follow, account };
}

/** The page renders for another color scheme or width within some frames. */
const RENDERED = `(async () => {
  for (let frames = 0; frames < 5; frames++) await new Promise(requestAnimationFrame);
})()`;

/** Checks a screen: accessible in light and dark, and on a phone without horizontal scrolling. */
export async function expectGoodScreen(page: Page, name: string): Promise<void> {
  const look = async (kind: string) => {
    if (!screenshots) return;
    mkdirSync(screenshots, { recursive: true });
    await page.screenshot({ path: `${screenshots}/${name}-${kind}.png`, fullPage: true });
  };
  const check = async (kind: string, rules: 'all' | 'appearance') => {
    await page.evaluate(RENDERED);
    await look(kind);
    expect([name, kind, await accessibilityFaults(page, rules)]).toEqual([name, kind, []]);
  };
  await page.emulateMedia({ colorScheme: 'light' });
  await check('light', 'all');
  // Both at once: each check of a whole page costs a second.
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(phone);
  await check('dark on a phone', 'appearance');
  const overflow = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  expect([name, 'scrolls sideways', overflow]).toEqual([name, 'scrolls sideways', false]);
  await page.setViewportSize(desk);
  await page.emulateMedia({ colorScheme: 'light' });
}
