import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, vi } from 'vitest';
import { startTestApp, type TestApp, type TestAppOptions } from '../../helpers/app.ts';
import { findChromium, NO_BROWSER, openBrowser } from '../browser.ts';

const chromium = findChromium();
if (!chromium) process.stderr.write(`skipped: ${NO_BROWSER}\n`);

export const hasBrowser = chromium !== null;

/** Files share the process: the console is built once for all of them. */
let isPrepared = false;

function prepareConsole(): void {
  if (isPrepared) return;
  execFileSync('node', [fileURLToPath(new URL('../../../scripts/prepare.mjs', import.meta.url))]);
  isPrepared = true;
}

/** The current console behind a real server, and a browser. */
export function consoleStage(options: TestAppOptions = {}): { running: TestApp; browser: Browser } {
  // A story has many steps, each of which may be slow on a slow machine.
  vi.setConfig({ testTimeout: 240_000 });
  const stage = {} as { running: TestApp; browser: Browser };
  beforeAll(async () => {
    prepareConsole();
    stage.running = await startTestApp(options);
    if (chromium) stage.browser = await openBrowser(chromium);
  }, 120_000);
  afterAll(async () => {
    await stage.browser?.close();
    await stage.running?.close();
  });
  return stage;
}
