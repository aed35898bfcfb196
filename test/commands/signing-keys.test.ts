import { execFile } from 'node:child_process';
import { appendFile, copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkOnce } from '@countersign/auditor/monitor/check-once';
import { readOptions } from '@countersign/auditor/monitor/options';
import { publishedBy } from '@countersign/auditor/verify/keys';
import { parseCheckpoint, parseVerifierKey, verifyProof } from '@countersign/proof-kit';
import { describe, expect, test } from 'vitest';
import type { App } from '../../src/app.ts';
import { execute, parseCommand } from '../../src/commands/signing-keys/command.ts';
import { verifyDatabase } from '../../src/commands/verify/database.ts';
import { exportDocument } from '../../src/domain/decisions/prove/export/export.ts';
import { openKeyring } from '../../src/domain/ledger/keys/change.ts';
import { signDueChains } from '../../src/domain/ledger/signing/round.ts';
import { askWitness } from '../../src/domain/ledger/witnesses/ask.ts';
import { appendRecords, makeChain, numbered, tamper } from '../checkpoints/chains.ts';
import { asSystem, sealDecision } from '../export/world.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { bareEnvironment } from '../helpers/process.ts';
import { makeStage } from '../helpers/world.ts';
import { witnessHere } from '../witness/in-process.ts';
import { folder } from '../witness/programs.ts';

const env = { PUBLIC_URL: 'https://proof.example' };
const KEYS = '/.well-known/countersign-keys.json';

/** Like the command, on an open app. */
async function command(app: App, ...args: string[]) {
  const command = parseCommand(args);
  if (command === 'help') throw new Error('help was asked for');
  return execute(app, command);
}

const keyIds = async (app: App) => (await openKeyring(app, 'proof.example')).keys.map(({ keyId }) => keyId);
const signerCount = (note: string) => parseCheckpoint(note).note.signatures.length;
const signing = async ({ fetch }: TestApp) =>
  ((await (await fetch('/readyz')).json()) as { checks: Record<string, string> }).checks['signing'];

test('rotate: both keys sign during the overlap, witnesses and monitors follow, then the old key retires', async () => {
  const running = await testApp({ env });
  const { app, url } = running;
  expect((await command(app, 'list')).out).toContain('No keys yet');
  const { chainId } = await makeChain(app, 2);
  const { chainId: still } = await makeChain(app, 2);
  const { head } = await signDueChains(app);
  const [first] = await keyIds(app);
  const witness = await witnessHere(
    [(await openKeyring(app, 'proof.example')).keys[0]!.vkey],
    'friend.example',
  );
  await askWitness(app, witness, head, 0);
  const options = readOptions(['--url', url, '--state', join(await folder(), 'state.json')], {});
  const monitored = () => checkOnce(options as Exclude<typeof options, 'help'>);
  expect((await monitored()).code).toBe(0);
  await expect(command(app, 'retire', first!)).rejects.toThrow('rotate first');

  const rotated = await command(app, 'rotate', '--overlap', '2');
  const [, second] = await keyIds(app);
  expect(rotated).toMatchObject({ code: 0, err: '' });
  expect(rotated.out).toMatch(
    new RegExp(`${first} .*signs until .*\n.*\n${second} .* signs  signed in by ${first}`),
  );
  const { keys } = (await (await running.fetch(KEYS)).json()) as {
    keys: { keyId: string; from: string; until: string | null; signedBy: string }[];
  };
  expect(keys.map(({ keyId, signedBy }) => [keyId, signedBy])).toEqual([
    [second, first],
    [first, first],
  ]);
  // A monitor that starts with only the new key immediately finds a head signed by it.
  const lateMonitor = async () => {
    const newest = (await openKeyring(app, 'proof.example')).keys[1]!.vkey;
    const late = ['--url', url, '--state', join(await folder(), 'late.json'), '--key', newest];
    return checkOnce(readOptions(late, {}) as Exclude<typeof options, 'help'>);
  };
  expect(await lateMonitor()).toMatchObject({ code: 0, found: { ok: true } });
  const overlap = Date.parse(keys[1]!.until!) - Date.parse(keys[0]!.from);
  expect([keys[0]!.until, overlap]).toEqual([null, 2 * 86_400_000]);

  await appendRecords(app, chainId, numbered(2, 1));
  const both = await signDueChains(app);
  expect(signerCount(both.head.note)).toBe(2);
  // The witness knows only the old key, and the monitor has followed the new one from it.
  await askWitness(app, witness, both.head, head.size);
  expect((await monitored()).code).toBe(0);

  // The overlap can be shortened; the last key can never be retired.
  expect((await command(app, 'retire', first!)).out).toMatch(new RegExp(`${first} .* retired `));
  await expect(command(app, 'retire', first!)).rejects.toThrow('already retired');
  await expect(command(app, 'retire', 'ffffffff')).rejects.toThrow('Key ffffffff not found');
  await appendRecords(app, chainId, numbered(3, 1));
  const one = await signDueChains(app);
  expect(signerCount(one.head.note)).toBe(1);
  const checkpoints = await app.db.acrossTenants.checkpoint.findMany({
    where: { chainId: still },
    orderBy: { logIndex: 'asc' },
  });
  expect(checkpoints.map(({ size, keyId }) => [size, keyId])).toEqual([
    [2, first],
    [2, second],
  ]);
  await expect(askWitness(app, witness, one.head, both.head.size)).rejects.toThrow('403');
  witness.trust((await openKeyring(app, 'proof.example')).keys[1]!.vkey);
  await askWitness(app, witness, one.head, both.head.size);
  expect((await monitored()).code).toBe(0);
  // The entries of its time still belong to the retired key.
  expect(await lateMonitor()).toMatchObject({ code: 0, found: { ok: true, origin: 'proof.example/log' } });

  expect(parseCommand(['-h'])).toBe('help');
  for (const [args, message] of [
    [['rotate', '--overlap', 'soon'], 'a number of days'],
    [['retire'], 'Say list'],
    [['replace'], 'Say list'],
    [['list', 'all'], 'Say list'],
  ] as const)
    expect(() => parseCommand([...args]), args.join(' ')).toThrow(message);
  await expect(command(app, 'replace', '--lost', 'a whim')).rejects.toThrow('use rotate');
});

