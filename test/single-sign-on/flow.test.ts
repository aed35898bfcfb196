import { describe, expect, test } from 'vitest';
import { makeCenter, makeMember, makeStage } from '../helpers/world.ts';
import { companyProvider } from './helpers/oidc-provider.ts';
import {
  goThroughProvider,
  saveProvider,
  signInThroughProvider,
  testAppAtPublicUrl,
  whoIs,
} from './helpers/sign-in.ts';
import { Visitor } from './helpers/visitor.ts';

async function stage(settings: Record<string, unknown> = {}, claimsInIdToken = true) {
  const house = await testAppAtPublicUrl();
  const provider = await companyProvider({
    home: house.home,
    claimsInIdToken,
    accounts: {
      ada: { name: 'Ada Example', email: 'ada@company.test', email_verified: true, groups: ['staff'] },
    },
  });
  const { center, token, admin } = await makeStage(house.app);
  const saved = await saveProvider(house, token, provider, settings);
  expect(saved.errors).toBeUndefined();
  return { house, provider, center, token, admin };
}

describe('signing in', () => {
  test('a person signs in at the provider and lands in the center', async () => {
    const { house, center } = await stage();
    const { url, token, hops, visitor } = await signInThroughProvider(house, center, 'ada', {
      next: `/c/${center.centerDomain}/people?status=PENDING`,
    });
    expect(`${url.pathname}${url.search}`).toBe(`/c/${center.centerDomain}/people?status=PENDING`);
    expect(await whoIs(house, token)).toMatchObject({
      name: 'Ada Example',
      email: '',
      centerDomain: center.centerDomain,
      role: 'INSTRUCTOR',
      authorizedDomains: [center.centerDomain],
    });
    const asked = new URL(hops.find((hop) => hop.includes('code_challenge='))!);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: `${house.home}/auth/oidc/callback`,
    });
    // The second time the same person signs in.
    const again = await signInThroughProvider(house, center, 'ada', { visitor });
    expect((await whoIs(house, again.token)).actorId).toBe((await whoIs(house, token)).actorId);
    expect(again.url.pathname).toBe(`/c/${center.centerDomain}`);
  });

  test('claims that the ID token lacks come from userinfo', async () => {
    const { house, center } = await stage(
      { groupsClaim: 'groups', roleByGroup: [{ group: 'staff', role: 'ADMIN' }] },
      false,
    );
    const { token } = await signInThroughProvider(house, center, 'ada');
    expect(await whoIs(house, token)).toMatchObject({ name: 'Ada Example', role: 'ADMIN' });
  });

  test('a sign-in that the provider refuses is FORBIDDEN and kept for the administrators', async () => {
    const { house, center, token } = await stage();
    const refused = await signInThroughProvider(house, center, 'refuse');
    expect(refused.url.pathname).toBe('/sign-in');
    expect(Object.fromEntries(refused.url.searchParams)).toEqual({
      center: center.centerDomain,
      error: 'FORBIDDEN',
      request: expect.stringMatching(/^req_/),
    });
    expect(refused.token).toBeUndefined();
    const { data } = await house.graphql(
      '{ identityProvider { failures { at code reason requestId } } }',
      {},
      token,
    );
    expect(data.identityProvider.failures).toEqual([
      {
        at: expect.any(String),
        code: 'FORBIDDEN',
        reason: 'The identity provider refused the sign-in.',
        requestId: refused.url.searchParams.get('request'),
      },
    ]);
  });

  test('the log holds no code, state, token or secret', async () => {
    const { house, center, provider } = await stage();
    const { hops } = await signInThroughProvider(house, center, 'ada');
    const { searchParams } = new URL(hops.find((hop) => hop.includes('/auth/oidc/callback?'))!);
    const log = house.logged.join('');
    for (const secret of [searchParams.get('code')!, searchParams.get('state')!, provider.clientSecret])
      expect(log).not.toContain(secret);
  });
});

const TEST = `mutation ($input: IdentityProviderInput!) { testIdentityProvider(input: $input) { id url } }`;
const RESULT = `query ($id: ID!) { identityProviderTest(id: $id) { status code reason claims role person { membershipId name action } } }`;

describe('testing', () => {
  test('a test shows the claims and what they would lead to, and creates nothing', async () => {
    const house = await testAppAtPublicUrl();
    const provider = await companyProvider({
      home: house.home,
      accounts: { ada: { name: 'Ada Example', email: 'ada@company.test', email_verified: true } },
    });
    const { center, token } = await makeStage(house.app);
    const input = {
      ...{ name: 'Company Login', issuer: provider.issuer, clientId: provider.clientId },
      ...{ clientSecret: provider.clientSecret, defaultRole: 'PARENT' },
    };
    const begun = await house.graphql(TEST, { input }, token);
    const { id, url } = begun.data.testIdentityProvider;
    const result = async () => (await house.graphql(RESULT, { id }, token)).data.identityProviderTest;
    expect(await result()).toMatchObject({ status: 'WAITING', claims: null });
    // Without the session that asked for it, the address starts nothing.
    expect((await goThroughProvider(house.home, url, 'ada')).error).toBe('UNAUTHORIZED');
    expect((await result()).status).toBe('WAITING');
    const members = await house.app.db.acrossTenants.membership.count({ where: { centerId: center.id } });
    const visitor = new Visitor();
    visitor.setCookie(house.home, 'auth_token', token);
    const done = await goThroughProvider(house.home, url, 'ada', visitor);
    expect(done.url.pathname).toBe(`/c/${center.centerDomain}/settings/sign-in`);
    expect(done.token).toBe(token);
    expect(await result()).toMatchObject({
      status: 'SUCCEEDED',
      code: null,
      claims: { sub: 'ada', email: 'ada@company.test' },
      role: 'PARENT',
      person: { membershipId: null, name: 'Ada Example', action: 'CREATE' },
    });
    expect(await house.app.db.acrossTenants.membership.count({ where: { centerId: center.id } })).toBe(
      members,
    );
    // Settings that were tested are saved as tested.
    const saved = await saveProvider(house, token, provider, { defaultRole: 'PARENT' });
    expect(saved.data.saveIdentityProvider.testedAt).not.toBeNull();
    const other = await makeMember(house.app, (await makeCenter(house.app)).id);
    const foreign = await house.graphql(RESULT, { id }, other.token);
    expect(foreign.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  });
});
