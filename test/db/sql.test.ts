import { expect, test } from 'vitest';
import { composed, sql } from '../../src/db/sql.ts';
import { testApp } from '../helpers/app.ts';

test('named parameters can be used repeatedly and in any order', async () => {
  const { app } = await testApp();
  const statement = sql('test_named_parameters', { a: 'int', b: 'text', twice: 'int' })`
    SELECT $second::int AS a, $first::text AS b, $second::int * 2 AS twice`;
  const params = { first: 'one', second: 2 };
  expect(await statement.rows(app.db.pool, params)).toEqual([{ a: 2, b: 'one', twice: 4 }]);
  const inPrisma = app.db.acrossTenants.$transaction((tx) => statement.rows(tx, params));
  expect(await inPrisma).toEqual([{ a: 2, b: 'one', twice: 4 }]);
  const isNull = sql(null)`SELECT WHERE $id::int IS NULL`;
  expect(await isNull.rows(app.db.pool, { id: null })).toHaveLength(1);
});

test('a statement is prepared in a transaction of Prisma, those without a name and of Prisma are not', async () => {
  const { app } = await testApp();
  const named = sql('test_prepared_in_prisma', { n: 'int' })`SELECT $n::int AS n`;
  const unnamed = sql(null, { n: 'int' })`SELECT $n::int + 1 AS n`;
  const prepared = await app.db.acrossTenants.$transaction(async (tx) => {
    for (const n of [1, 2]) expect(await named.rows(tx, { n })).toEqual([{ n }]);
    await unnamed.rows(tx, { n: 1 });
    await tx.actor.count();
    return tx.$queryRaw`SELECT name, statement FROM pg_prepared_statements WHERE statement LIKE 'SELECT $1::int%'
      OR statement LIKE '%"actor"%'`;
  });
  expect(prepared).toEqual([{ name: 'test_prepared_in_prisma', statement: 'SELECT $1::int AS n' }]);
});

test('a missing parameter is rejected, not sent as NULL', () => {
  const statement = sql(null)`SELECT WHERE $given::int = $missing::int`;
  expect(() => statement.with({ given: 1 })).toThrow('needs the parameter "missing"');
});

test('defining two prepared statements with one name is rejected', () => {
  const define = () => sql('test_defined_once')`SELECT 1`;
  expect(define().text).toBe('SELECT 1');
  expect(define).toThrow('The statement "test_defined_once" is defined twice.');
});

test('a composed statement is prepared once for each variant, and not at all without one', async () => {
  const { app } = await testApp();
  const numbers = composed('test_numbers', { n: 'int' });
  const first = numbers('desc', () => 'SELECT n FROM unnest($list::int[]) n ORDER BY n DESC');
  expect(first.name).toBe('test_numbers_desc');
  expect(await first.rows(app.db.pool, { list: [1, 2] })).toEqual([{ n: 2 }, { n: 1 }]);
  expect(numbers('desc', () => expect.unreachable())).toBe(first);
  expect(numbers(null, () => 'SELECT 1 AS n').name).toBeUndefined();
});

test('a numbered parameter is rejected: its value would depend on the order of the named ones', () => {
  expect(() => sql('test_numbered')`SELECT $id::int, $1::int`).toThrow('must give its parameter $1 a name');
});
