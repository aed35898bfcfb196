import { describe, expect, test } from 'vitest';
import { Prisma } from '../../src/db/generated/prisma/client.ts';
import { scopeArguments } from '../../src/db/tenancy.ts';

const MINE = 7;
const models = Object.keys(Prisma.ModelName) as Prisma.ModelName[];
const hasCenter = (model: Prisma.ModelName) =>
  'centerId' in (Prisma as unknown as Record<string, object>)[`${model}ScalarFieldEnum`]!;

/** The effect on a lookup: the added filter, or 'refused'. */
function filterOf(model: Prisma.ModelName, operation = 'findMany'): unknown {
  try {
    return (scopeArguments(model, operation, {}, MINE).where as { AND?: unknown[] } | undefined)?.AND?.[0];
  } catch {
    return 'refused';
  }
}

describe.each(models)('%s', (model) => {
  test('is filtered by center, shared by decision, or not accessible', () => {
    const filter = filterOf(model);
    if (filter === 'refused') return;
    if (filter === undefined) expect(model).toBe('Plan');
    else expect(JSON.stringify(filter)).toContain(String(MINE));
  });

  test('is never written without the tenant filter', () => {
    for (const operation of ['update', 'updateMany', 'delete', 'deleteMany', 'upsert']) {
      const filter = filterOf(model, operation);
      if (filter !== 'refused') expect(JSON.stringify(filter), operation).toContain(String(MINE));
    }
  });
});

test.each(models.filter(hasCenter))('%s has a center and always gets a tenant filter', (model) => {
  expect(filterOf(model)).toBeDefined();
});

test('a where clause of the caller is combined with the tenant filter and never replaces it', () => {
  const where = { centerId: 8, OR: [{ centerId: 8 }, {}], AND: { centerId: 9 } };
  for (const operation of [
    'findUnique',
    'findFirst',
    'findMany',
    'count',
    'aggregate',
    'groupBy',
    'updateMany',
  ]) {
    const scoped = scopeArguments('Dpu', operation, { where }, MINE).where;
    expect(scoped).toEqual({
      centerId: 8,
      OR: where.OR,
      AND: [{ centerId: MINE }, { centerId: 9 }],
    });
  }
});

test('an upsert keeps the where clause of its caller', () => {
  const where = { id: 'whk_1', AND: [{ active: true }] };
  const scoped = scopeArguments('Webhook', 'upsert', { where, create: { centerId: 8 } }, MINE);
  expect(scoped.where).toEqual({ id: 'whk_1', AND: [{ centerId: MINE }, { active: true }] });
  expect(scoped.create).toEqual({ centerId: MINE });
});

test('new rows belong to the tenant, whatever centerId the caller passes', () => {
  expect(scopeArguments('Webhook', 'create', { data: { centerId: 8 } }, MINE).data).toEqual({
    centerId: MINE,
  });
  for (const operation of ['createMany', 'createManyAndReturn']) {
    const data = [{ centerId: 8 }, {}];
    expect(scopeArguments('Webhook', operation, { data }, MINE).data).toEqual([
      { centerId: MINE },
      { centerId: MINE },
    ]);
  }
});

test('a row cannot be moved into another center', () => {
  for (const operation of ['update', 'updateMany', 'updateManyAndReturn']) {
    const { data } = scopeArguments(
      'Webhook',
      operation,
      { where: {}, data: { centerId: 8, url: 'x' } },
      MINE,
    );
    expect(data).toEqual({ centerId: MINE, url: 'x' });
  }
  const { update } = scopeArguments(
    'Webhook',
    'upsert',
    { where: {}, update: { centerId: 8 } } as never,
    MINE,
  ) as {
    update?: object;
  };
  expect(update).toEqual({ centerId: MINE });
});

test('shared reference data can be read but not written', () => {
  expect(scopeArguments('Plan', 'findMany', { where: { id: 'x' } }, MINE)).toEqual({ where: { id: 'x' } });
  for (const operation of ['create', 'update', 'upsert', 'deleteMany', 'updateManyAndReturn']) {
    expect(() => scopeArguments('Plan', operation, {}, MINE)).toThrow();
  }
});

test('models without a tenant are not accessible', () => {
  for (const model of ['Session', 'RefreshToken', 'SsoToken', 'Partner', 'IdempotencyRecord'] as const) {
    for (const operation of ['findMany', 'create', 'update', 'count']) {
      expect(() => scopeArguments(model, operation, {}, MINE)).toThrow();
    }
  }
});
