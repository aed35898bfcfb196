import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, testApp } from '../helpers/app.ts';
import { SoftPasskey } from '../helpers/authenticator.ts';
import { mailTo, tokenIn } from '../helpers/mail.ts';
import { makeMember, makeMembership, makeStage } from '../helpers/world.ts';

const ORIGIN = 'http://localhost:4000';
const password = 'correct horse battery';
const another = 'staple of the horse';
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

const begin = (token: string) => ask('mutation { beginPasskeyRegistration }', {}, token);
const finish = (response: unknown, token: string, name = 'Laptop') =>
  ask(
    `mutation ($name: String!, $response: JSON!) {
      finishPasskeyRegistration(input: { name: $name, response: $response }) { id } }`,
    { name, response },
    token,
  );
const remove = (id: string, token: string) =>
  ask(`mutation ($id: ID!) { removePasskey(input: { id: $id }) { id } }`, { id }, token);
const passkeysOf = (token: string) => ask('{ passkeys { id name } }', {}, token);
const changePassword = (token: string, current = password, next = another) =>
  ask(
    `mutation ($current: String!, $next: String!) {
      changePassword(input: { currentPassword: $current, newPassword: $next }) }`,
    { current, next },
    token,
  );
const reauthenticate = (input: object, token?: string, at = house) =>
  ask(`mutation ($input: ReauthenticateInput!) { reauthenticate(input: $input) }`, { input }, token, at);
const challenge = () => ask('mutation { beginPasskeySignIn }', {});
const signIn = async (email: string | null, secret = password, at = house) =>
  (await at.call('POST', '/auth/login', { body: { email, password: secret } })).body.data;

async function registered(token: string, name?: string) {
  const passkey = new SoftPasskey(ORIGIN);
  const { id } = await finish(passkey.register(await begin(token)), token, name);
  return { passkey, id: id as string };
}

/** Ages the proofs of a person's sessions, and nothing else. */
const age = (actorId: string, minutes = 6) =>
  house.superuser.query(
    `UPDATE session SET proven_at = now() - make_interval(mins => $2::int) WHERE actor_id = $1`,
    [actorId, minutes],
  );

async function makePerson() {
  const { center } = await makeStage(house.app);
  const member = await makeMember(house.app, center.id, 'INSTRUCTOR', { password });
  return { ...member, center };
}

describe('a stolen access token', () => {
  test('cannot add or remove a passkey or change the password without recent authentication', async () => {
    const { actor, token } = await makePerson();
    const { id } = await registered(token);
    const options = await begin(token);
    await age(actor.id);
    const thief = new SoftPasskey(ORIGIN);
    expect(await begin(token)).toBe('REAUTHENTICATION_REQUIRED');
    expect(await finish(thief.register(options), token)).toBe('REAUTHENTICATION_REQUIRED');
    expect(await remove(id, token)).toBe('REAUTHENTICATION_REQUIRED');
    // Even with the right password: the session itself must be proven.
    expect(await changePassword(token)).toBe('REAUTHENTICATION_REQUIRED');
    expect(await passkeysOf(token)).toEqual([{ id, name: 'Laptop' }]);
    expect(await signIn(actor.email)).toBeDefined();
  });

  test('does not become recent by refreshing, switching the center or a companion-app token', async () => {
    const { actor, center } = await makePerson();
    const { center: other } = await makeStage(house.app);
    await makeMembership(house.app, actor.id, other.id, 'INSTRUCTOR');
    const session = await signIn(actor.email);
    expect(await begin(session.accessToken)).toHaveProperty('challenge');
    await age(actor.id);

    const refreshed = (
      await house.call('POST', '/auth/refresh-token', { body: { refreshToken: session.refreshToken } })
    ).body.data.accessToken;
    expect(await begin(refreshed)).toBe('REAUTHENTICATION_REQUIRED');
    for (const { id: centerId } of [other, center]) {
      const switched = await house.call('POST', '/auth/switch-center', {
        token: refreshed,
        body: { centerId },
      });
      expect(switched.status).toBe(200);
      expect(await begin(switched.body.data.accessToken)).toBe('REAUTHENTICATION_REQUIRED');
    }
    const sso = await house.call('POST', '/auth/sso/token', { token: refreshed, body: { targetApp: 'lms' } });
    const verified = await house.call('POST', '/auth/sso/verify', { body: { token: sso.body.data.token } });
    expect(verified.status).toBe(200);
    expect(await begin(refreshed)).toBe('REAUTHENTICATION_REQUIRED');
  });

  test('is useless after a password reset, which removes the passkey it registered', async () => {
    const { actor, token } = await makePerson();
    const mine = await registered(token, 'My phone');
    const thiefs = await registered(token, 'My  phone');
    await ask(
      `mutation ($email: String!) { requestPasswordReset(input: { email: $email }) }`,
      { email: actor.email },
      undefined,
    );
    const link = tokenIn(await mailTo(house, actor.email!, 'Set a new password'));
    const read = (secret: string) =>
      ask(
        `mutation ($secret: String!) { readPasswordReset(input: { token: $secret }) { passkeys { id name } } }`,
        { secret },
      );
    expect(await read('made up')).toBe('UNAUTHORIZED');
    expect(await read(link)).toEqual({
      passkeys: [
        { id: mine.id, name: 'My phone' },
        { id: thiefs.id, name: 'My  phone' },
      ],
    });
    const reset = (keepPasskeys: string[]) =>
      ask(
        `mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) }`,
        { input: { token: link, password: another, keepPasskeys } },
        undefined,
      );
    const strangers = await registered((await makePerson()).token);
    expect(await reset([strangers.id])).toBe('VALIDATION_ERROR');
    expect(await reset([mine.id])).toBe(true);
    const withPasskey = async ({ passkey }: { passkey: SoftPasskey }) =>
      ask(
        `mutation ($response: JSON!) { signInWithPasskey(input: { response: $response }) { accessToken } }`,
        {
          response: passkey.answer(await challenge()),
        },
      );
    expect(await withPasskey(thiefs)).toBe('INVALID_CREDENTIALS');
    expect(await withPasskey(mine)).toHaveProperty('accessToken');
    expect(await withPasskey(strangers)).toHaveProperty('accessToken');
    expect((await mailTo(house, actor.email!, 'was changed')).text).toContain('My phone');
    const entries = await house.app.db.acrossTenants.auditEntry.findMany({
      where: { target: { in: [mine.id, thiefs.id] }, centerId: null, actorId: actor.id },
      orderBy: { id: 'desc' },
    });
    expect(entries[0]).toMatchObject({ target: thiefs.id, detail: { change: 'removed', kind: 'passkey' } });
    expect(entries).toHaveLength(3);
  });
});

