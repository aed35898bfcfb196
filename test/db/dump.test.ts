import { expect, test } from 'vitest';
import { signDueChains } from '../../src/domain/ledger/signing/round.ts';
import { testApp } from '../helpers/app.ts';
import { makeActor, makeMembership } from '../helpers/world.ts';
import { proofStage } from '../proof/stage.ts';

test('a dump of the database contains no usable credential', async () => {
  const running = await testApp();
  const stage = await proofStage(running);
  const password = 'a password of 27 letters ok';
  const actor = await makeActor(running.app, { email: 'dumped@example.test', password });
  await makeMembership(running.app, actor.id, stage.center.id);
  const signedIn = await running.call('POST', '/auth/login', {
    body: { email: 'dumped@example.test', password, centerDomain: stage.center.centerDomain },
  });
  const { accessToken, refreshToken } = signedIn.body.data;
  const sso = await running.call('POST', '/auth/sso/token', {
    token: accessToken,
    body: { targetApp: 'lms' },
  });
  const webhook = await running.call('POST', '/v1/webhooks', {
    token: stage.key,
    headers: { 'idempotency-key': 'one-webhook' },
    body: { url: 'http://127.0.0.1:9/hook', events: ['*'] },
  });
  await stage.approve((await stage.record()).id);
  await signDueChains(running.app);

  const tables = await running.superuser.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  let dump = '';
  for (const { name } of tables.rows) {
    const { rows } = await running.superuser.query(
      `SELECT string_agg(t::text, E'\\n') AS text FROM ${name} t`,
    );
    dump += rows[0].text ?? '';
  }
  // It is a full dump, including data that is not secret.
  expect(dump).toContain('dumped@example.test');
  expect(dump).toContain(webhook.body.id);

  const secrets = [
    password,
    stage.key,
    accessToken,
    refreshToken,
    sso.body.data.token,
    webhook.body.signingSecret,
  ];
  for (const secret of secrets as string[]) {
    expect(secret.length).toBeGreaterThan(20);
    // The first part of a key is public and identifies it.
    const core = secret.replace(/^(csk_\w{8}_|whsec_)/, '');
    for (const written of [core, Buffer.from(core).toString('hex'), Buffer.from(core).toString('base64')]) {
      expect(dump.includes(written), secret.slice(0, 6)).toBe(false);
    }
  }
});
