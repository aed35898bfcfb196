/** Pages, totals and cursors of every connection. */
import { beforeAll, expect, test } from 'vitest';
import { statementsOf } from '../helpers/explained.ts';
import {
  absent,
  addTwoRows,
  calls,
  house,
  lookers,
  makeEveryList,
  queries,
  relations,
  tenant,
} from './every-list.ts';
import { type Field, fieldsOf, givesMany, isConnection, itemType, totalIn } from './everything.ts';

makeEveryList();
// So that every page has a middle.
beforeAll(addTwoRows, 60_000);

/** A connection and its path: a root field, or a field of its result. */
interface Way {
  root: Field;
  field: Field;
}

const ways: [string, Way][] = [
  ...queries
    .filter(({ type }) => isConnection(type))
    .map((root) => [root.name, { root, field: root }] as const),
  ...queries
    .filter((root) => !givesMany(root) && itemType(root.type) && calls[root.name])
    .flatMap((root) =>
      fieldsOf(itemType(root.type)!)
        .filter(({ type }) => isConnection(type))
        .map((field) => [`${root.name}.${field.name}`, { root, field }] as const),
    ),
].map(([name, way]) => [name, way]);

async function page({ root, field }: Way, args: Record<string, string> = {}, first = 2) {
  const { as = 'admin', args: make = () => ({}) } = calls[root.name] ?? {};
  const variables: Record<string, unknown> = { ...make(), ...args };
  const rootArgs = root.args.filter(({ name }) => name in variables && (root === field || !(name in args)));
  const declared = [
    ...rootArgs.map(({ name, type }) => `$${name}: ${type}`),
    ...(root === field ? [] : Object.keys(args).map((name) => `$${name}: String`)),
  ];
  const pass = (names: string[]) => names.map((name) => `${name}: $${name}`);
  const cursors = `(${[`first: ${first}`, ...pass(Object.keys(args))].join(', ')})`;
  const own = pass(rootArgs.map(({ name }) => name));
  const below = `{ ${totalIn(field.type)} edges { cursor } }`;
  const call =
    root === field
      ? `${root.name}(${[`first: ${first}`, ...own].join(', ')}) ${below}`
      : `${root.name}(${own.join(', ')}) { ${field.name}${cursors} ${below} }`;
  const head = declared.length > 0 ? `(${declared.join(', ')})` : '';
  const { data, errors } = await house.graphql(`query ${head} { ${call} }`, variables, lookers[as]);
  const connection = root === field ? data?.[root.name] : data?.[root.name]?.[field.name];
  const total: number | undefined = connection?.totalCount;
  return { cursors: connection?.edges.map(({ cursor }: { cursor: string }) => cursor), total, errors };
}

test('every connection of the schema is covered', () => {
  const known = new Set(ways.map(([, { field }]) => field));
  const missing = [...relations].filter(([, field]) => isConnection(field.type) && !known.has(field));
  expect(missing.map(([name]) => name)).toEqual([]);
});

test('totalCount is the number of rows', async () => {
  const counted = ways.filter(([, { field }]) => totalIn(field.type));
  expect(counted.length).toBeGreaterThan(10);
  for (const [name, way] of counted) {
    const { cursors, total } = await page(way, {}, 100);
    expect(total, name).toBe(cursors.length);
  }
});

