import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadFamilyIds, MAX_FAMILY } from '../../src/domain/identity/family.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { runAs } from '../helpers/server.ts';

let house: TestApp;
beforeAll(async () => {
  house = await startTestApp();
});
afterAll(() => house.close());

// Few values, so that ties and chains of ties are frequent. The same text serves as email and as phone.
const contact = fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e', ''), { nil: null });
const people = fc.array(fc.record({ email: contact, phone: contact }), { minLength: 1, maxLength: 12 });

interface Person {
  id: string;
  email: string | null;
  phone: string | null;
}

const tied = (a: Person, b: Person) =>
  (!!a.email && a.email === b.email) || (!!a.phone && a.phone === b.phone);

/** Everyone reachable by direct ties, computed naively. */
function reachable(all: Person[], start: Person): string[] {
  const found = new Set([start]);
  for (const member of found) for (const other of all) if (tied(member, other)) found.add(other);
  return [...found].map(({ id }) => id).sort();
}

/** The families of these people and no others, each as the places of its members. */
async function familiesAmong(contacts: Omit<Person, 'id'>[]): Promise<number[][]> {
  const { acrossTenants } = house.app.db;
  await house.superuser.query('DELETE FROM actor');
  const all = contacts.map((each, i) => ({ id: randomUUID(), name: `Person ${i}`, ...each }));
  await acrossTenants.actor.createMany({ data: all });
  const families = await Promise.all(all.map(({ id }) => loadFamilyIds(acrossTenants, id)));
  families.forEach((family, i) => {
    expect(family).toEqual(reachable(all, all[i]!));
  });
  return families.map((family) =>
    family.map((id) => all.findIndex((each) => each.id === id)).sort((a, b) => a - b),
  );
}

test('families are the actors connected by equal email or equal phone', async () => {
  await fc.assert(
    fc.asyncProperty(people, async (contacts) => {
      const families = await familiesAmong(contacts);
      // Symmetric and transitive: each member has the same family, and everyone is in exactly one.
      for (const family of families) for (const member of family) expect(families[member]).toEqual(family);
    }),
    { numRuns: 60 },
  );
  expect(await loadFamilyIds(house.app.db.acrossTenants, randomUUID())).toEqual([]);
});

test('families never connect accounts by missing values, nor an email with a phone', async () => {
  const families = await familiesAmong([
    { email: null, phone: null },
    { email: null, phone: null },
    { email: 'x', phone: '' },
    { email: '', phone: 'x' },
  ]);
  expect(families).toEqual([[0], [1], [2], [3]]);
});

test('families are found through a chain of different contacts', async () => {
  const families = await familiesAmong([
    { email: 'b@x.test', phone: null },
    { email: 'a@x.test', phone: '+1' },
    { email: 'b@x.test', phone: '+1' },
    { email: 'c@x.test', phone: '+2' },
  ]);
  expect(families).toEqual([[0, 1, 2], [0, 1, 2], [0, 1, 2], [3]]);
});

test('a family is loaded by index, and limited to MAX_FAMILY actors', async () => {
  const { acrossTenants } = house.app.db;
  const admin = (sql: string, values?: unknown[]) => runAs(house.database.adminUrl, sql, values);
  await admin('DELETE FROM actor');
  await admin(
    `INSERT INTO actor (id, name, email, phone)
     SELECT gen_random_uuid(), 'Person', 'person-' || i || '@example.test', '+' || i FROM generate_series(1, 20000) i`,
  );
  await admin(
    `INSERT INTO actor (id, name, email)
     SELECT gen_random_uuid(), 'Crowd', 'crowd@example.test' FROM generate_series(1, $1)`,
    [MAX_FAMILY * 2],
  );
  await admin('ANALYZE actor');
  const { id } = await acrossTenants.actor.findFirstOrThrow({ where: { email: 'person-7@example.test' } });
  // In one transaction, where PostgreSQL counts immediately. The count includes earlier unreported work of the session, so only
  // the difference is used.
  await acrossTenants.$transaction(async (tx) => {
    const wholeScans = () =>
      tx.$queryRaw`SELECT seq_scan::int AS whole FROM pg_stat_xact_user_tables WHERE relname = 'actor'`;
    const before = await wholeScans();
    expect(await loadFamilyIds(tx, id)).toEqual([id]);
    expect(await wholeScans()).toEqual(before);
  });

  const one = await acrossTenants.actor.findFirstOrThrow({ where: { name: 'Crowd' } });
  expect(await loadFamilyIds(acrossTenants, one.id)).toHaveLength(MAX_FAMILY);
});
