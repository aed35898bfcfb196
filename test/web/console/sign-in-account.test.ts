import type { BrowserContext } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { makeCenter, makeMember, makeSubscription } from '../../helpers/world.ts';
import { makeProvider, signInWith } from '../../single-sign-on/helpers/people.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { administrator, expectGoodScreen, PASSWORD, visitor } from './visitor.ts';

const stage = consoleStage();

async function companyCenter() {
  const { app } = stage.running;
  const center = await makeCenter(app, { name: 'Harbour Clinic' });
  await makeSubscription(app, center.id, { status: 'ACTIVE' });
  return { center, provider: await makeProvider(app, center.id) };
}

type Tokens = { accessToken: string; refreshToken: string };

/** The cookies that the callback of the provider sets. */
const enter = (context: BrowserContext, { accessToken, refreshToken }: Tokens) =>
  context.addCookies(
    [['auth_token', accessToken] as const, ['refresh_token', refreshToken] as const].map(([name, value]) => ({
      name,
      value,
      url: stage.running.url,
      httpOnly: true,
      sameSite: 'Lax' as const,
    })),
  );

describe.runIf(hasBrowser)('the account of a person who signs in with a company', () => {
  test('a person of the center sees where the name comes from, and can add passkeys but has no password', async () => {
    const { provider } = await companyCenter();
    const claims = { sub: 'sam', name: 'Sam Person', email: 'sam@works.example' };
    const { page, context, faults, close } = await visitor(stage.browser, stage.running);
    await enter(context, await signInWith(stage.running.app, provider, claims));
    await page.goto('/me');
    await page.getByText('Your name and address come from your company.').waitFor();
    await page.getByText('sam@works.example').first().waitFor();
    await page.getByRole('heading', { name: 'Passkeys' }).waitFor();
    expect(await page.getByLabel('Current password').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Save profile' }).count()).toBe(0);
    await page.getByRole('cell', { name: 'Company Login' }).waitFor();
    await expectGoodScreen(page, 'account-person');
    expect(faults).toEqual([]);
    await close();
  });

  test('without a fresh sign-in, the person confirms at the provider in another tab, and the change goes on', async () => {
    const { provider } = await companyCenter();
    const { app } = stage.running;
    const { page, context, close } = await visitor(stage.browser, stage.running);
    await enter(context, await signInWith(app, provider, { sub: 'kim', name: 'Kim Person' }));
    const sessions = app.db.acrossTenants.session;
    await sessions.updateMany({ where: { actor: { name: 'Kim Person' } }, data: { provenAt: null } });
    await context.route('**/auth/oidc/start**', async (route) => {
      await sessions.updateMany({
        where: { actor: { name: 'Kim Person' } },
        data: { provenAt: new Date() },
      });
      await route.fulfill({ status: 303, headers: { location: `${stage.running.url}/me` } });
    });
    await page.goto('/me');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByLabel('Name').fill('My phone');
    await page.getByRole('button', { name: 'Continue' }).click();
    const again = page.getByRole('button', { name: 'Sign in with your company again' });
    await again.waitFor();
    expect(await page.getByLabel('Your password').count()).toBe(0);
    await expectGoodScreen(page, 'account-confirm');
    const opened = context.waitForEvent('page');
    await again.click();
    const tab = await opened;
    await tab.waitForURL('**/me');
    await page.getByText("Confirm that it's you").waitFor({ state: 'detached' });
    await tab.close();
    await context.unroute('**/auth/oidc/start**');
    await close();
  });

  test('an account in such a session cannot change its profile, password or passkeys, and is told why', async () => {
    const { center, provider } = await companyCenter();
    const { app } = stage.running;
    const member = await makeMember(app, center.id, 'INSTRUCTOR', { name: 'Ann Member', password: PASSWORD });
    await app.db.acrossTenants.identity.create({
      data: {
        id: 'idn_ann',
        centerId: center.id,
        issuer: provider.issuer,
        subject: 'ann',
        actorId: member.actor.id,
      },
    });
    const { page, context, close } = await visitor(stage.browser, stage.running);
    await enter(context, await signInWith(app, provider, { sub: 'ann' }));
    await page.goto('/me');
    await page.getByText('Company Login opened this session, so it cannot change').waitFor();
    expect(await page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0);
    expect(await page.getByLabel('Current password').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Connect', exact: true }).count()).toBe(0);
    await expectGoodScreen(page, 'account-provider-session');
    await close();
  });

  test('Job: Connect a company sign-in to your account. Linking leads to the provider; disconnecting ends its sessions', async () => {
    const { page, context, center, admin, faults, account, open, close } = await administrator(stage);
    const { app } = stage.running;
    const provider = await makeProvider(app, center.id);
    await app.db.acrossTenants.identity.create({
      data: {
        id: 'idn_ada',
        centerId: center.id,
        issuer: provider.issuer,
        subject: 'ada',
        actorId: admin.actor.id,
        email: 'ada@works.example',
      },
    });
    await signInWith(app, provider, { sub: 'ada' });
    await open('/approvals');
    await account();
    await page.getByText('ada@works.example').waitFor();
    await expectGoodScreen(page, 'account-identities');
    await page.getByRole('button', { name: /^Disconnect/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('No company sign-in connected').waitFor();
    expect(
      await app.db.acrossTenants.session.count({
        where: { identity: { centerId: center.id }, revokedAt: null },
      }),
    ).toBe(0);
    await context.route('**/auth/oidc/start**', (route) =>
      route.fulfill({
        status: 303,
        headers: { location: `${stage.running.url}/me?error=CONFLICT&request=req-9` },
      }),
    );
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByLabel('Name of the center').fill(center.centerDomain);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This company sign-in belongs to someone else').waitFor();
    await page.getByText('Request req-9').waitFor();
    await expectGoodScreen(page, 'account-conflict');
    await context.unroute('**/auth/oidc/start**');
    expect(faults.filter((fault) => !fault.includes('/auth/oidc/start'))).toEqual([]);
    await close();
  });
});
