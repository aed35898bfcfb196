/**
 * What the holder of database and disk can do, and who detects it. Everything is done as the database's superuser and with the
 * files; the service then continues. docs/security.md lists these by their titles.
 */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkOnce } from '@countersign/auditor/monitor/check-once';
import { readOptions } from '@countersign/auditor/monitor/options';
import { parseCheckpoint, parseVerifierKey, verifyProof } from '@countersign/proof-kit';
import { expect, test } from 'vitest';
import type { App } from '../../src/app.ts';
import { exportDocument } from '../../src/domain/decisions/prove/export/export.ts';
import { openKeyring } from '../../src/domain/ledger/keys/change.ts';
import { SigningRefused } from '../../src/domain/ledger/notes/faults.ts';
import { type Round, signDueChains } from '../../src/domain/ledger/signing/round.ts';
import { askWitness } from '../../src/domain/ledger/witnesses/ask.ts';
import { appendRecords, makeChain, numbered, rewriteFrom, tamper } from '../checkpoints/chains.ts';
import { asSystem, sealDecision } from '../export/world.ts';
import { testApp } from '../helpers/app.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { freePort } from '../helpers/free-port.ts';
import { makeCenter } from '../helpers/world.ts';
import { witnessHere } from './in-process.ts';
import { folder } from './programs.ts';

const env = { PUBLIC_URL: 'https://proof.example' };

async function monitor(url: string, state: string, ...more: string[]) {
  const options = readOptions(['--url', url, '--state', state, ...more], {});
  return checkOnce(options as Exclude<typeof options, 'help'>);
}

const evidenceIn = async (state: string) =>
  (JSON.parse(await readFile(state, 'utf8')) as { evidence: { reason: string; notes: string[] }[] }).evidence;

/** Everything ever signed: in the database and in the file. */
async function wipeSigned({ adminUrl, checkpointFile }: TestDatabase): Promise<void> {
  const tables = ['checkpoint', 'ledger_node', 'log_tile', 'log_head', 'log_cosignature', 'signing_state'];
  await tamper(adminUrl, ...tables.map((table): [string] => [`DELETE FROM ${table}`]));
  await rm(checkpointFile, { force: true });
}

/** The keys, in the database and in DATA_DIR. */
async function wipeKeys({ adminUrl, dataDir }: TestDatabase): Promise<void> {
  await tamper(adminUrl, ['DELETE FROM signing_key'], ['DELETE FROM signing_key_line']);
  await rm(dataDir, { recursive: true, force: true });
}

/** Another date for a record, with all later hashes and links recomputed. */
async function dateBack(adminUrl: string, chainId: number, index: number, timestamp: string): Promise<void> {
  await tamper(adminUrl, [
    `DO $$
     DECLARE r record; previous text;
     BEGIN
       UPDATE ledger_record SET timestamp = '${timestamp}' WHERE chain_id = ${chainId} AND index = ${index};
       SELECT hash INTO previous FROM ledger_record WHERE chain_id = ${chainId} AND index = ${index - 1};
       FOR r IN SELECT * FROM ledger_record WHERE chain_id = ${chainId} AND index >= ${index} ORDER BY index LOOP
         UPDATE ledger_record SET previous_hash = previous,
           hash = encode(sha256(convert_to(r.content || previous || r.timestamp, 'UTF8')), 'hex')
         WHERE chain_id = r.chain_id AND index = r.index RETURNING hash INTO previous;
       END LOOP;
       UPDATE ledger_chain SET head_hash = previous WHERE id = ${chainId};
     END $$`,
  ]);
}

async function deleteRecords({ adminUrl }: TestDatabase, chainId: number): Promise<void> {
  await tamper(
    adminUrl,
    ['DELETE FROM ledger_record WHERE chain_id = $1', [chainId]],
    ['DELETE FROM ledger_node WHERE chain_id = $1', [chainId]],
    ['DELETE FROM ledger_chain WHERE id = $1', [chainId]],
  );
}

