import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';

test('an unknown path returns NOT_FOUND in the error format of its path', async () => {
  const { call } = await testApp();
  const platform = await call('GET', '/nowhere');
  expect([platform.status, platform.body]).toEqual([
    404,
    { success: false, error: { code: 'NOT_FOUND', message: expect.any(String) } },
  ]);
  const proof = await call('GET', '/v1/nowhere');
  expect([proof.status, proof.body.error.code, proof.body.error.requestId]).toEqual([
    404,
    'NOT_FOUND',
    proof.headers.get('x-request-id'),
  ]);
});

test('paths are case-sensitive', async () => {
  const { call, fetch } = await testApp();
  expect((await call('GET', '/Auth/me')).status).toBe(404);
  expect((await call('POST', '/v1/Decision-Events', { body: {} })).body.error.requestId).toBeDefined();
  expect((await call('POST', '/V1/decision-events', { body: {} })).status).toBe(404);
  expect((await fetch('/API/v1/decision-events')).status).toBe(404);
});

test('a known path with another method returns 405 with the allowed methods', async () => {
  const { call } = await testApp();
  const answer = await call('DELETE', '/auth/me');
  expect([answer.status, answer.body.error.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
  expect(answer.headers.get('allow')).toContain('GET');
});

test('a valid request id is kept, any other is replaced', async () => {
  const { call } = await testApp();
  const kept = await call('GET', '/auth/me', { headers: { 'x-request-id': 'my-call_1.2:3' } });
  expect(kept.headers.get('x-request-id')).toBe('my-call_1.2:3');
  const replaced = await call('GET', '/auth/me', { headers: { 'x-request-id': 'two words<script>' } });
  expect(replaced.headers.get('x-request-id')).toMatch(/^req_/);
});

test('every response has security headers, and none reveals the server software', async () => {
  const { call, fetch } = await testApp();
  for (const { headers } of [
    await call('GET', '/nowhere'),
    await fetch('/healthz'),
    await fetch('/graphql'),
  ]) {
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('x-ratelimit-limit')).toBeTruthy();
  }
});

test('a body over 1 MiB is rejected, with or without content length', async () => {
  const { app, url, graphql, call } = await testApp();
  const { token } = await makeStage(app);
  const announced = await graphql(`{ me { name } } #${'x'.repeat(1_100_000)}`, {}, token);
  expect([announced.status, announced.errors![0]!.extensions.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);

  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  socket.on('error', () => {}); // the server may hang up on the rest
  for (let i = 0; i < 17; i++) socket.write(chunk);
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(head.toString()).toMatch(/^HTTP\/1.1 413 /);
  socket.destroy();
  expect((await call('GET', '/auth/me', { token })).status).toBe(200);
});

test('cross-origin requests are allowed only if configured', async () => {
  const { fetch } = await testApp({ env: { CORS_ORIGINS: 'https://console.example' } });
  const preflight = (origin: string) =>
    fetch('/api/auth/me', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    });
  const allowed = await preflight('https://console.example');
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://console.example');
  const refused = await preflight('https://evil.example');
  expect(refused.headers.get('access-control-allow-origin')).toBeNull();
});

test('another site cannot use the session cookie', async () => {
  const { app, fetch } = await testApp();
  const { token } = await makeStage(app);
  const mutate = (headers: Record<string, string>) =>
    fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `auth_token=${token}`, ...headers },
      body: JSON.stringify({
        query: 'mutation { createApiKey(input: {name: "x", scopes: ["proof:read"]}) { plaintext } }',
      }),
    }).then((response) => response.json());
  expect((await mutate({ origin: 'https://evil.example' })).errors[0].extensions.code).toBe('FORBIDDEN');
  expect((await mutate({ 'sec-fetch-site': 'cross-site' })).errors[0].extensions.code).toBe('FORBIDDEN');
  expect((await mutate({})).data.createApiKey.plaintext).toMatch(/^csk_/);
});

test('logs contain the request and no secrets', async () => {
  const { app, call, graphql, logged } = await testApp();
  const { token, key } = await makeStage(app);
  await call('GET', '/auth/me', { token, headers: { 'x-request-id': 'find-me' } });
  const made = await graphql(
    'mutation { createApiKey(input: {name: "x", scopes: ["proof:read"]}) { plaintext } }',
    {},
    token,
  );
  const password = 'correct horse battery';
  await call('POST', '/auth/login', { body: { email: 'nobody@example.test', password } });
  await call('POST', '/v1/decision-events', { token: key, body: { password } });
  await call('GET', `/auth/me?token=${token}`, { headers: { cookie: `auth_token=${token}` } });
  await expect.poll(() => logged.filter((line) => line.includes('"requestId"')).length).toBeGreaterThan(4);
  const text = logged.join('');
  expect(text).toContain('find-me');
  const secrets = [token, key, made.data.createApiKey.plaintext, password];
  for (const secret of secrets) expect(text).not.toContain(secret);
});

test('health, readiness and metrics endpoints work', async () => {
  const { fetch, call } = await testApp({ worker: true });
  expect((await fetch('/healthz')).status).toBe(200);
  const ready = async () => {
    const response = await fetch('/readyz');
    return [response.status, await response.json()];
  };
  await expect.poll(ready).toEqual([
    200,
    {
      status: 'ready',
      checks: { database: 'ok', migrations: 'ok', notifications: 'ok', worker: 'ok', signing: 'ok' },
      wall: 'one login',
      memory: {
        heap: expect.any(Number),
        heapLimit: expect.any(Number),
        content: 0,
        contentLimit: 128,
        contentWaiting: 0,
      },
    },
  ]);
  await call('GET', '/auth/me');
  const metrics = await (await fetch('/metrics')).text();
  expect(metrics).toContain('countersign_http_requests_total{method="GET",route="/auth/me",status="401"} 1');
  expect(metrics).toContain('countersign_http_request_seconds_bucket');
  expect(metrics).toContain('countersign_queue_jobs{state="ready"}');
});

test('metrics require their token if one is configured', async () => {
  const { fetch } = await testApp({ env: { METRICS_TOKEN: 'a-long-metrics-token' } });
  expect((await fetch('/metrics')).status).toBe(401);
  const headers = { authorization: 'Bearer a-long-metrics-token' };
  expect((await fetch('/metrics', { headers })).status).toBe(200);
});
