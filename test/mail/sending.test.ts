import { expect, onTestFinished, test } from 'vitest';
import { sha256Hex } from '../../src/lib/crypto.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { type MailServer, startMailServer, startSilentServer } from '../helpers/mail.ts';
import { makeActor, makeCenter, makeMember } from '../helpers/world.ts';

const forget = (house: TestApp, email: string) =>
  house.graphql(`mutation ($email: String!) { requestPasswordReset(input: { email: $email }) }`, { email });
const reset = (house: TestApp, token: string, password: string) =>
  house.graphql(
    `mutation ($token: String!, $password: String!) { resetPassword(input: { token: $token, password: $password }) }`,
    { token, password },
  );

async function serverOf(answer: (attempt: number) => number, port?: number): Promise<MailServer> {
  const server = await startMailServer(answer, port);
  onTestFinished(() => server.stop());
  return server;
}

const houseOf = (url: string, env: Record<string, string> = {}) =>
  testApp({ worker: true, env: { MAIL_URL: url, MAIL_FROM: 'Clinic mail <post@clinic.test>', ...env } });

const linkIn = (text: string) => /^http:\S+$/m.exec(text)![0];
const statusOf = async ({ app }: TestApp, recipient: string) =>
  (await app.db.acrossTenants.mail.findFirst({ where: { recipient } }))?.status;

test('a mail arrives over SMTP, as text and as HTML, and its link works once', async () => {
  const server = await serverOf(() => 0);
  const house = await houseOf(server.url);
  const { email } = await makeActor(house.app, { password: 'the old password' });
  expect((await forget(house, ` ${email!.toUpperCase()}`)).data).toEqual({ requestPasswordReset: true });
  await eventually(() => server.arrived.length === 1);

  const [mail] = server.arrived;
  expect(mail).toMatchObject({
    from: { name: 'Clinic mail', address: 'post@clinic.test' },
    to: [{ address: email }],
    subject: 'Set a new password',
  });
  const link = linkIn(mail!.text!);
  expect(link).toMatch(/^http:\/\/localhost:4000\/reset#[\w-]{43}$/);
  expect(mail!.html).toContain(`href="${link}"`);
  for (const body of [mail!.text!, mail!.html!]) {
    expect(body).toContain(email);
    expect(body).toContain('works once and for an hour');
    expect(body).toContain('localhost:4000');
  }
  expect(mail!.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');

  const token = link.split('#')[1]!;
  const kept = await house.app.db.acrossTenants.linkToken.findMany();
  expect(kept.map(({ tokenHash }) => tokenHash)).toEqual([sha256Hex(token)]);
  expect((await reset(house, token, 'the new password')).data).toEqual({ resetPassword: true });
  expect((await reset(house, token, 'another password')).errors![0]!.extensions.code).toBe('UNAUTHORIZED');
  const login = { body: { email, password: 'the new password' } };
  expect((await house.call('POST', '/auth/login', login)).status).toBe(200);
  await eventually(() => server.arrived.length === 2);
  expect(server.arrived[1]!.subject).toBe('Your password was changed');
});

test('no table, queue or log ever holds the token', async () => {
  const server = await serverOf((attempt) => (attempt === 1 ? 451 : 0));
  const house = await houseOf(server.url, { MAIL_RETRY_DELAYS: '0.2' });
  const { email } = await makeActor(house.app);
  await forget(house, email!);
  await eventually(() => server.arrived.length === 1);
  await eventually(async () => (await statusOf(house, email!)) === 'SENT');
  const token = linkIn(server.arrived[0]!.text!).split('#')[1]!;
  const { rows: tables } = await house.app.db.declared('acrossTenants').query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname IN ('public', 'graphile_worker')`,
  );
  for (const { name } of tables) {
    const { rows } = await house.app.db
      .declared('acrossTenants')
      .query(`SELECT 1 FROM ${name} t WHERE t::text LIKE $1`, [`%${token}%`]);
    expect([name, rows]).toEqual([name, []]);
  }
  expect(house.logged.join('')).not.toContain(token);
});

test('a mail is stored only if its change commits', async () => {
  const server = await serverOf(() => 0);
  const house = await houseOf(server.url);
  const password = 'the first password';
  const { token, actor } = await makeMember(house.app, (await makeCenter(house.app)).id, 'PARENT', {
    password,
  });
  const change = (current: string) =>
    house.graphql(
      `mutation ($current: String!) {
        changePassword(input: { currentPassword: $current, newPassword: "the second password" }) }`,
      { current },
      token,
    );
  expect((await change('not the password')).errors).toHaveLength(1);
  expect(await house.app.db.acrossTenants.mail.count()).toBe(0);
  expect((await change(password)).data).toEqual({ changePassword: true });
  await eventually(() => server.arrived.length === 1);
  expect(server.arrived[0]).toMatchObject({
    to: [{ address: actor.email }],
    subject: 'Your password was changed',
  });
});

test('a temporary error is retried, and the link in the delivered mail works', async () => {
  const server = await serverOf((attempt) => (attempt <= 2 ? 421 : 0));
  const house = await houseOf(server.url, { MAIL_RETRY_DELAYS: '0.1,0.1,0.1' });
  const { email } = await makeActor(house.app);
  await forget(house, email!);
  await eventually(() => server.arrived.length === 1);
  await eventually(async () => (await statusOf(house, email!)) === 'SENT');
  const mail = await house.app.db.acrossTenants.mail.findFirstOrThrow({ where: { recipient: email! } });
  expect(mail).toMatchObject({ attempts: 3, problem: null, nextAttemptAt: null });
  const token = linkIn(server.arrived[0]!.text!).split('#')[1]!;
  expect((await reset(house, token, 'the new password')).data).toEqual({ resetPassword: true });
});

test('a hanging or unavailable mail server is retried and delays no other jobs', async () => {
  const silent = await startSilentServer();
  const house = await houseOf(`smtp://127.0.0.1:${silent.port}`, {
    MAIL_TIMEOUT_SECONDS: '2',
    MAIL_RETRY_DELAYS: '0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1',
  });
  const people = await Promise.all(Array.from({ length: 26 }, () => makeActor(house.app)));
  for (const { email } of people) await forget(house, email!);
  await eventually(() => silent.connections() >= 4);
  // While four mails hang and all others wait for them, a job of another kind runs.
  const { rows } = await house.app.db
    .declared('acrossTenants')
    .query<{ id: string }>(`SELECT id FROM graphile_worker.add_job('sweep', '{}'::json)`);
  const left = async () =>
    (
      await house.app.db
        .declared('acrossTenants')
        .query('SELECT 1 FROM graphile_worker.jobs WHERE id = $1', [rows[0]!.id])
    ).rowCount;
  await eventually(async () => (await left()) === 0);

  await eventually(
    async () =>
      (await house.app.db.acrossTenants.mail.count({ where: { problem: { contains: 'imeout' } } })) > 0,
  );
  expect(silent.mostAtOnce()).toBe(4);
  await silent.stop();
  await eventually(
    async () =>
      (await house.app.db.acrossTenants.mail.count({ where: { problem: { contains: 'ECONNREFUSED' } } })) > 0,
  );
  const back = await serverOf(() => 0, silent.port);
  await eventually(() => back.arrived.length === 26);
  expect(back.arrived.map(({ to }) => to![0]!.address).toSorted()).toEqual(
    people.map(({ email }) => email).toSorted(),
  );
}, 60_000);

