import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../src/seed/accounts.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { mailTo, tokenIn } from '../helpers/mail.ts';
import { makeMember, makeStage } from '../helpers/world.ts';

const password = 'correct horse battery';
let house: TestApp;
let admin: string;
let centerId: number;
beforeAll(async () => {
  house = await startTestApp({ worker: true });
  const { center, token } = await makeStage(house.app);
  [admin, centerId] = [token, center.id];
});
afterAll(() => house.close());

/** The value of the only field, or the error code. */
async function ask(document: string, variables: Record<string, unknown>, token?: string) {
  const { data, errors } = await house.graphql(document, variables, token);
  return errors ? errors[0]!.extensions.code : Object.values(data as object)[0];
}

let counter = 0;
const newEmail = () => `grace.hopper.${++counter}@example.test`;
const NAME = 'Grace Brewster Hopper';

/** The three ways to set a password, each ready to be tried with several. */
const ways = {
  async changePassword(email: string) {
    const { token } = await makeMember(house.app, centerId, 'PARENT', { email, name: NAME, password });
    return (secret: string) =>
      ask(
        `mutation ($input: ChangePasswordInput!) { changePassword(input: $input) }`,
        { input: { currentPassword: password, newPassword: secret } },
        token,
      );
  },
  async resetPassword(email: string) {
    await makeMember(house.app, centerId, 'PARENT', { email, name: NAME, password });
    const forget = `mutation ($email: String!) { requestPasswordReset(input: { email: $email }) }`;
    await ask(forget, { email });
    const token = tokenIn(await mailTo(house, email));
    return (secret: string) =>
      ask(`mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) }`, {
        input: { token, password: secret },
      });
  },
  async acceptInvitation(email: string) {
    const invite = `mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { id } }`;
    await ask(invite, { input: { email, role: 'PARENT' } }, admin);
    const token = tokenIn(await mailTo(house, email));
    return (secret: string) =>
      ask(`mutation ($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { status } }`, {
        input: { token, password: secret, name: NAME },
      });
  },
};

const weak = (email: string) => [
  'short pwd',
  'password123',
  'PassWord123',
  'ｐａｓｓｗｏｒｄ１２３',
  '1234567890',
  '0123456789',
  '9876543210',
  '1234567890-',
  'qwertyqwerty',
  'qwertyuiop',
  'aaaaaaaaaaaa',
  'abababababa',
  'ABCabcAbcabc',
  '1a2b1a2b1a2b1a',
  email,
  email.toUpperCase(),
  email.split('@')[0]!,
  NAME,
  NAME.replaceAll(' ', '').toLowerCase(),
];

describe.each(Object.entries(ways))('%s', (_, prepare) => {
  test('refuses passwords that are short, common, a repetition or the own address or name', async () => {
    const email = newEmail();
    const set = await prepare(email);
    for (const secret of weak(email))
      expect([secret, await set(secret)]).toEqual([secret, 'VALIDATION_ERROR']);
    const body = { email, password: 'a fish on a bicycle' };
    expect(await set(body.password)).not.toBe('VALIDATION_ERROR');
    expect((await house.call('POST', '/auth/login', { body })).status).toBe(200);
  });

  test.each([DEMO_PASSWORD, 'abcdeabcdeabcde', 'password 123!', 'grace.hopper is not here'])(
    'takes %s',
    async (secret) => {
      expect(await (await prepare(newEmail()))(secret)).not.toBe('VALIDATION_ERROR');
    },
  );
});

test('a name without letters and digits is no password either', async () => {
  const name = '!?$% &/() =+*#';
  const { token } = await makeMember(house.app, centerId, 'PARENT', { name, password });
  const change = (secret: string) =>
    ask(
      `mutation ($input: ChangePasswordInput!) { changePassword(input: $input) }`,
      { input: { currentPassword: password, newPassword: secret } },
      token,
    );
  expect(await change(name)).toBe('VALIDATION_ERROR');
  expect(await change(`${name}-`)).toBe(true);
});

test('the error says what is wrong', async () => {
  const { token } = await makeMember(house.app, centerId, 'PARENT', { password });
  const { errors } = await house.graphql(
    `mutation { changePassword(input: { currentPassword: "x", newPassword: "password123" }) }`,
    {},
    token,
  );
  expect(errors![0]!.extensions.details).toMatchObject({
    fields: [{ message: expect.stringContaining('one of the most common') }],
  });
});
