import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { testApp } from '../helpers/app.ts';
import { mailTo } from '../helpers/mail.ts';
import { makeActor, makeMember, makeStage } from '../helpers/world.ts';

const forget = `mutation ($email: String!) { requestPasswordReset(input: { email: $email }) }`;
const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://countersign.test',
  METRICS_TOKEN: 'metrics-3f9a1c7e5b2d8046',
};

test('outside production each mail is written to a file, and /dev/mail lists them', async () => {
  const house = await testApp({ worker: true });
  const [first, second] = [await makeActor(house.app), await makeActor(house.app)];
  for (const { email } of [first, second]) {
    await house.graphql(forget, { email });
    await mailTo(house, email!);
  }
  const answer = await house.fetch('/dev/mail', { headers: { accept: 'application/json' } });
  const mails = (await answer.json()) as Record<string, unknown>[];
  expect(mails.map(({ to }) => to)).toEqual([second.email, first.email]);
  expect(Object.keys(mails[0]!).toSorted()).toEqual(['at', 'links', 'subject', 'text', 'to']);
  expect(mails[0]!['links']).toEqual([expect.stringMatching(/^http:\/\/localhost:4000\/reset#[\w-]{43}$/)]);
  expect(Date.parse(String(mails[0]!['at']))).toBeGreaterThan(Date.now() - 60_000);

  const page = await house.fetch('/dev/mail', { headers: { accept: 'text/html' } });
  expect(page.headers.get('content-type')).toContain('text/html');
  const markup = await page.text();
  for (const { email } of [first, second]) expect(markup).toContain(email);

  const files = await readdir(house.database.mailFolder);
  const letters = files.filter((name) => name.endsWith('.eml'));
  expect(letters).toHaveLength(2);
  const eml = await PostalMime.parse(await readFile(join(house.database.mailFolder, letters[0]!)));
  expect(eml).toMatchObject({ subject: 'Set a new password', html: expect.stringContaining('/reset#') });
});

test('in production /dev/mail does not exist, and without MAIL_URL operations that need mail return 503', async () => {
  const house = await testApp({ env: { ...production, MAIL_URL: '' } });
  for (const accept of ['application/json', 'text/html']) {
    expect((await house.fetch('/dev/mail', { headers: { accept } })).status).toBe(404);
  }
  const { email } = await makeActor(house.app);
  for (const address of [email, 'nobody@example.test']) {
    const { errors } = await house.graphql(forget, { email: address });
    expect(errors![0]!.extensions.code).toBe('SERVICE_UNAVAILABLE');
  }
  // Access can be revoked even if no mail can be sent about it.
  const password = 'the first password';
  const { center } = await makeStage(house.app);
  const { token } = await makeMember(house.app, center.id, 'PARENT', { password });
  const changed = await house.graphql(
    `mutation { changePassword(input: { currentPassword: "${password}", newPassword: "the second password" }) }`,
    {},
    token,
  );
  expect(changed.data).toEqual({ changePassword: true });
  expect(await house.app.db.acrossTenants.mail.count()).toBe(0);
});

test('invalid MAIL_URL and MAIL_FROM are rejected at startup', () => {
  const env = { JWT_SECRET: 'Zk8vQ2xW7rT4yN1mB6pL9sD3fG5hJ0cA', DATA_DIR: '/data' };
  const mail = (more: Record<string, string>) => loadConfig({ ...env, ...more }).mail;
  expect(mail({}).target).toEqual({ kind: 'files', directory: '/data/mail' });
  expect(mail({ MAIL_URL: 'file:/var/mails' }).target).toEqual({ kind: 'files', directory: '/var/mails' });
  expect(mail({ MAIL_URL: 'file:///var/mails' }).target).toEqual({ kind: 'files', directory: '/var/mails' });
  const url = 'smtps://me:secret@mail.test:465';
  expect(mail({ MAIL_URL: url }).target).toEqual({ kind: 'smtp', url });
  expect(mail({ PUBLIC_URL: 'https://proofs.test' }).from).toBe('Countersign <no-reply@proofs.test>');
  expect(() => mail({ MAIL_URL: 'http://mail.test' })).toThrow(/^MAIL_URL must be smtp:/);
  expect(() => mail({ MAIL_URL: 'smtp://' })).toThrow(/^MAIL_URL must be/);
  expect(() => mail({ MAIL_FROM: 'nobody' })).toThrow(/^MAIL_FROM must be an address/);
});