test('a nested page reads only the rows that it returns, in both directions', async () => {
  const below = [...relations].filter(([name, { type }]) => isConnection(type) && !name.startsWith('Query.'));
  expect(below.length).toBeGreaterThan(3);
  for (const [name, { name: field }] of below) {
    const roots = queries.filter(({ type }) => itemType(type)?.name === name.split('.')[0]);
    for (const root of roots) {
      const { as = 'admin', args = () => ({}) } = calls[root.name] ?? {};
      const passed = Object.entries(args()).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
      const path = `${root.name}.${field}`;
      const show = async (cursors: string) => {
        const page = `${field}(${cursors}) { edges { cursor } }`;
        const query = isConnection(root.type)
          ? `{ ${root.name}(${[...passed, 'first: 1']}) { edges { node { ${page} } } } }`
          : `{ ${root.name}(${passed}) { ${page} } }`;
        let shown: string[] = [];
        const statements = await statementsOf(house.app, async () => {
          const { data, errors } = await house.graphql(query, {}, lookers[as]);
          expect(errors, query).toBeUndefined();
          const [owner] = isConnection(root.type) ? data[root.name].edges : [{ node: data[root.name] }];
          shown = owner.node[field].edges.map(({ cursor }: { cursor: string }) => cursor);
        });
        return { shown, rows: Math.max(...statements.map((statement) => statement.rows)) };
      };
      // The item that is shown, and the one that tells whether there are more.
      expect((await show('first: 1')).rows, path).toBeLessThanOrEqual(2);
      if (isConnection(root.type)) continue;
      const [first, second, third] = (await show('first: 3')).shown;
      const next = await show(`first: 1, after: "${first}"`);
      const previous = await show(`last: 1, before: "${third}"`);
      expect([next, previous], path).toEqual([
        { shown: [second], rows: 2 },
        { shown: [second], rows: 2 },
      ]);
    }
  }
});

const wrapped = (text: string) => Buffer.from(text).toString('base64');
const noCursors = [
  'zzz',
  '',
  '0',
  '-1',
  '9223372036854775808',
  'evt_',
  '%00',
  'x'.repeat(10_000),
  wrapped('GPC:'),
  wrapped('GPC:I:99999999999999999999'),
  wrapped('GPC:S:\0'),
  wrapped('GPC:T:["S:x","N:99999999999999"]'),
  wrapped('GPC:J:{}'),
];

test('an invalid cursor is rejected by every list, and never returns the first page', async () => {
  const cursors = new Map<string, string[]>();
  for (const [name, way] of ways) cursors.set(name, (await page(way)).cursors);
  for (const [name, way] of ways) {
    const [first, second] = cursors.get(name)!;
    if (absent.has(`Query.${name}`)) continue;
    // Its own cursor works; otherwise what follows would prove nothing.
    expect((await page(way, { after: first! })).cursors[0], name).toBe(second);
    const { name: item } = itemType(way.field.type)!;
    const others = ways
      .filter(([other, { field }]) => itemType(field.type)!.name !== item && !absent.has(`Query.${other}`))
      // Lists of the same rows share their cursors: of memberships, and of decisions.
      .map(([other]) => cursors.get(other)![0]!)
      .filter((cursor) => !(/^(mbr|evt)_/.test(cursor) && cursor.slice(0, 4) === first!.slice(0, 4)))
      .filter((_, i) => i % 5 === name.length % 5);
    for (const [at, cursor] of [...noCursors, `${first}x!`, ...others].entries()) {
      const argument = at % 2 === 0 ? 'after' : 'before';
      const { errors } = await page(way, { [argument]: cursor });
      const about = `${name}(${argument}: ${cursor.slice(0, 60)}): ${JSON.stringify(errors)}`;
      expect(
        errors?.map(({ extensions }) => extensions.code),
        about,
      ).toEqual(['VALIDATION_ERROR']);
    }
  }
}, 180_000);

test('a cursor from the same list of another object is rejected', async () => {
  const [, way] = ways.find(([name]) => name === 'webhook.deliveries')!;
  const [cursor] = (await page(way)).cursors;
  const other = await house.app.db
    .forCenter(tenant.centerId)
    .webhook.findFirstOrThrow({ where: { id: { not: tenant.ids['whk']! } } });
  for (const list of [
    'webhook(id: $id) { deliveries(after: $after) { edges { cursor } } }',
    'webhookDeliveries(webhookId: $id, after: $after) { edges { cursor } }',
  ]) {
    const ask = (id: string) =>
      house.graphql(`query ($id: ID!, $after: String) { ${list} }`, { id, after: cursor }, lookers.admin);
    expect((await ask(tenant.ids['whk']!)).errors, list).toBeUndefined();
    expect((await ask(other.id)).errors?.[0], list).toMatchObject({
      extensions: { code: 'VALIDATION_ERROR' },
    });
  }
});
