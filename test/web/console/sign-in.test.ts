import { describe, expect, test } from 'vitest';
import { makeCenter, makeMember } from '../../helpers/world.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { expectGoodScreen, PASSWORD, signIn, visitor } from './visitor.ts';

const stage = consoleStage();

interface ProviderOptions {
  required?: boolean;
  domain?: string;
}

/** A center with a provider. */
async function companyCenter(name: string, { required = false, domain }: ProviderOptions = {}) {
  const { db } = stage.running.app;
  const center = await makeCenter(stage.running.app, { name });
  const provider = {
    name: 'Company Login',
    issuer: 'https://login.example',
    clientId: 'countersign',
    clientSecret: 'sealed',
    required,
  };
  await db.acrossTenants.identityProvider.create({ data: { ...provider, centerId: center.id } });
  if (domain) {
    const data = { centerId: center.id, domain, challenge: 'challenge', verifiedAt: new Date() };
    await db.acrossTenants.emailDomain.create({ data });
  }
  return center;
}

describe.runIf(hasBrowser)('the sign-in page of a company', () => {
  test('Job: Sign in with your company. The page of a center offers its provider first, and returns to the shared link', async () => {
    const center = await companyCenter('Harbour Clinic');
    const { page, faults, close } = await visitor(stage.browser, stage.running);
    await page.goto(`/c/${center.centerDomain}/decisions?status=sealed`);
    await page.waitForURL('**/sign-in?next=**');
    const button = page.getByRole('link', { name: 'Continue with Company Login' });
    await button.waitFor();
    const address = new URL((await button.getAttribute('href'))!);
    expect([address.origin, address.pathname]).toEqual([
      new URL(stage.running.config.publicUrl).origin,
      '/auth/oidc/start',
    ]);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      center: center.centerDomain,
      next: `/c/${center.centerDomain}/decisions?status=sealed`,
    });
    await page.getByLabel('Password', { exact: true }).waitFor();
    await expectGoodScreen(page, 'sign-in-company');
    expect(faults).toEqual([]);
    await close();
  });

  test('where the provider is required, the password is only for emergencies', async () => {
    const center = await companyCenter('Strict Clinic', { required: true });
    const { page, close } = await visitor(stage.browser, stage.running);
    await page.goto(`/sign-in?center=${center.centerDomain}`);
    await page.getByRole('link', { name: 'Continue with Company Login' }).waitFor();
    expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0);
    await expectGoodScreen(page, 'sign-in-required');
    await page.getByRole('button', { name: 'Emergency access' }).click();
    await page.getByText('Only administrators who are marked for emergencies').waitFor();
    await page.getByLabel('Password', { exact: true }).waitFor();
    await expectGoodScreen(page, 'sign-in-emergency');
    await close();
  });

  test('an address of a verified domain offers the provider, with the address as a hint', async () => {
    const domain = 'strict-works.example';
    const center = await companyCenter('Address Clinic', { required: true, domain });
    const { page, close } = await visitor(stage.browser, stage.running);
    await page.goto('/sign-in');
    await page.getByRole('button', { name: 'Sign in with your company' }).waitFor();
    await page.getByLabel('Email or phone').fill(`ann@${domain}`);
    const button = page.getByRole('link', { name: 'Continue with Company Login' });
    await button.waitFor();
    const { searchParams } = new URL((await button.getAttribute('href'))!);
    expect(Object.fromEntries(searchParams)).toEqual({
      center: center.centerDomain,
      hint: `ann@${domain}`,
    });
    expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0);
    await expectGoodScreen(page, 'sign-in-address');
    // Another address brings the password back.
    await page.getByLabel('Email or phone').fill('ann@elsewhere.example');
    await page.getByLabel('Password', { exact: true }).waitFor();
    await close();
  });

  test('the center that was open last is offered beside the password', async () => {
    const center = await companyCenter('Last Clinic');
    const ann = await makeMember(stage.running.app, center.id, 'ADMIN', { password: PASSWORD });
    const { page, close } = await visitor(stage.browser, stage.running);
    await signIn(page, ann.actor.email!);
    await page.context().clearCookies({ name: 'auth_token' });
    await page.context().clearCookies({ name: 'refresh_token' });
    await page.goto('/sign-in');
    await page.getByRole('link', { name: 'Continue with Company Login' }).waitFor();
    await page.getByLabel('Password', { exact: true }).waitFor();
    await expectGoodScreen(page, 'sign-in-last');
    await close();
  });

  test('a link asks for the name of the center, and leads to its provider', async () => {
    const center = await companyCenter('Named Clinic');
    const plain = await makeCenter(stage.running.app);
    const { page, close } = await visitor(stage.browser, stage.running);
    await page.route('**/auth/oidc/start**', (route) => route.fulfill({ body: 'the provider' }));
    await page.goto('/sign-in');
    await page.getByRole('button', { name: 'Sign in with your company' }).click();
    const name = page.getByLabel('Name of the center');
    await name.fill('no-such-center');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('No center has this name.').waitFor();
    await expectGoodScreen(page, 'sign-in-name');
    await name.fill(plain.centerDomain);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This center has no company sign-in.').waitFor();
    await name.fill(`https://console.example/c/${center.centerDomain}/approvals`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`**/auth/oidc/start?center=${center.centerDomain}`);
    await close();
  });

  test('each failure is explained with the next step and the request, and nothing else of the address is shown', async () => {
    const center = await companyCenter('Failing Clinic');
    const { page, faults, close } = await visitor(stage.browser, stage.running);
    const fail = async (code: string, request = 'req-1234') => {
      const search = new URLSearchParams({ center: center.centerDomain, error: code, request });
      await page.goto(`/sign-in?${search}`);
      const alert = page.getByRole('alert');
      await alert.waitFor();
      return (await alert.textContent())!;
    };
    const titles = new Set<string>();
    for (const code of [
      'VALIDATION_ERROR',
      'CENTER_NOT_FOUND',
      'CENTER_SUSPENDED',
      'UNAUTHORIZED',
      'FORBIDDEN',
      'NO_MEMBERSHIP',
      'MEMBERSHIP_SUSPENDED',
      'MEMBERSHIP_ENDED',
      'CONFLICT',
      'SERVICE_UNAVAILABLE',
      'RATE_LIMITED',
    ]) {
      const text = await fail(code);
      expect(text).toContain('Request req-1234');
      titles.add(text);
    }
    expect(titles.size).toBe(11);
    await expectGoodScreen(page, 'sign-in-failed');
    const foreign = await fail('Call +1 555 0100 now', 'Call +1 555 0100 now');
    expect(foreign).toContain('The sign-in failed');
    expect(foreign).not.toContain('555');
    expect(await fail('__proto__')).toContain('The sign-in failed');
    expect(faults).toEqual([]);
    await close();
  });

  test('a failure is shown also to a person who is signed in elsewhere', async () => {
    const center = await companyCenter('Other Clinic');
    const home = await makeCenter(stage.running.app);
    const ann = await makeMember(stage.running.app, home.id, 'ADMIN', { password: PASSWORD });
    const { page, close } = await visitor(stage.browser, stage.running);
    await signIn(page, ann.actor.email!);
    await page.goto(`/sign-in?center=${center.centerDomain}&error=NO_MEMBERSHIP&request=req-1`);
    await page.getByText('You are not a member of this center').waitFor();
    await page.getByRole('link', { name: 'Back to the console' }).click();
    await page.waitForURL(`**/c/${home.centerDomain}`);
    await close();
  });
});

