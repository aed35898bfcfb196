import { describe, expect, test } from 'vitest';
import { notifyOfDecisions } from '../../../src/domain/notifications/notify.ts';
import { newId } from '../../../src/lib/ids.ts';
import { testApp } from '../../helpers/app.ts';
import { makeKey, makeMember } from '../../helpers/world.ts';
import { consumer } from '../../webhooks/consumer.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { administrator, expectGoodScreen, PASSWORD, startSession, visitor } from './visitor.ts';

const stage = consoleStage({ worker: true });

/** The format of a datetime-local input. */
const local = (hours: number) => {
  const at = new Date(Date.now() + hours * 3_600_000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

describe.runIf(hasBrowser)('approval rules', () => {
  test('with a replica, reads after a change are at least as recent as the change', async () => {
    const { database } = stage.running;
    // A server that is not a standby answers no reads, but writes tell their positions all the same.
    const running = await testApp({ database, env: { DATABASE_REPLICA_URL: database.url } });
    const { page, open, faults, close } = await administrator({ running, browser: stage.browser });
    await open('/groups');
    const told = page.waitForResponse((answer) => answer.headers()['x-read-after'] !== undefined);
    await page.getByRole('button', { name: 'Create the first group' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Finance');
    await page.getByRole('button', { name: 'Create the group' }).click();
    await page.getByRole('button', { name: 'Actions for Finance' }).waitFor();
    const position = (await told).headers()['x-read-after'];
    const next = page.waitForRequest((request) => request.headers()['x-read-after'] === position);
    await page.reload();
    await next;
    expect(faults).toEqual([]);
    await close();
  });

  test('Job: Require several approvers. A group is created with members, a policy requires it, and the simulator shows who must approve', async () => {
    const { page, open, follow, center, faults, close } = await administrator(stage);
    const { app } = stage.running;
    const grace = await makeMember(app, center.id, 'INSTRUCTOR', {
      name: 'Grace Hopper',
      password: PASSWORD,
    });
    await open('/groups');
    await page.getByRole('button', { name: 'Create the first group' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Finance');
    await page.getByRole('button', { name: 'Create the group' }).click();
    await page.getByRole('button', { name: 'Actions for Finance' }).click();
    await page.getByRole('menuitem', { name: 'Choose members' }).click();
    await page.getByRole('combobox', { name: 'Members' }).click();
    await page.getByRole('option', { name: /Grace Hopper/ }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save the members' }).click();
    await page.getByRole('row', { name: /Finance.*Grace Hopper/ }).waitFor();
    await expectGoodScreen(page, 'groups');

    await follow('Policies');
    await page.getByRole('link', { name: 'New policy' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Payments');
    await page.getByRole('textbox', { name: 'Actions' }).fill('payment.*');
    await page.getByRole('button', { name: 'Add a seat' }).click();
    await page.getByRole('combobox', { name: 'Seat 1: of', exact: true }).click();
    await page.getByRole('option', { name: 'Finance' }).click();
    await page.getByText('Only one person can fill this seat: Grace Hopper.').waitFor();
    await page.getByRole('button', { name: 'Add a seat' }).click();
    await page.getByRole('switch', { name: 'In this order' }).check();
    await expectGoodScreen(page, 'policy-form-quorum');
    await page.getByRole('button', { name: 'Activate' }).click();
    const statement =
      'Approval by one member of Finance, signed in; one person, signed in or asserted by an API key, in this order';
    await page.getByRole('heading', { name: 'Version 1' }).waitFor();
    await page.getByText(`${statement}.`).waitFor();
    await follow('Policies');
    await page.getByRole('row', { name: new RegExp(`Payments.*${statement}`) }).waitFor();
    await page.getByLabel('Action', { exact: true }).fill('payment.send');
    const seats = page.getByRole('region', { name: 'Who has to approve' });
    await seats.getByText('One member of Finance, signed in: open').waitFor();
    await page.getByRole('combobox', { name: 'Approved by' }).click();
    await page.getByRole('option', { name: 'Grace Hopper (Finance)' }).click();
    await seats.getByText(/One member of Finance, signed in: filled by Grace Hopper/).waitFor();
    await page.getByText('It would wait for a further approval.').waitFor();
    await page.keyboard.press('Escape');
    await expectGoodScreen(page, 'simulated-seats');
    // Saving it again must not lose its seats.
    await page.getByRole('link', { name: 'Payments' }).click();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('All payments');
    await page.getByRole('button', { name: 'Save new version' }).click();
    await page.getByText('Renamed from “Payments” to “All payments”.').waitFor();
    await page.getByText(`${statement}.`).waitFor();

    const key = await makeKey(app, center.id);
    const body = {
      type: 'custom',
      actor: { id: 'bot', type: 'system' },
      action: { type: 'payment.send', description: 'Pay the invoice' },
    };
    const recorded = await stage.running.call('POST', '/v1/decision-events', { token: key, body });
    const path = `/c/${center.centerDomain}`;
    const other = await visitor(stage.browser, stage.running);
    await startSession(other.page, grace.actor.email!);
    await other.page.goto(`${path}/approvals`);
    await other.page.getByRole('button', { name: /Pay the invoice.*your group/ }).click();
    await other.page.getByText('One person, signed in or asserted by an API key: open').waitFor();
    await expectGoodScreen(other.page, 'approval-with-seats');
    await other.page.getByRole('button', { name: 'Approve' }).click();
    await other.page.getByRole('status').getByText('You approved this request.').waitFor();
    expect(other.faults).toEqual([]);
    await other.close();
    await page.goto(`${path}/decisions/${recorded.body.data.id}`);
    await page.getByText('One member of Finance, signed in: filled by Grace Hopper').waitFor();
    await expectGoodScreen(page, 'decision-with-seats');
    expect(faults).toEqual([]);
    await close();
  });

  test('Job: Change a policy. A seat goes from a group to any human; the versions and the audit log say so', async () => {
    const { page, open, follow, center, admin, faults, close } = await administrator(stage);
    const ask = async (query: string, input: object) => {
      const { data, errors } = await stage.running.graphql(query, { input }, admin.token);
      expect(errors).toBeUndefined();
      return Object.values(data)[0] as { id: string };
    };
    const group = await ask('mutation ($input: CreateGroupInput!) { createGroup(input: $input) { id } }', {
      name: 'Finance',
    });
    const policy = await ask('mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { id } }', {
      scope: 'CENTER',
      name: 'Payments',
      actionPattern: 'payment.*',
      guards: { riskThreshold: 0.125, quorum: [{ group: group.id, count: 2 }] },
    });
    await open(`/policies/${policy.id}/edit`);
    await page.getByText(/^No member can fill this seat/).waitFor();
    await page.getByRole('combobox', { name: 'Seat 1: of', exact: true }).click();
    await page.getByRole('option', { name: 'Any human' }).click();
    await page.getByText(/^No member can fill this seat/).waitFor({ state: 'detached' });
    await expectGoodScreen(page, 'policy-edit');

    // Another administrator saves a version meanwhile: nothing is overwritten unasked.
    await ask('mutation ($input: UpdatePolicyInput!) { updatePolicy(input: $input) { id } }', {
      id: policy.id,
      name: 'All payments',
    });
    await page.getByRole('button', { name: 'Save new version' }).click();
    await page.getByRole('heading', { name: 'Version 2 was saved meanwhile' }).waitFor();
    await expectGoodScreen(page, 'policy-outdated');
    await page.getByRole('button', { name: 'Start again from version 2' }).click();
    await page.getByRole('combobox', { name: 'Seat 1: of', exact: true }).click();
    await page.getByRole('option', { name: 'Any human' }).click();
    await page.getByRole('button', { name: 'Save new version' }).click();
    await page.getByRole('heading', { name: 'Version 3' }).waitFor();
    const change =
      'Seat 1: two people, each signed in or asserted by an API key (before: two members of Finance, each signed in).';
    await page.getByText(change).waitFor();
    await page.getByText('A person approves above a risk of 12.5 %.', { exact: true }).waitFor();
    await expectGoodScreen(page, 'policy-versions');

    await follow('All changes');
    await page.getByRole('row', { name: /Policy changed.*Seat 1: two people.*All payments/ }).waitFor();
    await page.getByRole('row', { name: /Policy created.*Covers payment/ }).waitFor();
    await page.getByRole('button', { name: /Policy changed.*Seat 1/ }).click();
    await page.getByRole('dialog').getByText(change, { exact: true }).waitFor();
    await expectGoodScreen(page, 'audit-policy');
    await page.getByRole('dialog').getByRole('link', { name: 'All payments' }).click();
    await page.waitForURL(`**/c/${center.centerDomain}/policies/${policy.id}`);
    expect(faults).toEqual([]);
    await close();
  });

  test('Job: Record an absence. Members choose their notification mails and name a delegate; a chat channel is added and tested', async () => {
    const chat = await consumer();
    const { page, open, account, center, faults, close } = await administrator(stage);
    const { app } = stage.running;
    await makeMember(app, center.id, 'ADMIN', { name: 'Grace Hopper' });
    // Only members of a group have seats to delegate.
    const db = app.db.forCenter(center.id);
    const { id: membershipId } = await db.membership.findFirstOrThrow({
      where: { actor: { name: 'Ada Lovelace' } },
    });
    const members = { create: [{ membershipId, centerId: center.id }] };
    await db.approvalGroup.create({
      data: { id: newId('grp'), centerId: center.id, name: 'Directors', members },
    });
    await open('');
    await account();
    await page.getByRole('radio', { name: 'Once a day' }).check();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Record absence' }).click();
    await page.getByRole('combobox', { name: 'Delegate' }).click();
    await page.getByRole('option', { name: 'Grace Hopper' }).click();
    await page.getByLabel('From').fill(local(-1));
    await page.getByLabel('Until').fill(local(24));
    await page.getByRole('textbox', { name: 'Reason' }).fill('Holiday');
    await page.getByRole('dialog').getByRole('button', { name: 'Record absence' }).click();
    await page.getByRole('row', { name: /Grace Hopper for you.*In force/ }).waitFor();
    await expectGoodScreen(page, 'account-notifications');
    // Administrators see it beside the member, with the delegate.
    await open('/people');
    await page.getByRole('row', { name: /Ada Lovelace.*Away until/ }).waitFor();
    await expectGoodScreen(page, 'people-away');
    await page.getByRole('link', { name: 'Ada Lovelace' }).click();
    await page
      .getByRole('table', { name: 'Absences' })
      .getByRole('row', { name: /Grace Hopper.*Holiday.*In force/ })
      .waitFor();
    await expectGoodScreen(page, 'person-away');
    await account();
    await page.getByRole('button', { name: 'End the delegation to Grace Hopper' }).click();
    await page.getByRole('row', { name: /Grace Hopper for you.*Ended/ }).waitFor();

    await open('/settings');
    await page.getByRole('button', { name: 'Add a channel' }).click();
    await page.getByRole('textbox', { name: 'Name' }).last().fill('Finance');
    await page.getByRole('textbox', { name: 'Webhook address' }).fill(chat.url);
    await page.getByRole('button', { name: 'Add the channel' }).click();
    await page.getByRole('button', { name: 'Actions for Finance' }).click();
    await page.getByRole('menuitem', { name: 'Send a test message' }).click();
    await expect.poll(() => chat.received.length).toBe(1);
    await expect.poll(() => notifyOfDecisions(app)).toBe(true);
    await expectGoodScreen(page, 'settings-chat');
    await page.getByRole('button', { name: 'Actions for Finance' }).click();
    // By keyboard: for some seconds the notification about the test message covers the menu.
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No channel yet').waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
