// Takes the pictures in docs/images: starts the service with its demo data in a temporary folder, adds what an agent does on
// a working day, and opens the pages in Chromium.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { APIRequestContext, Locator, Page } from 'playwright-core';
import { DEMO_PASSWORD } from '../src/seed/accounts.ts';
import { freePort } from '../test/helpers/free-port.ts';
import { findChromium, NO_BROWSER, openBrowser } from '../test/web/browser.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const CENTER = '/c/demo-rehab';

/** What the public page of the center shows besides what is always open. */
const DISCLOSED = [
  'action.description',
  'actor.name',
  'approvals.approver.name',
  'approvals.reason',
  'riskScore',
];

const agent = { id: 'care-agent', name: 'Care planning agent' };
const model = { model: 'demo-model-1', provider: 'demo' };

const refund = (invoice: string, amount: number, description: string) => ({
  type: 'invoice.refund',
  description,
  input: { invoice, amount, currency: 'EUR' },
});

/** Approved by a person and executed before the pictures are taken. */
const EXECUTED = {
  agent,
  action: refund('2026-0397', 45, 'Refund the session of 2 November'),
  aiContext: {
    ...model,
    confidence: 0.97,
    reasoning: 'The therapist was ill and the session did not take place.',
  },
  riskScore: 0.82,
};

/** Still waiting; the last one is on the picture of a request. */
const WAITING = [
  {
    agent,
    action: {
      type: 'therapy.plan.adjust',
      description: 'Add a home exercise program for fine motor skills',
      input: { subject: 'therapy plan 2026-041', exercises: 6, reviewAfterWeeks: 4 },
    },
    aiContext: { ...model, confidence: 0.9 },
    riskScore: 0.35,
  },
  {
    agent,
    action: {
      type: 'record.share',
      description: 'Send the therapy report to the family doctor',
      input: { subject: 'therapy plan 2026-041', document: 'report-2026-11.pdf', recipient: 'Dr. Lindqvist' },
    },
    aiContext: { ...model, confidence: 0.78 },
    riskScore: 0.92,
  },
  {
    agent,
    action: refund('2026-0418', 180, 'Refund the workshop that was canceled'),
    aiContext: {
      ...model,
      confidence: 0.94,
      reasoning:
        'The workshop of 14 November was canceled one day before it began. The terms promise a full refund in this case.',
    },
    riskScore: 0.86,
  },
];

const SIGN_IN = { email: 'admin@demo.test', password: DEMO_PASSWORD, centerDomain: 'demo-rehab' };
const SET_UP = `mutation ($disclose: [String!]!) {
  createApiKey(input: { name: "Care planning agent", scopes: ["proof:write"] }) { plaintext }
  updateCenter(input: {
    proof: { disclose: $disclose }
    actionTypes: [
      { type: "invoice.refund", label: "Refund", members: [{ path: "amount", label: "Amount", unit: "EUR" }] }
    ]
  }) { id }
}`;
const APPROVE = `mutation ($eventId: ID!) {
  approveDecision(input: { eventId: $eventId, result: approved, reason: "The absence is on record." }) { sealedHash }
}`;

/** Signs in and adds the requests of the agent; returns the id of the executed decision. */
async function addRequests(request: APIRequestContext): Promise<string> {
  const post = async (path: string, data: object, headers = {}) => {
    const answer = await request.post(path, { data, headers });
    const body = await answer.json();
    if (!answer.ok() || body.errors) throw new Error(`${path}: ${answer.status()} ${JSON.stringify(body)}`);
    return body.data;
  };
  await post('/api/auth/login', SIGN_IN);
  const { createApiKey } = await post('/graphql', { query: SET_UP, variables: { disclose: DISCLOSED } });
  const key = { authorization: `Bearer ${createApiKey.plaintext}` };
  const { eventId, argumentsDigest } = await post('/api/v1/agents/decide', EXECUTED, key);
  await post('/graphql', { query: APPROVE, variables: { eventId } });
  await post(`/api/v1/decision-events/${eventId}/outcome`, { status: 'executed', argumentsDigest }, key);
  for (const waiting of WAITING) await post('/api/v1/agents/decide', waiting, key);
  return eventId;
}

async function takePictures(page: Page, eventId: string): Promise<void> {
  /** The picture ends a margin below an element, so that it cuts through no line. */
  const save = async (name: string, width: number, last: Locator, margin: number) => {
    await page.setViewportSize({ width, height: 1000 });
    const { y, height } = (await last.boundingBox())!;
    await page.setViewportSize({ width, height: Math.ceil(y + height + margin) });
    await page.screenshot({ path: join(root, 'docs/images', `${name}.png`) });
  };
  await page.goto(`${CENTER}/approvals`);
  await page.getByRole('button', { name: WAITING.at(-1)!.action.description }).click();
  const approve = page.getByRole('button', { name: 'Approve', exact: true });
  await approve.waitFor();
  await save('console-approvals', 1280, approve, 30);

  await page.goto(`${CENTER}/decisions/${eventId}`);
  await page.getByText('Proven:').waitFor();
  await save('console-decision', 1280, page.getByText('Confidence of the model'), 24);

  await page.goto(`/verify/${eventId}`);
  await page.getByRole('heading', { name: 'The seal holds', exact: true }).waitFor();
  await save('verify-page', 900, page.getByText('invoice.refund'), 16);
}

const chromium = findChromium();
if (!chromium) throw new Error(NO_BROWSER);
const folder = await mkdtemp(join(tmpdir(), 'countersign-pictures-'));
const port = await freePort();
const url = `http://localhost:${port}`;
// Without the settings of this shell, which may name a real database.
const { PATH, HOME } = process.env;
const service = spawn(join(root, 'scripts/launch.sh'), {
  env: { PATH, HOME, PORT: String(port), DATA_DIR: folder, SEED_DEMO: '1', LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const exited = once(service, 'exit');
try {
  await untilReady();
  await using browser = await openBrowser(chromium);
  const context = await browser.newContext({
    baseURL: url,
    deviceScaleFactor: 1.5,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  await takePictures(await context.newPage(), await addRequests(context.request));
} finally {
  service.kill();
  await exited;
  await rm(folder, { recursive: true, force: true });
}

async function untilReady(): Promise<void> {
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    if (service.exitCode !== null) throw new Error('The service did not start.');
    await wait(100);
  }
}