test('replacing a lost key: proofs are consistent with --keys-from and proven with --key', async () => {
  const first = await testApp({ env });
  const { database } = first;
  const { center } = await makeStage(first.app);
  const early = await sealDecision(first.app, center.id, 1);
  await signDueChains(first.app);
  const elsewhere = await makeStage(first.app);
  await sealDecision(first.app, elsewhere.center.id, 2);
  const [lost] = await keyIds(first.app);
  await first.close();
  await tamper(database.adminUrl, ["UPDATE signing_key SET private_key = 'v1.gone'"]);
  await rm(join(database.dataDir, 'signing-keys.sealed'));

  const running = await testApp({ env, database });
  const { app, url, logged } = running;
  await expect(signDueChains(app)).rejects.toThrow('its private key is missing');
  await expect.poll(() => signing(running)).toBe('refused');
  expect(logged.join('')).toContain('signing has stopped');
  expect(await command(app, 'list')).toMatchObject({ code: 1, err: expect.stringContaining('private key') });
  await expect(command(app, 'replace', '--lost', ' ')).rejects.toThrow('is required');

  const replaced = await command(app, 'replace', '--lost', 'the disk died');
  expect(replaced.out).toMatch(new RegExp(`${lost} .* retired .*\n.*\n.* signs  not vouched for`));
  const { head } = await signDueChains(app);
  await expect.poll(() => signing(running)).toBe('ok');
  expect(await command(app, 'list')).toMatchObject({ code: 0, err: '' });
  const [, fresh] = (await openKeyring(app, 'proof.example')).keys;
  expect(head.note).toContain('proof.example');

  const published = await publishedBy(url);
  const requireProven = async (dpuId: string) => {
    const document = JSON.stringify(await exportDocument(asSystem(app, center.id), dpuId));
    expect((await verifyProof(document, { keys: published })).verdict).toBe('consistent');
    expect(await verifyProof(document, { keys: [parseVerifierKey(fresh!.vkey)] })).toMatchObject({
      verdict: 'proven',
    });
    expect((await verifyProof(document, { keys: published.slice(1) })).verdict).toBe('refuted');
  };
  // The chain has stood still since the lost key signed it, and so have others that the proof contains.
  await requireProven(early.dpuId);
  expect(await signDueChains(app)).toMatchObject({ made: 0 });
  const late = await sealDecision(app, center.id, 2);
  await requireProven(late.dpuId);
  await requireProven(early.dpuId);
  const reports = await verifyDatabase({ kind: 'database', ...database }, undefined);
  expect(reports.filter(({ ok }) => !ok)).toEqual([]);
  const { rows } = await app.db
    .declared('acrossTenants')
    .query(`SELECT content FROM ledger_record WHERE content LIKE '%the disk died%'`);
  expect(rows).toHaveLength(1);
});

