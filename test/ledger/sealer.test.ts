import pg from 'pg';
import { expect, test } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import { recordDpu, recordDpuIn } from '../../src/domain/dpus/append-dpu.ts';
import type { SealKind } from '../../src/domain/ledger/sealer/kinds.ts';
import { SealUnavailable } from '../../src/domain/ledger/sealer/transaction.ts';
import { readTallies } from '../../src/domain/tallies/tally.ts';
import { transact } from '../../src/domain/unit-of-work.ts';
import { DomainError } from '../../src/lib/errors.ts';
import { newId } from '../../src/lib/ids.ts';
import { testApp } from '../helpers/app.ts';
import { expectIndependent } from '../helpers/lock-waiters.ts';
import { makeCenter } from '../helpers/world.ts';
import { isSound, rowsOf, untilSealed } from './chain.ts';

const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));

test('concurrent callers are batched into few transactions and extend one valid chain', async () => {
  const { app } = await testApp();
  const center = await makeCenter(app);
  const ctx = systemContext(app, 'test', center.id);

  const places = await Promise.all(many(100, (i) => recordDpu(ctx, { content: `decision ${i}` })));
  const rows = await rowsOf(app, center.id);
  expect(rows).toHaveLength(100);
  expect(isSound(rows)).toBe(true);
  expect(places.map(({ index }) => index).sort((a, b) => a - b)).toEqual(many(100, (i) => i));
  for (const [i, place] of places.entries()) {
    expect(rows[place.index]).toMatchObject({ content: `decision ${i}`, hash: place.hash });
  }
  const batches = await app.metrics.sealBatch.get();
  const count = batches.values.find(({ metricName }) => metricName?.endsWith('_count'))!.value;
  expect(count).toBeLessThan(10);
  const counts = await readTallies(app.db.pool, [`dpu:${center.id}:DRAFT`, 'dpu:vertical:rehabilitation']);
  expect([...counts.values()]).toEqual([100, 100]);
});

test('a request that is rejected, or that the database rejects, does not fail the rest of its batch', async () => {
  const { app } = await testApp();
  const center = await makeCenter(app);
  const kind: SealKind<string, string> = {
    name: 'test',
    grows: ['proof'],
    admit: async (_, requests) =>
      requests.map((content) =>
        content === 'refused'
          ? new DomainError('CONFLICT', 'no')
          : {
              domain: 'proof' as const,
              content,
              dpu: { id: newId('dpu'), evidenceLevel: 'AUDIT_READY' as const, actorId: 'me' },
              result: content,
            },
      ),
  };
  const seal = (request: string) => app.sealer.seal({ kind, centerId: center.id, request });
  const [a, b, c, d] = await Promise.allSettled(['one', 'refused', 'nul \u0000', 'two'].map(seal));
  expect(a).toMatchObject({ status: 'fulfilled', value: { result: 'one', place: { index: 0 } } });
  expect(b).toMatchObject({ status: 'rejected', reason: { code: 'CONFLICT' } });
  expect(c).toMatchObject({ status: 'rejected' });
  expect(d).toMatchObject({ status: 'fulfilled', value: { result: 'two', place: { index: 1 } } });
  const rows = await rowsOf(app, center.id, 'proof');
  expect(rows.map(({ content }) => content)).toEqual(['one', 'two']);
  expect(isSound(rows)).toBe(true);
  const events = await app.db.forCenter(center.id).platformEvent.findMany({ orderBy: { id: 'asc' } });
  expect(events.map(({ type, data }) => [type, (data as { chainHash: string }).chainHash])).toEqual(
    rows.map(({ hash }) => ['dpu.sealed', hash]),
  );
});

