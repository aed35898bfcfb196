import { expect, test } from 'vitest';
import { makeStage } from '../helpers/world.ts';
import {
  type LyingProvider,
  lyingProvider,
  signedWithSecret,
  signWithOtherKey,
  unsignedToken,
} from './helpers/lying-provider.ts';
import { companyProvider } from './helpers/oidc-provider.ts';
import { saveProvider, signInThroughProvider, testAppAtPublicUrl, whoIs } from './helpers/sign-in.ts';

const EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} };
const now = () => Math.floor(Date.now() / 1_000);
let serial = 0;

const logoutClaims = ({ issuer, clientId }: LyingProvider) => ({
  ...{ iss: issuer, aud: clientId, iat: now(), exp: now() + 120, jti: `token-${serial++}`, events: EVENT },
});

async function stage() {
  const house = await testAppAtPublicUrl();
  const provider = await lyingProvider();
  const { center, token } = await makeStage(house.app);
  await saveProvider(house, token, provider);
  const signIn = async (claims: Record<string, unknown>) => {
    provider.claims = { sub: 'ada', name: 'Ada', ...claims };
    return (await signInThroughProvider(house, center, '')).token;
  };
  const send = async (body: string, headers: Record<string, string> = {}) => {
    const response = await house.fetch('/auth/oidc/backchannel-logout', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body,
    });
    return { status: response.status, body: await response.text(), headers: response.headers };
  };
  const logOut = async (token: string) => send(new URLSearchParams({ logout_token: token }).toString());
  return { house, provider, center, token, signIn, send, logOut };
}

test('a logout token ends the session that it names, or all of the subject', async () => {
  const { house, provider, signIn, logOut } = await stage();
  const [first, second] = [await signIn({ sid: 's1' }), await signIn({ sid: 's2' })];
  const one = await logOut(await provider.sign({ ...logoutClaims(provider), sub: 'ada', sid: 's1' }));
  expect([one.status, one.body]).toEqual([200, '']);
  expect(one.headers.get('cache-control')).toBe('no-store');
  expect(await whoIs(house, first)).toBe('UNAUTHORIZED');
  expect(await whoIs(house, second)).toMatchObject({ name: 'Ada' });
  const other = await signIn({ sub: 'grace', name: 'Grace', sid: 's3' });
  expect((await logOut(await provider.sign({ ...logoutClaims(provider), sub: 'ada' }))).status).toBe(200);
  expect(await whoIs(house, second)).toBe('UNAUTHORIZED');
  expect(await whoIs(house, other)).toMatchObject({ name: 'Grace' });
  // A subject without sessions is no fault of the provider.
  expect((await logOut(await provider.sign({ ...logoutClaims(provider), sub: 'unknown' }))).status).toBe(200);
});

