import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { rsaModulus } from '@countersign/proof-kit/der';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Passkey, primeModulusPasskey, smallFactorPasskey } from '../../scripts/vectors/signers.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type Quirks, SoftPasskey } from '../helpers/authenticator.ts';
import { makeStage } from '../helpers/world.ts';
import { ORIGIN, passkeyCalls } from './passkey-calls.ts';

let house: TestApp;
beforeAll(async () => {
  house = await startTestApp();
});
afterAll(() => house.close());

const { begin, beginSignIn, finish, list, registered, signIn } = passkeyCalls(() => house);

const FROM_ANOTHER_PAGE: [string, Quirks][] = [
  ['the pages of another origin', { origin: 'http://localhost:4001' }],
  ['another host', { origin: 'https://evil.test' }],
  ['another relying party', { rpId: 'evil.test' }],
  ['a frame inside another page', { crossOrigin: true }],
  ['a frame, according to its top origin', { topOrigin: 'https://evil.test' }],
];

describe('rejected registrations', () => {
  const faulty: [string, Quirks][] = [
    ...FROM_ANOTHER_PAGE,
    ['another challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['a signature in place of a registration', { type: 'webauthn.get' }],
    ['no user verification', { userVerified: false }],
    ['no user presence', { userPresent: false }],
    ['a key type that was not requested', { algorithm: -37 }],
  ];
  test.for(faulty)('%s', async ([, quirks]) => {
    const { token } = await makeStage(house.app);
    const answer = new SoftPasskey(ORIGIN).register(await begin(token), quirks);
    expect(await finish(answer, token)).toBe('VALIDATION_ERROR');
    expect(await list(token)).toEqual([]);
  });

  const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
  const jwk = (key: KeyObject, member: string) =>
    Uint8Array.from(
      Buffer.from(String((key.export({ format: 'jwk' }) as Record<string, unknown>)[member]), 'base64url'),
    );
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
  const ed = generateKeyPairSync('ed25519').publicKey;
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey;
  const p256Key = (x: Uint8Array, y: Uint8Array, alg = -7, crv = 1) =>
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, alg],
      [-1, crv],
      [-2, x],
      [-3, y],
    ]);
  const edKey = (x: Uint8Array, alg = -8, crv = 6) =>
    new Map<number, number | Uint8Array>([
      [1, 1],
      [3, alg],
      [-1, crv],
      [-2, x],
    ]);
  const rsaKey = (n: Uint8Array, e: Uint8Array) =>
    new Map<number, number | Uint8Array>([
      [1, 3],
      [3, -257],
      [-1, n],
      [-2, e],
    ]);
  const modulusOf = ({ spki }: Passkey) => Uint8Array.from(rsaModulus(spki));
  const [x, y, n] = [jwk(ec, 'x'), jwk(ec, 'y'), jwk(rsa, 'n')];
  const e = hex('010001');
  const offCurve = Uint8Array.from(y, (byte, at) => (at === 31 ? byte ^ 1 : byte));
  const weak: [string, Map<number, number | Uint8Array>][] = [
    ['RSA with exponent 1, whose signatures anyone can forge', rsaKey(n, hex('01'))],
    ['RSA with exponent 3', rsaKey(n, hex('03'))],
    [
      'RSA with 1024 bits',
      rsaKey(jwk(generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey, 'n'), e),
    ],
    [
      'RSA with an even modulus',
      rsaKey(
        Uint8Array.from(n, (byte, at) => (at === n.length - 1 ? byte & 254 : byte)),
        e,
      ),
    ],
    ['RSA with a prime modulus', rsaKey(modulusOf(primeModulusPasskey()), e)],
    ['RSA with a factor below 65,536', rsaKey(modulusOf(smallFactorPasskey(65_521n)), e)],
    ['a point off P-256', p256Key(x, offCurve)],
    ['the origin in place of a point', p256Key(new Uint8Array(32), new Uint8Array(32))],
    ['a P-256 point labelled P-384', p256Key(x, y, -7, 2)],
    ['a P-256 point labelled Ed25519', p256Key(x, y, -7, 6)],
    ['an Ed25519 key labelled P-256', edKey(jwk(ed, 'x'), -8, 1)],
    ['an Ed25519 key labelled ES256', edKey(jwk(ed, 'x'), -7, 6)],
    ['the neutral element of Ed25519', edKey(hex(`01${'00'.repeat(31)}`))],
    ['a point of order 8', edKey(hex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'))],
    ['a point of order 4', edKey(new Uint8Array(32))],
    ['Ed25519 not in canonical form', edKey(hex(`f0${'ff'.repeat(30)}7f`))],
    ['a y coordinate without a point', edKey(hex(`02${'00'.repeat(31)}`))],
  ];
  test.for(weak)('%s', async ([, coseKey]) => {
    const { token } = await makeStage(house.app);
    const answer = new SoftPasskey(ORIGIN).register(await begin(token), { coseKey });
    expect(await finish(answer, token)).toBe('VALIDATION_ERROR');
    expect(await list(token)).toEqual([]);
  });

  test.for([
    ['P-256', p256Key(x, y)],
    ['Ed25519', edKey(jwk(ed, 'x'))],
    ['RSA', rsaKey(n, e)],
  ] as const)('a valid key is accepted: %s', async ([, coseKey]) => {
    const { token } = await makeStage(house.app);
    const answer = new SoftPasskey(ORIGIN).register(await begin(token), { coseKey });
    expect(await finish(answer, token)).toMatchObject({ name: 'Laptop' });
  });

  test('a response used twice, by another person, or after expiry', async () => {
    const { token } = await makeStage(house.app);
    const stranger = await makeStage(house.app);
    const passkey = new SoftPasskey(ORIGIN);
    const answer = passkey.register(await begin(token));
    expect(await finish(answer, stranger.token)).toBe('VALIDATION_ERROR');
    expect((await finish(answer, token)).name).toBe('Laptop');
    expect(await finish(answer, token)).toBe('VALIDATION_ERROR');

    const late = new SoftPasskey(ORIGIN).register(await begin(token));
    await house.app.db.acrossTenants.passkeyChallenge.updateMany({ data: { expiresAt: new Date() } });
    expect(await finish(late, token)).toBe('VALIDATION_ERROR');
  });

  test('a passkey that is already registered, for any person', async () => {
    const { token } = await makeStage(house.app);
    const { passkey } = await registered(token);
    const stranger = await makeStage(house.app);
    expect(await finish(passkey.register(await begin(stranger.token)), stranger.token)).toBe('CONFLICT');
  });

  test('malformed responses', async () => {
    const { token } = await makeStage(house.app);
    for (const answer of [{}, null, 'x', { id: 'a', rawId: 'a', type: 'public-key', response: {} }]) {
      expect(await finish(answer, token)).toBe('VALIDATION_ERROR');
    }
    const answer = new SoftPasskey(ORIGIN).register(await begin(token));
    answer.response.attestationObject = 'AAAA';
    expect(await finish(answer, token)).toBe('VALIDATION_ERROR');
    expect(await begin()).toBe('UNAUTHORIZED');
  });
});

