import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { signAccessToken } from '../../src/domain/identity/tokens.ts';
import { dialectOf, type Route } from '../../src/rest/route.ts';
import { routes } from '../../src/rest/routes/index.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { CallOptions } from '../helpers/client.ts';
import { makeKey } from '../helpers/world.ts';
import { expectDescribed } from './described.ts';
import { examples } from './examples.ts';
import { type Example, makeRouteStage, type RouteStage } from './stage.ts';

let running: TestApp;
let stage: RouteStage;

beforeAll(async () => {
  running = await startTestApp();
  stage = await makeRouteStage(running);
});
afterAll(() => running.close());

const exampleOf = async (row: Route): Promise<Example> => examples[row.operationId]!(stage);

function pathOf(row: Route, { params = {}, query }: Example): string {
  const path = row.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
  return query ? `${path}?${new URLSearchParams(query)}` : path;
}

/** A call whose answer has to be described in openapi.json. */
async function describedCall(row: Route, path: string, options: CallOptions) {
  const answer = await running.call(row.method, path, options);
  expectDescribed(row, answer);
  return answer;
}

const takesBody = (row: Route) => row.method !== 'GET' && row.method !== 'DELETE';
const bodyOf = (row: Route, example: Example) => (takesBody(row) ? (example.body ?? {}) : undefined);

/** Every failure has the error format of its path. */
function expectFailure(
  row: Route,
  answer: { status: number; body: unknown },
  status: number,
  codes: string[],
) {
  const error = dialectOf(row.path) === 'platform' ? platformError : proofError;
  const parsed = error.parse(answer.body);
  expect([answer.status, parsed.error.code]).toEqual([status, expect.toBeOneOf(codes)]);
}

const platformError = z.strictObject({
  success: z.literal(false),
  error: z.strictObject({ code: z.string(), message: z.string(), details: z.looseObject({}).optional() }),
});
const proofError = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    requestId: z.string(),
    details: z.looseObject({}),
  }),
});

/** Schemas drop unknown members, so a response that they leave unchanged contains only documented ones. */
function expectShape(schema: z.ZodType, body: unknown): void {
  expect(schema.parse(body)).toStrictEqual(body);
}

function bodySchema(row: Route) {
  return z.toJSONSchema(row.body!, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
}

test('every route has an example, and every example its route', () => {
  expect(Object.keys(examples).sort()).toEqual(routes.map((row) => row.operationId).sort());
});

const rows = (chosen: (row: Route) => unknown = () => true) =>
  routes.filter(chosen).map((row) => [`${row.method} ${row.path}`, row] as const);

test.each(rows())('%s returns exactly the documented shape', async (_, row) => {
  const example = await exampleOf(row);
  const answer = await describedCall(row, pathOf(row, example), {
    token: stage.tokens[example.caller],
    body: bodyOf(row, example),
  });
  expect(row.statuses ?? [row.status], answer.text).toContain(answer.status);
  if (row.response) expectShape(row.response, answer.body ?? JSON.parse(answer.text));
  else expect(answer.text).toBe('');
  for (const header of ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    expect(answer.headers.get(header), header).toBeTruthy();
  }
});

test.each(rows(({ auth }) => auth !== 'public'))(
  '%s rejects callers with missing, wrong or expired credentials',
  async (_, row) => {
    const example = await exampleOf(row);
    const attempt = (token?: string) =>
      describedCall(row, pathOf(row, example), { token, body: bodyOf(row, example) });
    const wrongKind = row.auth === 'token' ? stage.tokens.key : stage.tokens.admin;
    expectFailure(row, await attempt(), 401, ['UNAUTHORIZED']);
    expectFailure(row, await attempt('garbage'), 401, ['UNAUTHORIZED']);
    expectFailure(row, await attempt(wrongKind), 401, ['UNAUTHORIZED']);
    expectFailure(row, await attempt(await staleCredential(row)), 401, ['TOKEN_EXPIRED', 'UNAUTHORIZED']);
  },
);

test.each(rows(({ params, auth }) => params && auth !== 'public'))(
  '%s returns nothing to another tenant',
  async (_, row) => {
    const example = await exampleOf(row);
    const answer = await describedCall(row, pathOf(row, example), {
      token: stage.other.tokens[example.caller],
      body: bodyOf(row, example),
    });
    expect(answer.status, answer.text).toBeOneOf([403, 404]);
  },
);

test.each(rows(({ body }) => body))('%s rejects invalid input field by field', async (_, row) => {
  const invalid = dialectOf(row.path) === 'platform' ? 400 : 422;
  const example = await exampleOf(row);
  const send = (body: unknown) =>
    describedCall(row, pathOf(row, example), { token: stage.tokens[example.caller], body });
  const malformed = dialectOf(row.path) === 'platform' ? 'VALIDATION_ERROR' : 'BAD_REQUEST';
  expectFailure(row, await send('{"broken'), 400, [malformed]);

  const { properties = {}, required = [] } = bodySchema(row);
  const missing = dialectOf(row.path) === 'platform' ? 'MISSING_REQUIRED_FIELD' : 'VALIDATION_ERROR';
  for (const field of required) {
    const { [field]: _, ...rest } = example.body ?? {};
    expectFailure(row, await send(rest), invalid, [missing]);
  }
  const faults = ['VALIDATION_ERROR', 'INVALID_EMAIL', 'INVALID_SUBDOMAIN'];
  for (const field of Object.keys(properties)) {
    // No documented field takes a list of lists.
    expectFailure(row, await send({ ...example.body, [field]: [[[]]] }), invalid, faults);
  }
  expectFailure(row, await send('[]'), invalid, faults);
});

/** An expired token or key. */
async function staleCredential(row: Route): Promise<string> {
  if (row.auth === 'token') {
    const { actor } = stage.admin;
    const claims = {
      actorId: actor.id,
      email: actor.email!,
      centerId: stage.center.id,
      centerDomain: stage.center.centerDomain,
      role: 'ADMIN' as const,
      authorizedDomains: [],
      sessionId: 'ses_gone',
    };
    return signAccessToken(claims, running.config.jwtSecret, new Date(Date.now() - 7_200_000));
  }
  const key = await makeKey(running.app, stage.center.id);
  await running.app.db.acrossTenants.apiKey.updateMany({
    where: { publicId: key.split('_')[1]! },
    data: { expiresAt: new Date(Date.now() - 1_000) },
  });
  return key;
}