describe.runIf(hasBrowser)('a password session and a center that requires its provider', () => {
  test('the choice of centers leads to the provider', async () => {
    const center = await companyCenter('Picked Clinic', { required: true });
    const ann = await makeMember(stage.running.app, center.id, 'PARENT', { password: PASSWORD });
    const { page, faults, close } = await visitor(stage.browser, stage.running);
    await signIn(page, ann.actor.email!);
    await page.getByRole('heading', { name: 'Choose a center' }).waitFor();
    const link = page.getByRole('link', { name: /Picked Clinic/ });
    await link.getByText('Continue with Company Login').waitFor();
    expect(await link.getAttribute('href')).toContain(`/auth/oidc/start?center=${center.centerDomain}`);
    await expectGoodScreen(page, 'centers-company');
    expect(faults).toEqual([]);
    await close();
  });

  test('an open session is told to continue at the provider, and returns to the same page', async () => {
    const center = await companyCenter('Opened Clinic');
    const ann = await makeMember(stage.running.app, center.id, 'ADMIN', { password: PASSWORD });
    const { page, close } = await visitor(stage.browser, stage.running);
    await signIn(page, ann.actor.email!);
    await page.getByRole('link', { name: 'Approvals', exact: true }).waitFor();
    await stage.running.app.db.acrossTenants.identityProvider.update({
      where: { centerId: center.id },
      data: { required: true },
    });
    await page.getByRole('link', { name: 'Decisions', exact: true }).click();
    const button = page.getByRole('link', { name: 'Continue with Company Login' }).first();
    // The page before may have been told as well; its link leads back to it.
    await page.waitForURL(`**/c/${center.centerDomain}/decisions`);
    await expect.poll(() => button.getAttribute('href')).toContain('decisions');
    const address = new URL((await button.getAttribute('href'))!, page.url());
    expect(Object.fromEntries(address.searchParams)).toEqual({
      center: center.centerDomain,
      next: `/c/${center.centerDomain}/decisions`,
    });
    await expectGoodScreen(page, 'provider-required');
    await close();
  });
});
