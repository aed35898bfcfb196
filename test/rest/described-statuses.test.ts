/** Hostile requests to every operation: what they are answered with has to be described in openapi.json. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dialectOf, type Route } from '../../src/rest/route.ts';
import { routes } from '../../src/rest/routes/index.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeActor, makeCenter, makeMember, makeToken } from '../helpers/world.ts';
import { expectDescribed } from './described.ts';
import { examples } from './examples.ts';
import { type Example, makeRouteStage, type RouteStage } from './stage.ts';

const LIMITS = Object.fromEntries(
  ['STANDARD', 'PARTNER', 'PUBLIC', 'AUTH', 'PROOF', 'ANONYMOUS'].map((tier) => [`RATE_${tier}`, '1']),
);

let running: TestApp;
let limited: TestApp;
let stage: RouteStage;
let limitedStage: RouteStage;
beforeAll(async () => {
  running = await startTestApp();
  limited = await startTestApp({ env: LIMITS });
  [stage, limitedStage] = await Promise.all([makeRouteStage(running), makeRouteStage(limited)]);
});
afterAll(() => Promise.all([running.close(), limited.close()]));

const rows = (chosen: (row: Route) => unknown = () => true) =>
  routes.filter(chosen).map((row) => [`${row.method} ${row.path}`, row] as const);
const readsBody = ({ method }: Route) => method !== 'GET' && method !== 'DELETE';
const changes = ({ method }: Route) => method !== 'GET';

/** The path with the same text for each parameter, already encoded. */
const pathWith = ({ path }: Route, segment: string) => path.replace(/\{\w+\}/g, segment);
const exampleOf = async (row: Route): Promise<Example> => examples[row.operationId]!(stage);
/** Who calls an operation. Its example may create what the operation acts on, so it is made once. */
const callers = new Map<Route, Promise<Example['caller']>>();
function callerOf(row: Route): Promise<Example['caller']> {
  const caller = callers.get(row) ?? exampleOf(row).then((example) => example.caller);
  callers.set(row, caller);
  return caller;
}
const invalidIn = (row: Route) => (dialectOf(row.path) === 'platform' ? 400 : 422);

async function send(
  row: Route,
  path: string,
  { headers = {}, body = readsBody(row) ? '{}' : undefined }: { headers?: object; body?: string } = {},
) {
  const token = stage.tokens[await callerOf(row)];
  const answer = await running.call(row.method, path, { token, headers: { ...headers }, body });
  expectDescribed(row, answer);
  return answer.status;
}

test.each(rows(({ params }) => params))('%s describes its answer to a path with NUL', async (_, row) => {
  expect(await send(row, pathWith(row, '%00'))).toBe(invalidIn(row));
  expect(await send(row, pathWith(row, 'a%00b'))).toBe(invalidIn(row));
  // Other odd segments are no input errors everywhere, but never surprising.
  for (const odd of ['%zz', '%ff', `${'x'.repeat(3_000)}`, '%F0%9F%92%A9', "'", '%E2%80%AE'])
    await send(row, pathWith(row, odd));
});

test.each(rows())('%s describes its answer to a query with NUL', async (_, row) => {
  expect(await send(row, `${pathWith(row, 'x')}?note=%00`)).toBe(invalidIn(row));
});

test.each(rows(readsBody))('%s describes its answers to unreadable bodies', async (_, row) => {
  const path = pathWith(row, 'x');
  expect(await send(row, path, { body: `{"text":"${'x'.repeat(1_100_000)}"}` })).toBe(413);
  expect(await send(row, path, { body: '{"broken' })).toBe(400);
  expect(await send(row, path, { body: 'a=1', headers: { 'content-type': 'text/plain' } })).toBe(415);
  await send(row, path, { body: `[${'{},'.repeat(12_000)}{}]` });
  await send(row, path, { body: '{"a":"\\u0000"}' });
});

