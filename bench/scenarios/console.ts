import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { systemContext } from '../../src/domain/context.ts';
import { createWebhook } from '../../src/domain/webhooks/manage.ts';
import { openBrowser } from '../../test/web/browser.ts';
import { emit } from '../harness/emit.ts';
import { fillEvents } from '../harness/fill-events.ts';
import { fillPeople } from '../harness/fill-people.ts';
import { type Interaction, timeOf } from '../harness/interaction.ts';
import type { ComparisonResult } from '../harness/results.ts';
import type { Survey } from '../harness/scenario.ts';
import { settle } from '../harness/settle.ts';
import type { Stage } from '../harness/stage.ts';

const ROWS = 10_000;
const LIMIT_MS = 100;
/** Measured presses. Those of the first round come before them, for warming up. */
const COUNTED = 20;

type Step = (page: Page, round: number) => Promise<Interaction>;

/** A page, and what is done there in turns: a step and its reverse, or steps that each lead to a new place. */
interface Walk {
  title: string;
  path: string;
  ready: (page: Page) => Promise<unknown>;
  steps: Step[];
}

/** Any row has changed: neighboring rows may look alike. */
const CHANGED = 'rows.length > 0 && rows.join() !== before.join()';

/** Turns a page of the table. */
const turn =
  (table: string, way: 'Older' | 'Newer'): Step =>
  async (page) => ({
    table,
    becomes: CHANGED,
    press: () => page.getByRole('button', { name: way }).click(),
  });

/** The first or last filter of a list, by keyboard. */
async function choose(page: Page, field: string, key: 'Home' | 'End'): Promise<() => Promise<void>> {
  const choices = page.getByRole('combobox', { name: field });
  await choices.focus();
  return () => choices.press(key);
}

/** Types a letter in the search field, or deletes one. */
async function type(page: Page, before: string, key: string): Promise<() => Promise<void>> {
  const field = page.getByRole('textbox', { name: 'Search' });
  if ((await field.inputValue()) !== before) await field.fill(before);
  // Fast typing is debounced; this is a user who has paused.
  await page.waitForTimeout(400);
  return () => field.press(key);
}

function walks(domain: string, webhookId: string): Walk[] {
  const table = (name: string) => (page: Page) => page.getByRole('table', { name }).waitFor();
  return [
    {
      title: 'decisions by status',
      path: `/c/${domain}/decisions`,
      ready: table('Decisions'),
      steps: [
        async (page) => ({
          table: 'Decisions',
          becomes: `rows.length > 0 && rows.every((row) => row.includes('Rejected'))`,
          press: await choose(page, 'Status', 'End'),
        }),
        async (page) => ({
          table: 'Decisions',
          becomes: `rows.some((row) => row.includes('Sealed'))`,
          press: await choose(page, 'Status', 'Home'),
        }),
      ],
    },
    {
      title: 'the next page of decisions',
      path: `/c/${domain}/decisions`,
      ready: table('Decisions'),
      steps: [turn('Decisions', 'Older'), turn('Decisions', 'Newer')],
    },
    {
      title: 'a page of decisions that is not cached',
      path: `/c/${domain}/decisions`,
      ready: table('Decisions'),
      steps: [turn('Decisions', 'Older')],
    },
    {
      title: 'a letter in a search for members that is not cached',
      path: `/c/${domain}/people`,
      ready: table('Members'),
      steps: [
        async (page, round) => {
          const tens = String(10 + round);
          return {
            table: 'Members',
            becomes: `rows.length === 10 && rows.every((row) => row.includes('Person 0${tens}5'))`,
            press: await type(page, `n0${tens}`, '5'),
          };
        },
      ],
    },
    {
      title: 'a letter in the search for members',
      path: `/c/${domain}/people`,
      ready: table('Members'),
      steps: [
        async (page) => ({
          table: 'Members',
          becomes: `rows.length === 10 && rows.every((row) => row.includes('Person 0777'))`,
          press: await type(page, 'n077', '7'),
        }),
        async (page) => ({
          table: 'Members',
          becomes: 'rows.length > 10',
          press: await type(page, 'n0777', 'Backspace'),
        }),
      ],
    },
    {
      title: 'deliveries that failed',
      path: `/c/${domain}/webhooks/${webhookId}`,
      ready: table('Deliveries'),
      steps: [
        async (page) => ({
          table: 'Deliveries',
          becomes: `rows.length > 0 && rows.every((row) => row.includes('Given up'))`,
          press: await choose(page, 'Result', 'End'),
        }),
        async (page) => ({
          table: 'Deliveries',
          becomes: `rows.some((row) => row.includes('Delivered'))`,
          press: await choose(page, 'Result', 'Home'),
        }),
      ],
    },
    {
      title: 'the next page of deliveries',
      path: `/c/${domain}/webhooks/${webhookId}`,
      ready: table('Deliveries'),
      steps: [turn('Deliveries', 'Older'), turn('Deliveries', 'Newer')],
    },
  ];
}

