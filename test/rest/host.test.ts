import { request } from 'node:http';
import { expect, test } from 'vitest';
import { testApp } from '../helpers/app.ts';

interface Asked {
  status: number;
  body: string;
}

/** A DNS rebinding request: to our address, under another host name. */
function ask(url: string, path: string, host: string, method = 'GET'): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, setHost: false, headers: { host } }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode!, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('an unknown host is rejected in the error format of its path, also in development', async () => {
  const { url } = await testApp();
  for (const host of [
    'evil.example',
    'evil.example:4000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
  ]) {
    const platform = await ask(url, '/api/auth/me', host);
    expect([platform.status, JSON.parse(platform.body)]).toMatchObject([
      421,
      { success: false, error: { code: 'MISDIRECTED_REQUEST' } },
    ]);
    const proof = await ask(url, '/api/v1/decision-events', host);
    expect(JSON.parse(proof.body).error).toMatchObject({
      code: 'MISDIRECTED_REQUEST',
      requestId: expect.any(String),
    });
    const graphql = await ask(url, '/graphql?query={__typename}', host);
    expect([graphql.status, JSON.parse(graphql.body).errors[0].extensions.code]).toEqual([
      421,
      'MISDIRECTED_REQUEST',
    ]);
    for (const path of ['/mcp', '/', '/healthz', '/verify', '/metrics']) {
      expect([path, (await ask(url, path, host, path === '/mcp' ? 'POST' : 'GET')).status]).toEqual([
        path,
        421,
      ]);
    }
  }
});

test('the PUBLIC_URL host, loopback and allowed hosts are served; probes can use an address', async () => {
  const { url } = await testApp({
    env: { PUBLIC_URL: 'http://proofs.example.org:8443', ALLOWED_HOSTS: 'other.example.org, 10.0.0.7' },
  });
  for (const host of [
    'proofs.example.org',
    'PROOFS.example.org.:8443',
    'other.example.org:4000',
    '10.0.0.7',
    'localhost:4000',
    'app.localhost',
    '127.0.0.1',
    '127.1.2.3:80',
    '[::1]:4000',
  ]) {
    expect([host, (await ask(url, '/api/auth/me', host)).status]).toEqual([host, 401]);
  }
  for (const host of ['10.1.2.3:4000', '[2001:db8::1]:4000']) {
    expect((await ask(url, '/healthz', host)).status).toBe(200);
    await expect.poll(async () => (await ask(url, '/readyz', host)).status).toBe(200);
    expect((await ask(url, '/api/auth/me', host)).status).toBe(421);
  }
});

test('behind a trusted proxy the host is not checked', async () => {
  const { url } = await testApp({ env: { TRUST_PROXY: '1' } });
  expect((await ask(url, '/api/auth/me', 'tenant.example')).status).toBe(401);
});