test('a content may depend on the records before it, and a record that must not be sealed so late is sealed apart', async () => {
  const { app } = await testApp();
  const center = await makeCenter(app);
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  let last = 'none';
  const kind: SealKind<string, string> = {
    name: 'test',
    grows: ['proof'],
    admit: async (_, requests) =>
      requests.map((request) => ({
        domain: 'proof' as const,
        content: () => `${request} after ${last}`,
        linked: ({ hash }) => {
          last = hash;
        },
        ...(request === 'ahead' ? { notBefore: inMinutes(10) } : { notAfter: inMinutes(5) }),
        dpu: { id: newId('dpu'), evidenceLevel: 'DRAFT' as const, actorId: 'me' },
        result: request,
      })),
  };
  const requests = ['one', 'two', 'ahead', 'three'];
  const limit = inMinutes(5).toISOString();
  const outcomes = await Promise.all(
    requests.map((request) => app.sealer.seal({ kind, centerId: center.id, request })),
  );
  const rows = await rowsOf(app, center.id, 'proof');
  expect(isSound(rows)).toBe(true);
  expect(rows.map(({ content }) => content)).toEqual(
    requests.map((request, i) => `${request} after ${rows[i - 1]?.hash ?? 'none'}`),
  );
  expect(outcomes.map(({ place }) => place!.timestamp > limit)).toEqual([false, false, true, false]);
});

test('a kind can settle a request without a record, and writes its rows once per batch', async () => {
  const { app } = await testApp();
  const center = await makeCenter(app);
  const seen: unknown[] = [];
  const kind: SealKind<number, string> = {
    name: 'test',
    grows: ['proof'],
    admit: async (_, requests) =>
      requests.map((n) =>
        n % 2 === 0
          ? { content: null, result: 'settled' }
          : {
              domain: 'proof' as const,
              content: `${n}`,
              dpu: { id: newId('dpu'), evidenceLevel: 'DRAFT' as const, actorId: 'me' },
              result: 'sealed',
            },
      ),
    writes(done) {
      seen.push(...done);
      return { name: 'test_writes', text: 'SELECT 1', values: [] };
    },
  };
  const outcomes = await Promise.all(
    many(4, (request) => app.sealer.seal({ kind, centerId: center.id, request })),
  );
  expect(outcomes.map(({ place }) => place?.index ?? null)).toEqual([null, 0, null, 1]);
  expect(outcomes.map(({ result }) => result)).toEqual(['settled', 'sealed', 'settled', 'sealed']);
  expect(seen).toEqual(outcomes);
});

test('a locked chain head causes SealUnavailable, other chains continue, and later the chain does too', async () => {
  const { app, database } = await testApp();
  const [held, free] = [await makeCenter(app), await makeCenter(app)];
  const heldCtx = systemContext(app, 'test', held.id);
  await recordDpu(heldCtx, { content: 'first' });
  const holder = new pg.Client(database.adminUrl);
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT * FROM ledger_chain WHERE center_id = $1 FOR UPDATE', [held.id]);
    const waiting = recordDpu(heldCtx, { content: 'stuck' });
    await recordDpu(systemContext(app, 'test', free.id), { content: 'elsewhere' });
    await expect(waiting).rejects.toBeInstanceOf(SealUnavailable);
    await expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', unknown: false });
  } finally {
    await holder.end();
  }
  await recordDpu(heldCtx, { content: 'second' });
  const rows = await rowsOf(app, held.id);
  expect(rows.map(({ content }) => content)).toEqual(['first', 'second']);
});

test('callers of many chains share few transactions, and each chain is valid', async () => {
  const { app } = await testApp();
  const centers = await Promise.all(many(12, () => makeCenter(app)));
  const contexts = centers.map(({ id }) => systemContext(app, 'test', id));

  const places = await Promise.all(
    many(60, (i) => recordDpu(contexts[i % 12]!, { content: `decision ${i}` })),
  );
  for (const [c, center] of centers.entries()) {
    const rows = await rowsOf(app, center.id);
    const own = places.filter((_, i) => i % 12 === c);
    expect(isSound(rows)).toBe(true);
    expect(rows.map(({ content, hash }) => [content, hash])).toEqual(
      own.map(({ hash }, n) => [`decision ${n * 12 + c}`, hash]),
    );
    const counts = await readTallies(app.db.pool, [`dpu:${center.id}:DRAFT`]);
    expect([...counts.values()]).toEqual([5]);
  }
  const batches = await app.metrics.sealBatch.get();
  expect(batches.values.find(({ metricName }) => metricName?.endsWith('_count'))!.value).toBeLessThan(10);
});