/** This many decisions, members and deliveries. */
async function fill(stage: Stage): Promise<string> {
  const ctx = systemContext(stage.app, 'bench', stage.centerId);
  const { webhook } = await createWebhook(ctx, { url: 'https://hooks.bench.test/', events: ['*'] });
  await Promise.all([fillEvents(stage, ROWS), fillPeople(stage, ROWS), emit(stage, ROWS)]);
  // As if all had been attempted; one in ten has failed permanently.
  await stage.admin.query(
    `UPDATE delivery SET attempts = 1, last_attempt_at = created_at, next_attempt_at = NULL,
       status = (CASE WHEN n % 10 = 0 THEN 'failed' ELSE 'success' END)::delivery_status,
       response_status = CASE WHEN n % 10 = 0 THEN 500 ELSE 200 END
     FROM (SELECT event_id AS id, row_number() OVER (ORDER BY event_id) AS n FROM delivery) numbered
     WHERE numbered.id = event_id`,
  );
  await settle(stage, ['delivery', 'platform_event']);
  return webhook.id;
}

async function measure(page: Page, { path, ready, steps }: Walk): Promise<number[]> {
  await page.goto(path);
  await ready(page);
  const times: number[] = [];
  for (let round = 0; times.length < COUNTED; round++) {
    for (const step of steps) {
      const took = await timeOf(page, await step(page, round));
      if (round > 0) times.push(took);
    }
  }
  return times.sort((a, b) => a - b);
}

function result(title: string, sorted: number[]): ComparisonResult {
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
  return {
    scenario: consoleInteraction.name,
    title: `console, ${ROWS.toLocaleString('en')} rows: ${title}`,
    unit: 'a second (1000 / p95 in ms)',
    ours: { rate: 1_000 / at(0.95), p50: at(0.5), p99: at(0.99) },
    limit: { what: `${LIMIT_MS} ms from press to picture at the 95th percentile`, rate: 1_000 / LIMIT_MS },
    ratio: LIMIT_MS / at(0.95),
    target: 1,
  };
}

export const consoleInteraction: Survey = {
  name: 'console',
  title: 'the console, from press to picture',
  async survey(stage, say) {
    const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
    if (!existsSync(chromium)) {
      say('left out: there is no Chromium at CHROMIUM_PATH or /usr/bin/chromium');
      return {};
    }
    say('filling');
    const webhookId = await fill(stage);
    const { centerDomain } = await stage.app.db.acrossTenants.center.findUniqueOrThrow({
      where: { id: stage.centerId },
    });
    const { port } = await stage.api();
    const browser = await openBrowser(chromium);
    try {
      const baseURL = `http://127.0.0.1:${port}`;
      const context = await browser.newContext({ baseURL, viewport: { width: 1280, height: 900 } });
      await context.addCookies([{ name: 'auth_token', value: stage.token, url: baseURL }]);
      const page = await context.newPage();
      const comparisons: ComparisonResult[] = [];
      for (const walk of walks(centerDomain, webhookId)) {
        say(walk.title);
        const found = result(walk.title, await measure(page, walk));
        say(`${walk.title}: ${found.ours.p50!.toFixed(0)} ms, ratio ${found.ratio.toFixed(2)}`);
        comparisons.push(found);
      }
      return { comparisons };
    } finally {
      await browser.close();
    }
  },
};
