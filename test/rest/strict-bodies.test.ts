import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { dialectOf, type Route } from '../../src/rest/route.ts';
import { routes } from '../../src/rest/routes/index.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { examples } from './examples.ts';
import { type Example, makeRouteStage, type RouteStage } from './stage.ts';

/** Anything silently dropped or changed would be missing from a proof forever. */

let running: TestApp;
let stage: RouteStage;
beforeAll(async () => {
  running = await startTestApp();
  stage = await makeRouteStage(running);
});
afterAll(() => running.close());

interface Shape {
  type?: string;
  properties?: Record<string, Shape>;
}

/** Every object of the body whose members are all documented, by path. */
function objectsIn(shape: Shape, path: string[] = []): string[][] {
  if (!shape.properties) return path.length === 0 ? [path] : [];
  const below = Object.entries(shape.properties).flatMap(([name, inner]) =>
    objectsIn(inner, [...path, name]),
  );
  return [path, ...below];
}

const takesBody = ({ method }: Route) => method !== 'GET' && method !== 'DELETE';
const proofRows = routes.filter((row) => dialectOf(row.path) === 'proof' && takesBody(row));
const places = proofRows.flatMap((row) => {
  const shape = row.body ? (z.toJSONSchema(row.body, { io: 'input', unrepresentable: 'any' }) as Shape) : {};
  return objectsIn(shape).map(
    (path) => [`${row.method} ${row.path}`, path.join('.') || 'body', row, path] as const,
  );
});

function send(row: Route, { caller, params = {}, body }: Example, text = JSON.stringify(body ?? {})) {
  const path = row.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
  return running.call(row.method, path, { token: stage.tokens[caller], body: text });
}

/** A decision without its own key: sent again, it is a new one. */
async function aDecision(): Promise<Example> {
  const example = await examples['recordDecisionEvent']!(stage);
  return { ...example, body: { ...example.body, idempotencyKey: undefined } };
}

/** The example's body with a member added to one of its objects, as text. */
function withMember(body: unknown, path: readonly string[], member: string): string {
  const copy = structuredClone(body ?? {}) as Record<string, unknown>;
  let object = copy;
  for (const name of path) {
    object[name] ??= {};
    object = object[name] as Record<string, unknown>;
  }
  object['MARK'] = 0;
  const text = JSON.stringify(copy);
  return text.replace('"MARK":0', () => member);
}

function expectFault(answer: { status: number; text: string; body: { error: unknown } }, path: string) {
  expect(answer.status, answer.text).toBe(422);
  expect(answer.body.error, answer.text).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { fields: expect.arrayContaining([{ path, message: expect.any(String) }]) },
  });
}

test.each(places)(
  '%s: an unknown or duplicate member of %s is rejected with its path',
  async (_, __, row, path) => {
    const example = await examples[row.operationId]!(stage);
    const unknown = withMember(example.body, path, '"surprise":1');
    expectFault(await send(row, example, unknown), [...path, 'surprise'].join('.'));
    const proto = withMember(example.body, path, '"__proto__":{}');
    expectFault(await send(row, example, proto), [...path, '__proto__'].join('.'));
    for (const again of ['"twice":1,"twice":1', '"twice":1,"\\u0074wice":2']) {
      expectFault(
        await send(row, example, withMember(example.body, path, again)),
        [...path, 'twice'].join('.'),
      );
    }
  },
);

test.each(['1E400', '9007199254740993', '-9007199254740993', '0.12345678901234567', '1e-400'])(
  'the number %s, which a double cannot hold exactly, is rejected at any depth',
  async (literal) => {
    const row = proofRows.find(({ operationId }) => operationId === 'recordDecisionEvent')!;
    const example = await aDecision();
    const text = (action: string) =>
      withMember({ ...example.body, action: undefined }, [], `"action":${action}`);
    const inList = text(`{"type":"x","input":{"deep":[1,{"n":${literal}}]}}`);
    expectFault(await send(row, example, inList), 'action.input.deep.1.n');
    const fine = await send(
      row,
      example,
      text('{"type":"x","input":{"n":[9007199254740992,0.1,1e21,-0.0,1.50]}}'),
    );
    expect(fine.status, fine.text).toBe(201);
  },
);

test('a key can repeat in another object, and free-form values can contain anything', async () => {
  const row = proofRows.find(({ operationId }) => operationId === 'recordDecisionEvent')!;
  const example = await aDecision();
  const action = { type: 'x', input: { type: 'x', input: { type: [{ type: 1 }, { type: 2 }] } }, output: {} };
  expect((await send(row, { ...example, body: { ...example.body, action } })).status).toBe(201);
  const twice = withMember(
    { ...example.body, action: undefined },
    [],
    '"action":{"type":"x","input":{"a":{"b":1,"b":1}}}',
  );
  expectFault(await send(row, example, twice), 'action.input.a.b');
});

test('platform paths ignore unknown members', async () => {
  const row = routes.find(({ operationId }) => operationId === 'switchCenter')!;
  const example = await examples['switchCenter']!(stage);
  const text = withMember(example.body, [], '"surprise":1,"surprise":9007199254740993');
  expect((await send(row, example, text)).status).toBe(200);
});

const long = (length: number) => 'x'.repeat(length);
test.each([
  ['actor.id', { actor: { id: long(257), type: 'human' } }],
  ['actor.name', { actor: { id: 'a', type: 'human', name: long(257) } }],
  ['idempotencyKey', { idempotencyKey: long(257) }],
  ['action.description', { action: { type: 'x', description: long(10_001) } }],
  ['aiContext.reasoning', { aiContext: { reasoning: long(10_001) } }],
  ['tags', { tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }],
  ['tags.0', { tags: [long(65)] }],
  ['action.input', { action: { type: 'x', input: { text: long(262_144) } } }],
  ['action.output', { action: { type: 'x', output: { text: long(262_144) } } }],
])('%s is rejected over its limit', async (path, change) => {
  const row = proofRows.find(({ operationId }) => operationId === 'recordDecisionEvent')!;
  const example = await aDecision();
  expectFault(await send(row, { ...example, body: { ...example.body, ...change } }), path);
});

test('values within the limits are accepted', async () => {
  const row = proofRows.find(({ operationId }) => operationId === 'recordDecisionEvent')!;
  const example = await aDecision();
  const body = {
    ...example.body,
    actor: { id: long(256), type: 'human', name: '😀'.repeat(256) },
    action: { type: long(10_000), description: '😀'.repeat(10_000), input: { text: long(262_000) } },
    aiContext: { model: long(10_000), reasoning: long(10_000) },
    tags: Array.from({ length: 50 }, (_, i) => `${i}`.padEnd(64, 'x')),
    idempotencyKey: long(256),
  };
  const answer = await send(row, { ...example, body });
  expect(answer.status, answer.text.slice(0, 300)).toBe(201);
});
