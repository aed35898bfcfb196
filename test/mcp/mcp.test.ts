import { readFile } from 'node:fs/promises';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { argumentsDigest } from '../../packages/client/src/digest.ts';
import { verifyOffThread } from '../../src/mcp/verify-off-thread.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { makeKey } from '../helpers/world.ts';
import { modernClient, olderClient, post } from './clients.ts';
import { failure, harmless, input, type McpStage, mcpStage, risky } from './mcp-stage.ts';

let running: TestApp;
let stage: McpStage;
beforeAll(async () => {
  running = await startTestApp();
  stage = await mcpStage(running);
});
afterAll(() => running.close());

describe.each([
  ['the current client', modernClient],
  ['the previous client', olderClient],
])('%s', (_, connect) => {
  test('lists the tools, requests a decision, waits for a person, executes and reports', async () => {
    const client = (await connect(running.url, stage.key)) as Client;
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'request_decision',
      'get_decision',
      'report_outcome',
      'list_decisions',
      'request_mandate',
      'list_mandates',
      'verify_proof',
    ]);
    expect(client.getInstructions()).toContain('request_decision');
    const tool = async (name: string, args: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: args })) as Parsed;

    const asked = await tool('request_decision', risky({ idempotencyKey: `key-${_}`.replaceAll(' ', '-') }));
    expect(asked.structuredContent).toMatchObject({
      outcome: 'awaiting_approval',
      argumentsDigest: await argumentsDigest(input),
      expiresAt: expect.any(String),
    });
    expect(JSON.parse(asked.content[0].text)).toEqual(asked.structuredContent);
    const { eventId, argumentsDigest: digest } = asked.structuredContent;
    const early = await tool('report_outcome', { eventId, status: 'executed', argumentsDigest: digest });
    expect(early).toMatchObject(failure('CONFLICT'));

    await stage.approve(eventId);
    const decided = await tool('get_decision', { eventId });
    expect(decided.structuredContent).toEqual((await stage.get(`/decision-events/${eventId}`)).body.data);
    expect(decided.structuredContent.status).toBe('sealed');
    const reported = await tool('report_outcome', {
      eventId,
      status: 'executed',
      argumentsDigest: digest,
      output: { refundId: 're_77' },
    });
    expect(reported.structuredContent).toMatchObject({ eventId, status: 'executed' });

    const { evidence } = decided.structuredContent;
    const document = (await stage.get(`/evidence/${evidence.id}/export`)).body;
    for (const args of [{ evidenceId: evidence.id }, { document }, { document: JSON.stringify(document) }]) {
      expect((await tool('verify_proof', args)).structuredContent).toMatchObject({
        verdict: 'proven',
        reasons: expect.any(Array),
      });
    }
    document.evidence.event.action.type = 'refund.refuse';
    expect((await tool('verify_proof', { document })).structuredContent).toMatchObject({
      verdict: 'refuted',
      reasons: [expect.stringMatching(/action/)],
    });
    const listed = await tool('list_decisions', { status: 'sealed', limit: 1, offset: 0 });
    expect(listed.structuredContent).toEqual(
      (await stage.get('/decision-events?status=sealed&limit=1&offset=0')).body,
    );
    const requested = await tool('request_mandate', {
      agent: { id: 'refund-agent' },
      actionPattern: 'refund.*',
      maxUses: 3,
      validUntil: new Date(Date.now() + 86_400_000).toISOString(),
      reason: 'Small refunds',
    });
    expect(requested.structuredContent).toMatchObject({ status: 'pending' });
    const mandates = await tool('list_mandates', { limit: 1 });
    expect(mandates.structuredContent).toEqual((await stage.get('/mandates?limit=1')).body);
  });
});

test('an idempotencyKey belongs to the API key that sent it, and has the form of the header', async () => {
  const other = await makeKey(running.app, stage.center.id, ['proof:request']);
  const request = async (key: string) =>
    (await stage.tool('request_decision', { ...harmless, idempotencyKey: 'one-call' }, key)).structuredContent
      .eventId;
  const [own, foreign] = [await request(stage.key), await request(other)];
  expect(own).not.toBe(foreign);
  expect([await request(stage.key), await request(other)]).toEqual([own, foreign]);
  // The same key over REST finds the same decision.
  const { body } = await stage.post('/agents/decide', harmless, { 'Idempotency-Key': 'one-call' });
  expect(body.data.eventId).toBe(own);
  for (const idempotencyKey of ['', ' ', 'a b', 'ü', 'a\nb', 'x'.repeat(256)]) {
    expect(await stage.tool('request_decision', { ...harmless, idempotencyKey })).toMatchObject(
      failure('VALIDATION_ERROR'),
    );
  }
});

