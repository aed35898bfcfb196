/** Protects the operator's network from tenants, tested against servers that are really reachable. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import {
  makeOutboundClient,
  type OutboundClient,
  type OutboundClientOptions,
} from '../../src/lib/outbound/client.ts';
import { guardedConnector } from '../../src/lib/outbound/pools.ts';
import type { ResolveHost } from '../../src/lib/outbound/targets.ts';
import { freePort } from '../helpers/free-port.ts';
import { selfSignedCertificate } from '../helpers/self-signed-certificate.ts';
import { closeServers, serveHttp, serveHttps } from './servers.ts';

const PRODUCTION = { allowHttp: false, allowPrivate: false, acceptUnresolvable: false, lookupMs: 100 };
const PUBLIC = [{ address: '93.184.216.34', family: 4 }];
const LOOPBACK = [{ address: '127.0.0.1', family: 4 }];

const clients: OutboundClient[] = [];

function client(options: OutboundClientOptions): OutboundClient {
  const made = makeOutboundClient(options);
  clients.push(made);
  return made;
}

const post = (url: string) => ({ url, body: '{}', timeoutMs: 20_000, maxResponseBytes: 1024 });

afterEach(async () => {
  await Promise.all(clients.splice(0).map((made) => made.close()));
  await closeServers();
});

describe('in production', () => {
  it('a host that is public at registration and loopback at connect is not called', async () => {
    const server = await serveHttp((_request, response) => response.end('reached'));
    const answers = [PUBLIC, LOOPBACK];
    const outbound = client({ ...PRODUCTION, resolve: async () => answers.shift()! });
    const url = `https://rebinding.example.com:${server.port}/`;
    expect(await outbound.checkTarget(url)).toMatchObject({ ok: true });
    expect(answers).toEqual([LOOPBACK]);
    expect(await outbound.post(post(url))).toMatchObject({
      ok: false,
      kind: 'dns',
      message: 'the URL must name a host that resolves to public addresses',
    });
    expect(answers).toHaveLength(0);
    expect(server.sockets).toHaveLength(0);
  });

  it('every new connection is checked again', async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { connection: 'close' }).end('reached');
    });
    // 0.0.0.0 is refused even here, although it would lead to the same server.
    const answers = [LOOPBACK, [{ address: '0.0.0.0', family: 4 }]];
    const outbound = client({
      allowHttp: true,
      allowPrivate: true,
      acceptUnresolvable: true,
      resolve: async () => answers.shift()!,
    });
    const url = `http://changing.example.com:${server.port}/`;
    expect(await outbound.post(post(url))).toMatchObject({ ok: true, body: 'reached' });
    expect(await outbound.post(post(url))).toMatchObject({ ok: false, kind: 'dns' });
  });

  it.each([
    ['a mapped address', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['an invalid address', [{ address: '127.1', family: 4 }]],
  ])('a host is not called when it resolves to %s', async (_what, addresses) => {
    const server = await serveHttp((_request, response) => response.end('reached'));
    const outbound = client({ ...PRODUCTION, allowHttp: true, resolve: async () => addresses });
    const result = await outbound.post(post(`http://tricky.example.com:${server.port}/`));
    expect(result).toMatchObject({ ok: false, kind: 'dns' });
    expect(server.sockets).toHaveLength(0);
  });

  it.each(['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost', '127.0.0.1.'])(
    '%s is not called',
    async (host) => {
      const server = await serveHttp((_request, response) => response.end('reached'));
      const outbound = client({ ...PRODUCTION, allowHttp: true, resolve: async () => LOOPBACK });
      const result = await outbound.post(post(`http://${host}:${server.port}/`));
      expect(result).toMatchObject({ ok: false, kind: 'refused-address' });
      expect(server.sockets).toHaveLength(0);
    },
  );

  it('plain http is rejected', async () => {
    const resolve: ResolveHost = () => expect.unreachable('refused before any lookup');
    const result = await client({ ...PRODUCTION, resolve }).post(post('http://hooks.example.com/'));
    expect(result).toMatchObject({ ok: false, kind: 'refused-address', message: 'the URL must use https' });
  });

  it('an unresolvable host is rejected at registration', async () => {
    const outbound = client({ ...PRODUCTION, resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await outbound.checkTarget('https://nowhere.example.com/')).toMatchObject({ ok: false });
  });
});

describe('the connector', () => {
  it('checks literal addresses, which are not resolved', async () => {
    const server = await serveHttp((_request, response) => response.end('reached'));
    const connect = guardedConnector({
      resolve: () => expect.unreachable('nothing to resolve'),
      allowPrivate: false,
    });
    const failure = await new Promise((resolve) => {
      connect({ hostname: '127.0.0.1', protocol: 'http:', port: String(server.port) }, (error, _socket) =>
        resolve(error),
      );
    });
    expect(failure).toMatchObject({ kind: 'refused-address' });
    expect(server.sockets).toHaveLength(0);
  });
});

describe('TLS', () => {
  const certificate = selfSignedCertificate('hooks.example.com');
  const secure = {
    allowHttp: false,
    allowPrivate: true,
    acceptUnresolvable: true,
    resolve: async () => LOOPBACK,
  };

  it('an untrusted certificate fails the call', async () => {
    const server = await serveHttps(certificate, (_request, response) => response.end('reached'));
    const result = await client(secure).post(post(`https://hooks.example.com:${server.port}/`));
    expect(result).toMatchObject({ ok: false, kind: 'tls', message: expect.stringMatching(/self-signed/) });
  });

  it('a server without TLS fails the call', async () => {
    const server = await serveHttp((_request, response) => response.end('reached'));
    const result = await client(secure).post(post(`https://hooks.example.com:${server.port}/`));
    expect(result).toMatchObject({ ok: false, kind: 'tls' });
  });

  it('a refused connection is reported as a connect failure', async () => {
    const result = await client(secure).post(post(`https://hooks.example.com:${await freePort()}/`));
    expect(result).toMatchObject({ ok: false, kind: 'connect' });
  });

  it('a trusted certificate is accepted for its own host name only', async () => {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, certificate.cert]);
    try {
      const server = await serveHttps(certificate, (_request, response) => response.end('safe'));
      const outbound = client(secure);
      const own = await outbound.post(post(`https://hooks.example.com:${server.port}/`));
      expect(own).toMatchObject({ ok: true, body: 'safe' });
      const other = await outbound.post(post(`https://other.example.com:${server.port}/`));
      expect(other).toMatchObject({ ok: false, kind: 'tls' });
    } finally {
      setDefaultCACertificates(before);
    }
  });
});
