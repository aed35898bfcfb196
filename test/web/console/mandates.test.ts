import { describe, expect, test } from 'vitest';
import { systemContext } from '../../../src/domain/context.ts';
import { createPolicy } from '../../../src/domain/policies/edit.ts';
import { makeKey, makeMember } from '../../helpers/world.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { administrator, expectGoodScreen, PASSWORD, startSession, visitor } from './visitor.ts';

const stage = consoleStage({ worker: true });

/** The format of a datetime-local input. */
const local = (hours: number) => {
  const at = new Date(Date.now() + hours * 3_600_000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

describe.runIf(hasBrowser)('mandates', () => {
  test('Job: Grant a mandate. Its condition is tried, the only administrator is told, its approver reads what it lifts, and a passkey policy makes it useless', async () => {
    const { page, open, center, faults, close } = await administrator(stage);
    const { app } = stage.running;
    const key = await makeKey(app, center.id);
    const policy = (name: string, guards: object) =>
      createPolicy(systemContext(app, 'test', center.id), {
        scope: 'CENTER',
        name,
        actionPattern: 'refund.*',
        guards,
      });
    await policy('Refunds', { quorum: [{ count: 2 }] });
    await open('/mandates');
    await page.getByRole('button', { name: 'Request the first' }).click();
    const form = page.getByRole('dialog');
    await form.getByText('No other person can approve this request').waitFor();
    await form.getByRole('textbox', { name: 'Agent' }).fill('refund-agent');
    await form.getByRole('combobox', { name: 'API keys' }).fill('test k');
    await page.getByRole('option', { name: /^test key/ }).click();
    await page.keyboard.press('Escape');
    await form.getByRole('textbox', { name: 'Actions' }).fill('refund.*');
    await form.getByText('Replaces the quorum of two of policy “Refunds”').waitFor();
    const condition = form.getByRole('textbox', { name: 'Condition' });
    await condition.fill('input.amount <');
    await condition.blur();
    await form.getByText(/\(line 1, column \d+\)/).waitFor();
    await expectGoodScreen(page, 'mandate-condition-error');
    await condition.fill('input.amount < 20');
    await form.getByRole('button', { name: 'Try it on an example' }).click();
    await form.getByRole('button', { name: 'Try it', exact: true }).click();
    await form.getByText('The call would be approved.').waitFor();
    await form.getByRole('textbox', { name: 'Input of the call' }).fill('{ "amount": 30 }');
    await form.getByRole('button', { name: 'Try it', exact: true }).click();
    await form.getByText('The call does not meet the condition of the mandate.').waitFor();
    await form.getByRole('textbox', { name: 'Uses at most' }).fill('4');
    await form.getByLabel('Ends').fill(local(48));
    await form.getByRole('textbox', { name: 'Reason' }).fill('Small refunds');
    await expectGoodScreen(page, 'mandate-request');
    await form.getByRole('button', { name: 'Request the mandate' }).click();
    await page.getByRole('heading', { name: 'Mandate of refund-agent' }).waitFor();
    await page.getByText('No other person can approve this request').waitFor();
    await expectGoodScreen(page, 'mandate-pending');

    const grace = await makeMember(app, center.id, 'ADMIN', { name: 'Grace Hopper', password: PASSWORD });
    const other = await visitor(stage.browser, stage.running);
    await startSession(other.page, grace.actor.email!);
    await other.page.goto(`/c/${center.centerDomain}/approvals`);
    await other.page.getByRole('button', { name: /Small refunds/ }).click();
    await other.page.getByText('Replaces the quorum of two of policy “Refunds”').waitFor();
    await expectGoodScreen(other.page, 'mandate-approval');
    await other.page.getByRole('button', { name: 'Approve' }).click();
    await other.page.getByRole('status').getByText('You approved this request.').waitFor();
    expect(other.faults).toEqual([]);
    await other.close();

    const ask = async () => {
      const action = { type: 'refund.grant', description: 'Refund order 17', input: { amount: 10 } };
      const body = { agent: { id: 'refund-agent' }, action, riskScore: 0.95 };
      return (await stage.running.call('POST', '/v1/agents/decide', { token: key, body })).body.data;
    };
    expect((await ask()).outcome).toBe('completed');
    await page.getByRole('link', { name: 'Refund order 17' }).waitFor();
    await page.getByText(/^test key \(/).waitFor();
    await expectGoodScreen(page, 'mandate');

    await policy('Large sums', { approverAuthentication: 'SIGNED' });
    expect(await ask()).toMatchObject({
      outcome: 'awaiting_approval',
      mandate: { notUsed: 'A policy requires approvers who sign with a passkey, which a mandate cannot do.' },
    });
    await page.getByText(/^Cannot be used for refund\.\*: policy “Large sums” requires/).waitFor();
    await expectGoodScreen(page, 'mandate-not-used');
    await open('/mandates');
    await page.getByRole('row', { name: /refund-agent.*Active, not used.*sign with a passkey/ }).waitFor();
    await page.getByText('1 of 4').waitFor();
    await expectGoodScreen(page, 'mandates');
    await open('/policies');
    await page.getByLabel('Action', { exact: true }).fill('refund.grant');
    const simulated = page.getByRole('region', { name: 'Mandates' });
    await simulated.getByText('A policy requires approvers who sign with a passkey').waitFor();
    await expectGoodScreen(page, 'simulated-mandates');
    await simulated.getByRole('link', { name: 'Mandate of refund-agent' }).click();
    await page.getByRole('button', { name: 'Revoke immediately' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('Revoked', { exact: true }).first().waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test('Lists have pages, and choices are searched by the service', async () => {
    const { page, open, center, faults, close } = await administrator(stage);
    const { app } = stage.running;
    const key = await makeKey(app, center.id);
    for (let i = 0; i < 26; i++) {
      const body = {
        agent: { id: `agent-${i}` },
        actionPattern: 'refund.*',
        validUntil: new Date(Date.now() + 86_400_000).toISOString(),
        reason: 'Refunds',
      };
      const { status } = await stage.running.call('POST', '/v1/mandates', { token: key, body });
      expect(status).toBe(201);
      await makeMember(app, center.id, 'INSTRUCTOR', { name: `Member ${i}` });
    }
    await makeMember(app, center.id, 'INSTRUCTOR', { name: 'Zoe Quinn' });
    await open('/mandates');
    await page.getByRole('link', { name: 'agent-25' }).waitFor();
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByRole('link', { name: 'agent-0', exact: true }).waitFor();
    await open('/groups');
    await page.getByRole('button', { name: 'Create the first group' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Finance');
    await page.getByRole('button', { name: 'Create the group' }).click();
    await page.getByRole('button', { name: 'Finance', exact: true }).click();
    const members = page.getByRole('combobox', { name: 'Members' });
    await page.getByText('More match than the list shows').waitFor();
    await members.fill('zoe');
    await page.getByRole('option', { name: /Zoe Quinn/ }).click();
    await members.fill('member 2');
    await page.getByRole('option', { name: /^Member 2,/ }).click();
    await page.keyboard.press('Escape');
    await expectGoodScreen(page, 'group-members');
    await page.getByRole('button', { name: 'Save the members' }).click();
    await page.getByRole('row', { name: /Finance.*Zoe Quinn/ }).waitFor();
    await page.getByRole('row', { name: /Finance.*Member 2/ }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
