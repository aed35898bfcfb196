import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, testApp } from '../helpers/app.ts';
import { SoftPasskey } from '../helpers/authenticator.ts';
import { makeMember, makeStage } from '../helpers/world.ts';

const ORIGIN = 'http://localhost:4000';
const password = 'correct horse battery';
let house: TestApp;
beforeAll(async () => {
  house = await startTestApp();
});
afterAll(() => house.close());

/** The value of the only field, or the error code. */
async function ask(document: string, variables: Record<string, unknown>, token?: string, at = house) {
  const { data, errors } = await at.graphql(document, variables, token);
  return errors ? errors[0]!.extensions.code : Object.values(data as object)[0];
}
const reauthenticate = (input: object, token: string, at = house) =>
  ask(`mutation ($input: ReauthenticateInput!) { reauthenticate(input: $input) }`, { input }, token, at);
const changePassword = (current: string, next: string, token: string, at = house) =>
  ask(
    `mutation ($input: ChangePasswordInput!) { changePassword(input: $input) }`,
    { input: { currentPassword: current, newPassword: next } },
    token,
    at,
  );

async function makePerson(at = house) {
  const { center } = await makeStage(at.app);
  const { actor, token } = await makeMember(at.app, center.id, 'INSTRUCTOR', { password });
  const status = async () => (await at.call('GET', '/auth/me', { token })).status;
  const revocations = async () => {
    const where = { actorId: actor.id, type: 'auth.session_revoked' } as const;
    const entries = await at.app.db.acrossTenants.auditEntry.findMany({ where });
    return entries.map(({ detail, centerId }) => ({ detail, centerId }));
  };
  const ended = [{ detail: { reason: 'too many wrong passwords' }, centerId: center.id }];
  return { actor, center, token, status, revocations, ended };
}

describe('guesses with a stolen token', () => {
  test('end the session after ten wrong ones in a row, of both mutations together', async () => {
    const { actor, token, status, revocations, ended } = await makePerson();
    for (let i = 0; i < 5; i++) {
      expect(await reauthenticate({ password: `guess ${i}` }, token)).toBe('INVALID_CREDENTIALS');
      expect(await status()).toBe(200);
      expect(await changePassword(`guess ${i}`, 'another horse', token)).toBe('INVALID_CREDENTIALS');
    }
    expect(await status()).toBe(401);
    expect(await reauthenticate({ password }, token)).toBe('UNAUTHORIZED');
    expect(await revocations()).toEqual(ended);
    const { body } = await house.call('POST', '/auth/login', { body: { email: actor.email, password } });
    expect(body.data.actor.id).toBe(actor.id);
  });

  test('start over after a right one', async () => {
    const { token, status, revocations } = await makePerson();
    const nineWrong = async () => {
      for (let i = 0; i < 9; i++) await reauthenticate({ password: `guess ${i}` }, token);
    };
    await nineWrong();
    expect(await reauthenticate({ password }, token)).toBe(true);
    await nineWrong();
    expect(await changePassword(password, 'staple of the horse', token)).toBe(true);
    await nineWrong();
    expect(await status()).toBe(200);
    expect(await revocations()).toEqual([]);
  });

  test('do not include a right password with a new one that is refused', async () => {
    const { actor, token, status } = await makePerson();
    for (let i = 0; i < 11; i++) {
      expect(await changePassword(password, actor.email!, token)).toBe('VALIDATION_ERROR');
    }
    expect(await status()).toBe(200);
    expect(await changePassword(password, 'staple of the horse', token)).toBe(true);
  });

  test('are counted for passkeys as well', async () => {
    const { token, status, revocations, ended } = await makePerson();
    const strange = new SoftPasskey(ORIGIN);
    for (let i = 0; i < 9; i++) {
      const options = await ask('mutation { beginPasskeySignIn }', {});
      expect(await reauthenticate({ response: strange.answer(options) }, token)).toBe('INVALID_CREDENTIALS');
    }
    expect(await reauthenticate({ password: 'a guess' }, token)).toBe('INVALID_CREDENTIALS');
    expect(await status()).toBe(401);
    expect(await revocations()).toEqual(ended);
  });

  test('are checked ten times, of a hundred at the same moment at two processes', async () => {
    const second = await testApp({ database: house.database });
    const { token, status, revocations, ended } = await makePerson();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        i % 3 === 0
          ? changePassword(`guess ${i}`, 'another horse', token, i % 2 === 0 ? house : second)
          : reauthenticate({ password: `guess ${i}` }, token, i % 2 === 0 ? house : second),
      ),
    );
    const counts = Object.fromEntries(
      [...Map.groupBy(answers, String)].map(([answer, all]) => [answer, all.length]),
    );
    expect(counts).toEqual({ INVALID_CREDENTIALS: 10, UNAUTHORIZED: 90 });
    expect(await status()).toBe(401);
    expect(await revocations()).toEqual(ended);
  });

  test('slow down further attempts on the account, from any address', async () => {
    const limited = await testApp({ env: { RATE_AUTH: '5', TRUST_PROXY: '1' } });
    const { actor, token } = await makePerson(limited);
    const guess = async (address: string) => {
      const response = await limited.fetch('/graphql', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          'x-forwarded-for': address,
        },
        body: JSON.stringify({ query: `mutation { reauthenticate(input: { password: "wrong" }) }` }),
      });
      const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
      return errors[0]!.extensions.code;
    };
    for (let i = 0; i < 5; i++) await guess(`203.0.113.${i}`);
    for (let i = 0; i < 5; i++) {
      const body = { email: actor.email, password: 'wrong' };
      await limited.call('POST', '/auth/login', { body, headers: { 'x-forwarded-for': `203.0.113.${i}` } });
    }
    expect(await limited.app.limiter.failures(actor.email!)).toBe(10);
    // Few wait at a time, for four seconds, and the rest is refused.
    for (let i = 0; i < 4; i++) await limited.app.limiter.countFailure(actor.email!);
    const codes = await Promise.all(Array.from({ length: 9 }, (_, i) => guess(`203.0.113.${100 + i}`)));
    expect(codes).toContain('RATE_LIMITED');
  });
});
