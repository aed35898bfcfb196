import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { placeOfPasskey } from '../../src/domain/passkeys/audit.ts';
import { sha256Hex } from '../../src/lib/crypto.ts';
import { startTestApp, type TestApp, testApp } from '../helpers/app.ts';
import { type Quirks, SoftPasskey } from '../helpers/authenticator.ts';
import { mailTo } from '../helpers/mail.ts';
import { makeActor, makeMember, makeStage, makeToken } from '../helpers/world.ts';

const ORIGIN = 'http://localhost:4000';
let house: TestApp;
beforeAll(async () => {
  house = await startTestApp({ worker: true });
});
afterAll(() => house.close());

/** The value of the only field, or the error code. */
async function ask(document: string, variables: Record<string, unknown>, token?: string, at = house) {
  const { data, errors } = await at.graphql(document, variables, token);
  return errors ? errors[0]!.extensions.code : Object.values(data as object)[0];
}

const begin = (token?: string, at = house) => ask('mutation { beginPasskeyRegistration }', {}, token, at);
const finish = (response: unknown, token?: string, name = 'Laptop') =>
  ask(
    `mutation ($name: String!, $response: JSON!) {
      finishPasskeyRegistration(input: { name: $name, response: $response }) { id name fingerprint synced lastUsedAt } }`,
    { name, response },
    token,
  );
const remove = (id: string, token?: string) =>
  ask(`mutation ($id: ID!) { removePasskey(input: { id: $id }) { id removedAt } }`, { id }, token);
const list = (token?: string) => ask('{ passkeys { id name lastUsedAt } }', {}, token);
const beginSignIn = (at = house) => ask('mutation { beginPasskeySignIn }', {}, undefined, at);
const signIn = (response: unknown, centerDomain?: string, at = house) =>
  ask(
    `mutation ($response: JSON!, $centerDomain: String) {
      signInWithPasskey(input: { response: $response, centerDomain: $centerDomain }) {
        accessToken actor { id } center { id } landing { kind } } }`,
    { response, centerDomain },
    undefined,
    at,
  );

async function registered(token: string, passkey = new SoftPasskey(ORIGIN)) {
  const kept = await finish(passkey.register(await begin(token)), token);
  return { passkey, ...kept };
}

test('a passkey is registered, listed, signs in, and is removed', async () => {
  const { center, admin, token } = await makeStage(house.app);
  const options = await begin(token);
  expect(options).toMatchObject({
    rp: { id: 'localhost', name: 'Countersign' },
    user: { name: admin.actor.email, displayName: admin.actor.name },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [],
  });
  const passkey = new SoftPasskey(ORIGIN);
  const kept = await finish(passkey.register(options), token, ' Work laptop ');
  expect(kept).toMatchObject({ name: 'Work laptop', fingerprint: sha256Hex(passkey.spki), lastUsedAt: null });
  expect(await list(token)).toEqual([{ id: kept.id, name: 'Work laptop', lastUsedAt: null }]);
  expect((await begin(token)).excludeCredentials).toEqual([
    { id: passkey.id, transports: ['internal'], type: 'public-key' },
  ]);

  const request = await beginSignIn();
  expect(request).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  expect(request.allowCredentials ?? []).toEqual([]);
  const signedIn = await signIn(passkey.answer(request));
  expect(signedIn).toMatchObject({ actor: { id: admin.actor.id }, center: { id: center.id } });
  const me = await house.call('GET', '/auth/me', { token: signedIn.accessToken });
  expect(me.body.data.actorId).toBe(admin.actor.id);
  expect((await list(token))[0].lastUsedAt).not.toBeNull();
  const direct = await signIn(passkey.answer(await beginSignIn()), center.centerDomain);
  expect(direct.center.id).toBe(center.id);

  expect((await remove(kept.id, token)).removedAt).not.toBeNull();
  expect(await list(token)).toEqual([]);
  expect(await signIn(passkey.answer(await beginSignIn()))).toBe('INVALID_CREDENTIALS');
  expect(await remove(kept.id, token)).toBe('NOT_FOUND');
});

