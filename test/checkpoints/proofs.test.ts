import { leafHash, verifyConsistency, verifyInclusion } from '@countersign/proof-kit';
import { describe, expect, test } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import { recordDpu } from '../../src/domain/dpus/append-dpu.ts';
import { makeCheckpoint } from '../../src/domain/ledger/signing/checkpoints.ts';
import { inclusionHashes } from '../../src/domain/ledger/tree/nodes.ts';
import { sha256Bytes } from '../../src/lib/crypto.ts';
import { mapConcurrently } from '../../src/lib/semaphore.ts';
import { testApp } from '../helpers/app.ts';
import { makeMember, makeStage } from '../helpers/world.ts';
import { appendRecords, makeChain, numbered, recordHashes, rewriteFrom } from './chains.ts';

const hex = (text: string) => Buffer.from(text, 'hex');

const CHECKPOINT = '{ id domain size rootHash headHash note keyId createdAt }';
const CHECKPOINTS = `query ($domain: ChainDomain!, $first: Int, $after: String) {
  checkpoints(domain: $domain, first: $first, after: $after) {
    edges { node ${CHECKPOINT} } pageInfo { hasNextPage endCursor }
  }
}`;
const INCLUSION = `query ($dpuId: ID!, $checkpointId: ID) {
  inclusionProof(dpuId: $dpuId, checkpointId: $checkpointId) { leafIndex recordHash hashes checkpoint ${CHECKPOINT} }
}`;
const CONSISTENCY = `query ($from: ID!, $to: ID!) {
  consistencyProof(from: $from, to: $to) { hashes from ${CHECKPOINT} to ${CHECKPOINT} }
}`;
const MAKE = `mutation ($domain: ChainDomain!) { makeCheckpoint(input: { domain: $domain }) ${CHECKPOINT} }`;

test('every inclusion and consistency proof over thousands of records is valid', async () => {
  const { app, graphql } = await testApp();
  const { center, chainId } = await makeChain(app, 0);
  const { token } = await makeMember(app, center.id, 'INSTRUCTOR');
  const sizes = [1, 2, 3, 64, 65, 700, 1_023, 2_400];
  for (const [i, size] of sizes.entries()) {
    const before = sizes[i - 1] ?? 0;
    await appendRecords(app, chainId, numbered(before, size - before));
    await makeCheckpoint(app, chainId);
  }
  const listed = await graphql(CHECKPOINTS, { domain: 'platform' }, token);
  const checkpoints: { id: string; size: number; rootHash: string }[] = listed.data.checkpoints.edges
    .map((edge: { node: unknown }) => edge.node)
    .reverse();
  expect(checkpoints.map(({ size }) => size)).toEqual(sizes);

  const records = await recordHashes(app, chainId);
  for (const { size, rootHash } of checkpoints) {
    const root = hex(rootHash);
    // As many at once as there are connections: thousands waiting for one would time out.
    const proven = mapConcurrently(records.slice(0, size).entries(), 8, async ([index, record]) => {
      const hashes = await inclusionHashes(app.db.declared('acrossTenants'), chainId, index, size);
      const input = { leaf: leafHash(record, sha256Bytes), index, size, proof: hashes.map(hex), root };
      return verifyInclusion(input, sha256Bytes) ? [] : [index];
    });
    const wrong: number[] = [];
    for await (const found of proven) wrong.push(...found);
    expect(wrong, `records in a tree of ${size}`).toEqual([]);
  }
  for (const [i, from] of checkpoints.entries()) {
    for (const to of checkpoints.slice(i)) {
      const { data } = await graphql(CONSISTENCY, { from: from.id, to: to.id }, token);
      const holds = verifyConsistency({
        first: { size: from.size, root: hex(from.rootHash) },
        second: { size: to.size, root: hex(to.rootHash) },
        proof: data.consistencyProof.hashes.map(hex),
      });
      if (!holds) expect.fail(`from ${from.size} to ${to.size}`);
    }
  }
});

test('a proof takes one read of nodes, whatever the size of the chain', async () => {
  const { app } = await testApp();
  const { chainId } = await makeChain(app, 3_000);
  const { size } = (await makeCheckpoint(app, chainId))!;
  const queries: unknown[][] = [];
  const counted = {
    query: (...args: unknown[]) => {
      queries.push(args);
      return (app.db.declared('acrossTenants').query as (...given: unknown[]) => unknown)(...args);
    },
  };
  const hashes = await inclusionHashes(counted as unknown as typeof app.db.pool, chainId, 1_234, size);
  expect(hashes).toHaveLength(12);
  expect(queries).toHaveLength(1);
  const { values } = queries[0]![0] as { values: unknown[][] };
  expect(values[1]!.length).toBeLessThan(2 * 12);
});

