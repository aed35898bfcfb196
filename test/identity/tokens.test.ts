import { generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenRules } from '../../src/domain/identity/tokens.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';

let house: TestApp;
let claims: jwt.JwtPayload;
let good: string;
let key: string;
beforeAll(async () => {
  house = await startTestApp();
  const stage = await makeStage(house.app);
  good = stage.token;
  key = stage.key;
  claims = jwt.decode(good) as jwt.JwtPayload;
});
afterAll(() => house.close());

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signed = (payload: object, secret = house.config.jwtSecret, options: jwt.SignOptions = {}) =>
  jwt.sign(payload, secret, options);
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !names.includes(name)));
const seconds = () => Math.floor(Date.now() / 1_000);
const rsa = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

const forgeries: [string, () => string, string][] = [
  ['that is garbage', () => 'garbage', 'UNAUTHORIZED'],
  ['with three invalid parts', () => 'a.b.c', 'UNAUTHORIZED'],
  ['whose payload is not an object', () => `${part({ alg: 'HS256' })}.${part([])}.x`, 'UNAUTHORIZED'],
  ['without a signature', () => `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`, 'UNAUTHORIZED'],
  ['with the algorithm NONE', () => `${part({ alg: 'NONE', typ: 'JWT' })}.${part(claims)}.`, 'UNAUTHORIZED'],
  [
    'signed with another key',
    () => signed(claims, 'another-secret-of-at-least-32-characters'),
    'UNAUTHORIZED',
  ],
  ['signed with another algorithm', () => signed(claims, undefined, { algorithm: 'HS512' }), 'UNAUTHORIZED'],
  ['signed with an RSA key', () => signed(claims, rsa.privateKey, { algorithm: 'RS256' }), 'UNAUTHORIZED'],
  ['with a truncated signature', () => good.slice(0, -4), 'UNAUTHORIZED'],
  [
    'with changed claims',
    () => {
      const [head, , signature] = good.split('.');
      return `${head}.${part({ ...claims, actorId: 'somebody-else' })}.${signature}`;
    },
    'UNAUTHORIZED',
  ],
  ['with another issuer', () => signed({ ...claims, iss: 'elsewhere' }), 'UNAUTHORIZED'],
  ['without an issuer', () => signed(without('iss')), 'UNAUTHORIZED'],
  ['with another audience', () => signed({ ...claims, aud: 'elsewhere' }), 'UNAUTHORIZED'],
  ['without an audience', () => signed(without('aud')), 'UNAUTHORIZED'],
  ['without an expiry', () => signed(without('exp')), 'UNAUTHORIZED'],
  ['without a session', () => signed(without('sessionId')), 'UNAUTHORIZED'],
  ['with an unknown session', () => signed({ ...claims, sessionId: 'ses_none' }), 'UNAUTHORIZED'],
  ['with an unknown person', () => signed({ ...claims, actorId: 'nobody' }), 'UNAUTHORIZED'],
  ['not valid yet', () => signed({ ...claims, nbf: seconds() + 600 }), 'UNAUTHORIZED'],
  ['expired', () => signed({ ...claims, exp: seconds() - 1 }), 'TOKEN_EXPIRED'],
  [
    'expired and signed with another key',
    () => signed({ ...claims, exp: seconds() - 1 }, 'another-secret-of-at-least-32-characters'),
    'UNAUTHORIZED',
  ],
];

describe.each(forgeries)('a token %s', (_, forge, code) => {
  test('is rejected by REST, in the header and the cookie', async () => {
    const token = forge();
    for (const [name, value] of [
      ['authorization', `Bearer ${token}`],
      ['cookie', `auth_token=${token}`],
    ] as const) {
      const answer = await house.call('GET', '/auth/me', { headers: { [name]: value } });
      expect([answer.status, answer.body]).toEqual([
        401,
        { success: false, error: { code, message: expect.any(String) } },
      ]);
    }
  });

  test('is rejected by GraphQL', async () => {
    const { status, errors } = await house.graphql('{ me { actorId } }', {}, forge());
    expect([status, errors?.[0]?.extensions.code]).toEqual([401, code]);
  });
});

test('the verification rules pin algorithm, issuer and audience', () => {
  expect(tokenRules).toEqual({
    algorithms: ['HS256'],
    issuer: claims.iss,
    audience: claims.aud,
  });
});

test('a valid token is accepted with any case of the scheme', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const headers = { authorization: `${scheme} ${good}` };
    expect((await house.call('GET', '/auth/me', { headers })).status).toBe(200);
  }
});

test.each(['', 'Bearer', 'Bearer ', 'Basic YTpi', 'nonsense', 'Bearer a b'])(
  'the header %j is rejected',
  async (authorization) => {
    const answer = await house.call('GET', '/auth/me', { headers: { authorization } });
    expect([answer.status, answer.body.error.code]).toEqual([401, 'UNAUTHORIZED']);
  },
);

test('an API key is rejected on platform paths', async () => {
  const answer = await house.call('GET', '/auth/me', { token: key });
  expect([answer.status, answer.body.error.code]).toEqual([401, 'UNAUTHORIZED']);
  expect((await house.graphql('{ me { actorId } }', {}, key)).errors![0]!.extensions.code).toBe(
    'UNAUTHORIZED',
  );
});

test('an invalid header is rejected even with a valid cookie', async () => {
  const headers = { authorization: 'Bearer garbage', cookie: `auth_token=${good}` };
  expect((await house.call('GET', '/auth/me', { headers })).status).toBe(401);
});

test('an invalid cookie is cleared with the 401, so that the user can sign in again', async () => {
  for (const path of ['/api/auth/me', '/graphql']) {
    const headers = { cookie: 'auth_token=garbage', 'content-type': 'application/json' };
    const response = await house.fetch(path, {
      headers,
      ...(path === '/graphql' && { method: 'POST', body: '{"query":"{ __typename }"}' }),
    });
    expect(response.status).toBe(401);
    expect(response.headers.getSetCookie().join()).toMatch(/auth_token=;.*expires=Thu, 01 Jan 1970/i);
  }
  const byHeader = await house.call('GET', '/auth/me', { token: 'garbage' });
  expect(byHeader.headers.getSetCookie()).toEqual([]);
});
