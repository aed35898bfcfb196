import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

let source: Promise<string> | undefined;

/** What axe finds wrong: of each rule its name and the elements that break it. */
export async function accessibilityFaults(page: Page): Promise<unknown> {
  if (await page.evaluate('typeof axe === "undefined"')) {
    source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    // As a developer's tool would: the page's own policy would not let a foreign script in.
    await page.evaluate(await source);
  }
  // The elements themselves say enough: finding a selector for each takes axe a good part of its time.
  return page.evaluate(
    `axe.run({ resultTypes: ['violations'], selectors: false, iframes: false })
      .then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
  );
}