test('registration and removal are on the audit chain with the fingerprint, and the person is notified', async () => {
  const { db } = house.app;
  const { center, admin, token } = await makeStage(house.app);
  const { id, fingerprint } = await registered(token);
  const email = admin.actor.email!;
  const told = await mailTo(house, email, 'added');
  expect(told.text).toContain(fingerprint);
  await remove(id, token);
  expect((await mailTo(house, email, 'removed')).text).toContain(fingerprint);

  for (const centerId of [center.id, null]) {
    const entries = await db.acrossTenants.auditEntry.findMany({
      where: { centerId, target: id },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ type, actorId, detail }) => ({ type, actorId, detail }))).toEqual(
      ['registered', 'removed'].map((change) => ({
        type: 'api_key.changed',
        actorId: admin.actor.id,
        detail: { change, kind: 'passkey', name: 'Laptop', fingerprint },
      })),
    );
  }
  const shown = await house.graphql(
    `{ auditEntries(first: 1) { edges { node { type target } } } }`,
    {},
    token,
  );
  expect(shown.data.auditEntries.edges[0].node).toEqual({ type: 'api_key.changed', target: id });

  // The place of the registration never changes, and its record names the key.
  const place = await placeOfPasskey(db.acrossTenants, { id, actorId: admin.actor.id });
  const record = await db.acrossTenants.ledgerRecord.findFirstOrThrow({
    where: { chainId: place!.chainId, index: place!.index },
  });
  expect(record.hash).toBe(place!.hash);
  // Exports contain this record: only digests identify the person and the entry.
  const digest = { _sd: [expect.stringMatching(/^[\w-]{43}$/)] };
  expect(JSON.parse(record.content)).toEqual({
    kind: 'passkey',
    change: 'registered',
    fingerprint: `sha256:${fingerprint}`,
    by: digest,
    entry: digest,
    _sd_alg: 'sha-256',
  });
});

