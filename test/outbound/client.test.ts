import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  makeOutboundClient,
  type OutboundClient,
  type OutboundClientOptions,
  type OutboundRequest,
} from '../../src/lib/outbound/client.ts';
import { freePort } from '../helpers/free-port.ts';
import { closeServers, gone, serveHttp, serveTcp } from './servers.ts';

const clients: OutboundClient[] = [];

function client(options: Partial<OutboundClientOptions> = {}): OutboundClient {
  const made = makeOutboundClient({
    allowHttp: true,
    allowPrivate: true,
    acceptUnresolvable: true,
    ...options,
  });
  clients.push(made);
  return made;
}

/** A deadline that only tests about deadlines reach. */
const post = (url: string, more: Partial<OutboundRequest> = {}): Omit<OutboundRequest, 'method'> => ({
  url,
  body: '{}',
  timeoutMs: 20_000,
  maxResponseBytes: 1024,
  ...more,
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((made) => made.close()));
  await closeServers();
  vi.unstubAllEnvs();
});

describe('a request', () => {
  it('sends method, path, query, headers and body, and returns status, headers and body', async () => {
    const server = await serveHttp(async (request, response) => {
      const chunks = await request.toArray();
      response.writeHead(202, { 'x-seen': 'yes' });
      response.end(`${request.method} ${request.url} ${request.headers['x-mark']} ${Buffer.concat(chunks)}`);
    });
    const url = `http://127.0.0.1:${server.port}/in?a=1#fragment`;
    const result = await client().request({
      ...post(url),
      method: 'PUT',
      headers: { 'x-mark': 'm' },
      body: 'naïve',
    });
    expect(result).toMatchObject({ ok: true, status: 202, body: 'PUT /in?a=1 m naïve' });
    expect(result).toHaveProperty('headers.x-seen', 'yes');
    expect(result.durationMs).toBeGreaterThan(0);
  });

  it('does not follow redirects', async () => {
    const elsewhere = await serveHttp((_request, response) => response.end('reached'));
    const server = await serveHttp((_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${elsewhere.port}/` }).end();
    });
    const result = await client().post(post(`http://127.0.0.1:${server.port}/`));
    expect(result).toMatchObject({ ok: true, status: 307 });
    expect(elsewhere.sockets).toHaveLength(0);
  });

  it('ignores proxy settings of the environment', async () => {
    const proxy = await serveHttp((_request, response) => response.end('proxy'));
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'])
      vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
    const server = await serveHttp((_request, response) => response.end('direct'));
    const result = await client().post(post(`http://127.0.0.1:${server.port}/`));
    expect(result).toMatchObject({ ok: true, body: 'direct' });
  });

  it('reuses a connection', async () => {
    const server = await serveHttp((_request, response) => response.end('ok'));
    const outbound = client({ connectionsPerOrigin: 1 });
    for (let round = 0; round < 3; round += 1)
      await outbound.post(post(`http://127.0.0.1:${server.port}/${round}`));
    expect(server.sockets).toHaveLength(1);
  });

  it('uses the system resolver when private addresses are allowed', async () => {
    const server = await serveHttp((request, response) => response.end(request.headers.host));
    const result = await client().post(post(`http://localhost:${server.port}/`));
    expect(result).toMatchObject({ ok: true, body: `localhost:${server.port}` });
  });

  const hasIPv6 = Object.values(networkInterfaces()).some((list) =>
    list?.some(({ address }) => address === '::1'),
  );
  it.runIf(hasIPv6)('reaches IPv6 addresses, literal and resolved', async () => {
    const server = await serveHttp((_request, response) => response.end('six'), '::1');
    const outbound = client({ resolve: async () => [{ address: '::1', family: 6 }] });
    for (const host of ['[::1]', 'six.example.com']) {
      expect(await outbound.post(post(`http://${host}:${server.port}/`))).toMatchObject({
        ok: true,
        body: 'six',
      });
    }
  });

  it.each([['Host'], ['host']])('rejects a custom %s header', async (name) => {
    const server = await serveHttp((_request, response) => response.end());
    const url = `http://127.0.0.1:${server.port}/`;
    const result = await client().post(post(url, { headers: { [name]: 'internal.example.com' } }));
    expect(result).toMatchObject({ ok: false, kind: 'protocol' });
    expect(server.sockets).toHaveLength(0);
  });

  it('rejects a header that contains line breaks', async () => {
    const server = await serveHttp((_request, response) => response.end());
    const url = `http://127.0.0.1:${server.port}/`;
    const result = await client().post(post(url, { headers: { 'x-mark': 'a\r\nx-injected: b' } }));
    expect(result).toMatchObject({ ok: false, kind: 'protocol' });
  });
});

describe('the body of a response', () => {
  it('is truncated at the limit, and a moderate rest keeps the connection open', async () => {
    const server = await serveHttp((_request, response) => response.end('x'.repeat(50_000)));
    const outbound = client({ connectionsPerOrigin: 1 });
    const url = `http://127.0.0.1:${server.port}/`;
    for (let round = 0; round < 2; round += 1) {
      expect(await outbound.post(post(url))).toMatchObject({ ok: true, status: 200, body: 'x'.repeat(1024) });
    }
    expect(server.sockets).toHaveLength(1);
  });

  it('that never ends closes the connection, and the next request gets a new one', async () => {
    const server = await serveHttp((request, response) => {
      if (request.url === '/short') response.end('short');
      else {
        const more = () => {
          while (!response.destroyed && response.write('y'.repeat(16_384)));
        };
        response.on('drain', more);
        more();
      }
    });
    const outbound = client();
    const endless = await outbound.post(post(`http://127.0.0.1:${server.port}/endless`));
    expect(endless).toMatchObject({ ok: true, status: 200, body: 'y'.repeat(1024) });
    await gone(server.sockets[0]);
    const short = await outbound.post(post(`http://127.0.0.1:${server.port}/short`));
    expect(short).toMatchObject({ ok: true, body: 'short' });
  });

  it('is decoded without split characters and without NUL', async () => {
    const server = await serveHttp((_request, response) => response.end('a\0é€'));
    const url = `http://127.0.0.1:${server.port}/`;
    expect(await client().post(post(url, { maxResponseBytes: 5 }))).toMatchObject({
      ok: true,
      body: 'a\uFFFDé',
    });
    expect(await client().post(post(url, { maxResponseBytes: 7 }))).toMatchObject({
      ok: true,
      body: 'a\uFFFDé€',
    });
    expect(await client().post(post(url, { maxResponseBytes: 0 }))).toMatchObject({ ok: true, body: '' });
  });
});

describe('the timeout', () => {
  it('covers the wait for headers', async () => {
    const server = await serveHttp(() => undefined);
    const outbound = client();
    // On a busy machine the time may be over before there is a connection.
    while (server.sockets.length === 0) {
      const result = await outbound.post(post(`http://127.0.0.1:${server.port}/`, { timeoutMs: 100 }));
      expect(result).toMatchObject({
        ok: false,
        kind: 'timeout',
        message: 'no complete response within 100 ms',
      });
    }
    await gone(server.sockets[0]);
  });

  it('covers a body that is sent very slowly', async () => {
    const server = await serveHttp((_request, response) => {
      const drip = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(drip));
    });
    const result = await client().post(post(`http://127.0.0.1:${server.port}/`, { timeoutMs: 200 }));
    expect(result).toMatchObject({ ok: false, kind: 'timeout' });
  });

  it('covers a resolver that does not respond', async () => {
    const silent = Promise.withResolvers<never>();
    const outbound = client({ resolve: () => silent.promise });
    const result = await outbound.post(post('http://silent.example.com/', { timeoutMs: 50 }));
    expect(result).toMatchObject({ ok: false, kind: 'timeout' });
  });

  it('covers the wait for a free connection, and a request that timed out there is never sent', async () => {
    const paths: (string | undefined)[] = [];
    const release = Promise.withResolvers<void>();
    const server = await serveHttp(async (request, response) => {
      paths.push(request.url);
      if (request.url === '/first') await release.promise;
      response.end('ok');
    });
    const outbound = client({ connectionsPerOrigin: 1 });
    const origin = `http://127.0.0.1:${server.port}`;
    const first = outbound.post(post(`${origin}/first`));
    const second = await outbound.post(post(`${origin}/second`, { timeoutMs: 50 }));
    expect(second).toMatchObject({ ok: false, kind: 'timeout' });
    release.resolve();
    expect(await first).toMatchObject({ ok: true });
    expect(await outbound.post(post(`${origin}/third`))).toMatchObject({ ok: true });
    expect(paths).toEqual(['/first', '/third']);
  });
});

describe('failures', () => {
  it('connect: no listener', async () => {
    const result = await client().post(post(`http://127.0.0.1:${await freePort()}/`));
    expect(result).toMatchObject({
      ok: false,
      kind: 'connect',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('connect: no listener on any of several addresses', async () => {
    const resolve = async () => ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
    const result = await client({ resolve }).post(post(`http://both.example.com:${await freePort()}/`));
    expect(result).toMatchObject({
      ok: false,
      kind: 'connect',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('connect: the connection is lost before the response', async () => {
    const server = await serveTcp((socket) => socket.once('data', () => socket.destroy()));
    const result = await client().post(post(`http://127.0.0.1:${server.port}/`));
    expect(result).toMatchObject({ ok: false, kind: 'connect' });
  });

  it('connect: the connection is lost in the middle of the body', async () => {
    const server = await serveTcp((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart'));
    });
    const result = await client().post(post(`http://127.0.0.1:${server.port}/`));
    expect(result).toMatchObject({ ok: false, kind: 'connect' });
  });

  it('protocol: the server does not speak HTTP', async () => {
    const server = await serveTcp((socket) => socket.once('data', () => socket.end('220 mail ready\r\n')));
    const result = await client().post(post(`http://127.0.0.1:${server.port}/`));
    expect(result).toMatchObject({ ok: false, kind: 'protocol' });
  });

  it('dns: the host cannot be resolved, or has no address', async () => {
    const failing = client({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    const empty = client({ resolve: async () => [] });
    for (const outbound of [failing, empty]) {
      const result = await outbound.post(post('http://nowhere.example.com/'));
      expect(result).toMatchObject({
        ok: false,
        kind: 'dns',
        message: 'the URL must name a host that resolves to public addresses',
      });
    }
  });

  it('do not prevent the next request from succeeding', async () => {
    let broken = true;
    const server = await serveHttp((request, response) => {
      if (broken) request.socket.destroy();
      else response.end('ok');
    });
    const outbound = client({ connectionsPerOrigin: 1 });
    const url = `http://127.0.0.1:${server.port}/`;
    expect(await outbound.post(post(url))).toMatchObject({ ok: false });
    broken = false;
    expect(await outbound.post(post(url))).toMatchObject({ ok: true });
  });
});

describe('connections', () => {
  it('of the least recently used origin are closed when there are too many', {
    timeout: 10_000,
  }, async () => {
    const servers = [
      await serveHttp((_request, response) => response.end('0')),
      await serveHttp((_request, response) => response.end('1')),
    ];
    const outbound = client({ maxOrigins: 1 });
    for (const { port } of servers) await outbound.post(post(`http://127.0.0.1:${port}/`));
    await gone(servers[0]!.sockets[0]);
    expect(await outbound.post(post(`http://127.0.0.1:${servers[0]!.port}/`))).toMatchObject({
      ok: true,
      body: '0',
    });
  });

  it('are closed once running requests have ended', async () => {
    const release = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const server = await serveHttp(async (_request, response) => {
      arrived.resolve();
      await release.promise;
      response.end('late');
    });
    const outbound = client();
    const url = `http://127.0.0.1:${server.port}/`;
    const underWay = outbound.post(post(url));
    await arrived.promise;
    const closed = outbound.close();
    expect(await outbound.post(post(url))).toMatchObject({ ok: false, kind: 'connect' });
    release.resolve();
    expect(await underWay).toMatchObject({ ok: true, body: 'late' });
    await closed;
    await gone(server.sockets[0]);
  });
});
