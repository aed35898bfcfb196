import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { ConfigError } from '../../src/environment.ts';
import { makeVault } from '../../src/lib/crypto.ts';
import { testApp } from '../helpers/app.ts';
import { makePartner, makeStage } from '../helpers/world.ts';

test('a sealed secret with a truncated authentication tag is rejected', () => {
  const vault = makeVault('Zk8vQ2xW7rT4yN1mB6pL9sD3fG5hJ0cA');
  const [version, nonce, tag, body] = vault.seal('the secret', 'webhook:1').split('.');
  const cut = (bytes: number) => {
    const short = Buffer.from(tag!, 'base64url').subarray(0, bytes).toString('base64url');
    return [version, nonce, short, body].join('.');
  };
  expect(vault.open(cut(16), 'webhook:1')).toBe('the secret');
  for (const bytes of [4, 8, 12, 15]) expect(() => vault.open(cut(bytes), 'webhook:1')).toThrow();
});

test.each([
  'change-me-9f8e7d6c5b4a39281706f5e4',
  'your-secret-9f8e7d6c5b4a39281706f5',
  'a-secret-for-tests-of-at-least-32-characters',
  'a-string-secret-at-least-256-bits-long',
  'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
  '404e635266556a586e3272357538782f413f4428472b4b6250645367566b5970',
  Buffer.from('your-256-bit-secret-your-256-bit-secret').toString('base64'),
])('production rejects the example secret %s', (secret) => {
  for (const name of ['JWT_SECRET', 'ENCRYPTION_KEY']) {
    const env = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://proof.example',
      JWT_SECRET: 'wq3GdVYbzT0kS5vE8mRjN1xH7uLpCfA2',
      [name]: secret,
    };
    expect(() => loadConfig(env)).toThrow(ConfigError);
    expect(() => loadConfig(env)).toThrow(new RegExp(`^${name} must be your own`));
  }
});

test.each([
  { logo: 'javascript:alert(1)' },
  { logo: 'http://plain.example/logo.png' },
  { logo: '//evil.example/logo.png' },
  { logo: 'data:image/svg+xml,<svg onload=alert(1)>' },
  { logo: '/\t/evil.example' },
  { primaryColor: 'red;background:url(https://evil.example)' },
  { color: 'expression(alert(1))' },
])('branding %j is rejected', async (branding) => {
  const { app, call } = await testApp();
  const { token } = await makePartner(app);
  const refused = await call('PATCH', '/partner/settings', { token, body: { branding } });
  expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(refused.body.error.message).toMatch(/^branding\./);
});

test('the application role cannot move the head of a chain without a record', async () => {
  const { app, call } = await testApp();
  const { center, token } = await makeStage(app);
  expect((await call('POST', '/dpu/demo', { token, body: {} })).status).toBe(201);
  const own = app.db.declared([center.id]);
  const move = (by: number) =>
    own.query(
      `UPDATE ledger_chain SET size = size + $2, head_hash = repeat('0', 64)
       WHERE center_id = $1 AND domain = 'platform'`,
      [center.id, by],
    );
  for (const by of [1, 1_000]) await expect(move(by)).rejects.toThrow(/only grows by records/);
  expect((await call('POST', '/dpu/demo', { token, body: {} })).status).toBe(201);
  const verified = await call('GET', '/dpu/verify-chain', { token });
  expect(verified.body.data.valid).toBe(true);
});

test('health probes are not logged, requests are', async () => {
  const { call, fetch, logged } = await testApp();
  await fetch('/healthz');
  await fetch('/readyz');
  await call('GET', '/auth/me');
  await expect.poll(() => logged.filter((line) => line.includes('"/api/auth/me"')).length).toBe(1);
  expect(logged.filter((line) => /"path":"\/(healthz|readyz)"/.test(line))).toEqual([]);
});

test('the installation reports whether it uses one database login or two', async () => {
  const one = await testApp();
  expect((await (await one.fetch('/readyz')).json()).wall).toBe('one login');
  const two = await testApp({ env: { DATABASE_OWNER_URL: one.database.ownerUrl } });
  expect((await (await two.fetch('/readyz')).json()).wall).toBe('two logins');
});
