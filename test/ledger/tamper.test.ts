import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import { recordDpu } from '../../src/domain/dpus/append-dpu.ts';
import type { SealKind } from '../../src/domain/ledger/sealer/kinds.ts';
import { makeCheckpoint } from '../../src/domain/ledger/signing/checkpoints.ts';
import { transact } from '../../src/domain/unit-of-work.ts';
import { newId } from '../../src/lib/ids.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';
import * as tampering from './tampering.ts';

const SIZE = 7;
const domains = ['platform', 'proof', 'audit'] as const;
const places = { first: 0, middle: 3, last: SIZE - 1 };

let running: TestApp;
let token: string;
let centerId: number;
let backDoor: Awaited<ReturnType<typeof tampering.openBackDoor>>;
const chainIds = new Map<string, number>();

const decision: SealKind<number> = {
  name: 'decision',
  grows: ['proof'],
  admit: async (_, requests) =>
    requests.map((n) => ({
      domain: 'proof' as const,
      content: `{"n":${n}}`,
      dpu: { id: newId('dpu'), evidenceLevel: 'AUDIT_READY' as const, actorId: 'somebody' },
      result: undefined,
    })),
};

beforeAll(async () => {
  running = await startTestApp();
  const { app } = running;
  const stage = await makeStage(app);
  token = stage.token;
  centerId = stage.center.id;
  const ctx = { ...systemContext(app, 'test', centerId), ip: '127.0.0.1' };
  for (let i = 0; i < SIZE; i++) {
    await recordDpu(ctx, { content: `decision ${i} – ü €` });
    await app.sealer.seal({ kind: decision, centerId, request: i });
  }
  // Setting up the stage wrote the first audit entry.
  for (let i = 1; i < SIZE; i++) {
    await transact(ctx, async (work) =>
      work.audit({
        type: 'center.updated',
        target: `t${i}`,
        detail: { i, half: 0.5, deep: { a: [1, null] } },
        actor: { id: 'somebody', email: 'somebody@example.test' },
      }),
    );
  }
  backDoor = await tampering.openBackDoor(running.database.adminUrl);
  await backDoor.remember();
  const { rows } = await backDoor.db.query('SELECT id, domain, size FROM ledger_chain WHERE center_id = $1', [
    centerId,
  ]);
  for (const { id, domain, size } of rows) {
    expect(size).toBe(SIZE);
    chainIds.set(domain, id);
  }
});
afterEach(() => backDoor.restore());
afterAll(async () => {
  await backDoor.close();
  await running.close();
});

const verifyChain = async () => (await running.call('GET', '/dpu/verify-chain', { token })).body.data;
const target = (domain: string, index: number) => ({ chainId: chainIds.get(domain)!, index, size: SIZE });

async function expectBroken(domain: string, brokenAt: number) {
  const found = await verifyChain();
  expect({ valid: found.valid, brokenAt: found.brokenAt }).toEqual({ valid: false, brokenAt });
  for (const chain of found.chains) {
    const broken = chain.domain === domain;
    expect(chain).toMatchObject({ valid: !broken, brokenAt: broken ? brokenAt : null });
  }
}

test('untouched chains are valid, alone and together', async () => {
  const found = await verifyChain();
  expect(found).toMatchObject({ valid: true, chainLength: 4 * SIZE, brokenAt: null });
  expect(found.chains.map(({ domain }: { domain: string }) => domain)).toEqual([...domains, 'journal']);
  expect(found.genesisHash).toBe(found.chains[0].genesisHash);
  for (const chain of found.chains) {
    expect(chain).toMatchObject({ valid: true, chainLength: SIZE, brokenAt: null });
    expect(chain.headHash).toMatch(/^[0-9a-f]{64}$/);
  }
});

