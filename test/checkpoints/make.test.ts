import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { growTree, leafHash, parseCheckpoint, sha256, treeRoot, verifyNote } from '@countersign/proof-kit';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { publishedKeys } from '../../src/domain/ledger/keys/published.ts';
import { latestCheckpoint, makeCheckpoint } from '../../src/domain/ledger/signing/checkpoints.ts';
import { signDueChains } from '../../src/domain/ledger/signing/round.ts';
import { testApp } from '../helpers/app.ts';
import { appendRecords, cutTail, makeChain, numbered, recordHashes, rewriteFrom, tamper } from './chains.ts';

function rootOf(hashes: Buffer[], size: number): string {
  const none = () => {
    throw new Error('nothing is stored');
  };
  const nodes = new Map(
    growTree(0, hashes.slice(0, size), none).map(({ level, index, hash }) => [`${level}/${index}`, hash]),
  );
  return Buffer.from(treeRoot(size, (level, index) => nodes.get(`${level}/${index}`)!, sha256)).toString(
    'hex',
  );
}

const linesOf = async (file: string) => (await readFile(file, 'utf8')).trim().split('\n');

describe('a checkpoint', () => {
  test('is signed by the published key, named after the service, and written to the file', async () => {
    const { app, config, database } = await testApp({ env: { PUBLIC_URL: 'https://proof.example' } });
    const { center, chainId } = await makeChain(app, 3);
    const checkpoint = (await makeCheckpoint(app, chainId))!;
    const parsed = parseCheckpoint(checkpoint.note);
    const [key] = (await publishedKeys(app)).keys;
    expect(parsed.origin).toBe(`proof.example/chains/${center.id}/platform`);
    const name = { name: 'proof.example', publicKey: Buffer.from(key!.publicKey, 'base64') };
    expect(await verifyNote(parsed.note, name)).toBe('valid');
    const hashes = await recordHashes(app, chainId);
    expect(checkpoint).toMatchObject({
      size: 3,
      rootHash: rootOf(hashes, 3),
      keyId: key!.keyId,
      logIndex: 0n,
    });
    expect(checkpoint.headHash).toBe(hashes[2]!.toString('hex'));
    const [line] = await linesOf(config.checkpoints.file);
    expect(JSON.parse(line!).note).toBe(checkpoint.note);
    expect(config.checkpoints.file).toBe(database.checkpointFile);
  });

  test('of any size has the root of the records', async () => {
    const { app } = await testApp();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 5 }),
        async (steps) => {
          const { chainId } = await makeChain(app, 0);
          let size = 0;
          for (const step of steps) {
            await appendRecords(app, chainId, numbered(size, step));
            size += step;
            const checkpoint = await makeCheckpoint(app, chainId);
            const hashes = await recordHashes(app, chainId);
            if (size === 0) expect(checkpoint).toBeNull();
            else expect(checkpoint).toMatchObject({ size, rootHash: rootOf(hashes, size) });
          }
        },
      ),
      { numRuns: 6 },
    );
  });

  test('covers chains larger than one batch', async () => {
    const { app } = await testApp();
    const { chainId } = await makeChain(app, 5_003);
    const hashes = await recordHashes(app, chainId);
    expect((await makeCheckpoint(app, chainId))!.rootHash).toBe(rootOf(hashes, 5_003));
    const leaf = Buffer.from(leafHash(hashes[5_001]!)).toString('hex');
    expect(
      await app.db.acrossTenants.ledgerNode.findUnique({
        where: { chainId_level_index: { chainId, level: 0, index: 5_001 } },
      }),
    ).toMatchObject({ hash: leaf });
  });

  test('is not repeated while the chain does not grow', async () => {
    const { app, config } = await testApp();
    const { chainId } = await makeChain(app, 4);
    const first = await makeCheckpoint(app, chainId);
    expect(await makeCheckpoint(app, chainId)).toEqual(first);
    // The checkpoint, and the head that covers it.
    expect(await linesOf(config.checkpoints.file)).toHaveLength(2);
  });

  test('keeps its origin when PUBLIC_URL changes', async () => {
    const first = await testApp({ env: { PUBLIC_URL: 'https://old.example' } });
    const { chainId } = await makeChain(first.app, 2);
    await makeCheckpoint(first.app, chainId);
    const moved = await testApp({ database: first.database, env: { PUBLIC_URL: 'https://new.example' } });
    await appendRecords(moved.app, chainId, numbered(2, 2));
    const { note } = (await makeCheckpoint(moved.app, chainId))!;
    expect(parseCheckpoint(note).origin).toMatch(/^old\.example\//);
    await expect(
      moved.app.db.acrossTenants.ledgerChain.update({ where: { id: chainId }, data: { origin: 'x' } }),
    ).rejects.toThrow();
  });

  test('is created for every chain that has grown', async () => {
    const { app } = await testApp();
    const one = await makeChain(app, 2);
    const two = await makeChain(app, 5, 'proof');
    await signDueChains(app);
    const made = await app.db.acrossTenants.checkpoint.findMany({
      include: { chain: true },
      orderBy: { logIndex: 'asc' },
    });
    expect(made.map(({ chain, size }) => [chain.centerId, chain.domain, size])).toEqual([
      // The baseline policy, and the first key.
      [null, 'journal', 2],
      [one.center.id, 'platform', 2],
      [two.center.id, 'proof', 5],
    ]);
    await appendRecords(app, one.chainId, numbered(2, 1));
    expect((await signDueChains(app)).made).toBe(1);
    expect((await signDueChains(app)).made).toBe(0);
    expect(await app.db.acrossTenants.checkpoint.count()).toBe(4);
  });
});

