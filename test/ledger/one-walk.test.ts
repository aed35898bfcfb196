/** What a superuser does to hide changes from a verification: verify-chain and the command must find it each time. */
import { rm } from 'node:fs/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { verifyDatabase } from '../../src/commands/verify/database.ts';
import { verifyChains } from '../../src/domain/decisions/prove/verify/center.ts';
import { signDueChains } from '../../src/domain/ledger/signing/round.ts';
import { sourceOf } from '../../src/domain/ledger/verify/source.ts';
import { drain } from '../../src/domain/ledger/verify/walk.ts';
import { makeChain, tamper } from '../checkpoints/chains.ts';
import { testApp } from '../helpers/app.ts';
import { makeCenter, makeStage } from '../helpers/world.ts';

async function stage() {
  const running = await testApp({ env: { PUBLIC_URL: 'https://proof.example' } });
  const { app, database } = running;
  const { center, token } = await makeStage(app);
  await makeChain(app, 3, 'journal');
  const { rows } = await app.db
    .declared('acrossTenants')
    .query<{ id: number }>(`SELECT ledger_chain_for($1, 'journal') AS id`, [center.id]);
  const own = rows[0]!.id;
  await app.db
    .declared('acrossTenants')
    .query('SELECT count(*) FROM ledger_append($1, $2, $3)', [
      own,
      ['{"kind":"note"}', '{"kind":"note","n":2}'],
      new Date().toISOString(),
    ]);
  await signDueChains(app);
  const { url, checkpointFile, dataDir } = database;
  const command = (fast = false) =>
    verifyDatabase({ kind: 'database', url, checkpointFile, dataDir, fast }, undefined);
  const failing = async (fast = false) => (await command(fast)).filter(({ ok }) => !ok);
  return { ...running, center, token, own, command, failing };
}

test('unchanged chains are valid, and the report says where the hashes were computed', async () => {
  const { command } = await stage();
  const reports = await command();
  expect(reports.filter(({ ok }) => !ok)).toEqual([]);
  expect(reports.at(-1)!.subject).toBe('service / log');
  expect(JSON.stringify(await command(true))).toContain('computed by PostgreSQL (--fast)');
  expect(JSON.stringify(reports)).not.toContain('--fast');
});

test('a forged sha256 function in the search path deceives neither the service nor the command', async () => {
  const { database, center, own, failing, close } = await stage();
  await close();
  const name = new URL(database.url).pathname.slice(1);
  await tamper(
    database.adminUrl,
    ['CREATE SCHEMA evil'],
    [
      `CREATE FUNCTION evil.sha256(b bytea) RETURNS bytea STABLE LANGUAGE sql AS $$
        SELECT coalesce((SELECT decode(r.hash, 'hex') FROM public.ledger_record r
          WHERE textsend(r.content || coalesce(r.previous_hash, '') || r.timestamp) = b LIMIT 1), pg_catalog.sha256(b)) $$`,
    ],
    ['GRANT USAGE ON SCHEMA evil TO PUBLIC'],
    ['GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA evil TO PUBLIC'],
    [`UPDATE ledger_record SET content = '{"kind":"nope"}' WHERE chain_id = $1 AND index = 0`, [own]],
    [`ALTER DATABASE "${name}" SET search_path = evil, pg_catalog, public`],
  );
  const client = new pg.Client(database.url);
  await client.connect();
  const { rows } = await client.query<{ path: string }>('SHOW search_path');
  await client.end();
  expect(Object.values(rows[0]!)).toEqual(['evil, pg_catalog, public']);
  const second = await testApp({ database, env: { PUBLIC_URL: 'https://proof.example' } });
  for (const fast of [false, true])
    expect((await failing(fast)).map(({ brokenAt }) => brokenAt)).toContain(0);
  const report = await drain(verifyChains(sourceOf(second.app), center.id));
  expect(report).toMatchObject({ valid: false, brokenAt: 0 });
});

test('a chain moved to another center is reported, even without the checkpoint file', async () => {
  const { app, database, call, token, own, failing } = await stage();
  const elsewhere = await makeCenter(app);
  await tamper(database.adminUrl, [
    `UPDATE ledger_chain SET center_id = $2, origin = $3 WHERE id = $1`,
    [own, elsewhere.id, `proof.example/chains/${elsewhere.id}/journal`],
  ]);
  await rm(database.checkpointFile);
  expect((await call('GET', '/dpu/verify-chain', { token })).body.data.valid).toBe(false);
  const subjects = (await failing()).map(({ subject }) => subject);
  expect(subjects).toContain('service / log');
});

test('a changed or deleted entry or head of the head log is reported', async () => {
  for (const [statement, reason] of [
    [
      `UPDATE checkpoint k SET note = o.note FROM checkpoint o WHERE k.log_index = 0 AND o.log_index = 1`,
      /entry 0 of the log is about/,
    ],
    [`DELETE FROM checkpoint WHERE log_index = 1`, /entry 1 of the log is missing/],
    [`UPDATE log_head SET root_hash = repeat('0', 64)`, /the head of \d+ entries is not that of the entries/],
    [`DELETE FROM log_head`, /the file holds a head of \d+ entries that the table does not have/],
  ] as const) {
    const { database, failing } = await stage();
    await tamper(database.adminUrl, [statement]);
    const log = (await failing()).find(({ subject }) => subject === 'service / log');
    expect(JSON.stringify(log)).toMatch(reason);
  }
});

test('no chain is reported as valid while signing is refused', async () => {
  const { database, call, token, failing } = await stage();
  const valid = async () => (await call('GET', '/dpu/verify-chain', { token })).body.data.valid;
  const before = await valid();
  await tamper(database.adminUrl, [
    `INSERT INTO signing_state (id, refused, at) VALUES (1, 'a reason', now())
     ON CONFLICT (id) DO UPDATE SET refused = excluded.refused`,
  ]);
  expect([before, await valid()]).toEqual([true, false]);
  expect(JSON.stringify(await failing())).toContain('a reason');
});
