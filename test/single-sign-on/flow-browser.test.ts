import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeCenter, makeStage } from '../helpers/world.ts';
import { type Lies, lyingProvider } from './helpers/lying-provider.ts';
import { saveProvider, signInThroughProvider, testAppAtPublicUrl, whoIs } from './helpers/sign-in.ts';
import { Visitor } from './helpers/visitor.ts';

async function stage(lies: Lies = {}) {
  const house = await testAppAtPublicUrl();
  const provider = await lyingProvider({}, lies);
  const { center, token } = await makeStage(house.app);
  await saveProvider(house, token, provider);
  const start = `${house.home}/auth/oidc/start?center=${center.centerDomain}`;
  return { house, provider, center, token, start };
}

/** Begins a sign-in and stops before the callback is requested: its address, with code and state. */
async function untilCallback(visitor: Visitor, start: string): Promise<URL> {
  const begun = await visitor.request(start);
  const signedIn = await visitor.request(begun.headers.get('location')!);
  return new URL(signedIn.headers.get('location')!);
}

const errorOf = async (visitor: Visitor, url: URL | string) => {
  const response = await visitor.request(url);
  expect(response.status).toBe(303);
  return new URL(response.headers.get('location')!).searchParams.get('error');
};

test('a callback in another browser opens no session, and leaves the sign-in to the browser that began it', async () => {
  const { house, start } = await stage();
  const [attacker, victim] = [new Visitor(), new Visitor()];
  const callback = await untilCallback(attacker, start);
  // Login CSRF: the attacker lets the victim's browser finish the attacker's sign-in.
  expect(await errorOf(victim, callback)).toBe('UNAUTHORIZED');
  expect(victim.cookie(house.home, 'auth_token')).toBeUndefined();
  // Also while the victim signs in somewhere else at the same time.
  await victim.request(start);
  expect(await errorOf(victim, callback)).toBe('UNAUTHORIZED');
  expect(victim.cookie(house.home, 'auth_token')).toBeUndefined();
  expect(await errorOf(attacker, callback)).toBeNull();
});

test('a callback works once', async () => {
  const { house, provider, start } = await stage();
  const visitor = new Visitor();
  const callback = await untilCallback(visitor, start);
  const results = await Promise.all([1, 2, 3, 4, 5].map(() => errorOf(visitor, callback)));
  expect(results.sort()).toEqual([...Array(4).fill('UNAUTHORIZED'), null]);
  expect(await errorOf(visitor, callback)).toBe('UNAUTHORIZED');
  expect(provider.requests.token).toBe(1);
  expect(await house.app.db.acrossTenants.signInFlow.count()).toBe(0);
});

test('two tabs of a browser sign in at once', async () => {
  const { start } = await stage();
  const visitor = new Visitor();
  const first = await untilCallback(visitor, start);
  const second = await untilCallback(visitor, start);
  expect(await errorOf(visitor, first)).toBeNull();
  expect(await errorOf(visitor, second)).toBeNull();
});

test('the callback may arrive at another process', async () => {
  const { house, start } = await stage();
  const other = await testApp({ database: house.database, env: { PUBLIC_URL: house.home } });
  const visitor = new Visitor();
  const callback = await untilCallback(visitor, start);
  const elsewhere = new URL(`${callback.pathname}${callback.search}`, other.url);
  visitor.setCookie(other.url, 'oidc_flow', visitor.cookie(house.home, 'oidc_flow')!);
  expect(await errorOf(visitor, elsewhere)).toBeNull();
  expect((await whoIs(house, visitor.cookie(other.url, 'auth_token'))).name).toBe('Mallory');
  expect(await errorOf(visitor, callback)).toBe('UNAUTHORIZED');
});

test('an expired sign-in and one whose provider was changed are UNAUTHORIZED', async () => {
  const { house, provider, token, start } = await stage();
  const visitor = new Visitor();
  const late = await untilCallback(visitor, start);
  await house.superuser.query(`UPDATE sign_in_flow SET expires_at = now() - interval '1 second'`);
  expect(await errorOf(visitor, late)).toBe('UNAUTHORIZED');
  const changed = await untilCallback(visitor, start);
  await saveProvider(house, token, { ...provider, clientId: 'another' });
  expect(await errorOf(visitor, changed)).toBe('UNAUTHORIZED');
  expect(provider.requests.token).toBe(0);
});

