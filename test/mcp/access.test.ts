import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { argumentsDigest } from '../../packages/client/src/digest.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeKey, makeStage } from '../helpers/world.ts';
import { send } from './clients.ts';
import { failure, harmless, input, type McpStage, mcpStage } from './mcp-stage.ts';

let running: TestApp;
let stage: McpStage;
beforeAll(async () => {
  running = await startTestApp();
  stage = await mcpStage(running);
});
afterAll(() => running.close());

test('tasks and decisions of another center are not found', async () => {
  const foreign = await makeStage(running.app);
  const taskId = await stage.request();
  expect((await stage.task(taskId, foreign.key)).error).toMatchObject({ code: -32_602 });
  expect((await stage.raw('tasks/cancel', { taskId }, foreign.key)).body.error).toMatchObject({
    code: -32_602,
  });
  expect((await stage.task('evt_none')).error).toMatchObject({ code: -32_602 });
  expect(await stage.tool('get_decision', { eventId: taskId }, foreign.key)).toMatchObject(
    failure('NOT_FOUND'),
  );
  expect((await stage.task(taskId)).result.status).toBe('working');
});

test('a read-only key can neither request nor report nor withdraw', async () => {
  const reader = await makeKey(running.app, stage.center.id, ['proof:read']);
  const eventId = await stage.request();
  const outcome = { eventId, status: 'executed', argumentsDigest: await argumentsDigest(input) };
  for (const result of [
    await stage.tool('request_decision', harmless, reader),
    await stage.tool('report_outcome', outcome, reader),
  ]) {
    expect(result).toMatchObject(failure('FORBIDDEN'));
  }
  const { error } = (await stage.raw('tasks/cancel', { taskId: eventId }, reader)).body;
  expect(error).toMatchObject({
    message: expect.stringContaining('proof:write'),
    data: { code: 'FORBIDDEN' },
  });
  expect((await stage.task(eventId, reader)).result.status).toBe('working');
  expect((await stage.tool('get_decision', { eventId }, reader)).structuredContent.id).toBe(eventId);
});

test('verify_proof counts 10 against the rate of the key, and nothing is verified beyond it', async () => {
  const limited = await startTestApp({ env: { RATE_PROOF: '30' } });
  try {
    const { raw, record, approve } = await mcpStage(limited);
    const { id, evidence } = await record();
    await approve(id);
    const verify = async (args: object) => {
      const { headers, body } = await raw('tools/call', { name: 'verify_proof', arguments: args });
      return { left: Number(headers.get('x-ratelimit-remaining')), result: body.result };
    };
    // Recording and approving counted 2.
    const ofDocument = await verify({ document: '{}' });
    expect([ofDocument.left, ofDocument.result.structuredContent.verdict]).toEqual([18, 'unreadable']);
    expect((await verify({ evidenceId: evidence.id })).left).toBe(8);
    const refused = await verify({ document: '{}' });
    expect([refused.left, refused.result]).toMatchObject([0, failure('RATE_LIMIT')]);
  } finally {
    await limited.close();
  }
});

test.each([
  ['nothing', () => null, /^Bearer resource_metadata="[^"]+", scope="proof:read proof:write proof:request"$/],
  ['a malformed key', () => 'csk_00000000_nothing', /error="invalid_token"/],
  ['a session', () => stage.token, /error="invalid_token"/],
])('%s is rejected, and the response points to the resource metadata', async (_, key, challenge) => {
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

test('calls count against the rate limit of the key', async () => {
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