test('a password reset without keepPasskeys removes every passkey', async () => {
  const { actor, token } = await makePerson();
  const { passkey } = await registered(token);
  await ask(`mutation ($email: String!) { requestPasswordReset(input: { email: $email }) }`, {
    email: actor.email,
  });
  const link = tokenIn(await mailTo(house, actor.email!, 'Set a new password'));
  expect(
    await ask(`mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) }`, {
      input: { token: link, password: another },
    }),
  ).toBe(true);
  expect(
    await ask(`mutation ($r: JSON!) { signInWithPasskey(input: { response: $r }) { accessToken } }`, {
      r: passkey.answer(await challenge()),
    }),
  ).toBe('INVALID_CREDENTIALS');
});

test('a reset link is invalid after a password change', async () => {
  const { actor, token } = await makePerson();
  await ask(`mutation ($email: String!) { requestPasswordReset(input: { email: $email }) }`, {
    email: actor.email,
  });
  const link = tokenIn(await mailTo(house, actor.email!, 'Set a new password'));
  expect(await changePassword(token)).toBe(true);
  expect(
    await ask(`mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) }`, {
      input: { token: link, password },
    }),
  ).toBe('UNAUTHORIZED');
  const entries = await house.app.db.acrossTenants.auditEntry.findMany({
    where: { actorId: actor.id, type: 'api_key.changed', target: actor.id },
  });
  expect(entries.map(({ detail }) => detail)).toEqual([
    { change: 'replaced', kind: 'password' },
    { change: 'replaced', kind: 'password' },
  ]);
});

describe('reauthenticate', () => {
  test('with the password applies to this session only', async () => {
    const { actor, token } = await makePerson();
    const elsewhere = (await signIn(actor.email)).accessToken;
    await age(actor.id);
    expect(await reauthenticate({ password: another }, token)).toBe('INVALID_CREDENTIALS');
    expect(await begin(token)).toBe('REAUTHENTICATION_REQUIRED');
    expect(await reauthenticate({ password }, token)).toBe(true);
    expect(await begin(token)).toHaveProperty('challenge');
    expect(await begin(elsewhere)).toBe('REAUTHENTICATION_REQUIRED');
    expect(await changePassword(token)).toBe(true);
  });

  test('with a passkey works only with passkeys of the person, once per challenge', async () => {
    const { actor, token } = await makePerson();
    const { passkey } = await registered(token);
    const { passkey: strangers } = await registered((await makePerson()).token);
    await age(actor.id);
    expect(await reauthenticate({ response: strangers.answer(await challenge()) }, token)).toBe(
      'INVALID_CREDENTIALS',
    );
    const made = { challenge: Buffer.alloc(32).toString('base64url'), rpId: 'localhost' };
    expect(await reauthenticate({ response: passkey.answer(made) }, token)).toBe('INVALID_CREDENTIALS');
    const options = await challenge();
    expect(await reauthenticate({ response: passkey.answer(options) }, token)).toBe(true);
    expect(await begin(token)).toHaveProperty('challenge');
    expect(await reauthenticate({ response: passkey.answer(options) }, token)).toBe('INVALID_CREDENTIALS');
  });

  test('requires one credential and a session, and shares the rate limit of sign-in', async () => {
    const { token } = await makePerson();
    expect(await reauthenticate({}, token)).toBe('VALIDATION_ERROR');
    expect(await reauthenticate({ password })).toBe('UNAUTHORIZED');
    const limited = await testApp({ env: { RATE_AUTH: '2' } });
    const { center } = await makeStage(limited.app);
    const member = await makeMember(limited.app, center.id, 'INSTRUCTOR', { password });
    for (let i = 0; i < 2; i++)
      expect(await reauthenticate({ password: another }, member.token, limited)).toBe('INVALID_CREDENTIALS');
    expect(await reauthenticate({ password }, member.token, limited)).toBe('RATE_LIMITED');
    expect(await signIn(member.actor.email, password, limited)).toBeUndefined();
  });
});