test('a chain whose head is locked leaves its batch, waits alone and loses nothing', async () => {
  const running = await testApp();
  const { app, database } = running;
  const [held, ...free] = await Promise.all(many(4, () => makeCenter(app)));
  const record = (centerId: number, content: string) =>
    recordDpu(systemContext(app, 'test', centerId), { content });
  await record(held!.id, 'first');
  const holder = new pg.Client(database.adminUrl);
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT * FROM ledger_chain WHERE center_id = $1 FOR UPDATE', [held!.id]);
    const stuck = Promise.all(many(3, (i) => untilSealed(() => record(held!.id, `stuck ${i}`))));
    const places = await Promise.all(free.map(({ id }) => record(id, 'elsewhere')));
    expect(places.map(({ index }) => index)).toEqual([0, 0, 0]);
    await expectIndependent(running, async () => void (await record(free[0]!.id, 'later')));
    expect(await rowsOf(app, held!.id)).toHaveLength(1);
    await holder.query('COMMIT');
    expect((await stuck).map(({ index }) => index).sort()).toEqual([1, 2, 3]);
  } finally {
    await holder.end();
  }
  expect(isSound(await rowsOf(app, held!.id))).toBe(true);
});

test('a record that the database rejects fails alone, also in a transaction of several chains', async () => {
  const { app } = await testApp();
  const centers = await Promise.all(many(3, () => makeCenter(app)));
  const contents = ['one', 'nul \u0000', 'two'];
  const outcomes = await Promise.allSettled(
    centers.flatMap(({ id }, c) =>
      contents.map((content) =>
        recordDpu(systemContext(app, 'test', id), { content: c === 1 ? content : content.slice(0, 3) }),
      ),
    ),
  );
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(many(9, (i) => i !== 4));
  const written = await Promise.all(centers.map(({ id }) => rowsOf(app, id)));
  expect(written.every(isSound)).toBe(true);
  expect(written.map((rows) => rows.map(({ content }) => content))).toEqual([
    ['one', 'nul', 'two'],
    ['one', 'two'],
    ['one', 'nul', 'two'],
  ]);
});

test('a record commits or rolls back with its transaction', async () => {
  const { app } = await testApp();
  const center = await makeCenter(app);
  const ctx = systemContext(app, 'test', center.id);
  const place = await transact(ctx, (work) =>
    recordDpuIn(ctx, work, { content: 'kept', evidenceLevel: 'AUDIT_READY', tags: ['x'] }),
  );
  const failing = transact(ctx, async (work) => {
    await recordDpuIn(ctx, work, { content: 'undone' });
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  const rows = await rowsOf(app, center.id);
  expect(rows.map(({ content }) => content)).toEqual(['kept']);
  const event = await app.db.forCenter(center.id).platformEvent.findFirstOrThrow();
  expect(event).toMatchObject({
    type: 'dpu.sealed',
    data: { dpuId: place.dpuId, chainHash: rows[0]!.hash, domain: 'platform', actorId: 'system:test' },
  });
});

test('closing waits for running requests and rejects new ones', async () => {
  const { app, close } = await testApp();
  const center = await makeCenter(app);
  const ctx = systemContext(app, 'test', center.id);
  // The first record of a center waits until its storage was counted.
  await recordDpu(ctx, { content: 'first' });
  const underWay = Promise.all(many(20, (i) => recordDpu(ctx, { content: `${i}` })));
  await close();
  expect(await underWay).toHaveLength(20);
  await expect(recordDpu(ctx, { content: 'late' })).rejects.toBeInstanceOf(SealUnavailable);
});