test.each(rows(changes))(
  '%s describes its answers to pages of another origin and odd keys',
  async (_, row) => {
    const path = pathWith(row, 'x');
    expect(await send(row, path, { headers: { origin: 'https://evil.test' } })).toBe(403);
    await send(row, path, { headers: { 'idempotency-key': 'k'.repeat(300) } });
  },
);

type Tokens = [state: string, token: string][];

/** Sessions without a center or a role that suffices. Calls may change what they can do, so each operation has its own. */
async function lowTokens(): Promise<Tokens> {
  const { app } = running;
  const outsider = await makeActor(app);
  return [
    ['of no center', await makeToken(app, outsider.id, null)],
    ['of a PARENT', (await makeMember(app, stage.center.id, 'PARENT')).token],
  ];
}

/** Sessions that were cut off in every way the platform knows. */
async function makeCutOff(): Promise<Tokens> {
  const { app } = running;
  const memberOf = async (domain: { status?: 'SUSPENDED' | 'INACTIVE' }, status?: 'SUSPENDED' | 'ENDED') => {
    const { id } = await makeCenter(app);
    const { token, membership } = await makeMember(app, id, 'ADMIN');
    const db = app.db.acrossTenants;
    if (domain.status) await db.center.update({ where: { id }, data: { status: domain.status } });
    if (status) await db.membership.update({ where: { id: membership.id }, data: { status } });
    return token;
  };
  return [
    ['of a suspended center', await memberOf({ status: 'SUSPENDED' })],
    ['of an ended center', await memberOf({ status: 'INACTIVE' })],
    ['of a suspended membership', await memberOf({}, 'SUSPENDED')],
    ['of an ended membership', await memberOf({}, 'ENDED')],
  ];
}

let cutOff: Promise<Tokens> | undefined;

test.each(rows(({ auth }) => auth === 'token'))(
  '%s describes its answers to sessions that were cut off',
  async (_, row) => {
    const example = await exampleOf(row);
    const path = row.path.replace(/\{(\w+)\}/g, (_all, name) =>
      encodeURIComponent(String(example.params?.[name])),
    );
    const body = readsBody(row) ? (example.body ?? {}) : undefined;
    cutOff ??= makeCutOff();
    for (const [, token] of [...(await lowTokens()), ...(await cutOff)])
      expectDescribed(row, await running.call(row.method, path, { token, body }));
  },
);

/** Over node:http, because fetch sets the Host header itself. */
function statusAt(row: Route, host: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const url = new URL(`${running.url}/api${pathWith(row, 'x')}`);
    const asked = request(url, { method: row.method, headers: { host } }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part as Buffer);
      resolve({ status: response.statusCode!, text: Buffer.concat(parts).toString() });
    });
    asked.on('error', reject);
    asked.end();
  });
}

test.each(rows())('%s describes its answer to a wrong Host and beyond the rate', async (_, row) => {
  const misdirected = await statusAt(row, 'rebinding.test');
  expect(misdirected.status).toBe(421);
  expectDescribed(row, misdirected);

  const options = { token: limitedStage.tokens[await callerOf(row)], ...(readsBody(row) && { body: {} }) };
  await limited.call(row.method, pathWith(row, 'x'), options);
  const refused = await limited.call(row.method, pathWith(row, 'x'), options);
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expectDescribed(row, refused);
});

test.each([...new Set(routes.map(({ path }) => path))])('%s offers no undescribed method', async (path) => {
  const described = routes.filter((row) => row.path === path).map(({ method }) => method as string);
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
    (each) => !described.includes(each),
  )) {
    // A fixed path can also be that of a parameter: /dpu/stats is /dpu/{id}.
    const answer = await running.call(method, path.replace(/\{\w+\}/g, 'x'), { token: stage.tokens.admin });
    const isOtherRow = routes.some(
      (row) => row.method === method && new RegExp(`^${row.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
    if (isOtherRow) continue;
    expect([answer.status, answer.body.error.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(answer.headers.get('allow')).toContain(described[0]);
  }
});
