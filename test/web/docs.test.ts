import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { screenGuides } from '../../apps/console/src/text/guides.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { accessibilityFaults, dropUnseen } from './accessibility.ts';
import { findChromium, NO_BROWSER, openBrowser } from './browser.ts';

const chromium = findChromium();
if (!chromium) process.stderr.write(`not tried in a browser: ${NO_BROWSER}\n`);
/** Set to a folder to save screenshots. */
const screenshots = process.env['SCREENSHOTS'];

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp({ env: { PUBLIC_URL: 'http://localhost:4321' } });
});
afterAll(() => running?.close());

test('every link and asset of the documentation exists', async () => {
  const contents = await (await running.fetch('/docs')).text();
  const guides = [...contents.matchAll(/href="(\/docs\/[a-z-]+)"/g)].map((match) => match[1]!);
  expect(guides.length).toBeGreaterThan(3);
  const pages = await Promise.all(
    [...new Set(guides), '/docs', '/api/docs'].map(async (path) => (await running.fetch(path)).text()),
  );
  const links = pages.flatMap((page) =>
    [...page.matchAll(/(?:href|src)="(\/[^"#]+)"/g)].map((match) => match[1]!),
  );
  for (const link of new Set(links)) expect([link, (await running.fetch(link)).status]).toEqual([link, 200]);
  expect((await running.fetch('/docs/no-such-guide')).status).toBe(404);
  expect((await running.fetch('/docs/assets/../../package.json')).status).toBe(404);
});

test('guides and examples name the address of the server that serves them', async () => {
  const { publicUrl } = running.config;
  for (const path of ['/docs/quick-start', '/docs/agents', '/docs/webhooks', '/api/docs']) {
    // Highlighting may split an address into several elements.
    const page = (await (await running.fetch(path)).text()).replace(/<[^>]*>/g, '');
    expect([path, page.includes(publicUrl), page.includes('localhost:4000')]).toEqual([path, true, false]);
  }
});

test('every guide that the console links to exists', async () => {
  for (const [, guide] of screenGuides) {
    const [name, heading] = guide.split('#');
    const page = await (await running.fetch(`/docs/${name}`)).text();
    expect([guide, heading === undefined || page.includes(`id="${heading}"`)]).toEqual([guide, true]);
  }
});

test('/ and /api return a JSON index, and every URL in it works', async () => {
  const atRoot = await (await running.fetch('/')).json();
  expect(await (await running.fetch('/api/')).json()).toEqual(atRoot);
  const answer = await running.fetch('/api');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'application/json; charset=utf-8',
  ]);
  const { name, graphql, mcp, log, ...addresses } = (await answer.json()) as Record<string, string>;
  expect([name, graphql, mcp, log]).toEqual([
    'Countersign',
    `${running.config.publicUrl}/graphql`,
    `${running.config.publicUrl}/mcp`,
    `${running.config.publicUrl}/log/checkpoint`,
  ]);
  for (const address of Object.values(addresses)) {
    const path = address.slice(running.config.publicUrl.length) || '/';
    expect([path, (await running.fetch(path)).status]).toEqual([path, 200]);
  }
  const posted = await running.fetch('/api', { method: 'POST' });
  expect(posted.status).toBe(404);
});

test('the API reference runs no inline scripts and loads scripts only from this service', async () => {
  const response = await running.fetch('/api/docs');
  const policy = response.headers.get('content-security-policy')!;
  expect(policy).toContain("script-src 'self';");
  expect(/<script(?![^>]*src=)/.test(await response.text())).toBe(false);
});

describe.runIf(chromium)('in a browser', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser(chromium!);
    page = await browser.newPage({ reducedMotion: 'reduce' });
    page.setDefaultTimeout(30_000);
  });
  afterAll(() => browser?.close());

  test.each([
    ['/docs', 'light', 1280, 'all'],
    ['/docs/webhooks', 'dark', 390, 'all'],
    ['/docs/security', 'light', 390, 'all'],
    ['/docs/console', 'dark', 1280, 'all'],
    ['/api/docs', 'light', 1280, 'all'],
    ['/api/docs', 'dark', 390, 'appearance'],
  ] as const)(
    '%s is accessible in %s at %i px and does not scroll sideways',
    async (path, colorScheme, width, rules) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.goto(running.url + path);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      if (screenshots) {
        mkdirSync(screenshots, { recursive: true });
        await page.screenshot({ path: `${screenshots}/docs${path.replaceAll('/', '-')}-${width}.png` });
      }
      await dropUnseen(page);
      expect(await accessibilityFaults(page, rules)).toEqual([]);
    },
  );

  test('examples switch language, and search finds guides and operations', async () => {
    await page.goto(`${running.url}/api/docs`);
    const python = page.locator('#login .sample.python');
    expect(await python.isVisible()).toBe(false);
    await page.getByLabel('Examples in').selectOption('python');
    await python.waitFor({ state: 'visible' });
    // Inside a field the key would be an ordinary letter.
    await page.getByLabel('Examples in').blur();
    await page.keyboard.press('/');
    await page.keyboard.type('rotate secret');
    await page.locator('#found a').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#|\/docs\//);
  });
});