describe.each(domains)('%s chain', (domain) => {
  describe.each(Object.entries(places))('%s record', (_, index) => {
    test.each(Object.entries(tampering.recordChanges))('%s', async (name, tamper) => {
      await tamper(backDoor.db, target(domain, index));
      // A swap at the end affects the previous record too.
      const swapsBack = name.includes('swapped') && index === SIZE - 1;
      await expectBroken(domain, swapsBack ? index - 1 : index);
    });

    const hasPrevious = index > 0 ? [domain] : [];
    test.each(hasPrevious)('previous hash changed', async () => {
      await tampering.previousHashChanged(backDoor.db, target(domain, index));
      await expectBroken(domain, index);
    });

    test('forged with a matching hash: the next link or the head does not match', async () => {
      await tampering.forged(backDoor.db, target(domain, index));
      const next = Math.min(index + 1, SIZE - 1);
      // The audit entry beside the record still has the original text.
      await expectBroken(domain, domain === 'audit' ? index : next);
    });

    test('deleted with all later records', async () => {
      await tampering.cutFrom(backDoor.db, target(domain, index));
      await expectBroken(domain, index);
    });

    test('deleted with all later records, head row adjusted', async () => {
      await tampering.cutFrom(backDoor.db, target(domain, index));
      await tampering.headFollows(backDoor.db, target(domain, index));
      await expectBroken(domain, index);
    });

    test('without its dpu or audit_entry row', async () => {
      const table = domain === 'audit' ? 'audit_entry' : 'dpu';
      await tampering.besideChange(table, null)(backDoor.db, target(domain, index));
      await expectBroken(domain, index);
    });
  });

  test('indexes of two records swapped', async () => {
    await tampering.indexesSwapped(backDoor.db, target(domain, 2));
    await expectBroken(domain, 2);
  });

  test('a record added beyond the head', async () => {
    await tampering.appended(backDoor.db, target(domain, 0));
    await expectBroken(domain, SIZE);
  });

  test.each([
    ['another hash', `head_hash = '${'e'.repeat(64)}'`, SIZE - 1],
    ['a larger size', 'size = size + 2', SIZE],
    ['a smaller size', 'size = size - 2', SIZE - 2],
    ['size 0 without a hash', 'size = 0, head_hash = NULL', 0],
  ])('head row changed to %s', async (_, assignment, brokenAt) => {
    await tampering.headChange(assignment)(backDoor.db, target(domain, 0));
    await expectBroken(domain, brokenAt);
  });

  test('head row deleted', async () => {
    await backDoor.db.query('DELETE FROM ledger_chain WHERE id = $1', [chainIds.get(domain)]);
    await expectBroken(domain, 0);
  });

  describe('compared with a checkpoint', () => {
    beforeAll(async () => {
      await makeCheckpoint(running.app, chainIds.get(domain)!);
      await backDoor.remember();
    });

    test('a tail deleted with all references to it', async () => {
      const at = target(domain, 4);
      await tampering.cutFrom(backDoor.db, at);
      await tampering.headFollows(backDoor.db, at);
      for (const table of ['dpu', 'audit_entry']) {
        await backDoor.db.query(`DELETE FROM ${table} WHERE chain_id = $1 AND index >= 4`, [at.chainId]);
      }
      await expectBroken(domain, 4);
    });

    const rewritable = domain === 'audit' ? [] : [domain];
    test.each(rewritable)('all following records rewritten, including the head', async () => {
      await tampering.rewritten(backDoor.db, target(domain, 4));
      await expectBroken(domain, 4);
      await backDoor.restore();
      await tampering.rewritten(backDoor.db, target(domain, 1));
      await expectBroken(domain, 1);
    });
  });
});

describe('audit entry of a record, changed', () => {
  const index = places.middle;
  test.each([
    [`id = 'aud_other'`],
    [`center_id = center_id + 1000`],
    [`partner_id = 'ptn_other'`],
    [`type = 'auth.signed_in'`],
    [`actor_id = 'other'`],
    [`actor_email = 'other@example.test'`],
    [`target = 'other'`],
    [`detail = detail || '{"more": 1}'`],
    [`ip = '10.0.0.1'`],
    [`occurred_at = occurred_at + interval '1 millisecond'`],
  ])('%s', async (assignment) => {
    await tampering.besideChange('audit_entry', assignment)(backDoor.db, target('audit', index));
    await expectBroken('audit', index);
  });
});

describe('one record', () => {
  const dpus = async () =>
    (
      await running.app.db
        .forCenter(centerId)
        .dpu.findMany({ where: { domain: 'platform' }, orderBy: { index: 'asc' } })
    ).map(({ id }) => id);
  const verify = async (id: string) => (await running.call('GET', `/dpu/${id}/verify`, { token })).body.data;

  test('is verified back to the first record, whatever happened after it', async () => {
    const ids = await dpus();
    const { genesisHash } = await verifyChain();
    expect(await verify(ids[3]!)).toEqual({ valid: true, chainLength: 4, genesisHash, brokenAt: null });
    await tampering.recordChanges['content changed']!(backDoor.db, target('platform', 3));
    expect(await verify(ids[2]!)).toEqual({ valid: true, chainLength: 3, genesisHash, brokenAt: null });
    expect(await verify(ids[3]!)).toMatchObject({ valid: false, chainLength: 4, brokenAt: 3 });
    expect(await verify(ids[6]!)).toMatchObject({ valid: false, chainLength: 7, brokenAt: 3 });
  });

  test.each(Object.values(places))('forged or deleted at %i is reported at that index', async (index) => {
    const ids = await dpus();
    await tampering.forged(backDoor.db, target('platform', index));
    expect(await verify(ids[index]!)).toMatchObject({ valid: false, brokenAt: index });
    await backDoor.restore();
    await tampering.cutFrom(backDoor.db, target('platform', index));
    expect(await verify(ids[index]!)).toMatchObject({ valid: false, brokenAt: index });
    const read = await running.call('GET', `/dpu/${ids[index]}`, { token });
    expect([read.status, read.body.error.code]).toEqual([422, 'CHAIN_BROKEN']);
  });

  test.each(['content changed', 'hash changed', 'timestamp changed'])(
    'with its %s cannot be sealed',
    async (name) => {
      const ids = await dpus();
      const seal = (id: string) =>
        running.call('PUT', `/dpu/${id}`, { token, body: { evidenceLevel: 'AUDIT_READY' } });
      await tampering.recordChanges[name]!(backDoor.db, target('platform', 3));
      const refused = await seal(ids[3]!);
      expect([refused.status, refused.body.error.code]).toEqual([422, 'CHAIN_BROKEN']);
      expect((await seal(ids[1]!)).status).toBe(200);
    },
  );

  test('a verification publishes an event', async () => {
    const [id] = await dpus();
    await verify(id!);
    await verifyChain();
    const events = await running.app.db
      .forCenter(centerId)
      .platformEvent.findMany({ where: { type: 'dpu.verified' }, orderBy: { id: 'desc' }, take: 2 });
    expect(events.map(({ data }) => data)).toEqual([
      { dpuId: null, domain: null, valid: true, chainLength: 4 * SIZE, brokenAt: null },
      { dpuId: id, domain: 'platform', valid: true, chainLength: 1, brokenAt: null },
    ]);
  });
});