describe('the signer rejects', () => {
  const stage = async () => {
    const running = await testApp();
    const { chainId } = await makeChain(running.app, 40);
    await makeCheckpoint(running.app, chainId);
    return { ...running, chainId, adminUrl: running.database.adminUrl };
  };
  const refusal = (kind: string) => ({ name: 'HistoryChanged', finding: expect.objectContaining({ kind }) });

  test('a history rewritten before the last checkpoint, and reports it in log and metrics', async () => {
    const { app, adminUrl, chainId, logged, fetch } = await stage();
    await rewriteFrom(adminUrl, chainId, 17);
    await appendRecords(app, chainId, numbered(40, 3));
    await expect(makeCheckpoint(app, chainId)).rejects.toMatchObject(refusal('rewritten'));
    expect(await app.db.acrossTenants.checkpoint.count()).toBe(1);
    expect(logged.join('')).toContain('no checkpoint signed');
    expect(await (await fetch('/metrics')).text()).toContain(
      'countersign_checkpoints_total{result="refused"} 1',
    );
  });

  test('every chain after the checkpoint table and the tree were deleted', async () => {
    const { app, adminUrl, chainId, fetch } = await stage();
    await rewriteFrom(adminUrl, chainId, 17);
    await tamper(adminUrl, ['DELETE FROM ledger_node'], ['DELETE FROM checkpoint']);
    await expect(makeCheckpoint(app, chainId)).rejects.toMatchObject({ name: 'SigningRefused' });
    const other = await makeChain(app, 2);
    await expect(makeCheckpoint(app, other.chainId)).rejects.toMatchObject({ name: 'SigningRefused' });
    await expect
      .poll(async () => (await fetch('/readyz')).json())
      .toMatchObject({ checks: { signing: 'refused' } });
  });

  test('a chain that was cut and then grew again', async () => {
    const { app, adminUrl, chainId } = await stage();
    await cutTail(adminUrl, chainId, 30);
    await appendRecords(app, chainId, numbered(100, 30));
    await expect(makeCheckpoint(app, chainId)).rejects.toMatchObject(refusal('rewritten'));
    await signDueChains(app);
    expect(await app.db.acrossTenants.checkpoint.count({ where: { chainId } })).toBe(1);
  });

  test('a new record whose hash does not match its content', async () => {
    const { app, adminUrl, chainId } = await stage();
    await appendRecords(app, chainId, numbered(40, 5));
    await tamper(adminUrl, [
      `UPDATE ledger_record SET content = 'x' WHERE chain_id = $1 AND index = 42`,
      [chainId],
    ]);
    await expect(makeCheckpoint(app, chainId)).rejects.toMatchObject({
      finding: { kind: 'broken_record', index: 42 },
    });
  });

  test('a changed checkpoint', async () => {
    const { app, adminUrl, chainId } = await stage();
    await appendRecords(app, chainId, numbered(40, 5));
    await tamper(adminUrl, [`UPDATE checkpoint SET root_hash = repeat('0', 64)`]);
    await expect(makeCheckpoint(app, chainId)).rejects.toMatchObject(refusal('forged_checkpoint'));
  });

  test('a tree with missing nodes', async () => {
    const { app, adminUrl, chainId } = await stage();
    await appendRecords(app, chainId, numbered(40, 5));
    await tamper(adminUrl, ['DELETE FROM ledger_node WHERE level = 5']);
    await expect(makeCheckpoint(app, chainId)).rejects.toMatchObject(refusal('damaged_tree'));
  });

  test('a chain whose origin was changed', async () => {
    const { app, adminUrl, chainId } = await stage();
    await tamper(adminUrl, [`UPDATE ledger_chain SET origin = replace(origin, 'platform', 'proof')`]);
    await appendRecords(app, chainId, numbered(40, 5));
    await expect(makeCheckpoint(app, chainId)).rejects.toMatchObject(refusal('other_origin'));
  });

  test('a rewritten chain, while other chains are still signed', async () => {
    const { app, adminUrl, chainId, fetch } = await stage();
    await signDueChains(app);
    await rewriteFrom(adminUrl, chainId, 17);
    await appendRecords(app, chainId, numbered(40, 3));
    const other = await makeChain(app, 2);
    const { made, findings } = await signDueChains(app);
    expect(made).toBe(1);
    expect([...findings.keys()]).toEqual([chainId]);
    expect((await makeCheckpoint(app, other.chainId))!.size).toBe(2);
    await expect
      .poll(async () => (await fetch('/readyz')).json())
      .toMatchObject({ checks: { signing: 'refused' } });
  });
});

