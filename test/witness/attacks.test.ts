import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signDueChains } from '../../src/domain/ledger/checkpoints/round.ts';
import { appendRecords, makeChain, numbered, rewriteFrom, tamper } from '../checkpoints/chains.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { folder } from './programs.ts';

const SCRIPT = new URL('../../src/commands/monitor.ts', import.meta.url).pathname;
const env = { PUBLIC_URL: 'https://proof.example' };

async function monitor(url: string, state: string): Promise<{ code: number; err: string }> {
  const child = spawn(process.execPath, [SCRIPT, '--url', url, '--state', state]);
  let err = '';
  child.stderr.on('data', (part) => {
    err += part;
  });
  const [code] = await once(child, 'exit');
  return { code, err };
}

/** All that was ever signed, in the database and outside: as the holder of both would remove it. */
async function wipe(database: TestDatabase, ...more: [string, unknown[]?][]): Promise<void> {
  const tables = [
    'checkpoint',
    'ledger_node',
    'log_tile',
    'log_head',
    'log_cosignature',
    'signing_key',
    'signing_key_line',
  ];
  await tamper(database.adminUrl, ...tables.map((table): [string] => [`DELETE FROM ${table}`]), ...more);
  await rm(database.dataDir, { recursive: true, force: true });
}

interface Stage {
  database: TestDatabase;
  chainId: number;
}

const attacks: [name: string, attack: (stage: Stage) => Promise<void>][] = [
  [
    'the key is deleted and the chain rewritten',
    async ({ database, chainId }) => {
      await rewriteFrom(database.adminUrl, chainId, 3);
      await wipe(database);
    },
  ],
  ['table and file are both wiped', ({ database }) => wipe(database)],
  [
    'the chain and all its lines are deleted',
    async ({ database, chainId }) =>
      wipe(
        database,
        ['DELETE FROM ledger_record WHERE chain_id = $1', [chainId]],
        ['DELETE FROM ledger_chain WHERE id = $1', [chainId]],
      ),
  ],
];

test.each(attacks)('a monitor finds out that %s', async (_, attack) => {
  const first: TestApp = await testApp({ env });
  const { database } = first;
  const { chainId } = await makeChain(first.app, 8);
  await signDueChains(first.app);
  const state = join(await folder(), 'state.json');
  expect(await monitor(first.url, state)).toEqual({ code: 0, err: '' });
  await appendRecords(first.app, chainId, numbered(8, 2));
  await signDueChains(first.app);
  expect((await monitor(first.url, state)).code).toBe(0);
  await first.close();

  await attack({ database, chainId });
  const second = await testApp({ database, env, port: Number(new URL(first.url).port) });
  await makeChain(second.app, 4);
  await signDueChains(second.app);
  expect(await monitor(second.url, state)).toMatchObject({ code: 1, err: expect.stringContaining('FORKED') });
  const { evidence } = JSON.parse(await readFile(state, 'utf8'));
  expect(evidence[0].notes.length).toBeGreaterThan(0);
  // What was found stays found.
  expect((await monitor(second.url, state)).code).toBe(1);
});
