import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import type { DpuPlace } from '../../src/domain/dpus/append-dpu.ts';
import { recordDpu } from '../../src/domain/dpus/append-dpu.ts';
import { makeCheckpoint } from '../../src/domain/ledger/signing/checkpoints.ts';
import { compareWithCheckpoints } from '../../src/domain/ledger/verify/compare.ts';
import { sourceOf } from '../../src/domain/ledger/verify/source.ts';
import { testApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';
import { appendRecords, cutTail, makeChain, numbered, rewriteFrom, tamper } from './chains.ts';

describe('comparing a chain with its checkpoints', () => {
  const stage = async () => {
    const running = await testApp();
    const { chainId, center } = await makeChain(running.app, 20);
    await makeCheckpoint(running.app, chainId);
    await appendRecords(running.app, chainId, numbered(20, 20));
    await makeCheckpoint(running.app, chainId);
    await appendRecords(running.app, chainId, numbered(40, 10));
    const compare = () =>
      compareWithCheckpoints(sourceOf(running.app), { chainId, centerId: center.id, domain: 'platform' });
    return { ...running, chainId, compare, adminUrl: running.database.adminUrl };
  };
  const forgetTable = ['DELETE FROM checkpoint'] as [string];
  const forgetTree = ['DELETE FROM ledger_node'] as [string];

  test('finds nothing wrong with a chain that only grew or was never signed', async () => {
    const { app, compare } = await stage();
    expect(await compare()).toBeNull();
    const fresh = await makeChain(app, 3);
    expect(
      await compareWithCheckpoints(sourceOf(app), {
        chainId: fresh.chainId,
        centerId: fresh.center.id,
        domain: 'platform',
      }),
    ).toBeNull();
    const empty = await makeChain(app, 0, 'proof');
    expect(
      await compareWithCheckpoints(sourceOf(app), {
        chainId: empty.chainId,
        centerId: empty.center.id,
        domain: 'proof',
      }),
    ).toBeNull();
  });

  test('detects a cut tail from the table or, without it, from the file', async () => {
    const { compare, adminUrl, chainId } = await stage();
    await cutTail(adminUrl, chainId, 33);
    expect(await compare()).toMatchObject({ kind: 'cut_tail', index: 33 });
    await tamper(adminUrl, forgetTable, forgetTree);
    expect(await compare()).toMatchObject({ kind: 'cut_tail', index: 33 });
  });

  test('reports the first rewritten record', async () => {
    const { compare, adminUrl, chainId } = await stage();
    await rewriteFrom(adminUrl, chainId, 27);
    expect(await compare()).toMatchObject({ kind: 'rewritten', index: 27 });
    await tamper(adminUrl, forgetTable);
    expect(await compare()).toMatchObject({ kind: 'rewritten', index: 27 });
  });

  test('detects a rewrite from the file when tree, table and chain origin are deleted too', async () => {
    const { compare, adminUrl, chainId } = await stage();
    await rewriteFrom(adminUrl, chainId, 27);
    await tamper(adminUrl, forgetTable, forgetTree, ['UPDATE ledger_chain SET origin = NULL']);
    expect(await compare()).toMatchObject({ kind: 'rewritten' });
  });

  test('reports the last intact checkpoint when the tree was forged too', async () => {
    const { app, database, compare, adminUrl, chainId } = await stage();
    await rewriteFrom(adminUrl, chainId, 27);
    // The forger lets a service without history rebuild the tree, and restores the old checkpoints.
    const { rows } = await app.db
      .declared('acrossTenants')
      .query('SELECT row_to_json(c) AS row FROM checkpoint c');
    await tamper(adminUrl, forgetTable, forgetTree, ['DELETE FROM log_head']);
    const folder = await mkdtemp(join(tmpdir(), 'forger-'));
    const forger = await testApp({ database, env: { CHECKPOINT_FILE: join(folder, 'checkpoints') } });
    await makeCheckpoint(forger.app, chainId);
    await rm(folder, { recursive: true });
    const restore = 'INSERT INTO checkpoint SELECT * FROM json_populate_record(NULL::checkpoint, $1)';
    await tamper(adminUrl, forgetTable, ...rows.map(({ row }): [string, unknown[]] => [restore, [row]]));
    expect(await compare()).toMatchObject({ kind: 'rewritten', index: 20 });
  });

  test('distinguishes a damaged tree from a changed chain', async () => {
    const { compare, adminUrl } = await stage();
    await tamper(adminUrl, [`UPDATE ledger_node SET hash = repeat('0', 64) WHERE level = 3`]);
    expect(await compare()).toMatchObject({ kind: 'damaged_tree' });
    await tamper(adminUrl, forgetTree);
    expect(await compare()).toMatchObject({ kind: 'damaged_tree' });
  });

  test('reports a checkpoint with a wrong signature as forged', async () => {
    const { compare, adminUrl } = await stage();
    await tamper(adminUrl, [`UPDATE checkpoint SET root_hash = repeat('0', 64)`]);
    expect(await compare()).toMatchObject({ kind: 'forged_checkpoint' });
  });
});

describe('verification detects with checkpoints', () => {
  const stage = async () => {
    const running = await testApp();
    const { center, token } = await makeStage(running.app);
    const ctx = systemContext(running.app, 'test', center.id);
    const places: DpuPlace[] = [];
    for (const content of numbered(0, 12)) places.push(await recordDpu(ctx, { content }));
    const { chainId } = places[0]!;
    await makeCheckpoint(running.app, chainId);
    const verify = async (path: string) => (await running.call('GET', path, { token })).body.data;
    return { ...running, chainId, places, verify, adminUrl: running.database.adminUrl };
  };

  test('a consistently rewritten history, even if the checkpoint table is deleted', async () => {
    const { verify, adminUrl, chainId, places } = await stage();
    expect(await verify('/dpu/verify-chain')).toMatchObject({ valid: true, brokenAt: null });
    await rewriteFrom(adminUrl, chainId, 7);
    await tamper(adminUrl, ['DELETE FROM checkpoint']);
    expect(await verify('/dpu/verify-chain')).toMatchObject({ valid: false, brokenAt: 7 });
    expect(await verify(`/dpu/${places[9]!.dpuId}/verify`)).toMatchObject({ valid: false, brokenAt: 7 });
    expect(await verify(`/dpu/${places[3]!.dpuId}/verify`)).toMatchObject({ valid: true, brokenAt: null });
  });

  test('a cut tail, even if all references to it are deleted', async () => {
    const { verify, adminUrl, chainId } = await stage();
    await tamper(
      adminUrl,
      ['DELETE FROM dpu WHERE index >= 9'],
      ['DELETE FROM checkpoint'],
      ['DELETE FROM ledger_node'],
    );
    await cutTail(adminUrl, chainId, 9);
    expect(await verify('/dpu/verify-chain')).toMatchObject({ valid: false, brokenAt: 9 });
  });
});
