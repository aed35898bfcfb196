import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** Debian's package without the user interface, which takes a tenth less processor time than the whole browser. */
const HEADLESS_SHELL = 'chromium-headless-shell';
const INSTALLED = [`/usr/bin/${HEADLESS_SHELL}`, '/usr/bin/chromium'];

/** Test files run in several processes: the first one installs, the others wait for it. */
function install(): void {
  const lock = join(tmpdir(), 'countersign-chromium.lock');
  const apt = `apt-get update && apt-get install -y --no-install-recommends ${HEADLESS_SHELL}`;
  const once = `[ -e ${INSTALLED[0]} ] || { ${apt}; }`;
  try {
    execFileSync('flock', [lock, 'sh', '-c', once], { stdio: 'ignore', timeout: 240_000 });
  } catch {
    // Without a package source no browser can be installed: the tests report that and are skipped.
  }
}

/** The Chromium for tests: CHROMIUM_PATH, the system's, or one installed now if allowed. Null if there is none. */
export function findChromium(): string | null {
  const given = process.env['CHROMIUM_PATH'];
  if (given) return existsSync(given) ? given : null;
  const find = () => INSTALLED.find((path) => existsSync(path)) ?? null;
  if (!find() && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) install();
  return find();
}

export const NO_BROWSER =
  'no Chromium at CHROMIUM_PATH, /usr/bin/chromium-headless-shell or /usr/bin/chromium: install it to run the tests of the pages';

export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    // Without a graphics card, an emulated one would take as much processor time as the page itself.
    args: ['--no-sandbox', '--disable-background-networking', '--disable-dev-shm-usage', '--disable-gpu'],
  });
}