describe('rejected registrations', () => {
  const faulty: [string, Quirks][] = [
    ['the pages of another origin', { origin: 'http://localhost:4001' }],
    ['another host', { origin: 'https://evil.test' }],
    ['another relying party', { rpId: 'evil.test' }],
    ['a frame inside another page', { crossOrigin: true }],
    ['a frame, told by its top origin', { topOrigin: 'https://evil.test' }],
    ['another challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['a signature in place of a registration', { type: 'webauthn.get' }],
    ['nobody verified', { userVerified: false }],
    ['nobody present', { userPresent: false }],
    ['a kind of key that was not asked for', { algorithm: -37 }],
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
  const [x, y, n] = [jwk(ec, 'x'), jwk(ec, 'y'), jwk(rsa, 'n')];
  const e = hex('010001');
  const offCurve = Uint8Array.from(y, (byte, at) => (at === 31 ? byte ^ 1 : byte));
  const weak: [string, Map<number, number | Uint8Array>][] = [
    ['RSA with exponent 1, whose signatures anybody makes', rsaKey(n, hex('01'))],
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
  ] as const)('but not a sound key: %s', async ([, coseKey]) => {
    const { token } = await makeStage(house.app);
    const answer = new SoftPasskey(ORIGIN).register(await begin(token), { coseKey });
    expect(await finish(answer, token)).toMatchObject({ name: 'Laptop' });
  });

  test('an answer used twice, by another person, or much too late', async () => {
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

  test('a passkey that is registered already, for any person', async () => {
    const { token } = await makeStage(house.app);
    const { passkey } = await registered(token);
    const stranger = await makeStage(house.app);
    expect(await finish(passkey.register(await begin(stranger.token)), stranger.token)).toBe('CONFLICT');
  });

  test('garbage', async () => {
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
    ['the pages of another origin', { origin: 'http://localhost:4001' }],
    ['another host', { origin: 'https://evil.test' }],
    ['another relying party', { rpId: 'evil.test' }],
    ['a frame inside another page', { crossOrigin: true }],
    ['a frame, told by its top origin', { topOrigin: 'https://evil.test' }],
    ['a challenge that was never asked', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['no challenge', { challenge: '' }],
    ['a registration in place of a signature', { type: 'webauthn.create' }],
    ['nobody verified', { userVerified: false }],
    ['the signature of another key', { forged: true }],
    ['somebody else’s name on it', { userHandle: Buffer.alloc(16, 1).toString('base64url') }],
  ];
  test.for(faulty)('%s', async ([, quirks]) => {
    const { passkey } = owner;
    expect(await signIn(passkey.answer(await beginSignIn(), quirks))).toBe('INVALID_CREDENTIALS');
    // The fault was rejected, not the passkey.
    expect(await signIn(passkey.answer(await beginSignIn()))).toMatchObject({ actor: {} });
  });

  test('an answer that comes a second time', async () => {
    const answer = owner.passkey.answer(await beginSignIn());
    expect(await signIn(answer)).toMatchObject({ actor: {} });
    expect(await signIn(answer)).toBe('INVALID_CREDENTIALS');
  });

  test('a challenge that was asked for a registration', async () => {
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

describe('a copy of a passkey', () => {
  test('is detected by its signature counter, whichever of the two comes first', async () => {
    const { token } = await makeStage(house.app);
    const { passkey } = await registered(token);
    expect(await signIn(passkey.answer(await beginSignIn()))).toMatchObject({ actor: {} });
    const copy = passkey.clone();
    expect(await signIn(copy.answer(await beginSignIn()))).toMatchObject({ actor: {} });
    expect(await signIn(passkey.answer(await beginSignIn()))).toBe('INVALID_CREDENTIALS');
    expect(await signIn(copy.answer(await beginSignIn(), { counter: 0 }))).toBe('INVALID_CREDENTIALS');
  });

  test('of two answers with one count at the same moment one is taken', async () => {
    const { token } = await makeStage(house.app);
    const { passkey } = await registered(token);
    const answers = await Promise.all(
      Array.from({ length: 4 }, async () => passkey.answer(await beginSignIn(), { counter: 5 })),
    );
    const taken = await Promise.all(answers.map((answer) => signIn(answer)));
    expect(taken.filter((answer) => answer === 'INVALID_CREDENTIALS')).toHaveLength(3);
  });

  test('passkeys that never count (those in a cloud) stay usable', async () => {
    const { token } = await makeStage(house.app);
    const { passkey } = await registered(token);
    for (let i = 0; i < 2; i++) {
      expect(await signIn(passkey.answer(await beginSignIn(), { counter: 0 }))).toMatchObject({ actor: {} });
    }
  });
});

test('a passkey opens what its owner may enter, and nothing when a center is closed to them', async () => {
  const { center } = await makeStage(house.app);
  const { membership, token, actor } = await makeMember(house.app, center.id, 'INSTRUCTOR');
  const { passkey } = await registered(token);
  await house.app.db.acrossTenants.membership.update({
    where: { id: membership.id },
    data: { status: 'SUSPENDED' },
  });
  expect(await signIn(passkey.answer(await beginSignIn()), center.centerDomain)).toBe('MEMBERSHIP_SUSPENDED');
  expect(await signIn(passkey.answer(await beginSignIn()))).toMatchObject({
    center: null,
    landing: { kind: 'ONBOARDING' },
  });
  // People cannot access passkeys of others.
  const other = await makeStage(house.app);
  const [{ id }] = await list(await makeToken(house.app, actor.id, null));
  expect(await remove(id, other.token)).toBe('NOT_FOUND');
});

test('attempts count as sign-ins do, and an address is no name for a relying party', async () => {
  const limited = await testApp({ env: { RATE_AUTH: '2' } });
  const stranger = new SoftPasskey(ORIGIN);
  for (let i = 0; i < 2; i++) {
    expect(await signIn(stranger.answer(await beginSignIn(limited)), undefined, limited)).toBe(
      'INVALID_CREDENTIALS',
    );
  }
  expect(await signIn(stranger.answer(await beginSignIn(limited)), undefined, limited)).toBe('RATE_LIMITED');

  const numbered = await testApp({ env: { PUBLIC_URL: 'http://127.0.0.1:4000' } });
  const actor = await makeActor(numbered.app);
  const token = await makeToken(numbered.app, actor.id, null);
  expect(await begin(token, numbered)).toBe('SERVICE_UNAVAILABLE');
});
