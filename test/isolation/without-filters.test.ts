/**
 * Tests row-level security alone. The application's filters are removed on purpose: Prisma's queries lose the condition that
 * src/db/tenancy.ts adds, and raw statements lose `center_id = $n`. What remains is the declaration of a statement or
 * transaction and the database's row-level security. Code that works across tenants keeps its filters, because nothing else
 * protects it; that is why each such file is listed.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import type { TestApp } from '../helpers/app.ts';
import { testDatabase } from '../helpers/database.ts';
import { type ForeignTenant, makeForeignTenant, rowsOf } from '../helpers/foreign.ts';
import { makeStage } from '../helpers/world.ts';
import { fittingKinds } from './fitting-kinds.ts';
import { loadUnfiltered } from './unfiltered/load.ts';
import { stripped } from './unfiltered/statements.ts';
import { documentFor, type Place, places, type Values, variablesFor } from './walk.ts';

const { startTestApp } = await loadUnfiltered();

interface House {
  running: TestApp;
  foreign: ForeignTenant;
  token: string;
}
let house: House;
/** The same without row-level security, which its login bypasses. */
let unwalled: House;

async function openHouse(database?: Awaited<ReturnType<typeof testDatabase>>): Promise<House> {
  const running = await startTestApp(database ? { database } : {});
  const foreign = await makeForeignTenant(running.app);
  return { running, foreign, token: (await makeStage(running.app)).token };
}

beforeAll(async () => {
  const database = await testDatabase();
  [house, unwalled] = await Promise.all([openHouse(), openHouse({ ...database, url: database.adminUrl })]);
});
afterAll(async () => {
  await house.running.close();
  await unwalled.running.close();
});

// Public information of any center, by contract, and subscriptions.
const PUBLIC = ['centerInfo', 'searchCenters', 'whiteLabelConfig', 'plans', 'subdomainAvailable'];
const walked = places(schema).filter(
  ({ kind, field }) => kind !== 'subscription' && !PUBLIC.includes(field.name),
);

function* callsOf(place: Place, { foreign }: House): Generator<Values> {
  const { ids, centerId, actorId, instructorId, domain } = foreign;
  const named = { id: String(centerId), number: centerId, domain };
  yield named;
  if (place.takes !== 'id') return;
  const fitting = fittingKinds(place.field.name, ...place.path);
  const kinds = Object.keys(ids).filter((kind) => fitting?.has(kind) ?? true);
  for (const id of [actorId, instructorId, ...kinds.map((kind) => ids[kind]!)]) yield { ...named, id };
}

/** Every place with every fitting id of another tenant; what was shown, or what failed for lack of a filter. */
async function* leaks(at: House): AsyncGenerator<string> {
  for (const place of walked) {
    const calls = [...callsOf(place, at)].map(async (values) => {
      const variables = variablesFor(place, values);
      const document = documentFor(place.kind, place.field, Object.keys(variables));
      const text = JSON.stringify(await at.running.graphql(document, variables, at.token));
      const bad = text.includes(at.foreign.mark) || /"(INTERNAL|DATABASE)_ERROR"/.test(text);
      return bad ? `${place.field.name}(${place.path.join('.')}) with ${values.id}: ${text}` : null;
    });
    for (const leak of await Promise.all(calls)) if (leak) yield leak;
  }
}

test('row-level security alone isolates tenants when no query has its tenant filter', async () => {
  const before = await rowsOf(house.running.app, house.foreign);
  const found = [];
  for await (const leak of leaks(house)) found.push(leak);
  expect(found).toEqual([]);
  expect(await rowsOf(house.running.app, house.foreign)).toEqual(before);
  expect(stripped.prisma).toBeGreaterThan(100);
  expect(stripped.raw).toBeGreaterThan(100);
}, 180_000);

test('without row-level security the same queries return rows of other tenants', async () => {
  const { value } = await leaks(unwalled).next();
  expect(value).toContain(unwalled.foreign.mark);
}, 180_000);
