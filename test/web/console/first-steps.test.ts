import { describe, expect, test } from 'vitest';
import { freePort } from '../../helpers/free-port.ts';
import { makeMember } from '../../helpers/world.ts';
import { addAuthenticator } from './authenticator.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { administrator, expectGoodScreen } from './visitor.ts';

// Passkeys belong to a host name: this one, not the IP address.
const port = await freePort();
const origin = `http://localhost:${port}`;
const stage = consoleStage({ port, env: { PUBLIC_URL: origin } });

/** The time for undo ends at once. */
const SKIP_UNDO = `(() => {
  const { setTimeout } = window;
  window.setTimeout = (then, ms, ...rest) => setTimeout(then, ms === 5000 ? 0 : ms, ...rest);
})()`;

/** An administrator of a center that has not chosen a time zone. */
async function newAdministrator() {
  const running = { ...stage.running, url: origin };
  const desk = await administrator({ ...stage, running });
  await stage.running.app.db.acrossTenants.center.update({
    where: { id: desk.center.id },
    data: { settings: {} },
  });
  const panel = desk.page.getByRole('region', { name: 'Get started' });
  const step = (title: string) => panel.getByRole('listitem').filter({ hasText: title });
  return { ...desk, panel, step };
}

describe.runIf(hasBrowser)('the first steps of a center', () => {
  test('Job: Set up a new center. Each step opens its place and is ticked once it is done, until the panel disappears', async () => {
    const { page, context, open, center, admin, panel, step, faults, close } = await newAdministrator();
    const { app } = stage.running;
    await addAuthenticator({ page, context });
    await open('');
    await panel.getByText('0 of 6 done').waitFor();
    await expectGoodScreen(page, 'first-steps');

    await step('Choose the time zone').getByRole('button', { name: /^Use / }).click();
    await step('Choose the time zone (done)').waitFor();
    const { settings } = await app.db.acrossTenants.center.findUniqueOrThrow({ where: { id: center.id } });
    expect(settings).toEqual({
      timezone: await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone'),
    });

    await step('Add a passkey').getByRole('link', { name: 'Add passkey' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('My laptop');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('row', { name: /My laptop/ }).waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await step('Add a passkey to your account (done)').waitFor();

    await step('Invite a second').getByRole('link', { name: 'Invite person' }).click();
    await page.getByRole('dialog', { name: 'Invite person' }).waitFor();
    await makeMember(app, center.id, 'ADMIN');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await step('Invite a second administrator (done)').waitFor();

    await step('Activate a policy').getByRole('link', { name: 'New policy' }).click();
    await page.waitForURL('**/policies/new');
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await step('Activate a policy').waitFor();
    const input = {
      name: 'Refunds',
      scope: 'CENTER',
      actionPattern: 'refund.*',
      guards: { humanReviewForAi: true },
    };
    const CREATE = 'mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { id } }';
    expect((await stage.running.graphql(CREATE, { input }, admin.token)).errors).toBeUndefined();
    // Without a reload.
    await step('Activate a policy (done)').waitFor();

    await step('Connect an agent').getByRole('link', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Refund agent');
    await expectGoodScreen(page, 'new-key');
    await page.getByRole('button', { name: 'Create key' }).click();
    const shown = await page.getByTestId('mcp-configuration').textContent();
    await expectGoodScreen(page, 'new-key-mcp');
    await expectToConnect(shown!);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByTestId('mcp-configuration').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await step('Connect an agent (done)').waitFor();
    await panel.getByText('5 of 6 done').waitFor();
    await expectGoodScreen(page, 'first-steps-almost-done');

    await step('Practice an approval').getByRole('button', { name: 'Request approval' }).click();
    await page.getByRole('heading', { name: /A practice request of an administrator/ }).waitFor();
    await page.evaluate(SKIP_UNDO);
    await page.getByRole('button', { name: 'Approve', exact: true, disabled: false }).click();
    await page.getByRole('status').getByText('You approved this request.').waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    await panel.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await close();
  });

  test('they are dismissed for good, by each administrator for themself', async () => {
    const { page, open, panel, faults, close } = await newAdministrator();
    await open('');
    await panel.getByRole('button', { name: 'Dismiss' }).click();
    await panel.waitFor({ state: 'detached' });
    await open('');
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    expect(await panel.count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });
});

/** Calls the tools as an agent does that was given this configuration and nothing else. */
async function expectToConnect(configuration: string): Promise<void> {
  const { url, headers, type } = JSON.parse(configuration).mcpServers.countersign;
  expect([type, url]).toEqual(['http', `${origin}/mcp`]);
  const call = async (method: string, params: object) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    expect(response.status).toBe(200);
    return response.text();
  };
  expect(await call('tools/list', {})).toContain('"request_decision"');
  const action = { type: 'refund.grant', input: { orderId: '1041' } };
  const asked = { agent: { id: 'refund-agent' }, action, riskScore: 0.1, idempotencyKey: 'refund-1041' };
  expect(await call('tools/call', { name: 'request_decision', arguments: asked })).toContain(
    '"outcome":"awaiting_approval"',
  );
}
