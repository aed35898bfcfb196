import { expect, test } from 'vitest';
import { reencrypt } from '../../src/commands/admin/reencrypt.ts';
import { testApp } from '../helpers/app.ts';
import { makeMember, makeStage } from '../helpers/world.ts';
import { type LyingProvider, lyingProvider } from './helpers/lying-provider.ts';
import {
  goThroughProvider,
  saveProvider,
  signInThroughProvider,
  testAppAtPublicUrl,
  whoIs,
} from './helpers/sign-in.ts';
import { Visitor } from './helpers/visitor.ts';

const LINK = `mutation ($centerDomain: String!) { linkIdentity(input: { centerDomain: $centerDomain }) { url } }`;
const CONFIRM = 'mutation { reauthenticateWithProvider { url } }';
const IDENTITIES = '{ identities { issuer centerDomain } }';

async function stage() {
  const house = await testAppAtPublicUrl();
  const provider = await lyingProvider();
  const { center, token } = await makeStage(house.app);
  await saveProvider(house, token, provider);
  const visitorWith = (session: string | undefined) => {
    const visitor = new Visitor();
    if (session) visitor.setCookie(house.home, 'auth_token', session);
    return visitor;
  };
  const link = async (by: string) => {
    const { data, errors } = await house.graphql(LINK, { centerDomain: center.centerDomain }, by);
    expect(errors).toBeUndefined();
    return data.linkIdentity.url as string;
  };
  const go = (url: string, session: string | undefined) =>
    goThroughProvider(house.home, url, '', visitorWith(session));
  return { house, provider, center, token, visitorWith, link, go };
}

test('linking returns to the account in its old session, and the provider then opens the account', async () => {
  const { house, center, link, go } = await stage();
  const { token, actor } = await makeMember(house.app, center.id, 'PARENT');
  const url = await link(token);
  expect(url.startsWith(`${house.home}/auth/oidc/start?ticket=`)).toBe(true);
  const linked = await go(url, token);
  expect([linked.url.pathname, linked.url.search, linked.token]).toEqual(['/me', '', token]);
  const { data } = await house.graphql(IDENTITIES, {}, token);
  expect(data.identities).toMatchObject([{ centerDomain: center.centerDomain }]);
  const signedIn = await signInThroughProvider(house, center, '');
  expect((await whoIs(house, signedIn.token)).actorId).toBe(actor.id);
  // The address worked once.
  const again = await go(url, token);
  expect([again.url.pathname, again.error]).toEqual(['/sign-in', 'UNAUTHORIZED']);
});

test('a link belongs to the session and the browser that asked for it', async () => {
  const { house, center, provider, token, visitorWith, link, go } = await stage();
  const attacker = await makeMember(house.app, center.id, 'PARENT');
  // The attacker sends the address to someone who is signed in at the provider.
  for (const session of [undefined, token]) {
    expect((await go(await link(attacker.token), session)).error).toBe('UNAUTHORIZED');
  }
  expect(provider.requests.authorize).toBe(0);
  // Or begins it, and sends the callback.
  const visitor = visitorWith(attacker.token);
  const begun = await visitor.request(await link(attacker.token));
  const back = await visitor.request(begun.headers.get('location')!);
  const stolen = await visitorWith(token).request(back.headers.get('location')!);
  expect(new URL(stolen.headers.get('location')!).searchParams.get('error')).toBe('UNAUTHORIZED');
  // Signing out in between ends it.
  await house.graphql('mutation { logout }', {}, attacker.token);
  const late = await visitor.request(back.headers.get('location')!);
  const page = new URL(late.headers.get('location')!);
  expect([page.pathname, page.searchParams.get('error')]).toEqual(['/me', 'UNAUTHORIZED']);
  expect(await house.app.db.acrossTenants.identity.count()).toBe(0);
});

