import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';
import { runAs } from '../../helpers/server.ts';
import { makeActor, makeCenter, makeKey, makeMember, makeToken } from '../../helpers/world.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { administrator, expectGoodScreen, PASSWORD, signIn, startSession, visitor } from './visitor.ts';

const stage = consoleStage();

describe.runIf(hasBrowser)('platform administration', () => {
  test('Job: Run the installation. A platform administrator sees health and keys, onboards a partner, and suspends and ends a center', async () => {
    const { app } = stage.running;
    const root = await makeActor(app, { name: 'Rosa Root', password: PASSWORD, platformAdmin: true });
    const { page, faults, close } = await visitor(stage.browser, stage.running);
    await signIn(page, root.email!);
    await page.waitForURL('**/platform');
    await page.getByRole('heading', { name: 'Everything works' }).waitFor();
    await page.getByRole('table', { name: 'Signing keys' }).getByText('Signs', { exact: true }).waitFor();
    await expectGoodScreen(page, 'installation');

    await page.getByRole('link', { name: 'Partners', exact: true }).click();
    await page.getByRole('button', { name: 'New partner' }).click();
    await page.getByLabel('Name of the partner').fill('South Group');
    await page.getByLabel('Name of the first center').fill('South Quay');
    await page.getByRole('combobox', { name: 'Vertical' }).click();
    await page.getByRole('option', { name: 'Welfare' }).click();
    await page.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option').first().click();
    await page.getByLabel('Name of the administrator').fill('Sina South');
    await page.getByLabel('Their email').fill('sina@example.test');
    await page.getByRole('button', { name: 'Add partner' }).click();
    await page.getByRole('row', { name: /South Group/ }).waitFor();
    await expectGoodScreen(page, 'platform-partners');
    await page.getByRole('link', { name: 'South Group' }).click();
    await page.getByRole('heading', { name: 'South Group' }).waitFor();
    await page.getByText('The invited administrator has not accepted.').waitFor();
    await expectGoodScreen(page, 'platform-partner');
    await page.getByRole('link', { name: 'South Quay' }).click();
    await page.getByRole('link', { name: 'South Group' }).waitFor();
    await page.getByRole('button', { name: 'Change plan' }).waitFor();
    await expectGoodScreen(page, 'platform-center');
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('textbox', { name: 'Search' }).fill(root.email!);
    await page.getByRole('row', { name: /Platform/ }).waitFor();
    await expectGoodScreen(page, 'platform-users');
    await page.getByRole('link', { name: root.name }).click();
    await page.getByText('Platform admin', { exact: true }).waitFor();
    await expectGoodScreen(page, 'platform-user');
    await page.getByRole('link', { name: 'Installation', exact: true }).click();
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Find' }).fill('rosa');
    await page
      .getByRole('dialog', { name: 'Find' })
      .getByRole('button', { name: /Rosa Root/ })
      .click();
    await page.getByText('Platform admin', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Audit log', exact: true }).click();
    await page
      .getByRole('row', { name: /South Quay/ })
      .first()
      .waitFor();
    await page
      .getByText(/plan: Starter/)
      .first()
      .waitFor();
    await expectGoodScreen(page, 'platform-audit');

    await page.getByRole('link', { name: 'Partners', exact: true }).click();
    await page.getByRole('link', { name: 'South Group' }).click();
    await page.getByRole('link', { name: 'Show 1 center' }).click();
    await page.getByRole('row', { name: /South Quay.*South Group.*Open/ }).waitFor();
    await page.getByRole('button', { name: 'Actions for South Quay' }).click();
    await page.getByRole('menuitem', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('row', { name: /South Quay.*Suspended/ }).waitFor();
    await expectGoodScreen(page, 'platform-centers');
    const { id } = await app.db.acrossTenants.center.findFirstOrThrow({ where: { name: 'South Quay' } });
    const reopened = await stage.running.graphql(
      'mutation ($input: CenterMoveInput!) { reactivateCenter(input: $input) { status } }',
      { input: { id: String(id) } },
      await makeToken(app, root.id, null),
    );
    expect(reopened.errors).toBeUndefined();
    await page.getByRole('row', { name: /South Quay.*Open/ }).waitFor();
    await page.getByRole('button', { name: 'Actions for South Quay' }).click();
    await page.getByRole('menuitem', { name: 'Close permanently' }).click();
    const end = page.getByRole('button', { name: 'Close the center' });
    expect(await end.isDisabled()).toBe(true);
    await page.getByLabel('Type south-quay to go on').fill('south-quay');
    await end.click();
    await page.getByRole('row', { name: /South Quay.*Ended/ }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test('Job: Act on a user. A platform administrator ends sessions, appoints and dismisses another one, suspends and restores an account', async () => {
    const { app } = stage.running;
    const root = await makeActor(app, { name: 'Rosa Root', password: PASSWORD, platformAdmin: true });
    const center = await makeCenter(app, { name: 'Lighthouse' });
    const email = 'wilma.watch@example.test';
    const wilma = await makeMember(app, center.id, 'ADMIN', {
      name: 'Wilma Watch',
      email,
      password: PASSWORD,
    });
    const { page, faults, close } = await visitor(stage.browser, stage.running);
    await signIn(page, root.email!);
    await page.goto(`/platform/users/${root.id}`);
    await page.getByText('This is your own account.').waitFor();
    await page.goto(`/platform/users?search=${email}`);
    await page.getByRole('row', { name: /Wilma Watch.*Lighthouse.*Active/ }).waitFor();
    await page.getByRole('link', { name: 'Wilma Watch' }).click();
    await page.getByText('Signed in: 1 active session.').waitFor();
    await expectGoodScreen(page, 'platform-user-access');
    const dialog = page.getByRole('dialog');
    const stored = () => app.db.acrossTenants.actor.findUniqueOrThrow({ where: { id: wilma.actor.id } });

    // A session that was confirmed too long ago asks for the password first.
    await app.db.acrossTenants.session.updateMany({
      where: { actorId: root.id },
      data: { provenAt: new Date(Date.now() - 600_000) },
    });
    await page.getByRole('button', { name: 'End sessions' }).click();
    await dialog.getByText('Wilma Watch is signed out on all devices at once').waitFor();
    await dialog.getByRole('button', { name: 'End sessions' }).click();
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText('Not signed in.').waitFor();
    const ended = await stage.running.graphql('{ me { actorId } }', {}, wilma.token);
    expect(ended.errors![0]!.extensions.code).toBe('UNAUTHORIZED');

    await page.getByRole('button', { name: 'Make platform administrator' }).click();
    await dialog.getByText('remove other platform administrators, including you').waitFor();
    await dialog.getByText(email, { exact: true }).waitFor();
    await expectGoodScreen(page, 'platform-user-appoint');
    await dialog.getByRole('button', { name: 'Make platform administrator' }).click();
    await page.getByText('Platform admin', { exact: true }).waitFor();
    expect((await stored()).platformAdmin).toBe(true);
    await page.getByRole('button', { name: 'Remove platform administrator' }).click();
    await dialog.getByRole('button', { name: 'Remove platform administrator' }).click();
    await page.getByText('Platform admin', { exact: true }).waitFor({ state: 'detached' });
    expect((await stored()).platformAdmin).toBe(false);

    await page.getByRole('button', { name: 'Suspend account' }).click();
    await dialog.getByLabel('Reason').fill('Stolen laptop');
    const suspend = dialog.getByRole('button', { name: 'Suspend account' });
    expect(await suspend.isDisabled()).toBe(true);
    await dialog.getByRole('checkbox', { name: 'Leave Lighthouse without an administrator' }).check();
    await expectGoodScreen(page, 'platform-user-suspend');
    await suspend.click();
    await page.getByText('Suspended: it cannot sign in.').waitFor();
    await expectGoodScreen(page, 'platform-user-suspended');
    expect((await stored()).suspendedAt).not.toBeNull();
    await app.db.acrossTenants.membership.update({
      where: { id: wilma.membership.id },
      data: { status: 'SUSPENDED' },
    });
    await page.goto(`/platform/users?search=${email}`);
    await page.getByRole('row', { name: /Wilma Watch.*Lighthouse \(suspended\).*Suspended/ }).waitFor();
    await page.getByRole('link', { name: 'Wilma Watch' }).click();
    await page.getByRole('button', { name: 'Restore account' }).click();
    await dialog.getByRole('button', { name: 'Restore account' }).click();
    await page.getByText('Active: it can sign in.').waitFor();
    expect((await stored()).suspendedAt).toBeNull();
    const lookalike = await makeActor(app, { name: 'Wilma\u200b Watch' });
    await page.goto(`/platform/users/${lookalike.id}`);
    await page.getByRole('heading', { name: 'Wilma\\u200b Watch' }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test('Job: Create a center as the operator. The center belongs to a partner, has the chosen time zone, and invites its administrator', async () => {
    const { app } = stage.running;
    const root = await makeActor(app, { name: 'Rosa Root', password: PASSWORD, platformAdmin: true });
    await app.db.acrossTenants.partner.create({ data: { id: newId('ptn'), name: 'Cliff Group' } });
    const { page, faults, close } = await visitor(stage.browser, stage.running);
    await signIn(page, root.email!);
    await page.getByRole('link', { name: 'Centers', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Find' }).fill('new center');
    await page.getByRole('dialog', { name: 'Find' }).getByRole('button', { name: 'New center' }).click();
    const dialog = page.getByRole('dialog', { name: 'New center' });
    await dialog.getByLabel('Name of the center').fill('Cliff House');
    expect(await dialog.getByLabel('Address').inputValue()).toBe('cliff-house');
    await dialog.getByRole('combobox', { name: 'Vertical' }).click();
    await page.getByRole('option', { name: 'Education' }).click();
    await dialog.getByRole('combobox', { name: 'Time zone' }).fill('lisbon');
    await page.getByRole('option', { name: 'Europe/Lisbon' }).click();
    await dialog.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: /Starter/ }).click();
    await dialog.getByRole('combobox', { name: 'Partner' }).fill('cliff');
    await page.getByRole('option', { name: 'Cliff Group' }).click();
    await dialog.getByLabel('Email of its administrator').fill('head@cliff.example');
    await dialog.getByText('the partner approves them').waitFor();
    await expectGoodScreen(page, 'platform-new-center');
    await dialog.getByRole('button', { name: 'Create center' }).click();
    await page.getByRole('row', { name: /Cliff House.*Cliff Group.*Open/ }).waitFor();
    const { settings, memberships } = await app.db.acrossTenants.center.findUniqueOrThrow({
      where: { centerDomain: 'cliff-house' },
      include: { memberships: true },
    });
    expect(settings).toMatchObject({ timezone: 'Europe/Lisbon' });
    expect(memberships).toMatchObject([
      { role: 'ADMIN', status: 'INVITED', invitedEmail: 'head@cliff.example' },
    ]);
    expect(faults).toEqual([]);
    await close();
  });

  test('other users have no access to the platform and partner screens', async () => {
    const { app } = stage.running;
    const center = await makeCenter(app);
    const admin = await makeActor(app, { password: PASSWORD });
    await app.db.acrossTenants.membership.create({
      data: { id: newId('mbr'), actorId: admin.id, centerId: center.id, role: 'ADMIN', status: 'ACTIVE' },
    });
    const { page, close } = await visitor(stage.browser, stage.running);
    await startSession(page, admin.email!);
    for (const path of ['/platform', '/partner']) {
      await page.goto(path);
      await page.getByText('You do not have access').waitFor();
    }
    await close();
  });
});

describe.runIf(hasBrowser)('a tampered ledger', () => {
  test('shows which chain is broken and which row differs from its seal', async () => {
    const { page, open, center, faults, close } = await administrator(stage);
    const { database } = stage.running;
    const { body } = await stage.running.call('POST', '/v1/agents/decide', {
      token: await makeKey(stage.running.app, center.id),
      body: { agent: { id: 'planner' }, action: { type: 'plan.adjust' }, riskScore: 0.1 },
    });
    await runAs(
      database.adminUrl,
      `SET session_replication_role = replica;
       UPDATE decision_event SET content = content || '{"riskScore": 0.2}' WHERE center_id = ${center.id};
       UPDATE ledger_record SET content = replace(content, 'signed_in', 'signed_on')
       WHERE index = 0 AND chain_id = (SELECT id FROM ledger_chain WHERE center_id = ${center.id} AND domain = 'audit')`,
    );
    await open('/ledger');
    await page.getByRole('button', { name: 'Verify all chains' }).click();
    await page.getByText('A chain was changed.').waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: /^Audit log: Something is wrong at record 1/ })
      .getByRole('link', { name: 'Show' })
      .waitFor();
    const differences = page.getByRole('table', { name: 'Differences' });
    await differences
      .getByRole('row', { name: /Audit entry.*Kind of decision or entry: not what was sealed.*Audit log/ })
      .waitFor();
    await expectGoodScreen(page, 'ledger-broken');
    const decision = differences.getByRole('row', { name: /Risk score: not what was sealed/ });
    await decision.getByRole('link', { name: 'Decision' }).click();
    await page.waitForURL(`**/decisions/${body.data.eventId}`);
    expect(faults).toEqual([]);
    await close();
  });
});
