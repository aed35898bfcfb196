import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { makeKey, makeMember } from '../../helpers/world.ts';
import { startConsumer } from '../../webhooks/consumer.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { administrator, expectGoodScreen } from './visitor.ts';

// No delivery is retried during the test unless a user asks for it.
const stage = consoleStage({ worker: true, env: { WEBHOOK_RETRY_DELAYS: '0,3600' } });

describe.runIf(hasBrowser)('a center', () => {
  test('the overview counts pending work and verifies the chains', async () => {
    const { page, open, faults, close } = await administrator(stage);
    await open('');
    await page.getByRole('link', { name: /Waiting for approval 0/ }).waitFor();
    await page.getByText('Everything works').waitFor();
    const scripts = await page.evaluate(
      `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
    );
    expect(scripts).toBeGreaterThan(50_000);
    expect(scripts).toBeLessThan(376_000);
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page
      .getByText(/Intact, \d+ record/)
      .first()
      .waitFor();
    await expectGoodScreen(page, 'overview');
    expect(faults).toEqual([]);
    await close();
  });

  test('members are invited, approved, given another role and suspended', async () => {
    const { page, open, center, faults, close } = await administrator(stage);
    const { app } = stage.running;
    const waiting = await makeMember(app, center.id, 'INSTRUCTOR', { name: 'Grace Hopper' });
    await app.db.acrossTenants.membership.update({
      where: { id: waiting.membership.id },
      data: { status: 'PENDING' },
    });
    await open('/people');
    await page.getByRole('button', { name: 'Approve Grace Hopper' }).click();
    await page.getByRole('button', { name: 'Approve Grace Hopper' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
    await page.getByRole('menuitem', { name: 'Change role' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('listbox').getByRole('option', { name: 'Administrator' }).click();
    await page.getByRole('button', { name: 'Change role' }).click();
    await page.getByRole('row', { name: /Grace Hopper.*Administrator/ }).waitFor();
    const actions = page.getByRole('button', { name: 'Actions for Grace Hopper' });
    const focused = actions.and(page.locator(':focus'));
    await focused.waitFor();
    await actions.press('Enter');
    await page.getByRole('menuitem', { name: 'Change role' }).press('Escape');
    await focused.waitFor();
    await actions.click();
    await page.getByRole('menuitem', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('row', { name: /Grace Hopper.*Suspended/ }).waitFor();
    // By keyboard: for some seconds the notification about the suspension covers the button.
    await page.getByRole('button', { name: 'Invite person' }).press('Enter');
    await page.getByLabel('Email').fill('new.person@example.test');
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByRole('row', { name: /new\.person@example\.test.*Invited/ }).waitFor();
    await expectGoodScreen(page, 'people');
    expect(faults).toEqual([]);
    await close();
  });

  test('Job: Create an API key. The key is created, shown once, rotated and revoked', async () => {
    const { page, open, faults, close } = await administrator(stage);
    await open('/api-keys');
    await page.getByRole('button', { name: 'Create your first key' }).click();
    await page.getByLabel('Name').fill('Planner');
    const permissions = page.getByRole('radiogroup', { name: 'Permissions' }).getByRole('radio');
    expect(
      await permissions.evaluateAll((radios) =>
        radios.map((radio) => (radio as { checked?: boolean }).checked),
      ),
    ).toEqual([true, false, false]);
    await page.getByRole('radio', { name: 'Read and write' }).check();
    await page.getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByTestId('secret');
    const first = (await shown.textContent())!;
    const status = async (key: string) =>
      (await stage.running.call('GET', '/v1/decision-events', { token: key })).status;
    expect(await status(first)).toBe(200);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await shown.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(first);
    await page.getByRole('button', { name: 'Actions for Planner' }).click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const second = (await shown.textContent())!;
    expect(await Promise.all([status(first), status(second)])).toEqual([200, 200]);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText(/^Ends (in|tomorrow)/).waitFor();
    await expectGoodScreen(page, 'api-keys');
    await page.getByRole('button', { name: 'Actions for Planner' }).first().click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    expect(await status(second)).toBe(401);
    expect(faults).toEqual([]);
    await close();
  });

  test('Job: Connect a webhook. An endpoint is added, receives a sample, shows the delivery, and its secret is rotated', async () => {
    const consumer = await startConsumer((_, response) => response.writeHead(500).end('no room'));
    const { page, open, faults, close } = await administrator(stage);
    await open('/webhooks');
    await page.getByRole('button', { name: 'Add your first endpoint' }).click();
    await page.getByLabel('Address').fill(consumer.url);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByTestId('secret').waitFor();
    // The endpoint's page shows the delivery once it follows the endpoint.
    const follows = page.waitForResponse((answer) =>
      /subscription AnyDelivery.*"webhookId":"/.test(answer.request().postData() ?? ''),
    );
    await Promise.all([follows, page.getByRole('button', { name: 'I have stored it' }).click()]);
    await page.getByRole('button', { name: 'Send sample' }).first().click();
    await page.getByRole('menuitem', { name: 'dpu.sealed' }).click();
    const delivery = page.getByRole('button', { name: /dpu\.sealed/ });
    await delivery.waitFor({ timeout: 30_000 });
    await page.getByText(/Again in/).waitFor();
    await expectGoodScreen(page, 'webhook');
    await delivery.press('Enter');
    await page.getByText('no room').waitFor();
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText('Attempt 2').waitFor({ timeout: 30_000 });
    // The URL opens it for every recipient, even if the list does not show it.
    const shared = new URL(page.url());
    shared.searchParams.set('status', 'success');
    await page.goto(shared.href);
    await page.getByText('No matching entries').waitFor();
    await page.getByText('Attempt 2').waitFor();
    await page.getByRole('button', { name: 'Close' }).press('Enter');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByTestId('secret').waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText(/signs too, for/).waitFor();
    expect(faults).toEqual([]);
    await close();
    await consumer.close();
  });

  test('Job: Write a policy. It warns, is tried on past requests and activated, and the simulator shows what it requires', async () => {
    const { page, open, follow, center, faults, close } = await administrator(stage);
    const key = await makeKey(stage.running.app, center.id);
    const decide = (type: string) =>
      stage.running.call('POST', '/v1/agents/decide', {
        token: key,
        body: { agent: { id: 'bot', name: 'Bo\u202et' }, action: { type, input: { x: 1 } }, riskScore: 0.1 },
      });
    await decide('therapy.plan');
    await decide('refund.grant');
    await open('/policies');
    await page.getByText('It would be sealed at once.').waitFor();
    await page.getByRole('link', { name: 'New policy' }).click();
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByText('Give the policy a name.').waitFor();
    await page.getByLabel('Name').fill('Two for therapy');
    await page.getByRole('textbox', { name: 'Actions' }).fill('therapy.*');
    await page.getByRole('radiogroup', { name: 'Two different people approve' }).getByText('Yes').click();
    await page.getByText('Approval by two different approvers.').waitFor();
    await page.getByRole('combobox', { name: 'Approver authentication' }).click();
    await page.getByRole('option', { name: 'Signed in' }).click();
    const warning = 'Two people must approve. Only one administrator can approve: Ada Lovelace.';
    await page.getByText(warning).waitFor();
    await page.getByText('1 warning, shown beside the fields.').waitFor();

    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('1 of 1 request of the last 30 days would have waited.').waitFor();
    await page.getByRole('row', { name: /therapy\.plan.*Bo\\u202et/ }).waitFor();
    await expectGoodScreen(page, 'policy-new');
    // A draft survives a reload, and leaving asks.
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('Restored your draft.').waitFor();
    await page.getByText(warning).waitFor();
    await follow('Approvals');
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('heading', { name: 'Two for therapy' }).waitFor();
    await page.getByText('Created. Covers therapy.*.').waitFor();
    await expectGoodScreen(page, 'policy-page');

    await page
      .getByRole('link', { name: /Policies/ })
      .last()
      .click();
    await page.getByRole('row', { name: /Two for therapy.*Approval by two different approvers/ }).waitFor();
    const approvers = page.getByRole('combobox', { name: 'Approved by' });
    await approvers.click();
    await page.getByRole('option', { name: 'Ada Lovelace (administrator)' }).click();
    await page.getByText('It would wait for a further approval.').waitFor();
    await page.getByRole('option', { name: 'A further administrator', exact: true }).click();
    await page.getByText('It would be sealed at once.').waitFor();
    await page.getByText(/^Approval by two different.*\(policy Two for therapy, version 1\)$/).waitFor();
    await page.keyboard.press('Escape');
    await expectGoodScreen(page, 'policies');
    await approvers.click();
    await page.getByRole('option', { name: 'The requester' }).click();
    await page.getByText('Requesters cannot approve their own decisions.').waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test('settings are saved, and the audit log records the change and is exported', async () => {
    const { page, open, follow, account, center, faults, close } = await administrator(stage);
    await open('/settings');
    await page.getByLabel('Description', { exact: true }).fill('By the water.');
    await page.getByRole('combobox', { name: 'Country' }).selectOption('Germany (DE)');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    await page.getByLabel('Actor name').check();
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByText(/It applies to all public pages/).waitFor();
    await expectGoodScreen(page, 'settings');
    const saved = await stage.running.app.db.acrossTenants.center.findUniqueOrThrow({
      where: { id: center.id },
    });
    expect(saved.description).toBe('By the water.');
    expect(saved.settings).toMatchObject({
      country: 'DE',
      proof: { enabled: true, disclose: ['actor.name'] },
    });
    await follow('Audit log');
    await page
      .getByRole('button', { name: /Settings changed/ })
      .first()
      .waitFor();
    await page
      .getByRole('row', { name: /Settings changed.*Ada Lovelace/ })
      .first()
      .waitFor();
    const person = page.getByRole('combobox', { name: 'Person' });
    await person.fill('lovelace');
    await page.getByRole('option', { name: /^Ada Lovelace/ }).click();
    await page.waitForURL('**person=**');
    await page
      .getByRole('row', { name: /Settings changed.*Ada Lovelace/ })
      .first()
      .waitFor();
    await expectGoodScreen(page, 'audit');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    const [header, ...rows] = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(header).toBe('What,To whom or what,Details,Who,From,When,Record');
    expect(rows.filter((row) => /^Settings changed,.*,Ada Lovelace,/.test(row))).toHaveLength(2);
    await follow('Subscription');
    await page.getByText('Yours').waitFor();
    await expectGoodScreen(page, 'subscription');
    await account();
    await page.getByText('This one').waitFor();
    await expectGoodScreen(page, 'me');
    expect(faults).toEqual([]);
    await close();
  });

  test('the finder finds people, keys and actions; filters are saved, lists are exported, and guides are linked', async () => {
    const { page, open, center, faults, close } = await administrator(stage);
    const { app } = stage.running;
    await makeMember(app, center.id, 'INSTRUCTOR', { name: 'Grace Hopper' });
    await open('');
    await page.getByText('Everything works').waitFor();
    const find = async (words: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('textbox', { name: 'Find' }).fill(words);
    };
    await find('grace');
    await page.getByRole('button', { name: /Grace Hopper/ }).waitFor();
    await expectGoodScreen(page, 'finder');
    await page.getByRole('button', { name: /Grace Hopper/ }).click();
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor();
    await open('/people?search=grace');
    await page.getByRole('row', { name: /Grace Hopper/ }).waitFor();
    expect(await page.getByRole('row', { name: /Ada Lovelace/ }).count()).toBe(0);
    // A filter saved under a name is available later.
    await page.getByRole('button', { name: 'Saved filters' }).click();
    await page.getByLabel('Save filter as').fill('Grace only');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await open('/people');
    await page.getByRole('row', { name: /Ada Lovelace/ }).waitFor();
    await page.getByRole('button', { name: 'Saved filters' }).click();
    await expectGoodScreen(page, 'saved-filters');
    await page.getByRole('button', { name: 'Grace only', exact: true }).click();
    await page.getByRole('row', { name: /Ada Lovelace/ }).waitFor({ state: 'detached' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).first().click(),
    ]);
    expect(download.suggestedFilename()).toBe('members.csv');
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe('Person,Role,Email,Phone,Status,Signs in with,Since');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^Grace Hopper,.*,\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
    const guide = page.getByRole('link', { name: 'Guide to this page' });
    expect(await guide.getAttribute('href')).toBe('/docs/centers-and-memberships#invitations');
    await find('new api');
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
