import { describe, expect, test } from 'vitest';
import { makeMember } from '../../helpers/world.ts';
import { decisionDesk } from './decision-desk.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { expectGoodScreen } from './visitor.ts';

const stage = consoleStage();

const SET_MEMBERS = 'mutation ($input: SetGroupMembersInput!) { setGroupMembers(input: $input) { id } }';

describe.runIf(hasBrowser)('the audit log', () => {
  test('names the people, groups and changes of its entries, and filters by anyone in the center', async () => {
    const { page, path, admin, center, faults, close } = await decisionDesk(stage);
    const { app, graphql } = stage.running;
    const ask = async (document: string, variables: object) => {
      const { data, errors } = await graphql(document, variables as Record<string, unknown>, admin.token);
      expect(errors).toBeUndefined();
      return Object.values(data as object)[0];
    };
    const grace = await makeMember(app, center.center.id, 'INSTRUCTOR', { name: 'Grace Hopper' });
    const edith = await makeMember(app, center.center.id, 'INSTRUCTOR', { name: 'Edith Clarke' });
    // More people than one page of a list holds, all newer than those above.
    for (let i = 0; i < 25; i++) await makeMember(app, center.center.id, 'PARENT', { name: `Parent ${i}` });
    const { id } = await ask('mutation { createGroup(input: { name: "Ward doctors" }) { id } }', {});
    await ask(SET_MEMBERS, { input: { id, membershipIds: [grace.membership.id] } });
    await ask(SET_MEMBERS, { input: { id, membershipIds: [edith.membership.id] } });
    const policy = {
      scope: 'CENTER',
      name: 'Ward rounds',
      actionPattern: 'ward.*',
      guards: { quorum: [{ group: id, count: 1 }, { count: 1 }] },
    };
    await ask('mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { id } }', {
      input: policy,
    });
    const event = await center.record({
      action: { type: 'ward.round', description: 'Change\u200b the plan' },
    });
    const approve = `mutation ($input: ApproveDecisionInput!) { approveDecision(input: $input) { eventId } }`;
    const input = { eventId: event.id, result: 'approved' };
    expect((await graphql(approve, { input }, edith.token)).errors).toBeUndefined();
    await ask(
      'mutation { updateCenter(input: { emailDomains: ["ward.example.org"], guardianBooking: false }) { id } }',
      {},
    );

    await page.goto(`${path}/audit`);
    const row = (name: RegExp) => page.getByRole('row', { name }).first();
    await row(
      /Approval group members changed Added Edith Clarke, removed Grace Hopper Ward doctors/,
    ).waitFor();
    await row(/Approval group created.*Ward doctors/).waitFor();
    await row(/Policy created.*Covers ward\.\*.*Ward rounds/).waitFor();
    await row(/Decision approved For Ward doctors Change\\u200b the plan Edith Clarke/).waitFor();
    await row(/Settings changed.*Email domains: added ward\.example\.org, guardians can book: no/).waitFor();
    await expectGoodScreen(page, 'audit-names');
    // The person is found by name among more people than the list shows.
    await page.getByRole('combobox', { name: 'Person' }).fill('edith');
    await page.getByRole('option', { name: /^Edith Clarke/ }).click();
    await row(/Policy created/).waitFor({ state: 'detached' });
    await row(/Decision approved/).waitFor();
    await page.waitForURL('**person=**');
    await page.reload();
    await row(/Decision approved/).waitFor();
    await page.locator('input[value="Edith Clarke"]').waitFor();
    await page.getByRole('button', { name: /Decision approved/ }).click();
    await page.getByRole('dialog').getByText('For Ward doctors').waitFor();
    await expectGoodScreen(page, 'audit-entry');
    expect(faults).toEqual([]);
    await close();
  });
});
