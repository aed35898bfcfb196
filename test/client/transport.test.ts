import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Countersign } from '../../packages/client/src/countersign.ts';
import { CountersignError } from '../../packages/client/src/error.ts';

/** A service that returns the given responses in order and records the requests. */
async function scripted(...answers: ((response: ServerResponse) => void)[]) {
  return scriptedWithin(30_000, ...answers);
}

async function scriptedWithin(timeout: number, ...answers: ((response: ServerResponse) => void)[]) {
  const calls: { url: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    calls.push({ url: request.url!, headers: request.headers });
    (answers[calls.length - 1] ?? answers.at(-1)!)(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = new Countersign({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`,
    apiKey: 'csk_test',
    retryDelays: [1, 1, 1],
    timeout,
  });
  return { client, calls };
}

const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const recorded = answer(201, { data: { id: 'evt_1' } });
const unavailable = answer(503, { error: { code: 'SERVICE_UNAVAILABLE', message: 'Away.' } });
const decision = {
  type: 'custom',
  actor: { id: 'a', type: 'service' },
  action: { type: 'x' },
} as const;

test('retries safe calls, always with the same idempotency key', async () => {
  const hangs = () => {};
  const cut = (response: ServerResponse) => void response.destroy();
  const { client, calls } = await scriptedWithin(3_000, unavailable, hangs, cut, recorded);
  expect(await client.decisions.record(decision)).toEqual({ id: 'evt_1' });
  expect(calls).toHaveLength(4);
  expect(new Set(calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(calls[0]!.headers.authorization).toBe('Bearer csk_test');
});

test('gives up after four attempts with the last failure', async () => {
  const { client, calls } = await scripted(unavailable);
  await expect(client.decisions.record(decision)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    status: 503,
  });
  expect(calls).toHaveLength(4);
});

test('waits as long as Retry-After says, also while its own first call is still running', async () => {
  const busy = answer(409, { error: { code: 'CONFLICT', message: 'Running.' } }, { 'retry-after': '1' });
  const { client, calls } = await scripted(busy, recorded);
  const begun = performance.now();
  await client.decisions.record(decision);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
  expect(calls).toHaveLength(2);
});

test.each([
  [409, { error: { code: 'CONFLICT', message: 'Sealed.', requestId: 'req_1', details: { a: 1 } } }],
  [422, { error: { code: 'VALIDATION_ERROR', message: 'Wrong.', requestId: 'req_1', details: {} } }],
])('a %i is thrown immediately, with the error details of the service', async (status, body) => {
  const { client, calls } = await scripted(answer(status, body));
  const error = await client.decisions.record(decision).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CountersignError);
  expect(error).toMatchObject({ status, ...body.error });
  expect(calls).toHaveLength(1);
});

test('an aborted call rejects immediately', async () => {
  const { client } = await scripted(() => {});
  const ending = new AbortController();
  const call = client.decisions.get('evt_1', { signal: ending.signal });
  ending.abort(new Error('not needed any more'));
  await expect(call).rejects.toThrow('not needed any more');
});

test('lists are read page by page, only as far as they are consumed', async () => {
  const page = (first: number, hasMore: boolean) =>
    answer(200, { data: [{ id: `evt_${first}` }, { id: `evt_${first + 1}` }], pagination: { hasMore } });
  const { client, calls } = await scripted(page(1, true), page(3, true), page(5, false));
  const seen: string[] = [];
  for await (const { id } of client.decisions.list({ pageSize: 2, tag: 'billing' })) {
    seen.push(id);
    if (seen.length === 3) break;
  }
  expect(seen).toEqual(['evt_1', 'evt_2', 'evt_3']);
  expect(calls.map(({ url }) => url)).toEqual([
    '/api/v1/decision-events?tag=billing&limit=2&offset=0',
    '/api/v1/decision-events?tag=billing&limit=2&offset=2',
  ]);
});

test('sends the newest position of its writes, so that replicas return them', async () => {
  const at = (position: string) => answer(201, { data: { id: 'evt_1' } }, { 'x-read-after': position });
  const { client, calls } = await scripted(
    at('A/9'),
    at('9/FFFFFFFF'),
    at('10/1'),
    answer(200, { data: {} }),
  );
  for (let n = 0; n < 3; n++) await client.decisions.record(decision);
  await client.decisions.get('evt_1');
  expect(calls.map(({ headers }) => headers['x-read-after'])).toEqual([undefined, 'A/9', 'A/9', '10/1']);
});
