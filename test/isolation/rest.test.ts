import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Route } from '../../src/rest/route.ts';
import { routes } from '../../src/rest/routes/index.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type ForeignTenant, makeForeignTenant, rowsOf } from '../helpers/foreign.ts';
import { inParallel } from '../helpers/nasty.ts';
import { makeActor, makePartner, makeStage, makeToken } from '../helpers/world.ts';
import { fittingKinds } from './fitting-kinds.ts';

/** Calls every protected row with every id of another tenant; new rows are found in the table. */

/** Rows whose body names a center that does not exist yet, so the name must be unused. */
const makesNew = new Set(['checkSubdomain', 'createCenterTenant']);

let house: TestApp;
let foreign: ForeignTenant;
let outsiders: Record<'token' | 'key', string[]>;
/** What the foreign tenant had after the last call. */
let rows: string[] | undefined;
beforeAll(async () => {
  // Too many calls to log each of them.
  house = await startTestApp({ env: { LOG_LEVEL: 'error' } });
  foreign = await makeForeignTenant(house.app);
  const { token, key } = await makeStage(house.app);
  const { token: partner } = await makePartner(house.app);
  const nobody = await makeToken(house.app, (await makeActor(house.app)).id, null);
  outsiders = { token: [token, partner, nobody], key: [key] };
});
afterAll(() => house.close());

interface Shape {
  type?: string;
  enum?: unknown[];
  format?: string;
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
}

const IDS = /(^id|Ids?)$/;

/** A valid body with foreign ids wherever one fits. */
function sample(name: string, shape: Shape, id: string): unknown {
  if (IDS.test(name) && shape.type !== 'object') return shape.type === 'integer' ? foreign.centerId : id;
  if (shape.enum) return shape.enum[0];
  if (shape.format === 'email') return 'someone@example.test';
  if (/url$/i.test(name)) return 'https://example.test/hook';
  switch (shape.type) {
    case 'object': {
      const { properties = {}, required = [] } = shape;
      const wanted = Object.entries(properties).filter(([key]) => required.includes(key) || IDS.test(key));
      return Object.fromEntries(wanted.map(([key, inner]) => [key, sample(key, inner, id)]));
    }
    case 'array':
      return [sample(name, shape.items ?? {}, id)];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      return /events/i.test(name) ? '*' : 'something';
  }
}

const shapes = new Map<z.ZodType, Shape>();

function shapeOf(part: z.ZodType): Shape {
  const shape = shapes.get(part) ?? (z.toJSONSchema(part, { io: 'input', unrepresentable: 'any' }) as Shape);
  shapes.set(part, shape);
  return shape;
}

function requestFor(row: Route, id: string) {
  const path = row.path.replace(/\{(\w+)\}/g, () => encodeURIComponent(id));
  const takesBody = row.method !== 'GET' && row.method !== 'DELETE';
  return { path, body: takesBody && row.body ? sample('body', shapeOf(row.body), id) : undefined };
}

/** The ids of the foreign tenant that fit the row, or those of all kinds. */
function candidates({ operationId, path }: Route, which: 'fitting' | 'all'): string[] {
  const { ids, centerId, domain, actorId, instructorId } = foreign;
  const fitting = which === 'fitting' ? fittingKinds(operationId, path) : undefined;
  const kinds = Object.keys(ids).filter((kind) => fitting?.has(kind) ?? true);
  return [...kinds.map((kind) => ids[kind]!), String(centerId), domain, actorId, instructorId];
}

// Signing out names nothing, and would end the outsiders' sessions.
const guarded = routes.filter((row) => row.auth !== 'public' && row.operationId !== 'logout');

describe.each(guarded.map((row) => [`${row.method} ${row.path}`, row] as const))('%s', (_, row) => {
  test('returns no data of another tenant to outsiders and changes nothing there', async () => {
    const before = rows ?? (await rowsOf(house.app, foreign));
    // A row may confuse kinds: the first outsider tries ids of every kind.
    const idsFor = (outsider: number) =>
      row.params || row.body ? candidates(row, outsider === 0 ? 'all' : 'fitting') : [''];
    const calls = outsiders[row.auth as 'token' | 'key'].flatMap((token, outsider) =>
      idsFor(outsider).map((id) => ({ token, id, ...requestFor(row, id) })),
    );
    await inParallel(calls, async ({ token, id, path, body }) => {
      const { status, text } = await house.call(row.method, path, { token, body });
      const about = `${id}: ${status} ${text}`;
      expect(text, about).not.toContain(foreign.mark);
      expect(status, about).toBeLessThan(500);
      if (row.params && !makesNew.has(row.operationId)) expect(status, about).toBeGreaterThanOrEqual(400);
    });
    rows = await rowsOf(house.app, foreign);
    expect(rows).toEqual(before);
  });
});

const readable = guarded.filter((row) => row.params && row.method === 'GET');

// Otherwise the test above could pass because nothing is ever found, or because no tried id fits.
test.each(readable.map((row) => [`${row.method} ${row.path}`, row] as const))(
  '%s returns data to its owner',
  async (_, row) => {
    const answers = [];
    for (const token of row.auth === 'key' ? [foreign.key] : [foreign.token, foreign.partnerToken]) {
      for (const id of candidates(row, 'fitting')) {
        const { status, text } = await house.call(row.method, requestFor(row, id).path, { token });
        if (status === 200) return;
        answers.push(`${id}: ${text}`);
      }
    }
    expect.fail(answers.join('\n'));
  },
);
