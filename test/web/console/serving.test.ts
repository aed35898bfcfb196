import { expect, test } from 'vitest';
import { consoleStage } from './stage.ts';

const stage = consoleStage();
const html = { accept: 'text/html,application/xhtml+xml' };
const get = (path: string, headers: Record<string, string> = {}) => stage.running.fetch(path, { headers });

test('browsers get the console under a policy without inline or evaluated scripts', async () => {
  for (const path of ['/', '/sign-in', '/invitation', '/reset', '/c/some-center/decisions/evt_1', '/me']) {
    const response = await get(path, html);
    expect([path, response.status, response.headers.get('content-type')]).toEqual([
      path,
      200,
      'text/html; charset=utf-8',
    ]);
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[^']+'/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const page = await response.text();
    expect(page).toContain(`nonce="${/'nonce-([^']+)'/.exec(policy)![1]}"`);
    expect(page).not.toMatch(/<script>|https?:\/\//);
  }
});

test('every page gets a new nonce in its content security policy', async () => {
  const policies = await Promise.all(
    Array.from({ length: 5 }, async () => (await get('/', html)).headers.get('content-security-policy')),
  );
  expect(new Set(policies).size).toBe(5);
});

test('API clients get a JSON index at / and 404 at the paths of screens', async () => {
  const index = await get('/');
  expect(index.headers.get('content-type')).toContain('application/json');
  expect(await index.json()).toMatchObject({
    name: 'Countersign',
    graphql: expect.stringMatching(/\/graphql$/),
    mcp: expect.stringMatching(/\/mcp$/),
  });
  expect((await get('/', { accept: 'application/json' })).status).toBe(200);
  for (const path of ['/sign-in', '/c/some-center', '/partner']) {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
  }
});

test('links in mails open a page, except for clients that accept only JSON', async () => {
  for (const path of ['/invitation', '/reset', '/role-change', '/connect']) {
    const page = await get(path);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await get(path, { accept: 'application/json' })).status).toBe(404);
  }
});

test('paths without a screen return 404 to browsers', async () => {
  for (const path of ['/nowhere', '/centres', '/console/nowhere.js', '/console/../package.json']) {
    expect([path, (await get(path, html)).status]).toEqual([path, 404]);
  }
  expect((await stage.running.fetch('/sign-in', { method: 'POST', headers: html })).status).toBe(404);
});

test('an unknown path returns a page to browsers and a JSON error to API clients', async () => {
  const page = await get('/nowhere', html);
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('<h1>Page not found</h1>');
  for (const [path, headers] of [
    ['/nowhere', {}],
    ['/api/nowhere', html],
    ['/console/nowhere.js', html],
  ] as const) {
    const answer = await get(path, headers);
    expect([path, answer.status, await answer.json()]).toMatchObject([
      path,
      404,
      { error: { code: 'NOT_FOUND' } },
    ]);
  }
});

test('the first page loads less than 350 KB of compressed script', async () => {
  const page = await (await get('/', html)).text();
  const scripts = [...new Set(page.match(/\/console\/[\w/-]+\.js/g))];
  expect(scripts.length).toBeGreaterThan(1);
  const sizes = await Promise.all(
    scripts.map(async (script) => {
      const packed = await get(script, { 'accept-encoding': 'gzip' });
      return Number(packed.headers.get('content-length') ?? Number.NaN);
    }),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(350_000);
});

test('files with a hash in their name are cached permanently and compressed if the client accepts it', async () => {
  const page = await (await get('/', html)).text();
  const [script] = /\/console\/assets\/index-[\w-]+\.js/.exec(page)!;
  const plain = await get(script, { 'accept-encoding': 'identity' });
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(plain.headers.get('vary')).toContain('Accept-Encoding');
  const text = await plain.text();
  for (const encoding of ['br', 'gzip']) {
    const packed = await get(script, { 'accept-encoding': encoding });
    expect(packed.headers.get('content-encoding')).toBe(encoding);
    expect(await packed.text()).toBe(text);
  }
  expect((await get('/console/theme.js')).headers.get('cache-control')).toBe('no-cache');
});
