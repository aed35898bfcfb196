import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { placeOfPasskey } from '../../src/domain/passkeys/audit.ts';
import { sha256Hex } from '../../src/lib/crypto.ts';
import { startTestApp, type TestApp, testApp } from '../helpers/app.ts';
import { SoftPasskey } from '../helpers/authenticator.ts';
import { mailTo } from '../helpers/mail.ts';
import { makeActor, makeMember, makeStage, makeToken } from '../helpers/world.ts';
import { ORIGIN, passkeyCalls } from './passkey-calls.ts';

let house: TestApp;
beforeAll(async () => {
  house = await startTestApp({ worker: true });
});
afterAll(() => house.close());

const { begin, beginSignIn, finish, list, registered, remove, signIn } = passkeyCalls(() => house);

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

test('registration and removal are audited with the fingerprint, and the person is notified', async () => {
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

describe('a copy of a passkey', () => {
  test('is detected by its signature counter, whichever of the two is used first', async () => {
    const { token } = await makeStage(house.app);
    const { passkey } = await registered(token);
    expect(await signIn(passkey.answer(await beginSignIn()))).toMatchObject({ actor: {} });
    const copy = passkey.clone();
    expect(await signIn(copy.answer(await beginSignIn()))).toMatchObject({ actor: {} });
    expect(await signIn(passkey.answer(await beginSignIn()))).toBe('INVALID_CREDENTIALS');
    expect(await signIn(copy.answer(await beginSignIn(), { counter: 0 }))).toBe('INVALID_CREDENTIALS');
  });

  test('of concurrent responses with the same counter one is accepted', async () => {
    const { token } = await makeStage(house.app);
    const { passkey } = await registered(token);
    const answers = await Promise.all(
      Array.from({ length: 4 }, async () => passkey.answer(await beginSignIn(), { counter: 5 })),
    );
    const taken = await Promise.all(answers.map((answer) => signIn(answer)));
    expect(taken.filter((answer) => answer === 'INVALID_CREDENTIALS')).toHaveLength(3);
  });

  test('passkeys whose counter stays 0 (synced passkeys) stay usable', async () => {
    const { token } = await makeStage(house.app);
    const { passkey } = await registered(token);
    for (let i = 0; i < 2; i++) {
      expect(await signIn(passkey.answer(await beginSignIn(), { counter: 0 }))).toMatchObject({ actor: {} });
    }
  });
});

test('signing in with a passkey gives the access of its owner, and none to a suspended membership', async () => {
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

test('attempts share the sign-in rate limit, and passkeys need a PUBLIC_URL with a host name', async () => {
  const limited = await testApp({ env: { RATE_AUTH: '2' } });
  const { beginSignIn, signIn } = passkeyCalls(() => limited);
  const stranger = new SoftPasskey(ORIGIN);
  for (let i = 0; i < 2; i++) {
    expect(await signIn(stranger.answer(await beginSignIn()))).toBe('INVALID_CREDENTIALS');
  }
  expect(await signIn(stranger.answer(await beginSignIn()))).toBe('RATE_LIMITED');

  const numbered = await testApp({ env: { PUBLIC_URL: 'http://127.0.0.1:4000' } });
  const actor = await makeActor(numbered.app);
  const token = await makeToken(numbered.app, actor.id, null);
  expect(await passkeyCalls(() => numbered).begin(token)).toBe('SERVICE_UNAVAILABLE');
});
