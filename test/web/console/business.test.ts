import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';
import { makeActor, makeCenter, makeSubscription } from '../../helpers/world.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { expectGoodScreen, PASSWORD, signIn, visitor } from './visitor.ts';

const stage = consoleStage();

describe.runIf(hasBrowser)('a partner', () => {
  test('sees its business, makes and suspends a center, records a payment, and changes its look', async () => {
    const { app } = stage.running;
    const partner = await app.db.acrossTenants.partner.create({
      data: { id: newId('ptn'), name: 'North Group' },
    });
    const boss = await makeActor(app, { name: 'Petra Partner', password: PASSWORD });
    await app.db.acrossTenants.partnerMembership.create({
      data: { partnerId: partner.id, actorId: boss.id, role: 'PARTNER_ADMIN' },
    });
    const center = await makeCenter(app, { name: 'Old Mill', partnerId: partner.id });
    await makeSubscription(app, center.id, { status: 'TRIAL' });
    const { page, faults, close } = await visitor(stage.browser, stage.running);
    await signIn(page, boss.email!);
    await page.waitForURL('**/partner');
    await page.getByRole('heading', { name: 'North Group' }).waitFor();

    await page.getByRole('link', { name: 'Centers', exact: true }).click();
    await page.getByRole('button', { name: 'New center' }).click();
    await page.getByLabel('Name of the center').fill('New Harbour');
    await page.getByRole('combobox', { name: 'What does it do?' }).click();
    await page.getByRole('option', { name: 'Education' }).click();
    await page.getByLabel('Email of its administrator').fill('harbour@example.test');
    await page.getByRole('button', { name: 'Make the center' }).click();
    await page.getByRole('row', { name: /New Harbour.*Education.*Open/ }).waitFor();
    await page.getByRole('button', { name: 'Actions for Old Mill' }).click();
    await page.getByRole('menuitem', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('row', { name: /Old Mill.*Suspended/ }).waitFor();
    await expectGoodScreen(page, 'partner-centers');

    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.getByText('Nothing was paid yet').waitFor();
    await page.getByRole('button', { name: 'Record a payment' }).click();
    await page.getByRole('combobox', { name: 'Center' }).click();
    await page.getByRole('option', { name: 'Old Mill' }).click();
    await page.getByText(/a month: trial/).waitFor();
    await page.getByLabel(/^Amount in EUR/).fill('49.50');
    await page.getByLabel('Reference').fill('pay-1');
    await page.getByRole('button', { name: 'Record it' }).click();
    await page.getByRole('row', { name: /Old Mill.*Paid.*€49\.50/ }).waitFor();
    await expectGoodScreen(page, 'partner-payments');

    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    await page.getByRole('link', { name: /Received this month.*€49\.50/ }).waitFor();
    await page.getByRole('figure', { name: 'Payments received by month' }).waitFor();
    await expectGoodScreen(page, 'partner-dashboard');

    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await page.getByRole('row', { name: /harbour@example\.test.*New Harbour.*Invited/ }).waitFor();
    await expectGoodScreen(page, 'partner-members');
    await page.getByRole('link', { name: 'Audit log', exact: true }).click();
    await page.getByRole('row', { name: /The center was made.*New Harbour/ }).waitFor();
    await expectGoodScreen(page, 'partner-audit');

    await page.getByRole('link', { name: 'White label', exact: true }).click();
    await page.getByLabel('Main colour').fill('#123456');
    await page.getByLabel('Tagline').fill('Close to the water');
    const preview = page.getByTestId('preview');
    await preview.getByText('Close to the water').waitFor();
    await page.getByLabel('Workflows').uncheck();
    await preview.getByText('Workflows').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/Your centers look like this now/).waitFor();
    await expectGoodScreen(page, 'white-label');
    const look = await stage.running.call('GET', '/whitelabel/new-harbour/config');
    expect(look.body.data).toMatchObject({
      branding: { primaryColor: '#123456', tagline: 'Close to the water' },
      features: { workflows: false, booking: true },
    });
    expect(faults).toEqual([]);
    await close();
  });
});

describe.runIf(hasBrowser)('the installation', () => {
  test('its health and keys are shown, a partner is taken on, a center is suspended and ended', async () => {
    const { app } = stage.running;
    const root = await makeActor(app, { name: 'Rosa Root', password: PASSWORD, platformAdmin: true });
    const { page, faults, close } = await visitor(stage.browser, stage.running);
    await signIn(page, root.email!);
    await page.waitForURL('**/platform');
    await page.getByRole('heading', { name: 'Everything works' }).waitFor();
    await page.getByRole('table', { name: 'Signing keys' }).getByText('Signs', { exact: true }).waitFor();
    await expectGoodScreen(page, 'installation');

    await page.getByRole('link', { name: 'Partners', exact: true }).click();
    await page.getByRole('button', { name: 'Take on a partner' }).click();
    await page.getByLabel('Name of the partner').fill('South Group');
    await page.getByLabel('Name of its first center').fill('South Quay');
    await page.getByRole('combobox', { name: 'What does it do?' }).click();
    await page.getByRole('option', { name: 'Welfare' }).click();
    await page.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option').first().click();
    await page.getByLabel('Name of the person who runs it').fill('Sina South');
    await page.getByLabel('Their email').fill('sina@example.test');
    await page.getByRole('button', { name: 'Take them on' }).click();
    await page.getByRole('row', { name: /South Group/ }).waitFor();
    await expectGoodScreen(page, 'platform-partners');
    await page.getByRole('link', { name: '1 center of South Group' }).click();

    await page.getByRole('row', { name: /South Quay.*South Group.*Open/ }).waitFor();
    await page.getByRole('button', { name: 'Actions for South Quay' }).click();
    await page.getByRole('menuitem', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('row', { name: /South Quay.*Suspended/ }).waitFor();
    await expectGoodScreen(page, 'platform-centers');
    await page.getByRole('button', { name: 'Actions for South Quay' }).click();
    await page.getByRole('menuitem', { name: 'End for good' }).click();
    const end = page.getByRole('button', { name: 'End the center' });
    expect(await end.isDisabled()).toBe(true);
    await page.getByLabel('Type south-quay to go on').fill('south-quay');
    await end.click();
    await page.getByRole('row', { name: /South Quay.*Ended/ }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test('is closed to everybody else', async () => {
    const { app } = stage.running;
    const center = await makeCenter(app);
    const admin = await makeActor(app, { password: PASSWORD });
    await app.db.acrossTenants.membership.create({
      data: { id: newId('mbr'), actorId: admin.id, centerId: center.id, role: 'ADMIN', status: 'ACTIVE' },
    });
    const { page, close } = await visitor(stage.browser, stage.running);
    await signIn(page, admin.email!);
    for (const path of ['/platform', '/partner']) {
      await page.goto(path);
      await page.getByText('You cannot see this here').waitFor();
    }
    await close();
  });
});