test('mix-up: a code of another provider is not sent to the one that asked for it', async () => {
  const { house, center, token, provider } = await stage();
  const honest = await lyingProvider({ sub: 'victim' });
  const other = await makeStage(house.app);
  await saveProvider(house, other.token, honest);
  // The lying provider sends the browser on to the honest one, in the hope of the code.
  provider.lies = { callback: (url) => url.searchParams.set('iss', honest.issuer) };
  expect((await signInThroughProvider(house, center, 'mallory')).error).toBe('UNAUTHORIZED');
  provider.lies = { callback: (url) => url.searchParams.delete('iss') };
  expect((await signInThroughProvider(house, center, 'mallory')).error).toBe('UNAUTHORIZED');
  expect(provider.requests.token).toBe(0);
  const { data } = await house.graphql('{ identityProvider { failures { code } } }', {}, token);
  expect(data.identityProvider.failures).toHaveLength(2);
});

test('mix-up: a code that a lying provider received through us opens no session at the honest one', async () => {
  // Neither provider names itself in the callback.
  const discovery = (document: Record<string, unknown>) => ({
    ...document,
    authorization_response_iss_parameter_supported: false,
  });
  const nameless: Lies = { discovery, callback: (url) => url.searchParams.delete('iss') };
  const { house, center, provider } = await stage(nameless);
  const honest = await lyingProvider({ sub: 'victim' }, nameless);
  const other = await makeStage(house.app);
  await saveProvider(house, other.token, honest);
  const start = `${house.home}/auth/oidc/start?center=`;
  const [attacker, victim] = [new Visitor(), new Visitor()];
  // The attacker begins a sign-in at the honest provider, and keeps its address for the browser of the victim.
  const begun = await attacker.request(`${start}${other.center.centerDomain}`);
  const kept = new URL(begun.headers.get('location')!);
  const atHonest = await victim.request(kept);
  const code = new URL(atHonest.headers.get('location')!).searchParams.get('code')!;
  // The victim signs in where the attacker's provider is, which sends the browser on to the honest one.
  provider.lies = {
    discovery,
    callback(url) {
      url.searchParams.delete('iss');
      url.searchParams.set('code', code);
    },
  };
  await victim.open(`${start}${center.centerDomain}`, house.home);
  expect(provider.requests.token).toBe(1);
  const stolen = new URL(`${house.home}/auth/oidc/callback`);
  stolen.searchParams.set('state', kept.searchParams.get('state')!);
  stolen.searchParams.set('code', code);
  expect(await errorOf(attacker, stolen)).toBe('UNAUTHORIZED');
  expect(attacker.cookie(house.home, 'auth_token')).toBeUndefined();
  expect(honest.requests.token).toBe(0);
});

test('malformed callbacks are VALIDATION_ERROR and use nothing up', async () => {
  const { start } = await stage();
  const visitor = new Visitor();
  const callback = await untilCallback(visitor, start);
  const changed = (change: (query: URLSearchParams) => void) => {
    const url = new URL(callback);
    change(url.searchParams);
    return url;
  };
  const malformed = [
    changed((query) => query.append('state', query.get('state')!)),
    changed((query) => query.append('state', 'another')),
    changed((query) => query.append('code', 'another')),
    changed((query) => query.append('iss', 'another')),
    changed((query) => query.delete('state')),
    changed((query) => query.delete('code')),
    changed((query) => query.set('code', 'c'.repeat(9_000))),
    changed((query) => query.set('state', 's'.repeat(200))),
    changed((query) => query.set('code', 'a\u0000b')),
  ];
  for (const url of malformed) expect(await errorOf(visitor, url)).toBe('VALIDATION_ERROR');
  expect(await errorOf(visitor, callback)).toBeNull();
});

