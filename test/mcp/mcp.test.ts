import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import { resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { argumentsDigest } from '../../packages/client/src/digest.ts';
import { systemContext } from '../../src/domain/context.ts';
import { rejectBySystem } from '../../src/domain/proof/system-rejection.ts';
import { verifyOffThread } from '../../src/mcp/verify-off-thread.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { makeKey, makeStage } from '../helpers/world.ts';
import { type ProofStage, proofStage } from '../proof/stage.ts';
import {
  modernClient,
  olderClient,
  post,
  type RawAnswer,
  type SerializedTaskReference,
  send,
  taskClient,
} from './clients.ts';

let running: TestApp;
let second: TestApp;
let stage: ProofStage;
beforeAll(async () => {
  running = await startTestApp();
  // Another process on the same database: no state of a task may live in a process.
  second = await startTestApp({ database: running.database });
  stage = await proofStage(running);
});
afterAll(async () => {
  await second.close();
  await running.close();
});

const input = { orderId: '1042', amount: 4900 };
const risky = (more: object = {}) => ({
  agent: { id: 'refund-agent' },
  action: { type: 'refund.grant', input },
  riskScore: 0.95,
  ...more,
});
const harmless = { agent: { id: 'refund-agent' }, action: { type: 'refund.quote', input }, riskScore: 0.1 };

const raw = (method: string, params: Record<string, unknown> = {}, key = stage.key): Promise<RawAnswer> =>
  send(running.url, key, method, params);
const call = async (name: string, args: object, key = stage.key): Promise<Parsed> =>
  (await raw('tools/call', { name, arguments: args }, key)).body.result;
const ask = async (more: object = {}): Promise<string> =>
  (await call('request_decision', risky(more))).taskId;
const task = async (taskId: string, key = stage.key) => (await raw('tasks/get', { taskId }, key)).body;

/** As a model reads it, and as a program does. */
const failure = (code: string) => ({
  isError: true,
  content: [
    { text: expect.stringMatching(`^${code}: `) },
    { text: expect.stringContaining(`{"error":{"code":"${code}"`) },
  ],
});

describe.each([
  ['the client of this generation', modernClient],
  ['the client of the generation before', olderClient],
])('%s', (_, connect) => {
  test('finds the tools, asks, waits for a person, acts and reports', async () => {
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

describe('a decision that waits is a task', () => {
  test('which the official extension follows to the end', async () => {
    const { session, close } = await taskClient(running.url, stage.key);
    onTestFinished(close);
    const execution = await session.callTool('request_decision', risky());
    expect(execution.kind).toBe('task');
    const settled = execution.settle();
    await stage.approve(execution.handle!.taskId);
    const result = resultFromTaskOutcome((await settled).outcome) as Parsed;
    expect(result.structuredContent).toMatchObject({
      eventId: execution.handle!.taskId,
      outcome: 'completed',
      status: 'sealed',
      argumentsDigest: await argumentsDigest(input),
      dpu: { status: 'sealed', chainHash: expect.stringMatching(/^sha256:/) },
    });
  });

  test('and another client continues after the first was killed, on another process', async () => {
    const program = fileURLToPath(new URL('./waiting-client.ts', import.meta.url));
    const first = spawn(process.execPath, [program, running.url, stage.key, JSON.stringify(risky())]);
    const [printed] = (await once(first.stdout, 'data')) as [Buffer];
    first.kill('SIGKILL');
    await once(first, 'exit');
    const reference = JSON.parse(printed.toString()) as SerializedTaskReference;
    const after = await taskClient(second.url, stage.key);
    onTestFinished(after.close);
    await stage.approve(reference.taskId, { result: 'rejected', reason: 'Too much.' });
    const resumed = await after.session.resumeTask(reference);
    const result = resultFromTaskOutcome((await resumed.settle()).outcome) as Parsed;
    expect(result.structuredContent).toMatchObject({ outcome: 'rejected', reason: 'Too much.' });
  });

  test('that reports its status, at either process', async () => {
    const created = await call('request_decision', risky());
    expect(created).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null });
    for (const { url } of [running, second]) {
      const { body } = await send(url, stage.key, 'tasks/get', { taskId: created.taskId });
      expect(body.result).toMatchObject({
        resultType: 'complete',
        taskId: created.taskId,
        status: 'working',
        pollIntervalMs: expect.any(Number),
      });
    }
  });

  test('is withdrawn by tasks/cancel', async () => {
    const taskId = await ask();
    expect((await raw('tasks/cancel', { taskId })).body.result).toMatchObject({ resultType: 'complete' });
    expect((await task(taskId)).result).toMatchObject({ status: 'cancelled' });
    const [approval] = await running.app.db
      .forCenter(stage.center.id)
      .approval.findMany({ where: { eventId: taskId } });
    expect(approval).toMatchObject({ reason: 'withdrawn', byKind: 'system', result: 'rejected' });
    // Again, and after the end of a decided one: acknowledged without effect.
    expect((await raw('tasks/cancel', { taskId })).body.error).toBeUndefined();
    const sealed = await ask();
    await stage.approve(sealed);
    expect((await raw('tasks/cancel', { taskId: sealed })).body.error).toBeUndefined();
    expect((await task(sealed)).result).toMatchObject({ status: 'completed' });
  });

  test('is completed when its time is over, and the result says so', async () => {
    const taskId = await ask();
    await rejectBySystem(systemContext(running.app, 'test', stage.center.id), taskId, 'expired');
    expect((await task(taskId)).result).toMatchObject({
      status: 'completed',
      result: { resultType: 'complete', structuredContent: { outcome: 'expired', reason: 'expired' } },
    });
  });

  test('and the word of a person does not pass for that of the service', async () => {
    const taskId = await ask();
    await stage.approve(taskId, { result: 'rejected', reason: 'withdrawn' });
    const { result } = (await task(taskId)).result;
    expect(result.structuredContent).toMatchObject({ outcome: 'rejected', reason: 'withdrawn' });
  });

  test('found again by its key, decided or not', async () => {
    const key = { idempotencyKey: 'the-same-action' };
    const taskId = await ask(key);
    expect(await ask(key)).toBe(taskId);
    await stage.approve(taskId, { result: 'rejected' });
    expect((await call('request_decision', risky(key))).structuredContent).toMatchObject({
      eventId: taskId,
      outcome: 'rejected',
    });
    const other = await call('request_decision', { ...harmless, ...key });
    expect(other).toMatchObject(failure('CONFLICT'));
  });

  test('but only for callers that know tasks', async () => {
    const { body } = await send(
      running.url,
      stage.key,
      'tools/call',
      { name: 'request_decision', arguments: risky() },
      { tasks: false },
    );
    expect(body.result.structuredContent.outcome).toBe('awaiting_approval');
    const { eventId: taskId } = body.result.structuredContent;
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const refused = await send(running.url, stage.key, method, { taskId }, { tasks: false });
      expect(refused.body.error.code).toBe(-32_021);
    }
    expect((await raw('tasks/update', { taskId, inputResponses: {} })).body.result).toBeDefined();
  });

  test('and a decision that needs no approval has none', async () => {
    const result = await call('request_decision', harmless);
    expect(result.structuredContent).toMatchObject({ outcome: 'completed', dpu: { status: 'sealed' } });
  });
});

describe('who may', () => {
  test('another center finds neither task nor decision', async () => {
    const foreign = await makeStage(running.app);
    const taskId = await ask();
    expect((await task(taskId, foreign.key)).error).toMatchObject({ code: -32_602 });
    expect((await raw('tasks/cancel', { taskId }, foreign.key)).body.error).toMatchObject({ code: -32_602 });
    expect((await task('evt_none')).error).toMatchObject({ code: -32_602 });
    expect(await call('get_decision', { eventId: taskId }, foreign.key)).toMatchObject(failure('NOT_FOUND'));
    expect((await task(taskId)).result.status).toBe('working');
  });

  test('a read-only key can neither request nor report nor withdraw', async () => {
    const reader = await makeKey(running.app, stage.center.id, ['proof:read']);
    const eventId = await ask();
    const outcome = { eventId, status: 'executed', argumentsDigest: await argumentsDigest(input) };
    for (const result of [
      await call('request_decision', harmless, reader),
      await call('report_outcome', outcome, reader),
    ]) {
      expect(result).toMatchObject(failure('FORBIDDEN'));
    }
    const { error } = (await raw('tasks/cancel', { taskId: eventId }, reader)).body;
    expect(error).toMatchObject({
      message: expect.stringContaining('proof:write'),
      data: { code: 'FORBIDDEN' },
    });
    expect((await task(eventId, reader)).result.status).toBe('working');
    expect((await call('get_decision', { eventId }, reader)).structuredContent.id).toBe(eventId);
  });

  test.each([
    [
      'nothing',
      () => null,
      /^Bearer resource_metadata="[^"]+", scope="proof:read proof:write proof:request"$/,
    ],
    ['a key that is none', () => 'csk_00000000_nothing', /error="invalid_token"/],
    ['a session', () => stage.token, /error="invalid_token"/],
  ])('%s does not open it, and the answer says where to look', async (_, key, challenge) => {
    const { status, headers, body } = await send(running.url, key(), 'tools/list');
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toMatch(challenge);
    expect(body).toMatchObject({ jsonrpc: '2.0', error: { data: { code: 'UNAUTHORIZED' } } });
    const [, address] = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate')!)!;
    const { publicUrl } = running.config;
    for (const path of [new URL(address!).pathname, '/.well-known/oauth-protected-resource']) {
      const metadata = await running.fetch(path);
      expect(metadata.headers.get('content-type')).toMatch(/^application\/json/);
      expect(await metadata.json()).toMatchObject({
        resource: `${publicUrl}/mcp`,
        bearer_methods_supported: ['header'],
        scopes_supported: ['proof:read', 'proof:write', 'proof:request'],
      });
    }
  });

  test("calls count in the key's rate", async () => {
    const limited = await startTestApp({ database: running.database, env: { RATE_PROOF: '3' } });
    onTestFinished(() => limited.close());
    const key = await makeKey(running.app, stage.center.id);
    const list = () => send(limited.url, key, 'tools/list');
    expect((await limited.call('GET', '/v1/decision-events', { token: key })).status).toBe(200);
    const { headers } = await list();
    expect(headers.get('x-ratelimit-limit')).toBe('3');
    expect(headers.get('x-ratelimit-remaining')).toBe('1');
    await list();
    const refused = await list();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(refused.body.error.data.code).toBe('RATE_LIMIT');
  });
});

describe('what comes in', () => {
  test.each([
    ['an unknown member', { ...harmless, urgent: true }, /^VALIDATION_ERROR: urgent: /],
    ['a missing member', { agent: { id: 'a' } }, /^VALIDATION_ERROR: action: /],
    ['a key that is no text', { ...harmless, idempotencyKey: 7 }, /^VALIDATION_ERROR: /],
    ['a NUL', { ...harmless, action: { type: 'a\0b' } }, /^VALIDATION_ERROR: .*NUL/],
  ])('%s is explained to the model', async (_, args, text) => {
    const result = await call('request_decision', args);
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
  ])('%s %j is refused', async (name, args) => {
    expect(await call(name, args)).toMatchObject(failure('VALIDATION_ERROR'));
  });

  test('a document that is no proof is unreadable, not an error', async () => {
    const { structuredContent } = await call('verify_proof', { document: '{"half":' });
    expect(structuredContent.verdict).toBe('unreadable');
  });

  test('while a large document is verified, others are answered', async () => {
    const text = await readFile(
      new URL('../../vectors/genuine/decision-whole.json', import.meta.url),
      'utf8',
    );
    const genuine = JSON.parse(text);
    const disclosures = Array.from({ length: 9_000 }, (_, i) =>
      Buffer.from(JSON.stringify([`salt ${i}`.padEnd(40, '.'), 'x', i])).toString('base64url'),
    );
    const answered: string[] = [];
    const verified = call('verify_proof', { document: JSON.stringify({ ...genuine, disclosures }) }).then(
      (result) => {
        answered.push('verify_proof');
        return result;
      },
    );
    await running.fetch('/healthz');
    answered.push('health check');
    expect((await verified).structuredContent.verdict).toBe('refuted');
    expect(answered).toEqual(['health check', 'verify_proof']);
  });

  test('a document that needs more than its budget is unreadable, and a center has only some at a time', async () => {
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

  test('a number that cannot be kept exactly is refused before anything is recorded', async () => {
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
    ['no JSON', '{', {}, 400],
    ['text', 'hello', { 'content-type': 'text/plain' }, 415],
    ['more than 1 MiB', JSON.stringify('x'.repeat(1_100_000)), {}, 413],
    ['a page of another origin', {}, { origin: 'https://evil.example' }, 403],
  ])('%s is refused', async (_, body, headers, status) => {
    const answer = await post(running.url, stage.key, body, headers as Record<string, string>);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
  });

  test.each(['GET', 'DELETE', 'PUT'])('%s is not offered', async (method) => {
    const headers = { authorization: `Bearer ${stage.key}`, accept: 'text/event-stream' };
    const answer = await running.fetch('/mcp', { method, headers });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
  });

  test('unknown tools, methods and subscriptions are errors of the protocol', async () => {
    expect((await raw('tools/call', { name: 'drop_tables', arguments: {} })).body.error.code).toBe(-32_602);
    expect((await raw('subscriptions/listen', { notifications: {} })).body.error.code).toBe(-32_601);
    expect((await raw('resources/list')).body.error.code).toBe(-32_601);
  });
});
