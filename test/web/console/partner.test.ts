import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';
import {
  makeActor,
  makeCenter,
  makeMembership,
  makePartner,
  makeSubscription,
  makeToken,
} from '../../helpers/world.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { expectGoodScreen, PASSWORD, signIn, visitor } from './visitor.ts';

const stage = consoleStage();

describe.runIf(hasBrowser)('partner administration', () => {
  test('Job: Run a partner. A partner sees its dashboard, creates and suspends a center, records a payment and changes its branding', async () => {
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
    await page.getByRole('combobox', { name: 'Vertical' }).click();
    await page.getByRole('option', { name: 'Education' }).click();
    await page.getByLabel('Email of its administrator').fill('harbour@example.test');
    await page.getByRole('button', { name: 'Create center' }).click();
    await page.getByRole('row', { name: /New Harbour.*Education.*Open/ }).waitFor();
    await page.getByRole('button', { name: 'Actions for Old Mill' }).click();
    await page.getByRole('menuitem', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('row', { name: /Old Mill.*Suspended/ }).waitFor();
    await expectGoodScreen(page, 'partner-centers');

    await page.getByRole('link', { name: 'New Harbour' }).click();
    await page.getByRole('heading', { name: 'Starter plan' }).waitFor();
    await page.getByText('API keys: the Proof API and the MCP server for agents.').waitFor();
    await page.getByRole('button', { name: 'Change plan' }).click();
    await page.getByRole('radio', { name: /Growth/ }).click();
    await page
      .getByRole('dialog')
      .getByText(/Proof API, Webhooks, Workflows/)
      .first()
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Change plan' }).click();
    await page.getByRole('heading', { name: 'Growth plan' }).waitFor();
    await expectGoodScreen(page, 'partner-center');

    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.getByText('No payments yet').waitFor();
    await page.getByRole('button', { name: 'Record payment' }).click();
    await page.getByRole('combobox', { name: 'Center' }).click();
    await page.getByRole('option', { name: 'Old Mill' }).click();
    await page.getByText(/a month: trial/).waitFor();
    await page.getByLabel(/^Amount in EUR/).fill('49.50');
    await page.getByLabel('Reference').fill('pay-1');
    await page.getByRole('button', { name: 'Save payment' }).click();
    await page.getByRole('row', { name: /Old Mill.*Paid.*€49\.50/ }).waitFor();
    await expectGoodScreen(page, 'partner-payments');
    // A report by another user appears automatically.
    const bossToken = await makeToken(app, boss.id, null);
    const input = { centerId: center.id, reference: 'pay-2', amount: 2_900 };
    const reported = await stage.running.graphql(
      'mutation ($input: RecordPaymentInput!) { recordPayment(input: $input) { payment { id } } }',
      { input },
      bossToken,
    );
    expect(reported.errors).toBeUndefined();
    await page.getByRole('row', { name: /Old Mill pay-2.*Paid.*€29/ }).waitFor();

    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    await page.getByRole('link', { name: /Received this month.*€78\.50/ }).waitFor();
    await page.getByRole('figure', { name: 'Payments received per month' }).waitFor();
    await expectGoodScreen(page, 'partner-dashboard');

    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await page.getByRole('row', { name: /harbour@example\.test.*New Harbour.*Invited/ }).waitFor();
    await page.getByRole('textbox', { name: 'Search' }).fill('nobody at all');
    await page.getByText('No matching people').waitFor();
    await page.getByRole('textbox', { name: 'Search' }).fill('harbour@');
    await page.getByRole('row', { name: /harbour@example\.test/ }).waitFor();
    await page.waitForURL(({ searchParams }) => searchParams.get('search') === 'harbour@');
    await expectGoodScreen(page, 'partner-members');
    await page.getByRole('link', { name: 'Audit log', exact: true }).click();
    await page.getByRole('row', { name: /Center created.*New Harbour/ }).waitFor();
    await page.getByRole('row', { name: /Membership changed Invited, as Administrator/ }).waitFor();
    await expectGoodScreen(page, 'partner-audit');

    await page.getByRole('link', { name: 'White label', exact: true }).click();
    await page.getByLabel('Name').fill('North');
    await page.locator('input[type=file]').setInputFiles({
      name: 'logo.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="30" fill="#f4b400"/></svg>',
      ),
    });
    await page.getByText('Image uploaded').waitFor();
    await page.getByLabel('Main color').fill('#123456');
    await page.getByLabel('Tagline').fill('Close to the water');
    const preview = page.getByTestId('preview');
    await preview.getByText('Close to the water').waitFor();
    await page.getByLabel('Workflows').uncheck();
    await preview.getByText('Workflows').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/Saved/).waitFor();
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

describe.runIf(hasBrowser)('a new center', () => {
  test('Job: Open a new center. Its first administrator accepts, the partner approves, and the waiting page opens the center', async () => {
    const { app } = stage.running;
    const partner = await app.db.acrossTenants.partner.create({
      data: { id: newId('ptn'), name: 'West Group' },
    });
    const boss = await makeActor(app, { name: 'Wanda West', password: PASSWORD });
    await app.db.acrossTenants.partnerMembership.create({
      data: { partnerId: partner.id, actorId: boss.id, role: 'PARTNER_ADMIN' },
    });
    const center = await makeCenter(app, { name: 'West Pier', partnerId: partner.id });
    const first = await makeActor(app, { name: 'Fiona First', password: PASSWORD });
    await makeMembership(app, first.id, center.id, 'ADMIN', 'INVITED');

    const fiona = await visitor(stage.browser, stage.running);
    await fiona.page.clock.install();
    await signIn(fiona.page, first.email!);
    await fiona.page.getByRole('button', { name: 'Accept invitation' }).click();
    await fiona.page.getByText('West Group approves your membership.').waitFor();
    await expectGoodScreen(fiona.page, 'waiting-for-partner');

    const wanda = await visitor(stage.browser, stage.running);
    await signIn(wanda.page, boss.email!);
    await wanda.page.getByRole('row', { name: /Fiona First.*West Pier.*Administrator/ }).waitFor();
    await expectGoodScreen(wanda.page, 'partner-pending');
    await wanda.page.getByRole('link', { name: 'Members', exact: true }).click();
    await wanda.page.getByRole('combobox', { name: 'Status' }).selectOption('PENDING');
    await wanda.page.getByRole('button', { name: 'Approve Fiona First' }).click();
    await wanda.page.getByText('Fiona First is approved.').waitFor();
    await wanda.page.getByText('No members with this status').waitFor();

    await fiona.page.clock.fastForward(15_000);
    await fiona.page.waitForURL(`**/c/${center.centerDomain}`);
    expect([...fiona.faults, ...wanda.faults]).toEqual([]);
    await fiona.context.close();
    await wanda.close();
  });

  test('without a partner, the platform administrator declines one member and approves another', async () => {
    const { app } = stage.running;
    const root = await makeActor(app, { name: 'Rita Root', password: PASSWORD, platformAdmin: true });
    const center = await makeCenter(app, { name: 'Lone House' });
    for (const name of ['Olga One', 'Timo Two']) {
      const { id } = await makeActor(app, { name });
      await makeMembership(app, id, center.id, 'ADMIN', 'PENDING');
    }
    const { page, faults, close } = await visitor(stage.browser, stage.running);
    await signIn(page, root.email!);
    await page.getByRole('link', { name: 'Centers', exact: true }).click();
    const waiting = page.getByRole('table', { name: 'Waiting for your approval' });
    await waiting.getByRole('row', { name: /Timo Two.*Lone House/ }).waitFor();
    await expectGoodScreen(page, 'platform-pending');
    await page.getByRole('button', { name: 'Decline Timo Two' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await page.getByText('Timo Two was declined.').waitFor();
    await page.getByRole('button', { name: 'Approve Olga One' }).click();
    await page.getByText('Olga One is approved.').waitFor();
    await page.getByRole('button', { name: 'Approve Olga One' }).waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await close();
  });
});

describe.runIf(hasBrowser)('branding', () => {
  test('appears before and after sign-in, and features disabled by the partner are hidden', async () => {
    const { app, call } = stage.running;
    const partner = await makePartner(app);
    const center = partner.centers[0]!;
    const { centerDomain } = center;
    await makeSubscription(app, center.id, { status: 'ACTIVE' });
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="30" fill="#f4b400"/></svg>';
    const body = {
      branding: {
        name: 'North',
        tagline: 'Close to the water',
        primaryColor: '#7a1fa2',
        logo: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
      },
      features: { workflows: false },
    };
    expect((await call('PATCH', '/partner/settings', { token: partner.token, body })).status).toBe(200);
    const admin = await makeActor(app, { name: 'Ada Lovelace', password: PASSWORD });
    await makeMembership(app, admin.id, center.id);
    const ada = await visitor(stage.browser, stage.running);
    await ada.page.goto(`/sign-in?center=${centerDomain}`);
    await ada.page.getByText('Countersign runs this service for North.').waitFor();
    await ada.page.getByText('Close to the water').waitFor();
    const width = () => ada.page.evaluate("document.querySelector('header img').naturalWidth");
    await expect.poll(width).toBe(64);
    await expectGoodScreen(ada.page, 'branded-sign-in');
    await signIn(ada.page, admin.email!);
    await expect.poll(() => ada.page.title()).toMatch(/· North$/);
    await ada.page.getByRole('link', { name: 'Calendar', exact: true }).first().waitFor();
    expect(await ada.page.getByRole('link', { name: 'Workflows', exact: true }).count()).toBe(0);
    await ada.page.goto(`/c/${centerDomain}/workflows`);
    await ada.page.getByText('The feature “Workflows” is switched off for this center.').waitFor();
    expect(await ada.page.getByRole('button', { name: 'New workflow' }).count()).toBe(0);
    await expectGoodScreen(ada.page, 'branded-feature-off');
    // The finder omits disabled features and finds the rest.
    await ada.page.keyboard.press('Control+k');
    await ada.page.getByRole('textbox', { name: 'Find' }).fill('lovelace');
    await ada.page
      .getByRole('dialog', { name: 'Find' })
      .getByRole('button', { name: /Ada Lovelace/ })
      .waitFor();
    await ada.page.keyboard.press('Escape');
    await ada.page.goto(`/c/${centerDomain}/subscription`);
    await ada.page.getByRole('heading', { name: 'Features' }).waitFor();
    await expectGoodScreen(ada.page, 'branded-subscription');
    expect(ada.faults).toEqual([]);
    await ada.close();
  });
});