async function deleteChain(database: TestDatabase, chainId: number, origin: string): Promise<void> {
  const { adminUrl, checkpointFile } = database;
  await deleteRecords(database, chainId);
  await tamper(adminUrl, ['DELETE FROM checkpoint WHERE chain_id = $1', [chainId]]);
  const lines = (await readFile(checkpointFile, 'utf8')).split('\n');
  await writeFile(checkpointFile, lines.filter((line) => !line.includes(origin)).join('\n'));
}

interface Attack {
  attack(stage: { database: TestDatabase; chainId: number; origin: string }): Promise<void>;
  /** The service's settings afterwards. */
  env?: Record<string, string>;
  /** The monitor's message. */
  monitor: RegExp;
  /** The witness's refusal of the new head, unless the service no longer signs or the log is unchanged. */
  witness: RegExp | 'is not asked' | 'cosigns';
  /** The verdict on a proof of the new history for a reader who knows the old key and requires the witness. */
  proof?: RegExp;
}

const attacks: Record<string, Attack> = {
  'the key is deleted and the chain rewritten': {
    async attack({ database, chainId }) {
      await rewriteFrom(database.adminUrl, chainId, 3);
      await wipeSigned(database);
      await wipeKeys(database);
    },
    monitor: /the key history was rewritten: line 1 is not what was published before/,
    witness: /403/,
    proof: /^refuted/,
  },
  'table and file are both wiped': {
    attack: ({ database }) => wipeSigned(database),
    monitor: /the log of \d+ entries does not hold the one of \d+ that was signed/,
    witness: /422/,
    proof: /^partial: .*quorum/,
  },
  'the chains continue under a new origin': {
    async attack({ database, chainId }) {
      await rewriteFrom(database.adminUrl, chainId, 3);
      await wipeSigned(database);
      await tamper(database.adminUrl, ['UPDATE ledger_chain SET origin = NULL']);
    },
    env: { PUBLIC_URL: 'https://prove.example' },
    monitor: /the log was called proof\.example\/log and is called prove\.example\/log now/,
    witness: /404/,
    proof: /^refuted/,
  },
  'a whole chain is deleted with all its checkpoints': {
    attack: ({ database, chainId, origin }) => deleteChain(database, chainId, origin),
    monitor: /is missing, which a log of \d+ entries has|cannot show/,
    witness: 'is not asked',
  },
  'a whole chain is deleted, but not its checkpoints': {
    attack: ({ database, chainId }) => deleteRecords(database, chainId),
    monitor: /the service cannot show that proof\.example\/chains\/\d+\/platform has its 10 records/,
    witness: 'cosigns',
  },
  'a record is backdated': {
    async attack({ database, chainId }) {
      await dateBack(database.adminUrl, chainId, 4, '2019-01-01T00:00:00.000Z');
      await wipeSigned(database);
    },
    monitor: /the log of \d+ entries does not hold the one of \d+ that was signed/,
    witness: /422/,
    proof: /^partial: .*quorum/,
  },
};

/** Signs until the log is longer than another was, so that length alone reveals nothing. */
async function outgrow(app: App, size: number): Promise<Round> {
  for (;;) {
    await makeChain(app, 2);
    const round = await signDueChains(app);
    if (round.head.size > size) return round;
  }
}

