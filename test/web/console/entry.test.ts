import { describe, expect, test } from 'vitest';
import { makeActor, makeCenter, makeMembership } from '../../helpers/world.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { expectGoodScreen, PASSWORD, signIn, visitor } from './visitor.ts';

const stage = consoleStage();

/** The poll interval of the waiting page. */
const LOOK_AGAIN_MS = 15_000;

async function person(
  memberships: {
    center: { id: number };
    role?: 'ADMIN' | 'PARENT';
    status?: 'ACTIVE' | 'PENDING' | 'INVITED' | 'SUSPENDED';
  }[],
) {
  const actor = await makeActor(stage.running.app, { name: 'Ada Lovelace', password: PASSWORD });
  for (const { center, role = 'ADMIN', status = 'ACTIVE' } of memberships) {
    await makeMembership(stage.running.app, actor.id, center.id, role, status);
  }
  return actor;
}

describe.runIf(hasBrowser)('signing in', () => {
  test('a wrong password shows an error, the right one opens the center, and scripts cannot read the tokens', async () => {
    const center = await makeCenter(stage.running.app, { name: 'Riverside' });
    const { email } = await person([{ center }]);
    const { page, context, faults, close } = await visitor(stage.browser, stage.running);
    await page.goto('/');
    await page.waitForURL('**/sign-in');
    await expectGoodScreen(page, 'sign-in');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Enter your password.').waitFor();
    await page.getByLabel('Email or phone').fill('Ada');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Enter your email address or phone number.').waitFor();
    await page.getByLabel('Email or phone').fill(email!);
    await page.getByLabel('Password', { exact: true }).fill('something else');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('is incorrect').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/c/${center.centerDomain}`);
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await page.evaluate('JSON.stringify([{...localStorage}, {...sessionStorage}])')).not.toMatch(
      /ey[A-Z]/,
    );
    const cookies = await context.cookies();
    expect(cookies.map(({ name, httpOnly }) => [name, httpOnly]).sort()).toEqual([
      ['auth_token', true],
      ['last_center', true],
      ['refresh_token', true],
    ]);
    // The browser reports rejected passwords as errors; they are responses of the service, not faults of the page.
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    await close();
  });

  test('the phone number of an account works in place of its email', async () => {
    const center = await makeCenter(stage.running.app);
    const { id } = await person([{ center }]);
    await stage.running.app.db.acrossTenants.actor.update({
      where: { id },
      data: { phone: '+49301234567' },
    });
    const { page, close } = await visitor(stage.browser, stage.running);
    await page.goto('/sign-in');
    await page.getByLabel('Email or phone').fill('+49 (0)30 123-4567');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/c/${center.centerDomain}`);
    await close();
  });

  test('a shared link opens after sign-in, in the center it belongs to', async () => {
    const [first, second] = [await makeCenter(stage.running.app), await makeCenter(stage.running.app)];
    const { email } = await person([{ center: first }, { center: second }]);
    const { page, close } = await visitor(stage.browser, stage.running);
    await page.goto(`/c/${second.centerDomain}/decisions?status=sealed`);
    await page.waitForURL('**/sign-in?next=**');
    await page.getByLabel('Email or phone').fill(email!);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/c/${second.centerDomain}/decisions?status=sealed`);
    await page.getByText(second.name).first().waitFor();
    await close();
  });

  test('the sign-in link cannot redirect to another site', async () => {
    const center = await makeCenter(stage.running.app);
    const { email } = await person([{ center }]);
    const { page, close } = await visitor(stage.browser, stage.running);
    await page.goto('/sign-in?next=//evil.example/');
    await page.getByLabel('Email or phone').fill(email!);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${stage.running.url}/c/**`);
    await close();
  });

  test('an expired access token is refreshed automatically; a revoked session ends', async () => {
    const center = await makeCenter(stage.running.app);
    const { id, email } = await person([{ center }]);
    const { page, context, close } = await visitor(stage.browser, stage.running);
    await signIn(page, email!);
    await page.getByRole('heading', { name: /^Good .*, Ada$/ }).waitFor();
    await context.clearCookies({ name: 'auth_token' });
    await page.getByRole('link', { name: 'Decisions', exact: true }).click();
    await page.getByText('No decisions yet').waitFor();
    expect((await context.cookies(`${stage.running.url}/graphql`)).map(({ name }) => name)).toContain(
      'auth_token',
    );
    await stage.running.app.db.acrossTenants.session.updateMany({
      where: { actorId: id },
      data: { revokedAt: new Date(), revokedReason: 'logout' },
    });
    await page.getByRole('link', { name: 'Approvals', exact: true }).click();
    await page.waitForURL('**/sign-in?next=**');
    await close();
  });

  test('signing out ends the session permanently', async () => {
    const center = await makeCenter(stage.running.app);
    const { email } = await person([{ center }]);
    const { page, context, close } = await visitor(stage.browser, stage.running);
    await signIn(page, email!);
    await page.getByRole('button', { name: /Ada Lovelace/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    expect((await context.cookies(`${stage.running.url}/graphql`)).map(({ name }) => name)).toEqual([
      'last_center',
    ]);
    await page.goto(`/c/${center.centerDomain}/approvals`);
    await page.waitForURL('**/sign-in?next=**');
    await close();
  });
});

