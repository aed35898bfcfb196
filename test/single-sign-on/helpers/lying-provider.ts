import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  base64url,
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { onTestFinished } from 'vitest';

type Path = 'discovery' | 'authorize' | 'token' | 'keys' | 'userinfo';
type Claims = Record<string, unknown>;

/** What the provider does instead of telling the truth. All of it can change at any time. */
export interface Lies {
  /** Changes the discovery document. */
  discovery?(document: Claims): unknown;
  /** Changes the address that the browser is sent back to. */
  callback?(url: URL): void;
  /** Changes the claims of the ID token. */
  idToken?(claims: Claims): Claims;
  /** Changes the header of the ID token. */
  header?: Claims;
  /** Replaces the whole ID token. */
  wholeIdToken?(claims: Claims): string | Promise<string>;
  /** Changes the answer of the token endpoint. */
  tokens?(answer: Claims): unknown;
  userinfo?(claims: Claims): unknown;
  /** Answers a path in another way. */
  respond?: Partial<Record<Path, (response: ServerResponse) => void>>;
}

interface Key {
  privateKey: CryptoKey;
  publicKey: JWK;
}

export interface LyingProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The claims of the person who signs in; `sub` is among them. */
  claims: Claims;
  /** Claims that only userinfo has. */
  moreClaims: Claims;
  lies: Lies;
  /** Requests so far, by path. */
  requests: Record<Path, number>;
  /** The credentials that the token endpoint received. */
  credentials: string[];
  /** Replaces the signing key, and publishes only the new one. */
  rotateKeys(): Promise<void>;
  /** A token signed with the present key: what the provider says, whatever that is. */
  sign(claims: JWTPayload, header?: Claims): Promise<string>;
  stop(): Promise<void>;
}

async function makeKey(): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  return {
    privateKey,
    publicKey: { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'ES256', use: 'sig' },
  };
}

/** Signs with a key that the provider does not publish, under the id of one that it does, or under its own. */
export async function signWithOtherKey(claims: JWTPayload, kid?: string): Promise<string> {
  const { privateKey, publicKey } = await makeKey();
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: kid ?? publicKey.kid! })
    .sign(privateKey);
}

const encode = (value: unknown) => base64url.encode(JSON.stringify(value));

export const unsignedToken = (claims: Claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`;

export const signedWithSecret = (claims: JWTPayload, secret: string) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret));

/** A provider by hand on loopback. It signs in without asking, and lies as told. */
export async function lyingProvider(claims: Claims = {}, lies: Lies = {}): Promise<LyingProvider> {
  const server = createServer((request, response) => {
    void handle(request, response).catch((error: Error) => {
      response.statusCode = 500;
      response.end(error.message);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const codes = new Map<string, Claims>();
  let key = await makeKey();
  const fixture: LyingProvider = {
    ...{ issuer, clientId: 'countersign', clientSecret: 'the secret of the client' },
    claims: {
      sub: 'mallory',
      name: 'Mallory',
      email: 'mallory@company.test',
      email_verified: true,
      ...claims,
    },
    moreClaims: {},
    lies,
    requests: { discovery: 0, authorize: 0, token: 0, keys: 0, userinfo: 0 },
    credentials: [],
    async rotateKeys() {
      key = await makeKey();
    },
    sign: (payload, header = {}) =>
      new SignJWT(payload)
        .setProtectedHeader({ alg: 'ES256', kid: key.publicKey.kid!, ...header })
        .sign(key.privateKey),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  onTestFinished(() => fixture.stop());

  const paths: Record<string, [Path, (request: IncomingMessage, url: URL) => unknown]> = {
    '/.well-known/openid-configuration': ['discovery', discover],
    '/authorize': ['authorize', (_, url) => authorize(url)],
    '/token': ['token', token],
    '/keys': ['keys', () => ({ keys: [key.publicKey] })],
    '/userinfo': ['userinfo', userinfo],
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, issuer);
    const [path, answer] = paths[url.pathname] ?? [];
    if (!path || !answer) {
      response.statusCode = 404;
      response.end();
      return;
    }
    fixture.requests[path]++;
    const respond = fixture.lies.respond?.[path];
    if (respond) return respond(response);
    const body = await answer(request, url);
    if (body instanceof URL) {
      response.writeHead(303, { location: body.href }).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  function discover(): unknown {
    const document = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      userinfo_endpoint: `${issuer}/userinfo`,
      end_session_endpoint: `${issuer}/logout`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
      authorization_response_iss_parameter_supported: true,
    };
    return fixture.lies.discovery ? fixture.lies.discovery(document) : document;
  }

  function authorize({ searchParams }: URL): URL {
    const code = randomBytes(16).toString('hex');
    codes.set(code, { nonce: searchParams.get('nonce'), challenge: searchParams.get('code_challenge') });
    const back = new URL(searchParams.get('redirect_uri')!);
    back.searchParams.set('code', code);
    back.searchParams.set('state', searchParams.get('state')!);
    back.searchParams.set('iss', issuer);
    fixture.lies.callback?.(back);
    return back;
  }

  async function token(request: IncomingMessage): Promise<unknown> {
    const body = new URLSearchParams(await textOf(request));
    fixture.credentials.push(request.headers.authorization ?? body.get('client_secret') ?? '');
    const begun = codes.get(body.get('code') ?? '') ?? {};
    const now = Math.floor(Date.now() / 1_000);
    const plain = { iss: issuer, aud: fixture.clientId, iat: now, exp: now + 300, nonce: begun['nonce'] };
    const told = { ...plain, ...fixture.claims };
    const said = fixture.lies.idToken?.(told) ?? told;
    const idToken =
      (await fixture.lies.wholeIdToken?.(said)) ?? (await fixture.sign(said, fixture.lies.header));
    const answer = { access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token: idToken };
    return fixture.lies.tokens ? fixture.lies.tokens(answer) : answer;
  }

  function userinfo(): unknown {
    const told = { sub: fixture.claims['sub'], ...fixture.moreClaims };
    return fixture.lies.userinfo ? fixture.lies.userinfo(told) : told;
  }

  return fixture;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Answers that break the rules of HTTP clients. */
export const answers = {
  never: () => {},
  huge: (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ padding: 'x'.repeat(300 * 1_024) }));
  },
  redirect: (location: string) => (response: ServerResponse) => {
    response.writeHead(302, { location }).end();
  },
  text: (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in here: evil.example</h1>');
  },
  malformed: (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"issuer": ');
  },
  failure: (response: ServerResponse) => {
    response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":"server_error"}');
  },
  gone: (response: ServerResponse) => void response.destroy(),
};
