import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Route } from '../../src/rest/route.ts';
import { routes } from '../../src/rest/routes/index.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { inParallel, nastyJson, nastyTexts } from '../helpers/nasty.ts';
import { examples } from './examples.ts';
import { type Example, makeRouteStage, type RouteStage } from './stage.ts';

/** Puts malformed values into every place of a request; new rows and fields are found in the table. */

let running: TestApp;
let stage: RouteStage;
beforeAll(async () => {
  // Too many calls to log each of them.
  running = await startTestApp({ env: { LOG_LEVEL: 'error' } });
  stage = await makeRouteStage(running);
});
afterAll(() => running.close());

interface Shape {
  type?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
}

const shapeOf = (part: z.ZodType) => z.toJSONSchema(part, { io: 'input', unrepresentable: 'any' }) as Shape;

interface Place {
  path: (string | number)[];
  values: string[];
}

/** The body itself and every place in it, with the values for it. */
function placesIn(shape: Shape, path: Place['path'] = []): Place[] {
  if (shape.anyOf) return shape.anyOf.flatMap((inner) => placesIn(inner, path));
  const isText = shape.type === 'string' || shape.type === undefined;
  const isNumber = shape.type === 'number' || shape.type === 'integer';
  const values = isText
    ? nastyJson('text', 'moment')
    : isNumber
      ? nastyJson('number')
      : shape.type === 'boolean'
        ? nastyJson()
        : nastyJson('structure');
  const below = [
    ...Object.entries(shape.properties ?? {}).flatMap(([name, inner]) => placesIn(inner, [...path, name])),
    ...(shape.items ? placesIn(shape.items, [...path, 0]) : []),
  ];
  return [{ path, values }, ...below];
}

const MARK = '"the nasty value goes here"';

/** The example's body as text, with another value at one place. */
function bodyWith(body: unknown, path: Place['path'], json: string): string {
  if (path.length === 0) return json;
  const copy = structuredClone(body ?? {}) as Record<string | number, unknown>;
  let at = copy;
  for (const [i, name] of path.slice(0, -1).entries()) {
    if (typeof at[name] !== 'object' || at[name] === null)
      at[name] = typeof path[i + 1] === 'number' ? [] : {};
    at = at[name] as Record<string | number, unknown>;
  }
  at[path.at(-1)!] = JSON.parse(MARK);
  return JSON.stringify(copy).replace(MARK, () => json);
}

/** Values that a database cannot store and a double cannot represent reach every place, including nested ones. */
const worst = new Set(['\0', '\ud800', '"\\u0000"', '"\\ud800"', '1E400']);
const isWorst = (value: string) => worst.has(value) || /^\{"a":.*(?:\\u0000|\\ud800|1E400)/.test(value);

/** Every seventh value, and the worst: over all places, every value reaches places of every kind. */
const someOf = (values: readonly string[], place: number) =>
  values.filter((value, i) => (i + place) % 7 === 0 || isWorst(value));

interface Attempt {
  what: string;
  path: string;
  body?: string | undefined;
}

function attemptsAt(row: Route, { params = {}, query = {}, body }: Example): Attempt[] {
  const address = (values: Record<string, unknown>, search: Record<string, string>) => {
    const path = row.path.replace(/\{(\w+)\}/g, (_, name) => encode(String(values[name])));
    return Object.keys(search).length > 0 ? `${path}?${searchOf(search)}` : path;
  };
  const takesBody = row.method !== 'GET' && row.method !== 'DELETE';
  const sent = takesBody ? JSON.stringify(body ?? {}) : undefined;
  const at = row.operationId.length;
  const inParams = Object.keys(params).flatMap((name, i) =>
    // An empty segment is a different URL.
    someOf(nastyTexts.filter(Boolean), at + i).map((text) => ({
      what: `param ${name} = ${text}`,
      path: address({ ...params, [name]: text }, query),
      body: sent,
    })),
  );
  const queryNames = row.query ? Object.keys(shapeOf(row.query).properties ?? {}) : [];
  const inQuery = queryNames.flatMap((name, i) =>
    someOf(nastyTexts, at + i).map((text) => ({
      what: `query ${name} = ${text}`,
      path: address(params, { ...query, [name]: text }),
      body: sent,
    })),
  );
  const inBody = placesIn(row.body ? shapeOf(row.body) : { type: 'object' }).flatMap((place, i) =>
    someOf(place.values, at + i).map((json) => ({
      what: `body ${place.path.join('.')} = ${json}`,
      path: address(params, query),
      body: bodyWith(body, place.path, json),
    })),
  );
  return [...inParams, ...inQuery, ...(takesBody ? inBody : [])];
}

/** encodeURIComponent throws on a lone surrogate; a hostile client writes its bytes. */
const encode = (text: string) =>
  text.isWellFormed() ? encodeURIComponent(text) : `%ED%A0%80${encodeURIComponent(text.toWellFormed())}`;
const searchOf = (search: Record<string, string>) =>
  Object.entries(search)
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join('&');

test.each(routes.map((row) => [`${row.method} ${row.path}`, row] as const))(
  '%s accepts or rejects any input without a server error',
  async (_, row) => {
    const example = await examples[row.operationId]!(stage);
    const faults: string[] = [];
    await inParallel(attemptsAt(row, example), async ({ what, path, body }) => {
      const { status, text } = await running.call(row.method, path, {
        token: stage.tokens[example.caller],
        body,
      });
      if (status >= 500 || /INTERNAL_ERROR|DATABASE_ERROR/.test(text))
        faults.push(`${what.slice(0, 100)}: ${status} ${text.slice(0, 200)}`);
    });
    expect(faults).toEqual([]);
  },
  120_000,
);