describe('the checkpoint file', () => {
  test('of another database stops signing: its key is unknown', async () => {
    const first = await testApp();
    const { chainId } = await makeChain(first.app, 9);
    await makeCheckpoint(first.app, chainId);
    const second = await testApp({ env: { CHECKPOINT_FILE: first.config.checkpoints.file } });
    const other = await makeChain(second.app, 2);
    await expect(makeCheckpoint(second.app, other.chainId)).rejects.toMatchObject({ name: 'SigningRefused' });
  });

  test('contains every log entry before a head covers it, also after a crash in between', async () => {
    const { app, database, config } = await testApp();
    const { chainId } = await makeChain(app, 6);
    await makeCheckpoint(app, chainId);
    // As if the process had died after writing the file.
    await tamper(database.adminUrl, ['DELETE FROM log_head']);
    await appendRecords(app, chainId, numbered(6, 1));
    expect((await makeCheckpoint(app, chainId))!.size).toBe(7);
    const lines = (await linesOf(config.checkpoints.file)).map((line) => JSON.parse(line));
    expect(lines.map(({ index, note }) => [index ?? null, parseCheckpoint(note).size])).toEqual([
      [0, 6],
      [null, 1],
      [1, 7],
      [null, 2],
    ]);
  });

  test('is filled from the log on a new machine', async () => {
    const { app, database } = await testApp();
    const { chainId } = await makeChain(app, 2);
    await makeCheckpoint(app, chainId);
    const dataDir = await mkdtemp(join(tmpdir(), 'other-machine-'));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    const file = join(dataDir, 'checkpoints.log');
    const other = await testApp({ database, env: { DATA_DIR: dataDir, CHECKPOINT_FILE: file } });
    await appendRecords(other.app, chainId, numbered(2, 1));
    expect((await makeCheckpoint(other.app, chainId))!.size).toBe(3);
    expect((await linesOf(file)).map((line) => JSON.parse(line).index ?? null)).toEqual([0, 1, null]);
    const history = (folder: string) => readFile(join(folder, 'signing-keys.log'), 'utf8');
    expect(await history(dataDir)).toBe(await history(database.dataDir));
  });

  test('recovers from a line that a crash truncated', async () => {
    const { app, config } = await testApp();
    const { chainId } = await makeChain(app, 1);
    await mkdir(config.dataDir, { recursive: true });
    await writeFile(config.checkpoints.file, '');
    await makeCheckpoint(app, chainId);
    await appendFile(config.checkpoints.file, '{"createdAt":"2026-');
    await appendRecords(app, chainId, numbered(1, 1));
    const { note } = (await makeCheckpoint(app, chainId))!;
    const lines = await linesOf(config.checkpoints.file);
    expect(JSON.parse(lines.at(-2)!).note).toBe(note);
    await app.checkpointFile.refresh();
    const filed = app.checkpointFile.find(parseCheckpoint(note).origin)!;
    expect((await app.checkpointFile.read(filed))!.text).toBe(note);
  });

  test('must be writable, or no checkpoint is returned', async () => {
    const { app } = await testApp({ env: { CHECKPOINT_FILE: tmpdir() } });
    const { chainId } = await makeChain(app, 1);
    await expect(makeCheckpoint(app, chainId)).rejects.toThrow();
    expect(await latestCheckpoint(app.db.declared('acrossTenants'), chainId)).toBeUndefined();
  });
});

test('several processes create one key, and one checkpoint of each size', async () => {
  const { app, database } = await testApp();
  const { chainId } = await makeChain(app, 1_500);
  const script = new URL('./fixtures/checkpointer.ts', import.meta.url).pathname;
  const processes = [1, 2, 3].map(() =>
    spawn(process.execPath, [script, database.url, database.dataDir, String(chainId)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    }),
  );
  const exits = await Promise.all(processes.map((child) => once(child, 'exit')));
  expect(exits.map(([code]) => code)).toEqual([0, 0, 0]);
  expect((await publishedKeys(app)).keys).toHaveLength(1);
  const checkpoints = await app.db.acrossTenants.checkpoint.findMany({
    where: { chainId },
    orderBy: { size: 'asc' },
  });
  const hashes = await recordHashes(app, chainId);
  expect(checkpoints.at(-1)!.size).toBe(hashes.length);
  for (const { size, rootHash } of checkpoints) expect(rootHash).toBe(rootOf(hashes, size));
  const filed = (await linesOf(database.checkpointFile)).map((line) => JSON.parse(line));
  const entries = filed.filter(({ index }) => index !== undefined);
  expect(entries.map(({ index }) => index)).toEqual(entries.map((_, i) => i));
  expect(entries.map(({ note }) => parseCheckpoint(note).size)).toEqual(checkpoints.map(({ size }) => size));
  const heads = filed
    .filter(({ index }) => index === undefined)
    .map(({ note }) => parseCheckpoint(note).size);
  expect(heads).toEqual([...new Set(heads)].sort((a, b) => a - b));
});