describe('proofs in GraphQL', () => {
  const stage = async () => {
    const running = await testApp();
    const { center, token } = await makeStage(running.app);
    const ctx = systemContext(running.app, 'test', center.id);
    const places = [];
    for (const content of numbered(0, 5)) places.push(await recordDpu(ctx, { content }));
    return { ...running, center, token, places, ctx };
  };

  test('cover a record immediately, before the next scheduled checkpoint', async () => {
    const { graphql, token, places } = await stage();
    const { data } = await graphql(INCLUSION, { dpuId: places[2]!.dpuId }, token);
    const { checkpoint, leafIndex, recordHash, hashes } = data.inclusionProof;
    expect(recordHash).toBe(places[2]!.hash);
    expect(
      verifyInclusion({
        leaf: leafHash(hex(recordHash)),
        index: leafIndex,
        size: checkpoint.size,
        proof: hashes.map(hex),
        root: hex(checkpoint.rootHash),
      }),
    ).toBe(true);
    const again = await graphql(INCLUSION, { dpuId: places[0]!.dpuId, checkpointId: checkpoint.id }, token);
    expect(again.data.inclusionProof.checkpoint.id).toBe(checkpoint.id);
  });

  test('requested concurrently need only a few checkpoints', async () => {
    const { app, graphql, token, places } = await stage();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => graphql(INCLUSION, { dpuId: places[i % 5]!.dpuId }, token)),
    );
    expect(answers.every(({ errors }) => errors === undefined)).toBe(true);
    expect(await app.db.acrossTenants.checkpoint.count()).toBe(1);
  });

  test('are rejected for checkpoints that do not cover the record, and for other centers', async () => {
    const { app, graphql, token, places, ctx } = await stage();
    const first = (await graphql(MAKE, { domain: 'platform' }, token)).data.makeCheckpoint;
    const sixth = await recordDpu(ctx, { content: 'later' });
    const second = (await graphql(MAKE, { domain: 'platform' }, token)).data.makeCheckpoint;
    const audit = (await graphql(MAKE, { domain: 'audit' }, token)).data.makeCheckpoint;
    const code = async (query: string, variables: object, as = token) =>
      (await graphql(query, variables as Record<string, unknown>, as)).errors?.[0]?.extensions.code;
    expect(await code(INCLUSION, { dpuId: sixth.dpuId, checkpointId: first.id })).toBe('VALIDATION_ERROR');
    expect(await code(INCLUSION, { dpuId: places[0]!.dpuId, checkpointId: audit.id })).toBe(
      'VALIDATION_ERROR',
    );
    expect(await code(INCLUSION, { dpuId: places[0]!.dpuId, checkpointId: 'chk_none' })).toBe('NOT_FOUND');
    expect(await code(INCLUSION, { dpuId: 'dpu_none' })).toBe('DPU_NOT_FOUND');
    expect(await code(CONSISTENCY, { from: second.id, to: first.id })).toBe('VALIDATION_ERROR');
    expect(await code(CONSISTENCY, { from: first.id, to: audit.id })).toBe('VALIDATION_ERROR');
    expect(await code(MAKE, { domain: 'proof' })).toBe('NOT_FOUND');

    const other = await makeStage(app);
    expect(await code(INCLUSION, { dpuId: sixth.dpuId }, other.token)).toBe('DPU_NOT_FOUND');
    expect(await code(CONSISTENCY, { from: first.id, to: second.id }, other.token)).toBe('NOT_FOUND');
    expect((await graphql(CHECKPOINTS, { domain: 'platform' }, other.token)).data.checkpoints.edges).toEqual(
      [],
    );
    const node = 'query ($id: ID!) { node(id: $id) { id } checkpoint(id: $id) { id } }';
    expect((await graphql(node, { id: first.id }, other.token)).data).toEqual({
      node: null,
      checkpoint: null,
    });
    expect((await graphql(node, { id: first.id }, token)).data.node.id).toBe(first.id);
  });

  test('are available to ADMIN and INSTRUCTOR only', async () => {
    const { app, graphql, center, places } = await stage();
    const parent = await makeMember(app, center.id, 'PARENT');
    const instructor = await makeMember(app, center.id, 'INSTRUCTOR');
    const code = async (query: string, variables: Record<string, unknown>, token?: string) =>
      (await graphql(query, variables, token)).errors?.[0]?.extensions.code;
    const dpuId = places[0]!.dpuId;
    expect(await code(INCLUSION, { dpuId }, parent.token)).toBe('INSUFFICIENT_ROLE');
    expect(await code(CHECKPOINTS, { domain: 'platform' }, parent.token)).toBe('INSUFFICIENT_ROLE');
    expect(await code(MAKE, { domain: 'platform' }, instructor.token)).toBe('INSUFFICIENT_ROLE');
    expect(await code(INCLUSION, { dpuId })).toBe('UNAUTHORIZED');
    expect(await code(INCLUSION, { dpuId }, instructor.token)).toBeUndefined();
  });

  test('are not created for a rewritten chain', async () => {
    const { database, graphql, token, places, ctx } = await stage();
    await graphql(MAKE, { domain: 'platform' }, token);
    await rewriteFrom(database.adminUrl, places[0]!.chainId, 2);
    const later = await recordDpu(ctx, { content: 'after the forgery' });
    const { errors } = await graphql(INCLUSION, { dpuId: later.dpuId }, token);
    expect(errors![0]!.extensions.code).toBe('CHAIN_BROKEN');
  });
});
