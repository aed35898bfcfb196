import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../helpers/database.ts';
import { type ServerProcess, startServer } from '../helpers/process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The parts of the tour that a reader pastes into a shell. */
const tour = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]!).join('\n');

/** Acts as a reverse proxy: forwards requests for the public URL over a plain connection. */
async function startProxy(target: string, publicUrl: string): Promise<string> {
  const proxy = createServer(async (incoming, outgoing) => {
    const { host, protocol } = new URL(publicUrl);
    const headers = {
      ...incoming.headers,
      host,
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-host': host,
      'x-forwarded-proto': protocol.slice(0, -1),
    };
    const onward = request(target + incoming.url!, { method: incoming.method!, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

const publicUrl = 'https://proof.example';
const behindProxy = {
  NODE_ENV: 'production',
  PUBLIC_URL: publicUrl,
  TRUST_PROXY: '1',
  JWT_SECRET: 'wq3GdVYbzT0kS5vE8mRjN1xH7uLpCfA2',
};

const metricsToken = 'a token for the metrics';

/** Shared by all tests, which only read it. */
let server: ServerProcess;
beforeAll(async () => {
  const { url, dataDir } = await testDatabase();
  const env = { DATABASE_URL: url, DATA_DIR: dataDir, SEED_DEMO: '1', METRICS_TOKEN: metricsToken };
  server = await startServer({ env: { ...env, ...behindProxy } });
}, 120_000);
afterAll(() => server?.end());

/** On one machine it runs with all other blocks (code-blocks.test.ts). */
test('the tour of the README runs unchanged in production behind a proxy', { timeout: 120_000 }, async () => {
  const { stdout } = await promisify(execFile)('bash', ['-eu', '-o', 'pipefail', '-c', tour], {
    cwd: root,
    env: { ...process.env, BASE: await startProxy(server.url, publicUrl) },
  });
  expect(stdout).toMatch(/"sealedHash":"sha256:[0-9a-f]{64}"/);
  expect(stdout).toMatch(/proof\.json: proven: sealed at .*; signed by \S+; outcome: none shown; named .*\n/);
  expect(stdout).toMatch(/"valid":true,"chainLength":\d+/);
});

test('production behind a proxy: cookies are Secure, schema and metrics require credentials', async () => {
  const base = await startProxy(server.url, publicUrl);
  const post = (path: string, body: object, headers = {}) =>
    fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  const signedIn = await post('/api/auth/login', { email: 'admin@demo.test', password: 'demo-Passw0rd!' });
  expect(signedIn.status).toBe(200);
  const [cookie] = signedIn.headers.getSetCookie();
  expect(cookie).toMatch(/^auth_token=[^;]+; path=\/; .*; samesite=lax; secure; httponly$/);
  const auth = { cookie: cookie!.split(';')[0]!, origin: publicUrl };
  const me = await post('/graphql', { query: '{ me { email } }' }, auth);
  expect(await me.json()).toEqual({ data: { me: { email: 'admin@demo.test' } } });

  for (const query of ['{ __schema { queryType { name } } }', '{ __type(name: "Query") { name } }']) {
    const stranger = await post('/graphql', { query });
    expect(await stranger.json()).toEqual({
      errors: [{ message: expect.any(String), extensions: { code: 'UNAUTHORIZED' } }],
    });
    expect(await (await post('/graphql', { query }, auth)).json()).toHaveProperty('data');
  }

  expect((await fetch(`${base}/metrics`)).status).toBe(401);
  const headers = { authorization: `Bearer ${metricsToken}` };
  expect((await fetch(`${base}/metrics`, { headers })).status).toBe(200);
});
