import { GraphQLSchema } from 'graphql';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';

/**
 * Two engines run beside Yoga because they were measured to be worth it (docs/decisions has the figures). Both
 * would fall back in silence when something about them changes, and their price would be paid for nothing. Whoever
 * calls a resolver stands on the stack.
 */
const stacks: string[] = [];
const field = schema.getQueryType()!.getFields()['dpu']!;
const { resolve } = field;
field.resolve = (...call) => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  stacks.push(new Error('who calls').stack!);
  Error.stackTraceLimit = stackTraceLimit;
  return resolve!(...call);
};
beforeEach(() => void stacks.splice(0));

const SHORT_WAY = /src\/schema\/direct\.ts/;
const GRAPHQL_JS = /node_modules\/(graphql|@graphql-tools\/executor)\//;

let running: TestApp;
let token: string;
let dpuId: string;
beforeAll(async () => {
  // Compiled anew: other files of this process have compiled the same documents with the resolver as it was.
  running = await startTestApp({ schema: new GraphQLSchema(schema.toConfig()) });
  ({ token } = await makeStage(running.app));
  dpuId = (await running.call('POST', '/dpu/demo', { token, body: {} })).body.data.id;
});
afterAll(async () => {
  field.resolve = resolve!;
  await running.close();
});

const query = 'query ($id: ID!) { dpu(id: $id) { id } }';

async function post(headers: Record<string, string> = {}) {
  const response = await running.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify({ query, variables: { id: dpuId } }),
  });
  expect(await response.json()).toEqual({ data: { dpu: { id: dpuId } } });
}

test('a plain GraphQL post goes past the HTTP pipeline of Yoga, the first time and every other', async () => {
  for (let i = 0; i < 3; i++) await post();
  expect(stacks).toEqual(Array(3).fill(expect.stringMatching(SHORT_WAY)));
});

test('what is out of the ordinary is left to Yoga', async () => {
  await post({ accept: 'application/graphql-response+json' });
  expect(stacks).toEqual([expect.stringMatching(GRAPHQL_JS)]);
  expect(stacks).toEqual([expect.not.stringMatching(SHORT_WAY)]);
});

test('REST rows run compiled', async () => {
  const answer = await running.call('GET', `/dpu/${dpuId}`, { token });
  expect([answer.status, answer.body.data.id]).toEqual([200, dpuId]);
  expect(stacks).toEqual([expect.stringMatching(/src\/schema\/execute\.ts/)]);
  expect(stacks).toEqual([expect.not.stringMatching(GRAPHQL_JS)]);
});
