import { describe, expect, test } from 'vitest';
import { makeMember } from '../../helpers/world.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { administrator, expectGoodScreen } from './visitor.ts';

const stage = consoleStage();

describe.runIf(hasBrowser)('an administrator', () => {
  test('Job: Record a decision. An administrator records and withdraws one, issues a certificate, confirms attendance and raises the evidence level of a record', async () => {
    const { app } = stage.running;
    const { page, faults, close, center, open, follow } = await administrator(stage);
    await makeMember(app, center.id, 'CHILD', { name: 'Lina Learner', email: 'lina@example.test' });

    await open('/decisions');
    await page.getByRole('button', { name: 'Record decision' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Record decision' }).click();
    await dialog.getByText('Say what was decided.').waitFor();
    await dialog.getByLabel('Decision').fill('Refund the cancelled course.');
    await dialog.getByLabel('Action type').fill('refund.grant');
    await dialog.getByLabel('Details').fill('{ "amount": 120 }');
    await expectGoodScreen(page, 'record-decision');
    await dialog.getByRole('button', { name: 'Record decision' }).click();
    await page.getByRole('heading', { name: 'Refund the cancelled course.' }).waitFor();
    await page
      .getByText(/Ada Lovelace \(person\)/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Withdraw request' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('The request was withdrawn.').waitFor();
    await page.getByRole('main').getByText('Rejected', { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Withdraw request' }).count()).toBe(0);

    await follow('Certificates');
    await page.getByText('No certificates yet').waitFor();
    await page.getByRole('button', { name: 'Issue certificate' }).click();
    await dialog.getByRole('combobox', { name: 'Holder' }).fill('Lina');
    await page.getByRole('option', { name: /Lina Learner/ }).click();
    await dialog.getByLabel('Title').fill('First aid');
    await dialog.getByLabel('Course').fill('FA-101');
    await dialog.getByRole('button', { name: 'Issue certificate' }).click();
    await page.getByRole('row', { name: /Lina Learner.*First aid.*FA-101/ }).waitFor();
    await expectGoodScreen(page, 'certificates');
    await page.getByRole('link', { name: 'Lina Learner' }).click();
    await page.getByText('has completed FA-101.').waitFor();
    await page.getByRole('button', { name: 'Print' }).waitFor();
    await expectGoodScreen(page, 'certificate');

    await follow('Attendance');
    await page.getByRole('button', { name: 'Confirm attendance' }).click();
    await dialog.getByRole('combobox', { name: 'Attendee' }).fill('Lina');
    await page.getByRole('option', { name: /Lina Learner/ }).click();
    await dialog.getByLabel('Session').fill('Monday group');
    await dialog.getByRole('button', { name: 'Confirm attendance' }).click();
    await page.getByRole('row', { name: /Lina Learner.*Monday group.*Confirmed by the center/ }).waitFor();
    await expectGoodScreen(page, 'attendance');

    await follow('Records');
    await page.getByRole('row', { name: /Certificate, number 1.*Ready for an audit/ }).waitFor();
    await expectGoodScreen(page, 'records');
    await page.getByRole('link', { name: /Attendance, number 2/ }).click();
    await page.getByRole('button', { name: 'Raise evidence level' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Raise level' }).click();
    await page.getByText('Ready for an audit').first().waitFor();
    await expectGoodScreen(page, 'record');
    expect(faults).toEqual([]);
    await close();
  });

  test('sees the profile of a member, the creator of an API key and the history of a policy', async () => {
    const { app } = stage.running;
    const { page, faults, close, center, admin, open, follow } = await administrator(stage);
    await makeMember(app, center.id, 'INSTRUCTOR', { name: 'Ines Instructor', email: 'ines@example.test' });
    const run = (text: string, variables: object) =>
      stage.running.graphql(text, variables as Record<string, unknown>, admin.token);
    const made = await run('mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { id } }', {
      input: { scope: 'CENTER', name: 'Refunds', actionPattern: 'refund.*', guards: { riskThreshold: 0.5 } },
    });
    await run('mutation ($input: UpdatePolicyInput!) { updatePolicy(input: $input) { id } }', {
      input: { id: made.data.createPolicy.id, guards: { riskThreshold: 0.2, dualApproval: true } },
    });
    await run('mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { plaintext } }', {
      input: { name: 'Bot', scopes: ['proof:write'] },
    });

    await open('/policies');
    await page.getByRole('link', { name: 'Refunds' }).click();
    await page.getByRole('heading', { name: 'Version 2' }).waitFor();
    await page
      .getByText(/Ada Lovelace/)
      .first()
      .waitFor();
    await page.getByText('A person approves above a risk of 20 % (before: ').waitFor();
    await page.getByText('Added: Approval by two different approvers.').waitFor();
    await expectGoodScreen(page, 'policy');

    await follow('API keys');
    await page.getByRole('row', { name: /Bot.*Ada Lovelace/ }).waitFor();
    await follow('People');
    await page.getByRole('link', { name: 'Ines Instructor' }).click();
    await page.getByRole('heading', { name: 'Ines Instructor' }).waitFor();
    await page.getByText('ines@example.test').waitFor();
    await expectGoodScreen(page, 'person');
    await follow('People');
    await page.getByRole('link', { name: 'Ada Lovelace' }).click();
    await page
      .getByRole('row', { name: /API key created/ })
      .first()
      .waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