test('a start names a center with a provider and a console path', async () => {
  const { house, center, provider } = await stage();
  const visitor = new Visitor();
  const started = (query: string) => errorOf(visitor, `${house.home}/auth/oidc/start?${query}`);
  const { centerDomain } = center;
  const paths = [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/a//b',
    '/../x',
    'c/x',
    '/\tx',
  ];
  for (const next of [...paths, '/auth/oidc/start?center=x', '/api/x', `/${'x'.repeat(3_000)}`]) {
    const query = new URLSearchParams({ center: centerDomain, next });
    expect([next, await started(query.toString())]).toEqual([next, 'VALIDATION_ERROR']);
  }
  expect(await started('')).toBe('VALIDATION_ERROR');
  expect(await started(`center=${centerDomain}&center=other`)).toBe('VALIDATION_ERROR');
  expect(await started(`center=${'c'.repeat(300)}`)).toBe('VALIDATION_ERROR');
  expect(await started('center=unknown-center')).toBe('CENTER_NOT_FOUND');
  const without = await makeCenter(house.app);
  expect(await started(`center=${without.centerDomain}`)).toBe('CENTER_NOT_FOUND');
  for (const [status, code] of [
    ['SUSPENDED', 'CENTER_SUSPENDED'],
    ['INACTIVE', 'CENTER_NOT_FOUND'],
  ] as const) {
    await house.app.db.acrossTenants.center.update({ where: { id: center.id }, data: { status } });
    expect(await started(`center=${centerDomain}`)).toBe(code);
  }
  expect(provider.requests.authorize).toBe(0);
});

test('a start at another host goes to the public URL first', async () => {
  const { house, center } = await stage();
  const local = house.home.replace('127.0.0.1', 'localhost');
  const response = await fetch(`${local}/auth/oidc/start?center=${center.centerDomain}&next=/me`, {
    redirect: 'manual',
  });
  expect(response.status).toBe(303);
  const moved = new URL(response.headers.get('location')!);
  expect(moved.origin).toBe(house.home);
  expect(moved.searchParams.get('next')).toBe('/me');
  expect(response.headers.getSetCookie().join()).not.toContain('oidc_flow');
  const { url } = await new Visitor().open(moved, house.home);
  expect(url.pathname).toBe('/me');
});

test('both addresses count in the rate of anonymous callers', async () => {
  const house = await testAppAtPublicUrl({ env: { RATE_ANONYMOUS: '2' } });
  const visitor = new Visitor();
  const callback = `${house.home}/auth/oidc/callback?state=s&code=c`;
  expect(await errorOf(visitor, callback)).toBe('UNAUTHORIZED');
  expect(await errorOf(visitor, `${house.home}/auth/oidc/start?center=x`)).toBe('CENTER_NOT_FOUND');
  expect(await errorOf(visitor, callback)).toBe('RATE_LIMITED');
});

test('the cookies of a sign-in are out of reach of scripts and other sites', async () => {
  const { house, start } = await stage();
  const response = await house.fetch(start.slice(house.home.length), { redirect: 'manual' });
  const [cookie] = response.headers.getSetCookie();
  expect(cookie).toMatch(/^oidc_flow=[\w-]{43}; path=\/; .*samesite=lax; httponly$/i);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  const flow = await house.app.db.acrossTenants.signInFlow.findFirstOrThrow();
  const asked = new URL(response.headers.get('location')!).searchParams;
  const stored = JSON.stringify(flow);
  for (const name of ['state', 'nonce']) expect(stored).not.toContain(asked.get(name)!);
});

test('a provider that is away at the start is SERVICE_UNAVAILABLE', async () => {
  const { house, token } = await stage();
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  await house.superuser.query('UPDATE identity_provider SET issuer = $1', [`http://127.0.0.1:${port}`]);
  const { data } = await house.graphql('{ me { centerDomain } }', {}, token);
  const visited = await new Visitor().open(
    `${house.home}/auth/oidc/start?center=${data.me.centerDomain}`,
    house.home,
  );
  expect(visited.url.searchParams.get('error')).toBe('SERVICE_UNAVAILABLE');
});
