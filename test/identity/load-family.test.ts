import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { familyOf, loadFamilyIds, MAX_FAMILY } from '../../src/domain/identity/family.ts';
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

test('the database query finds the same families as the pure function', async () => {
  const { actor } = house.app.db.acrossTenants;
  await fc.assert(
    fc.asyncProperty(people, async (contacts) => {
      await house.superuser.query('DELETE FROM actor');
      const all = contacts.map((each, i) => ({ id: randomUUID(), name: `Person ${i}`, ...each }));
      await actor.createMany({ data: all });
      for (const { id } of all) {
        expect(await loadFamilyIds(house.app.db.acrossTenants, id)).toEqual(familyOf(all, id));
      }
    }),
    { numRuns: 60 },
  );
  expect(await loadFamilyIds(house.app.db.acrossTenants, randomUUID())).toEqual([]);
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