test.each(Object.entries(attacks))('an attack is detected: %s', async (_, attack) => {
  const port = await freePort();
  const first = await testApp({ env, port });
  const { database } = first;
  const { keys } = await openKeyring(first.app, 'proof.example');
  const witness = await witnessHere([keys[0]!.vkey], 'friend.example');
  const { chainId, center: victim } = await makeChain(first.app, 8);
  await signDueChains(first.app);
  const state = join(await folder(), 'state.json');
  expect(await monitor(first.url, state)).toMatchObject({ code: 0 });
  await appendRecords(first.app, chainId, numbered(8, 2));
  const { head } = await signDueChains(first.app);
  await askWitness(first.app, witness, head, 0);
  expect(await monitor(first.url, state)).toMatchObject({ code: 0 });
  await first.close();

  const origin = `proof.example/chains/${victim.id}/platform`;
  await attack.attack({ database, chainId, origin });
  const second = await testApp({
    database,
    env: { ...env, ...attack.env },
    port,
  });
  if (attack.witness === 'is not asked')
    await expect(signDueChains(second.app)).rejects.toThrow(SigningRefused);
  else if (attack.witness === 'cosigns')
    await askWitness(second.app, witness, (await outgrow(second.app, head.size)).head, head.size);
  else {
    const center = await makeCenter(second.app);
    const { dpuId } = await sealDecision(second.app, center.id, 1);
    const forged = await outgrow(second.app, head.size);
    await expect(askWitness(second.app, witness, forged.head, 0)).rejects.toThrow(attack.witness);
    const proof = JSON.stringify(await exportDocument(asSystem(second.app, center.id), dpuId));
    const trust = { keys: [parseVerifierKey(keys[0]!.vkey)], witnesses: [witness], quorum: 1 };
    const { verdict, reason } = await verifyProof(proof, trust);
    expect(`${verdict}: ${reason}`).toMatch(attack.proof!);
  }
  const found = await monitor(second.url, state);
  expect(found).toMatchObject({ code: 1, text: expect.stringMatching(attack.monitor) });
  const [evidence] = await evidenceIn(state);
  expect(evidence!.notes).toContain(head.note);
  // Findings persist.
  expect(await monitor(second.url, state)).toMatchObject({
    code: 1,
    text: expect.stringContaining('before'),
  });
});

test('a witness cosigns only one of two views, and monitors that compare their states get the evidence', async () => {
  const one = await testApp({ env });
  await makeChain(one.app, 3);
  const { keys } = await openKeyring(one.app, 'proof.example');
  const witness = await witnessHere([keys[0]!.vkey], 'friend.example');
  const { head } = await signDueChains(one.app);
  await askWitness(one.app, witness, head, 0);

  // The same service by name and key, with another history.
  const two = await testApp({ env });
  await mkdir(two.database.dataDir, { recursive: true });
  for (const file of ['signing-keys.log', 'signing-keys.sealed'])
    await copyFile(join(one.database.dataDir, file), join(two.database.dataDir, file));
  const { head: other } = await outgrow(two.app, head.size);
  expect(parseCheckpoint(other.note).origin).toBe(parseCheckpoint(head.note).origin);
  await expect(askWitness(two.app, witness, other, 0)).rejects.toThrow('422');

  const states = await folder();
  const [left, right] = [join(states, 'left.json'), join(states, 'right.json')];
  // Each alone sees a log that only grows, signed by the key that both know.
  const key = ['--key', keys[0]!.vkey];
  expect(await monitor(one.url, left, ...key)).toMatchObject({ code: 0 });
  expect(await monitor(two.url, right, ...key)).toMatchObject({ code: 0 });
  expect(await monitor(one.url, left, ...key, '--compare', left)).toMatchObject({ code: 0 });
  // Compared, the larger cannot be shown to contain the smaller, and the smaller is not what the other saw.
  for (const [url, own, compared] of [
    [two.url, right, left],
    [one.url, left, right],
  ] as const) {
    expect(await monitor(url, own, ...key, '--compare', compared)).toMatchObject({
      code: 1,
      text: expect.stringContaining('FORKED'),
    });
    const [evidence] = await evidenceIn(own);
    expect(evidence!.notes).toEqual(expect.arrayContaining([head.note, other.note]));
  }
  // A head that anyone could have written is no evidence against the service.
  const forged = join(states, 'forged.json');
  const state = JSON.parse(await readFile(left, 'utf8')) as { head: string; evidence: unknown[] };
  await writeFile(forged, JSON.stringify({ ...state, head: head.note.replace('\n', '\n1') }));
  const third = join(states, 'third.json');
  await expect(monitor(one.url, third, ...key, '--compare', forged)).rejects.toThrow('not signed by a key');
});