test('a bad, reused or foreign logout token ends nothing', async () => {
  const { house, provider, signIn, logOut, send } = await stage();
  const token = await signIn({ sid: 's1' });
  const good = () => ({ ...logoutClaims(provider), sub: 'ada' });
  const without = (name: string) =>
    Object.fromEntries(Object.entries(good()).filter(([key]) => key !== name));
  const foreign = await lyingProvider();
  const bad = [
    'no token',
    await signWithOtherKey(good()),
    unsignedToken(good()),
    await signedWithSecret(good(), provider.clientSecret),
    await foreign.sign(good()),
    await foreign.sign({ ...logoutClaims(foreign), sub: 'ada' }),
    await provider.sign({ ...good(), aud: 'another' }),
    await provider.sign({ ...good(), iss: foreign.issuer }),
    await provider.sign({ ...good(), exp: now() - 120 }),
    await provider.sign({ ...good(), iat: now() + 300 }),
    await provider.sign({ ...good(), nonce: 'n' }),
    await provider.sign({ ...good(), events: {} }),
    await provider.sign({
      ...good(),
      events: { ...EVENT, 'http://schemas.openid.net/event/backchannel-logout': 1 },
    }),
    await provider.sign({ ...good(), sub: 7 as never }),
    ...(await Promise.all(
      ['iat', 'exp', 'jti', 'events', 'sub'].map((name) => provider.sign(without(name))),
    )),
    'x'.repeat(20_000),
  ];
  for (const each of bad) {
    const { status, body } = await logOut(each);
    expect([each.slice(0, 200), status, body]).toEqual([
      each.slice(0, 200),
      400,
      '{"error":"invalid_request"}',
    ]);
  }
  // An ID token is no logout token.
  expect((await logOut(await provider.sign({ ...without('events'), nonce: 'n', sid: 's1' }))).status).toBe(
    400,
  );
  const form = `logout_token=${await provider.sign(good())}`;
  expect((await send(`${form}&${form}`)).status).toBe(400);
  expect((await send('')).status).toBe(400);
  expect((await send(form, { 'content-type': 'text/plain' })).status).toBe(400);
  expect((await send(form, { origin: 'https://evil.example' })).status).toBe(403);
  expect(await whoIs(house, token)).toMatchObject({ name: 'Ada' });
  const once = await provider.sign(good());
  const statuses = await Promise.all([logOut(once), logOut(once), logOut(once)]);
  expect(statuses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  expect((await logOut(once)).status).toBe(400);
});

test('made-up logout tokens do not delay the next rotation of keys', async () => {
  const { house, provider, center, signIn, logOut } = await stage();
  await signIn({});
  const claims = { ...logoutClaims(provider), sub: 'ada' };
  for (let i = 0; i < 3; i++) expect((await logOut(await signWithOtherKey(claims))).status).toBe(400);
  // Once for the sign-in, once for the logout token and once for its key.
  expect(provider.requests.keys).toBe(3);
  await provider.rotateKeys();
  expect((await signInThroughProvider(house, center, '')).error).toBeNull();
});

test('a logout token acts in the centers of its issuer and client only', async () => {
  const { house, signIn, logOut } = await stage();
  const token = await signIn({ sid: 's1' });
  const liar = await lyingProvider({ sub: 'ada', name: 'Ada elsewhere', sid: 's1' });
  const other = await makeStage(house.app);
  await saveProvider(house, other.token, liar);
  expect((await logOut(await liar.sign({ ...logoutClaims(liar), sub: 'ada', sid: 's1' }))).status).toBe(200);
  expect(await whoIs(house, token)).toMatchObject({ name: 'Ada' });
});

test('signing out at a certified provider ends the session here', async () => {
  const house = await testAppAtPublicUrl();
  const provider = await companyProvider({ home: house.home, accounts: { ada: { name: 'Ada' } } });
  const { center, token } = await makeStage(house.app);
  await saveProvider(house, token, provider);
  const { visitor, token: session } = await signInThroughProvider(house, center, 'ada');
  const { data } = await house.graphql('{ me { provider { name logoutUrl } } }', {}, session);
  expect(data.me.provider.name).toBe('Company Login');
  const url = new URL(data.me.provider.logoutUrl);
  expect(url.origin).toBe(provider.issuer);
  expect(url.searchParams.get('client_id')).toBe(provider.clientId);
  expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${house.home}/sign-in`);
  const own = await house.graphql('{ me { provider { name } } }', {}, token);
  expect(own.data.me.provider).toBeNull();
  // Our own sign-out does not depend on it.
  const page = await (await visitor.request(url)).text();
  const [, xsrf] = /name="xsrf" value="([^"]+)"/.exec(page)!;
  const [, action] = /action="([^"]+)"/.exec(page)!;
  await visitor.request(action!, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ xsrf: xsrf!, logout: 'yes' }).toString(),
  });
  await expect.poll(() => whoIs(house, session), { timeout: 20_000 }).toBe('UNAUTHORIZED');
});