describe('rejected sign-ins', () => {
  let owner: { passkey: SoftPasskey; id: string };
  beforeAll(async () => {
    owner = await registered((await makeStage(house.app)).token);
  });

  const faulty: [string, Quirks][] = [
    ...FROM_ANOTHER_PAGE,
    ['an unknown challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['no challenge', { challenge: '' }],
    ['a registration in place of a signature', { type: 'webauthn.create' }],
    ['no user verification', { userVerified: false }],
    ['the signature of another key', { forged: true }],
    ['the handle of another user', { userHandle: Buffer.alloc(16, 1).toString('base64url') }],
  ];
  test.for(faulty)('%s', async ([, quirks]) => {
    const { passkey } = owner;
    expect(await signIn(passkey.answer(await beginSignIn(), quirks))).toBe('INVALID_CREDENTIALS');
    // The fault was rejected, not the passkey.
    expect(await signIn(passkey.answer(await beginSignIn()))).toMatchObject({ actor: {} });
  });

  test('a response that is sent twice', async () => {
    const answer = owner.passkey.answer(await beginSignIn());
    expect(await signIn(answer)).toMatchObject({ actor: {} });
    expect(await signIn(answer)).toBe('INVALID_CREDENTIALS');
  });

  test('a challenge that was issued for a registration', async () => {
    const { token } = await makeStage(house.app);
    const { challenge } = await begin(token);
    const answer = owner.passkey.answer({ challenge, rpId: 'localhost' });
    expect(await signIn(answer)).toBe('INVALID_CREDENTIALS');
  });

  test('an unregistered passkey', async () => {
    const stranger = new SoftPasskey(ORIGIN);
    expect(await signIn(stranger.answer(await beginSignIn()))).toBe('INVALID_CREDENTIALS');
  });
});