test('a known origin with a key missing from the key history stops all signing', async () => {
  const first = await testApp({ env });
  const { database } = first;
  const { center, token } = await makeStage(first.app);
  const { chainId } = await sealDecision(first.app, center.id, 1);
  await signDueChains(first.app);
  await first.close();
  // Another history in place of the old one: valid keys that have signed nothing here.
  const stranger = await testApp({ env });
  await openKeyring(stranger.app, 'proof.example');
  await tamper(database.adminUrl, ['DELETE FROM signing_key'], ['DELETE FROM signing_key_line']);
  for (const file of ['signing-keys.log', 'signing-keys.sealed'])
    await copyFile(join(stranger.database.dataDir, file), join(database.dataDir, file));

  const running = await testApp({ env, database });
  const { app, logged, call } = running;
  await appendRecords(app, chainId, numbered(1, 1));
  await expect(signDueChains(app)).rejects.toThrow('a key that the key history does not know');
  await expect.poll(() => signing(running)).toBe('refused');
  await expect.poll(async () => (await running.fetch('/readyz')).status).toBe(200);
  const said = logged.filter((line) => line.includes('signing has stopped'));
  expect(said).toHaveLength(1);
  expect(said[0]).toContain('the key history does not know');
  // Reported once, however often it is retried.
  await expect(signDueChains(app)).rejects.toThrow();
  expect(logged.filter((line) => line.includes('signing has stopped'))).toHaveLength(1);
  const verified = await call('GET', '/dpu/verify-chain', { token });
  expect(verified.body.data.valid).toBe(false);
  expect((await running.fetch(KEYS)).status).toBe(200);

  const script = fileURLToPath(new URL('../../src/commands/signing-keys.ts', import.meta.url));
  const environment = bareEnvironment({
    ...env,
    DATABASE_URL: database.url,
    DATA_DIR: database.dataDir,
    CHECKPOINT_FILE: database.checkpointFile,
    JWT_SECRET: 'Zk8vQ2xW7rT4yN1mB6pL9sD3fG5hJ0cA',
  });
  const listed = promisify(execFile)(process.execPath, [script, 'list'], { env: environment });
  await expect(listed).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('proof.example+'),
    stderr: expect.stringContaining('Not everything is signed at present'),
  });
});

describe('the published keys, when their history is invalid', () => {
  const damages: [string, (running: TestApp) => Promise<unknown>, number][] = [
    [
      'an unsigned line in the database',
      ({ database }) =>
        tamper(database.adminUrl, [
          `INSERT INTO signing_key_line (position, line)
           SELECT 1, replace(line, '"signedBy"', '"signedby"') FROM signing_key_line`,
        ]),
      200,
    ],
    [
      'a file that differs from the database',
      ({ database }) => tamper(database.adminUrl, [`UPDATE signing_key_line SET line = line || ' '`]),
      200,
    ],
    [
      'an unsigned line in the file',
      ({ database }) => appendFile(join(database.dataDir, 'signing-keys.log'), '{"at":"now"}\n'),
      503,
    ],
    [
      'a history missing in both',
      async ({ database }) => {
        await tamper(database.adminUrl, ['DELETE FROM signing_key_line'], ['DELETE FROM signing_key']);
        await writeFile(join(database.dataDir, 'signing-keys.log'), '');
      },
      503,
    ],
  ];

  test.each(damages)('%s: the keys from the file are served, or a 503', async (_, damage, status) => {
    const running = await testApp({ env });
    const { app, fetch, graphql } = running;
    await makeChain(app, 2);
    await signDueChains(app);
    const before = (await (await fetch(KEYS)).json()) as object;
    await damage(running);
    await expect(signDueChains(app)).rejects.toThrow();
    await expect.poll(() => signing(running)).toBe('refused');
    const response = await fetch(KEYS);
    const body = (await response.json()) as { error?: { code: string } };
    expect([response.status, (await fetch(KEYS.replace('json', 'txt'))).status]).toEqual([status, status]);
    const { data, errors } = await graphql('{ signingKeys { keyId } }');
    if (status === 200) {
      expect(body).toEqual(before);
      expect(data.signingKeys).toHaveLength(1);
    } else {
      expect(body.error?.code).toBe('SERVICE_UNAVAILABLE');
      expect(response.headers.get('cache-control') ?? '').not.toContain('max-age=300');
      expect(errors![0]!.extensions.code).toBe('SERVICE_UNAVAILABLE');
    }
  });
});