test('a permanent error is not retried; temporary errors are retried up to the limit', async () => {
  const server = await serverOf((attempt) => (attempt === 1 ? 550 : 451));
  const house = await houseOf(server.url, { MAIL_RETRY_DELAYS: '0.05,0.05' });
  const [gone, full] = [await makeActor(house.app), await makeActor(house.app)];
  await forget(house, gone.email!);
  await eventually(async () => (await statusOf(house, gone.email!)) === 'FAILED');
  await forget(house, full.email!);
  await eventually(async () => (await statusOf(house, full.email!)) === 'FAILED');
  const mails = await house.app.db.acrossTenants.mail.findMany({ orderBy: { createdAt: 'asc' } });
  expect(mails.map(({ attempts }) => attempts)).toEqual([1, 3]);
  expect(mails[0]!.problem).toContain('550');
  // Completed jobs leave the queue a moment later.
  const jobs = () =>
    house.app.db.pool.query(`SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'send_mail'`);
  await eventually(async () => (await jobs()).rows.length === 0);
});

test('the default schedule retries within a minute, then with growing delays for a day', async () => {
  const { config } = await testApp();
  const { retryDelays } = config.mail;
  expect(retryDelays[0]).toBeLessThanOrEqual(60);
  expect(retryDelays).toEqual(retryDelays.toSorted((a, b) => a - b));
  const hours = retryDelays.reduce((sum, delay) => sum + delay, 0) / 3_600;
  expect(Math.round(hours)).toBe(24);
});
