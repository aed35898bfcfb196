import { expect, test } from 'vitest';
import { recordset } from '../../src/db/recordset.ts';
import { sql } from '../../src/db/sql.ts';
import { testApp } from '../helpers/app.ts';
import { runAs } from '../helpers/server.ts';

interface Row {
  id: string;
  count?: number | null;
  share?: number | null;
  done?: boolean | null;
  note?: string | null;
  tags?: string[] | null;
  data?: unknown;
  detail?: object | null;
  at?: Date | string | null;
  domain?: string | null;
}

const columns = recordset<Row>({
  id: 'text',
  count: 'int',
  share: 'float8',
  done: 'boolean',
  note: 'text',
  tags: 'text[]',
  data: 'json',
  detail: 'jsonb',
  at: 'timestamptz',
  domain: 'chain_domain',
});

const READ = sql('test_recordset')`SELECT * FROM ${columns.from('rows')} r ORDER BY place`;

const at = new Date('2026-03-04T05:06:07.089Z');
const rows: Row[] = [
  { id: 'empty' },
  {
    id: 'null',
    count: null,
    share: null,
    done: null,
    note: null,
    tags: null,
    data: null,
    detail: null,
    at: null,
  },
  {
    id: 'all',
    count: -2_147_483_648,
    share: 0.1,
    done: true,
    note: 'Zoë said "no",\nthen \\ 🦊 {a,b} NULL',
    tags: ['a,b', '"quoted"', 'back\\slash', '{}', 'NULL', '', ' é '],
    data: { b: [1, null], a: 'ü"\\' },
    detail: { deep: { text: '\u2028' } },
    at,
    domain: 'proof',
  },
  {
    id: 'falsy',
    count: 0,
    share: 0,
    done: false,
    note: '',
    tags: [],
    data: false,
    detail: {},
    at: at.toISOString(),
  },
  { id: 'large', note: 'é'.repeat(100_000), data: { long: 'x'.repeat(100_000) } },
];

test('rows passed as a parameter keep their values and order', async () => {
  const { database } = await testApp();
  const read = async (sent: Row[]) => {
    const { text, values } = READ.with({ rows: columns.values(sent) });
    return (await runAs(database.adminUrl, text, values)).rows;
  };
  const absent = { count: null, share: null, done: null, note: null, tags: null, data: null, detail: null };
  expect(await read(rows)).toEqual(
    rows.map((row, n) => ({
      ...{ ...absent, at: null, domain: null },
      ...row,
      ...(row.at && { at }),
      place: String(n + 1),
    })),
  );
  expect(await read([])).toEqual([]);
});

test('text that the database cannot store is rejected, not changed', async () => {
  const { database } = await testApp();
  const { text, values } = READ.with({ rows: columns.values([{ id: 'a\0b' }]) });
  await expect(runAs(database.adminUrl, text, values)).rejects.toMatchObject({
    code: '22021',
  });
  expect(() => columns.values([{ id: 'half a \ud83e' }])).toThrow('a lone surrogate cannot be stored');
});