describe('invalid and large input', () => {
  test.each([
    ['an unknown member', { ...harmless, urgent: true }, /^VALIDATION_ERROR: urgent: /],
    ['a missing member', { agent: { id: 'a' } }, /^VALIDATION_ERROR: action: /],
    ['a key that is not a string', { ...harmless, idempotencyKey: 7 }, /^VALIDATION_ERROR: /],
    ['a NUL', { ...harmless, action: { type: 'a\0b' } }, /^VALIDATION_ERROR: .*NUL/],
  ])('%s is reported to the model', async (_, args, text) => {
    const result = await stage.tool('request_decision', args);
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toMatch(text);
  });

  test.each([
    ['verify_proof', {}],
    ['verify_proof', { evidenceId: 'evd_1', document: {} }],
    ['get_decision', {}],
    ['get_decision', { eventId: 'evt_1', more: 1 }],
    ['list_decisions', { limit: 0 }],
    ['report_outcome', { eventId: 'evt_1', status: 'done' }],
  ])('%s %j is rejected', async (name, args) => {
    expect(await stage.tool(name, args)).toMatchObject(failure('VALIDATION_ERROR'));
  });

  test('a document that is not a proof is unreadable, not an error', async () => {
    const { structuredContent } = await stage.tool('verify_proof', { document: '{"half":' });
    expect(structuredContent.verdict).toBe('unreadable');
  });

  test('other requests are answered while a large document is verified', async () => {
    const text = await readFile(
      new URL('../../vectors/genuine/decision-whole.json', import.meta.url),
      'utf8',
    );
    const genuine = JSON.parse(text);
    const disclosures = Array.from({ length: 9_000 }, (_, i) =>
      Buffer.from(JSON.stringify([`salt ${i}`.padEnd(40, '.'), 'x', i])).toString('base64url'),
    );
    const answered: string[] = [];
    const verified = stage
      .tool('verify_proof', { document: JSON.stringify({ ...genuine, disclosures }) })
      .then((result) => {
        answered.push('verify_proof');
        return result;
      });
    await running.fetch('/healthz');
    answered.push('health check');
    expect((await verified).structuredContent.verdict).toBe('refuted');
    expect(answered).toEqual(['health check', 'verify_proof']);
  });

  test('a document over its time budget is unreadable, and a center can verify four at a time', async () => {
    const text = await readFile(
      new URL('../../vectors/genuine/decision-whole.json', import.meta.url),
      'utf8',
    );
    const budget = { ms: 1, megabytes: 64 };
    expect(await verifyOffThread(-1, { text, keys: [] }, budget)).toMatchObject({
      verdict: 'unreadable',
      reason: 'it takes more than 0.001 seconds to verify',
    });
    const five = Array.from({ length: 5 }, () => verifyOffThread(-1, { text, keys: [] }, budget));
    const results = await Promise.allSettled(five);
    expect(results.map(({ status }) => status)).toEqual([...Array(4).fill('fulfilled'), 'rejected']);
    expect(results[4]).toMatchObject({ reason: { code: 'RATE_LIMITED' } });
  });

  test('a number that a double cannot hold exactly is rejected', async () => {
    const text = JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'request_decision', arguments: harmless },
    }).replace('4900', '9007199254740993');
    const { body } = await post(running.url, stage.key, text);
    expect(body).toMatchObject({ id: 7, result: { isError: true } });
  });

  test.each([
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], {}, 400],
    ['invalid JSON', '{', {}, 400],
    ['text', 'hello', { 'content-type': 'text/plain' }, 415],
    ['more than 1 MiB', JSON.stringify('x'.repeat(1_100_000)), {}, 413],
    ['a page of another origin', {}, { origin: 'https://evil.example' }, 403],
  ])('%s is rejected', async (_, body, headers, status) => {
    const answer = await post(running.url, stage.key, body, headers as Record<string, string>);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
  });

  test.each(['GET', 'DELETE', 'PUT'])('%s is not allowed', async (method) => {
    const headers = { authorization: `Bearer ${stage.key}`, accept: 'text/event-stream' };
    const answer = await running.fetch('/mcp', { method, headers });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
  });

  test('unknown tools, methods and subscriptions return JSON-RPC errors', async () => {
    expect((await stage.raw('tools/call', { name: 'drop_tables', arguments: {} })).body.error.code).toBe(
      -32_602,
    );
    expect((await stage.raw('subscriptions/listen', { notifications: {} })).body.error.code).toBe(-32_601);
    expect((await stage.raw('resources/list')).body.error.code).toBe(-32_601);
  });
});
