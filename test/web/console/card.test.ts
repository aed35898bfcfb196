import { describe, expect, test } from 'vitest';
import { publicPaths } from '../../../src/domain/centers/update.ts';
import { freePort } from '../../helpers/free-port.ts';
import { makeCenter, makeKey, makeMember, makeSubscription } from '../../helpers/world.ts';
import { addAuthenticator } from './authenticator.ts';
import { decisionDesk } from './decision-desk.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { expectGoodScreen, PASSWORD, startSession, visitor } from './visitor.ts';

// Passkeys belong to a host name: this one, not the IP address.
const port = await freePort();
const origin = `http://localhost:${port}`;
const stage = consoleStage({ port, env: { PUBLIC_URL: origin } });

const HOSTILE = 'for\u202eeun\u200b';
const SHOWN = String.raw`for\u202eeun\u200b`;

describe.runIf(hasBrowser)('the decision card', () => {
  test('Jobs: Describe your action types; Print a decision. A request shows amounts with units and how each person approved, and its outcome is on the decision, on paper and on the proof page', async () => {
    const { running } = stage;
    const { app } = running;
    const settings = { proof: { enabled: true, disclose: [...publicPaths] } };
    const center = await makeCenter(app, { name: 'Harbour Clinic', settings });
    await makeSubscription(app, center.id, { status: 'ACTIVE' });
    const admin = await makeMember(app, center.id, 'ADMIN', { name: 'Ada Lovelace', password: PASSWORD });
    const key = await makeKey(app, center.id);
    const call = async (path: string, body: object) =>
      (await running.call('POST', `/v1${path}`, { token: key, body })).body.data;
    const ask = (amount: number) =>
      call('/agents/decide', {
        agent: { id: 'refund-agent', name: `Refund agent ${HOSTILE}` },
        action: {
          type: 'refund.grant',
          description: `Refund order 17 ${HOSTILE}`,
          input: { amount, note: HOSTILE, due: '2026-12-01T09:00:00Z' },
        },
        aiContext: { model: 'm', reasoning: `Late delivery.\n${HOSTILE}` },
        riskScore: 0.95,
      });
    // Its type is suggested.
    const first = await ask(17);

    const desk = await visitor(stage.browser, { url: origin });
    const { page, faults, close } = desk;
    await addAuthenticator(desk);
    await startSession(page, admin.actor.email!);
    const open = (path: string) => page.goto(`/c/${center.centerDomain}${path}`);

    await open('/settings');
    await page.getByRole('button', { name: 'Describe an action type' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add an argument' }).click();
    await dialog.getByLabel('Argument 1: name').fill('Amount\u200b');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter an action type, such as refund.grant.').waitFor();
    await dialog.getByText('Enter the path, such as amount or order.total.').waitFor();
    await dialog.getByText('The text has invisible characters. Remove them.').waitFor();
    await dialog.getByLabel('Action type').click();
    await page.getByRole('option', { name: 'refund.grant' }).click();
    await dialog.getByLabel('Name of the action').fill('Refund');
    await dialog.getByLabel('Argument 1: path').click();
    await page.getByRole('option', { name: 'amount' }).click();
    await dialog.getByLabel('Argument 1: name').fill('Amount');
    await dialog.getByLabel('Argument 1: unit').fill('EUR');
    await expectGoodScreen(page, 'action-type');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /Refund.*refund\.grant.*Amount \(EUR\)/ }).waitFor();
    await expectGoodScreen(page, 'action-types');

    await page.goto('/me');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('My laptop');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('row', { name: /My laptop/ }).waitFor();

    const { eventId, argumentsDigest } = await ask(420);
    await open(`/approvals?event=${eventId}`);
    const request = page.getByRole('article');
    const amount = request.getByRole('row', { name: /amount/ });
    expect((await amount.textContent())!.replaceAll(/\s+/g, ' ')).toBe('Amount amount420 EUR');
    await request.getByRole('row', { name: /note/ }).getByText(`"${SHOWN}"`).waitFor();
    await request.getByRole('row', { name: /due/ }).getByText('1 Dec 2026, 10:00:00').waitFor();
    await request.getByRole('heading', { name: `Refund order 17 ${SHOWN}` }).waitFor();
    await request
      .getByText(`Refund agent ${SHOWN} (AI agent), through the API key test key`)
      .first()
      .waitFor();
    await request.getByText(`Late delivery.\n${SHOWN}`).waitFor();
    await expectGoodScreen(page, 'request-with-words');
    await page
      .getByLabel(/^Choose Refund order 17/)
      .first()
      .check();
    await page
      .getByLabel(/^Choose Refund order 17/)
      .last()
      .check();
    await page.getByRole('button', { name: 'Compare' }).click();
    const both = page.getByRole('table', { name: 'Two requests side by side' });
    await both.getByRole('row', { name: /Amount.*420 EUR 17 EUR Differs/ }).waitFor();
    await both.getByRole('row', { name: /Asked on.*2026/ }).waitFor();
    await expectGoodScreen(page, 'requests-compared');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('textbox', { name: 'Reason' }).fill(`Fits the order. ${HOSTILE}`);
    await page.getByRole('button', { name: 'Sign and approve' }).click();
    await page.getByRole('status').getByText('You approved this request.').waitFor();
    const report = { status: 'executed', argumentsDigest, output: { refundId: 'r-1', note: HOSTILE } };
    await call(`/decision-events/${eventId}/outcome`, report);

    await open(`/decisions/${eventId}`);
    const outcome = page.getByRole('region', { name: 'Outcome' });
    await outcome.getByText('Carried out as approved, reported by the API key test key').waitFor();
    await outcome.getByRole('row', { name: 'refundId "r-1"' }).waitFor();
    const approvals = page.getByRole('region', { name: 'Approvals' });
    await approvals.getByText('Ada Lovelace approved, signed with a passkey').waitFor();
    await approvals.getByText(`Fits the order. ${SHOWN}`).waitFor();
    await page.getByText('Record 1 of 1 of the proof chain').waitFor();
    await page
      .getByRole('status')
      .getByText(/^Proven/)
      .waitFor();
    await expectGoodScreen(page, 'decision-card');
    expect(await page.evaluate('document.body.innerText')).not.toMatch(/[\u202e\u200b]|key_/);

    await page.emulateMedia({ media: 'print' });
    await expectPaper(page, eventId);
    await page.emulateMedia({ media: null });

    await page.goto(`/verify/${eventId}`);
    await page.getByRole('heading', { name: 'Proven', exact: true }).waitFor();
    const card = page.locator('.decision-card');
    await card.getByText('Ada Lovelace approved, signed with a passkey').waitFor();
    await card.getByRole('row', { name: 'amount 420' }).waitFor();
    await card.getByRole('row', { name: 'refundId "r-1"' }).waitFor();
    await page.getByText('As record 1 of the proof chain').waitFor();
    expect(await page.evaluate('document.body.innerText')).not.toMatch(/[\u202e\u200b]/);

    // The other request is decided too, so that its arguments keep their names when the words are removed.
    await open('/settings');
    await page.getByRole('button', { name: 'Actions for Refund' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No action type yet').waitFor();
    await open(`/approvals?event=${first.eventId}`);
    await request.getByRole('row', { name: /amount.*17/ }).waitFor();
    expect(await request.getByText('EUR').count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });

  test('a request for a mandate is read in words, without ids and ISO times', async () => {
    const { page, path, center, faults, close } = await decisionDesk(stage);
    const validUntil = new Date(Date.now() + 86_400_000).toISOString();
    const ask = (maxUses: number) =>
      center.post('/mandates', {
        agent: { id: 'refund-agent' },
        actionPattern: 'refund.*',
        validUntil,
        maxUses,
        reason: 'Small refunds',
      });
    const { eventId } = (await ask(5)).body.data;
    await ask(9);
    await page.goto(`${path}/approvals?event=${eventId}`);
    const request = page.getByRole('article');
    await request.getByRole('heading', { name: 'Mandate for refund-agent' }).waitFor();
    const terms = request.getByRole('region', { name: 'What the mandate allows' });
    await terms.getByText('every action that begins with refund.').waitFor();
    await terms.getByText('at most 5 times').waitFor();
    await terms.getByText('the API key test key').waitFor();
    await request.getByText('The API key test key').first().waitFor();
    expect(await page.evaluate('document.body.innerText')).not.toMatch(/key_|grp_|mnd_|\dT\d\d:\d\d/);
    await page.getByRole('button', { name: 'Approve', exact: true, disabled: false }).waitFor();
    await expectGoodScreen(page, 'mandate-as-request');
    for (const box of await page.getByLabel(/^Choose /).all()) await box.check();
    await page.getByRole('button', { name: 'Compare' }).click();
    const both = page.getByRole('table', { name: 'Two requests side by side' });
    await both.getByRole('row', { name: /^How often.*at most \d times Differs$/ }).waitFor();
    expect(await both.textContent()).not.toMatch(/key_|\dT\d\d:\d\d/);
    expect(faults).toEqual([]);
    await close();
  });
});

/** Names the center and the addresses, with the whole fingerprint, and without anything to press. */
async function expectPaper(page: Awaited<ReturnType<typeof visitor>>['page'], eventId: string) {
  const proof = await (await page.request.get(`/verify/${eventId}/proof.json`)).json();
  const hash: string = proof.verification.chainHash.replace('sha256:', '');
  await page.getByText(hash, { exact: true }).waitFor();
  await page.getByText('Harbour Clinic', { exact: true }).last().waitFor();
  await page.getByText(page.url(), { exact: true }).waitFor();
  await page.getByText(`${origin}/verify/${eventId}`, { exact: true }).waitFor();
  expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
  expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0);
  if (process.env['SCREENSHOTS'])
    await page.screenshot({ path: `${process.env['SCREENSHOTS']}/decision-print.png`, fullPage: true });
}