test('an expired address starts nothing', async () => {
  const { house, center, link, go } = await stage();
  const { token } = await makeMember(house.app, center.id, 'PARENT');
  const url = await link(token);
  await house.superuser.query(`UPDATE sign_in_ticket SET expires_at = now() - interval '1 second'`);
  expect((await go(url, token)).error).toBe('UNAUTHORIZED');
});

const now = () => Math.floor(Date.now() / 1_000);

test('a sign-in at the provider renews the proof of the same identity only, if it is recent', async () => {
  const { house, provider, center, go } = await stage();
  const { token } = await signInThroughProvider(house, center, '');
  const forget = () => house.superuser.query('UPDATE session SET proven_at = NULL');
  const proof = async () => {
    const { rows } = await house.superuser.query(
      'SELECT proven_at FROM session WHERE identity_id IS NOT NULL ORDER BY created_at LIMIT 1',
    );
    return rows[0].proven_at !== null;
  };
  const confirm = async (tell: (told: LyingProvider) => void) => {
    await forget();
    tell(provider);
    const { data } = await house.graphql(CONFIRM, {}, token);
    return go(data.reauthenticateWithProvider.url, token);
  };
  const known = { ...provider.claims };
  const done = await confirm(() => {});
  expect([done.url.pathname, done.url.search, await proof()]).toEqual(['/me', '', true]);
  const asked = new URL(done.hops.find((hop) => hop.includes('code_challenge='))!).searchParams;
  expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '0']);
  const recent = await confirm((told) =>
    Object.assign(told, { claims: { ...known, auth_time: now() - 60 } }),
  );
  expect([recent.error, await proof()]).toEqual([null, true]);
  const old = await confirm((told) => Object.assign(told, { claims: { ...known, auth_time: now() - 600 } }));
  expect([old.url.pathname, old.error, await proof()]).toEqual(['/me', 'UNAUTHORIZED', false]);
  const other = await confirm((told) => Object.assign(told, { claims: { sub: 'another', name: 'Another' } }));
  expect([other.error, await proof()]).toEqual(['UNAUTHORIZED', false]);
});

test('a change of the encryption key includes secrets of providers, tests and begun sign-ins', async () => {
  const [OLD, NEW] = ['b3qYV7mT0kS5vE8wRjN1xH7uLpCfA2Zd', 'Q9rT4yN1mB6pL9sD3fG5hJ0cAZk8vQ2x'];
  const before = await testAppAtPublicUrl({ env: { ENCRYPTION_KEY: OLD } });
  const provider = await lyingProvider();
  const { center, token } = await makeStage(before.app);
  await saveProvider(before, token, provider);
  const input = { name: 'Company Login', issuer: provider.issuer, clientId: provider.clientId };
  await before.graphql(
    'mutation ($input: IdentityProviderInput!) { testIdentityProvider(input: $input) { id } }',
    { input },
    token,
  );
  const visitor = new Visitor();
  const begun = await visitor.request(`${before.home}/auth/oidc/start?center=${center.centerDomain}`);
  const back = await visitor.request(begun.headers.get('location')!);
  const env = { PUBLIC_URL: before.home, ENCRYPTION_KEY: NEW, ENCRYPTION_KEY_PREVIOUS: OLD };
  const during = await testApp({ database: before.database, env });
  const { changed, unreadable } = await reencrypt(during.app);
  expect(changed).toMatchObject({ identity_provider: 1, provider_test: 1, sign_in_flow: 1 });
  expect(unreadable).toEqual({});
  const { ENCRYPTION_KEY_PREVIOUS: _, ...only } = env;
  const after = await testApp({ database: before.database, env: only });
  const callback = new URL(back.headers.get('location')!);
  visitor.setCookie(after.url, 'oidc_flow', visitor.cookie(before.home, 'oidc_flow')!);
  await visitor.request(new URL(`${callback.pathname}${callback.search}`, after.url));
  expect((await whoIs(after, visitor.cookie(after.url, 'auth_token'))).name).toBe('Mallory');
});
