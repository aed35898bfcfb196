import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const DEBIAN_CHROMIUM = '/usr/bin/chromium';

function install(): void {
  const apt = (...args: string[]) => execFileSync('apt-get', args, { stdio: 'ignore', timeout: 240_000 });
  try {
    apt('update');
    apt('install', '-y', '--no-install-recommends', 'chromium');
  } catch {
    // Without a package source no browser can be installed: the tests report that and are skipped.
  }
}

/** The Chromium for tests: CHROMIUM_PATH, the system's, or one installed now if allowed. Null if there is none. */
export function findChromium(): string | null {
  const path = process.env['CHROMIUM_PATH'] ?? DEBIAN_CHROMIUM;
  const mayInstall = path === DEBIAN_CHROMIUM && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!existsSync(path) && mayInstall) install();
  return existsSync(path) ? path : null;
}

export const NO_BROWSER =
  'no Chromium at CHROMIUM_PATH or /usr/bin/chromium: install it to run the tests of the pages';

export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    // Without a graphics card, an emulated one would take as much processor time as the page itself.
    args: ['--no-sandbox', '--disable-background-networking', '--disable-dev-shm-usage', '--disable-gpu'],
  });
}
