import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeCenter, makeKey, makeMember, makeStage } from '../helpers/world.ts';

let house: TestApp;
let token: string;
let dpuId: string;

const demo = async (bearer: string) =>
  (await house.call('POST', '/dpu/demo', { token: bearer, body: {} })).body.data.id as string;

beforeAll(async () => {
  house = await startTestApp();
  token = (await makeStage(house.app)).token;
  dpuId = await demo(token);
});
afterAll(() => house.close());

async function post(body: string, accept: string | undefined, bearer: string | undefined) {
  const response = await house.fetch('/graphql', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(accept && { accept }),
      ...(bearer && { authorization: `Bearer ${bearer}` }),
    },
    body,
  });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: await response.text(),
  };
}

const find = 'query Find($id: ID!) { dpu(id: $id) { id center { name } } }';
const posts: Record<string, () => unknown> = {
  'a query': () => ({ query: find, variables: { id: dpuId } }),
  'a query with all parameters': () => ({
    query: find,
    variables: { id: dpuId },
    operationName: 'Find',
    extensions: { trace: 1 },
  }),
  'null variables and operation name': () => ({
    query: '{ __typename }',
    variables: null,
    operationName: null,
  }),
  fragments: () => ({ query: 'fragment F on Query { me { name } } { ...F }' }),
  introspection: () => ({ query: '{ __schema { queryType { name } } }' }),
  'an error in a field': () => ({ query: find, variables: { id: 'dpu_unknown' } }),
  'an error together with data': () => ({ query: `{ me { name } dpu(id: "dpu_unknown") { id } }` }),
  'a rejected mutation': () => ({
    query: 'mutation ($input: UpdateDpuInput!) { updateDpu(input: $input) { id } }',
    variables: { input: { id: dpuId, evidenceLevel: 'SOMETHING' } },
  }),
  'a variable of the wrong type': () => ({ query: find, variables: { id: { a: 1 } } }),
  'a missing variable': () => ({ query: find }),
  'an unknown field': () => ({ query: '{ nothing }' }),
  'a syntax error': () => ({ query: '{ me { ' }),
  'two operations without operationName': () => ({ query: 'query A { __typename } query B { __typename }' }),
  'two operations with operationName': () => ({
    query: 'query A { __typename } query B { me { name } }',
    operationName: 'B',
  }),
  'an unknown operationName': () => ({ query: 'query A { __typename }', operationName: 'B' }),
  'a subscription': () => ({ query: 'subscription { platformEvents { id } }' }),
  'no query': () => ({ variables: {} }),
  'a query that is not a string': () => ({ query: 7 }),
  'variables that are not an object': () => ({ query: '{ __typename }', variables: [1] }),
  'an unknown parameter': () => ({ query: '{ __typename }', surprise: 1 }),
  'a batch': () => [{ query: '{ __typename }' }],
  'a string': () => 'hello',
  nothing: () => null,
};

// The list of one type with a weight means the same to Yoga, and is odd enough to be left to it.
const BY_YOGA = 'application/json;q=1';

test.each(Object.keys(posts))('%s: the direct handler returns the same response as Yoga', async (name) => {
  for (const bearer of [token, undefined]) {
    const body = JSON.stringify(posts[name]!());
    const yoga = await post(body, BY_YOGA, bearer);
    expect(await post(body, undefined, bearer)).toEqual(yoga);
    expect(await post(body, 'application/json', bearer)).toEqual(yoga);
  }
});

test('invalid JSON and a body that is too large are reported', async () => {
  expect(await post('{ not json', undefined, token)).toEqual(await post('{ not json', BY_YOGA, token));
  const large = JSON.stringify({ query: '{ __typename }', variables: { a: 'x'.repeat(1_100_000) } });
  expect((await post(large, undefined, token)).status).toBe(413);
});

test('JSON that would be stored differently than sent is rejected by both handlers', async () => {
  const query = JSON.stringify(
    `mutation ($m: JSON) { updateDpu(input: { id: "${dpuId}", metadata: $m }) { metadata } }`,
  );
  const unfit: [metadata: string, path: string][] = [
    ['{ "a": 1, "a": 2 }', 'variables.m.a'],
    ['{ "a": [9007199254740993] }', 'variables.m.a.0'],
    ['{ "a": 1E400 }', 'variables.m.a'],
  ];
  for (const accept of [undefined, BY_YOGA]) {
    for (const [metadata, path] of unfit) {
      const { status, body } = await post(
        `{"query": ${query}, "variables": {"m": ${metadata}}}`,
        accept,
        token,
      );
      expect([status, JSON.parse(body).errors[0].extensions]).toMatchObject([
        400,
        { code: 'VALIDATION_ERROR', details: { fields: [{ path }] } },
      ]);
    }
    const literal = JSON.stringify({
      query: `mutation { updateDpu(input: { id: "${dpuId}", metadata: { a: [9007199254740993] } }) { id } }`,
    });
    expect(JSON.parse((await post(literal, accept, token)).body).errors[0].message).toContain(
      'represents exactly',
    );
    const fit = `{"query": ${query}, "variables": {"m": {"a": 9007199254740992, "b": [0.1, -1e-7]}}}`;
    const { data } = JSON.parse((await post(fit, accept, token)).body);
    expect(data.updateDpu.metadata).toEqual({ a: 2 ** 53, b: [0.1, -1e-7] });
  }
});

test('callers whose reads are batched see their own center only', async () => {
  const { app } = house;
  const other = await makeStage(app);
  const foreignId = await demo(other.token);
  const ask = (id: string, bearer: string) =>
    house.graphql('query ($id: ID!) { dpu(id: $id) { id center { id } } }', { id }, bearer);
  const rounds = await Promise.all(
    Array.from({ length: 20 }, () =>
      Promise.all([
        ask(dpuId, token),
        ask(foreignId, token),
        ask(foreignId, other.token),
        ask('dpu_\u0000', token),
      ]),
    ),
  );
  for (const [own, foreign, theirs, impossible] of rounds) {
    expect(own!.data.dpu.id).toBe(dpuId);
    expect(foreign!.errors![0]!.extensions.code).toBe('DPU_NOT_FOUND');
    expect(theirs!.data.dpu).toEqual({ id: foreignId, center: { id: other.center.id } });
    expect(impossible!.data).toBeNull();
  }
});

test('all settings of a center are shown to its ADMIN, not to API keys', async () => {
  const { app } = house;
  const center = await makeCenter(app, { settings: { timezone: 'Europe/Berlin', secretPlan: true } });
  const { token: admin } = await makeMember(app, center.id, 'ADMIN');
  const key = await makeKey(app, center.id);
  const id = await demo(admin);
  const ask = async (bearer: string) =>
    (await house.graphql(`{ dpu(id: "${id}") { center { settings } } }`, {}, bearer)).data.dpu.center
      .settings;
  expect(await ask(admin)).toMatchObject({ timezone: 'Europe/Berlin', secretPlan: true });
  expect(await ask(key)).toEqual({ timezone: 'Europe/Berlin', country: 'DE', region: 'BE' });
});
