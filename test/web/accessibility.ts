import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

let source: Promise<string> | undefined;

async function bringAxe(page: Page): Promise<void> {
  if (await page.evaluate('typeof axe !== "undefined"')) return;
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Injected like a developer tool, because the page's policy blocks foreign scripts.
  await page.evaluate(await source);
}

/** What may be wrong in one color scheme or width and right in another; the rest holds for the page in any of them. */
const appearance = [
  'aria-hidden-focus',
  'button-name',
  'color-contrast',
  'link-in-text-block',
  'link-name',
  'scrollable-region-focusable',
];

/** The violations that axe reports: each broken rule with its elements. */
export async function accessibilityFaults(page: Page, rules: 'all' | 'appearance' = 'all'): Promise<unknown> {
  await bringAxe(page);
  const options = {
    resultTypes: ['violations'],
    // The elements suffice: computing a selector for each takes long.
    selectors: false,
    iframes: false,
    // Axe would load style sheets and media files once more, for rules about what these pages do not have.
    preload: false,
    ...(rules === 'appearance' && { runOnly: { type: 'rule', values: appearance } }),
  };
  return page.evaluate(`axe
    .run(${JSON.stringify(options)})
    .then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`);
}

/**
 * Removes collapsed and hidden elements from the main part of a page. Axe reports nothing about hidden elements but inspects
 * all of them, which takes most of its time if there are thousands.
 */
export async function dropUnseen(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    for (const folded of document.querySelectorAll('main details:not([open]) > :not(summary)')) folded.remove();
    const unseen = [...document.querySelectorAll('main *')].filter((each) => getComputedStyle(each).display === 'none');
    for (const each of unseen) each.remove();
  })()`);
}