describe.runIf(hasBrowser)('the first page after sign-in', () => {
  test('a user with several centers and no default chooses one and enters it', async () => {
    const centers = [await makeCenter(stage.running.app), await makeCenter(stage.running.app)];
    const { email } = await person(centers.map((center) => ({ center, role: 'PARENT' as const })));
    const { page, faults, close } = await visitor(stage.browser, stage.running);
    await signIn(page, email!);
    await page.getByRole('heading', { name: 'Choose a center' }).waitFor();
    await expectGoodScreen(page, 'centers');
    await page.getByRole('link', { name: new RegExp(centers[1]!.name) }).click();
    await page.waitForURL(`**/c/${centers[1]!.centerDomain}`);
    expect(faults).toEqual([]);
    await close();
  });

  test('an invitation is accepted, and the page opens the center once it is approved', async () => {
    const center = await makeCenter(stage.running.app, { name: 'Lakeside' });
    const { id, email } = await person([{ center, role: 'PARENT', status: 'INVITED' }]);
    const { page, context } = await visitor(stage.browser, stage.running);
    await page.clock.install();
    await signIn(page, email!);
    await page.getByRole('heading', { name: 'Almost there' }).waitFor();
    await expectGoodScreen(page, 'waiting');
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.getByText('Waiting for approval').waitFor();
    await stage.running.app.db.acrossTenants.membership.updateMany({
      where: { actorId: id },
      data: { status: 'ACTIVE' },
    });
    await page.clock.fastForward(LOOK_AGAIN_MS);
    await page.waitForURL(`**/c/${center.centerDomain}`);
    await context.close();
  });

  test('a suspended member sees why there is no access, and no prices', async () => {
    const center = await makeCenter(stage.running.app, { name: 'Hillside' });
    const { email } = await person([{ center, role: 'PARENT', status: 'SUSPENDED' }]);
    const { page, faults, close } = await visitor(stage.browser, stage.running);
    await signIn(page, email!);
    await page.getByRole('heading', { name: 'You have no access right now' }).waitFor();
    await page.getByText('Your membership is suspended. Ask an administrator').waitFor();
    expect(await page.getByText('a month').count()).toBe(0);
    await expectGoodScreen(page, 'suspended');
    await page.getByRole('button', { name: 'Create another center' }).click();
    await page.getByLabel('Name of the center').waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test('a person without a center creates one and enters it', async () => {
    const { email } = await person([]);
    const { page, faults, close } = await visitor(stage.browser, stage.running);
    await signIn(page, email!);
    await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor();
    await expectGoodScreen(page, 'welcome');
    await page.getByLabel('Name of the center').fill('Möwe Rehabilitation');
    expect(await page.getByLabel('Address').inputValue()).toBe('mowe-rehabilitation');
    await page.getByRole('combobox', { name: 'Vertical' }).click();
    await page.getByRole('option', { name: 'Rehabilitation' }).click();
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    expect(await zone.inputValue()).toBe(
      await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone'),
    );
    await zone.fill('seoul');
    await page.getByRole('option', { name: 'Asia/Seoul' }).click();
    await page.getByLabel('Address').fill('api');
    const taken = page.getByText('This domain is taken');
    await taken.waitFor();
    // Until the response arrives, an address is not taken.
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/graphql', (route) => answered.then(() => route.continue()));
    const asked = page.waitForRequest((request) => request.postData()?.includes('"moewe"') === true);
    await page.getByLabel('Address').fill('moewe');
    await asked;
    const make = page.getByRole('button', { name: 'Create Möwe Rehabilitation' });
    expect([await taken.isVisible(), await make.isEnabled()]).toEqual([false, true]);
    answer();
    await page.getByRole('radio', { name: /Starter/ }).click();
    await make.click();
    await page.waitForURL('**/c/moewe');
    const { settings } = await stage.running.app.db.acrossTenants.center.findUniqueOrThrow({
      where: { centerDomain: 'moewe' },
    });
    expect(settings).toMatchObject({ timezone: 'Asia/Seoul' });
    await page.getByRole('listitem').filter({ hasText: 'Choose the time zone (done)' }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
