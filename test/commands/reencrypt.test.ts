import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { initialize } from '../../src/commands/admin/init.ts';
import { reencrypt } from '../../src/commands/admin/reencrypt.ts';
import { migrate } from '../../src/db/migrate.ts';
import { testApp } from '../helpers/app.ts';
import { runAs } from '../helpers/server.ts';
import { proofStage } from '../proof/stage.ts';

const OLD = 'b3qYV7mT0kS5vE8wRjN1xH7uLpCfA2Zd';
const NEW = 'Q9rT4yN1mB6pL9sD3fG5hJ0cAZk8vQ2x';

/** Every text in the database that looks encrypted. */
const ENCRYPTED = `SELECT 'secret' AS name, secret AS text FROM webhook
  UNION ALL SELECT 'key', private_key FROM signing_key
  UNION ALL SELECT 'answer', response_body FROM idempotency_record WHERE response_body IS NOT NULL`;

test('ENCRYPTION_KEY can be changed while the service runs, and an interrupted run resumes', async () => {
  const before = await testApp({ env: { ENCRYPTION_KEY: OLD } });
  const { database } = before;
  const stage = await proofStage(before);
  const body = { url: 'https://hooks.example/a', events: ['*'] };
  const create = (running: typeof before, headers: object = {}) =>
    running.call('POST', '/v1/webhooks', { token: stage.key, body, headers: { ...headers } });
  const once = { 'Idempotency-Key': 'only-once' };
  const hook = await create(before, once);
  expect(hook.status).toBe(201);
  const seal = async ({ record, approve, get }: typeof stage) => {
    const { id, evidence } = await record();
    await approve(id);
    expect((await get(`/evidence/${evidence.id}/export`)).body.head).toBeDefined();
  };
  await seal(stage);
  const encrypted = async () =>
    (await runAs(database.adminUrl, ENCRYPTED)).rows as { name: string; text: string }[];
  const old = await encrypted();
  expect(new Set(old.map(({ name }) => name))).toEqual(new Set(['secret', 'key', 'answer']));
  const sealedFile = join(database.dataDir, 'signing-keys.sealed');
  const oldFile = await readFile(sealedFile, 'utf8');
  await before.close();

  const during = await testApp({ database, env: { ENCRYPTION_KEY: NEW, ENCRYPTION_KEY_PREVIOUS: OLD } });
  // An earlier call is recognized, and its response can still be read.
  const replayed = await create(during, once);
  expect([replayed.headers.get('idempotent-replayed'), replayed.body]).toEqual(['true', hook.body]);
  // Stops after the webhooks, as a killed process would.
  const failing = {
    ...during.app,
    vault: {
      ...during.app.vault,
      reseal(sealed: string, belongsTo: string) {
        if (!belongsTo.startsWith('webhook:')) throw new TypeError('killed');
        return during.app.vault.reseal(sealed, belongsTo);
      },
    },
  };
  const part = await reencrypt(failing);
  expect([part.changed, Object.keys(part.unreadable).length > 0]).toEqual([{ webhook: 1 }, true]);
  const rest = await reencrypt(during.app);
  expect(rest).toEqual({
    changed: { signing_key: 1, idempotency_record: 1, 'signing-keys.sealed': 1 },
    unreadable: {},
  });
  expect(await reencrypt(during.app)).toEqual({ changed: {}, unreadable: {} });
  const kept = new Set(old.map(({ text }) => text));
  expect((await encrypted()).filter(({ text }) => kept.has(text))).toEqual([]);
  expect(await readFile(sealedFile, 'utf8')).not.toBe(oldFile);
  await during.close();

  const after = await testApp({ database, env: { ENCRYPTION_KEY: NEW } });
  const again = await proofStage(after);
  await seal(again);
  const rotated = await after.call('POST', `/v1/webhooks/${hook.body.id}/rotate-secret`, {
    token: stage.key,
  });
  expect(rotated.status).toBe(200);
  await expect(reencrypt(after.app)).rejects.toThrow('ENCRYPTION_KEY_PREVIOUS');
  // Only the private half may change: the rest of a signing key is append-only as before.
  await expect(runAs(database.adminUrl, `UPDATE signing_key SET name = 'other'`)).rejects.toThrow(
    'append-only',
  );
});

test('admin init prepares a database server for the first start, or prints the statements', async () => {
  const { database } = await testApp();
  const suffix = Date.now().toString(36);
  const input = { database: `init_${suffix}`, owner: `init_owner_${suffix}`, login: `init_login_${suffix}` };
  const printed = await initialize({ ...input, url: undefined });
  expect(printed).toContain(`CREATE DATABASE "init_${suffix}" OWNER "init_owner_${suffix}"`);
  const output = await initialize({ ...input, url: database.adminUrl });
  onTestFinished(async () => {
    await runAs(database.adminUrl, `DROP DATABASE IF EXISTS ${input.database} WITH (FORCE)`);
    await runAs(database.adminUrl, `DROP ROLE ${input.owner}, ${input.login}`);
  });
  const [, owner] = /^DATABASE_OWNER_URL=(.+)$/m.exec(output)!;
  const [, url] = /^DATABASE_URL=(.+)$/m.exec(output)!;
  expect((await migrate(owner!, { login: input.login })).length).toBeGreaterThan(10);
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query('SELECT count(*)::int AS count FROM center');
  await client.end();
  expect(rows).toEqual([{ count: 0 }]);
});
