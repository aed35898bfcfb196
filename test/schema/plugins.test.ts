import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OperationPlugin } from '../../src/schema/plugins.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';

const seen: string[] = [];
const note =
  (hook: string) =>
  ({ args }: { args: object }) => {
    const { contextValue } = args as { contextValue: { requestId: string } };
    seen.push(`${hook} ${contextValue.requestId}`);
  };
const spy: OperationPlugin = { onExecute: note('execute'), onSubscribe: note('subscribe') };

let running: TestApp;
let token: string;
let key: string;
beforeAll(async () => {
  running = await startTestApp({ plugins: [spy] });
  ({ token, key } = await makeStage(running.app));
});
afterAll(() => running.close());
beforeEach(() => void seen.splice(0));

const headersOf = (requestId: string, bearer = token) => ({
  authorization: `Bearer ${bearer}`,
  'content-type': 'application/json',
  'x-request-id': requestId,
});
const post = (requestId: string, query: string, accept?: string) =>
  running.fetch('/graphql', {
    method: 'POST',
    headers: { ...headersOf(requestId), ...(accept && { accept }) },
    body: JSON.stringify({ query }),
  });

test('a plugin sees every operation, whichever handler runs it', async () => {
  const query = '{ me { name } }';
  const plain = await post('plain-post', query);
  expect(await plain.json()).toMatchObject({ data: { me: { name: expect.any(String) } } });
  // Parsed and validated before: the cache of documents does not skip plugins.
  await (await post('plain-again', query)).json();
  await (await post('other-media-type', query, 'application/graphql-response+json')).json();
  await (
    await running.fetch(`/graphql?query=${encodeURIComponent(query)}`, { headers: headersOf('by-get') })
  ).json();
  const stream = await post('subscription', 'subscription { decisionEvents { id } }', 'text/event-stream');
  await stream.body!.cancel();
  await running.call('GET', '/auth/me', { headers: headersOf('rest-token') });
  await running.call('GET', '/v1/decision-events', { headers: headersOf('rest-key', key) });
  await running.fetch('/mcp', {
    method: 'POST',
    headers: { ...headersOf('tool', key), accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_decisions', arguments: {} },
    }),
  });
  expect(seen).toEqual([
    'execute plain-post',
    'execute plain-again',
    'execute other-media-type',
    'execute by-get',
    'subscribe subscription',
    'execute rest-token',
    'execute rest-key',
    'execute tool',
  ]);
});

test('an invalid operation is not executed', async () => {
  expect((await post('invalid', '{ nothing }')).status).toBe(200);
  expect(seen).toEqual([]);
});
