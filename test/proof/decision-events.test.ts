import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeKey, makeStage } from '../helpers/world.ts';
import { bare, decision } from './decisions.ts';

let running: TestApp;
let key: string;
beforeAll(async () => {
  running = await startTestApp();
  ({ key } = await makeStage(running.app));
});
afterAll(() => running.close());

const record = (body: unknown, token = key) => running.call('POST', '/v1/decision-events', { token, body });
const list = (query: string, token = key) => running.call('GET', `/v1/decision-events${query}`, { token });

describe('recording', () => {
  test('an event is returned as it was sent, and can be read again', async () => {
    const { status, body } = await record(decision);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      ...decision,
      id: expect.stringMatching(/^evt_/),
      decisionId: expect.stringMatching(/^dec_/),
      status: 'recorded',
      evidence: { id: expect.stringMatching(/^evd_/), status: 'pending', chainHash: null, chainIndex: null },
    });
    expect(body.data.occurredAt).toBe(body.data.createdAt);
    const read = await running.call('GET', `/v1/decision-events/${body.data.id}`, { token: key });
    const { receipt, ...recorded } = body.data;
    expect(receipt).toContain('/receipts\n');
    expect(read.body.data).toEqual(recorded);
  });

  test('omitted members are not returned', async () => {
    const { body } = await record(bare);
    expect(Object.keys(body.data.actor)).toEqual(['id', 'type']);
    expect(Object.keys(body.data.action)).toEqual(['type']);
    expect(body.data).not.toHaveProperty('aiContext');
    expect(body.data.tags).toEqual([]);
  });

  test('free-form JSON is returned unchanged', async () => {
    const input = JSON.parse('{"__proto__":{"a":1},"b":[1e21,-0.5,null,{"ü":"✓"}],"0":"x"}');
    const { body } = await record({ ...bare, action: { type: 'x', input } });
    const read = await running.call('GET', `/v1/decision-events/${body.data.id}`, { token: key });
    expect(JSON.stringify(read.body.data.action.input)).toBe(JSON.stringify(input));
  });

  test('every invalid field is listed', async () => {
    const { status, body } = await record({
      type: 'nonsense',
      actor: { id: '', type: 'ghost', name: 'n'.repeat(257) },
      action: { description: 5, input: [], output: { big: 'x'.repeat(262_144) } },
      aiContext: { confidence: 1.5, reasoning: 'r'.repeat(10_001) },
      tags: ['ok', 't'.repeat(65)],
      idempotencyKey: 'k'.repeat(257),
    });
    expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(body.error.details.fields.map(({ path }: { path: string }) => path).sort()).toEqual([
      'action.description',
      'action.input',
      'action.output',
      'action.type',
      'actor.id',
      'actor.name',
      'actor.type',
      'aiContext.confidence',
      'aiContext.reasoning',
      'idempotencyKey',
      'tags.1',
      'type',
    ]);
  });

  test.each([
    ['a NUL character', { actor: { id: 'a\0b', type: 'human' } }],
    ['a lone surrogate', { actor: { id: 'a\ud800', type: 'human' } }],
    ['a NUL character deep inside', { action: { type: 'x', input: { a: [{ b: '\0' }] } } }],
    ['invalid Unicode in a key', { action: { type: 'x', output: { '\udc00': 1 } } }],
    ['a tag with a NUL character', { tags: ['\0'] }],
    ['51 tags', { tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }],
    ['null instead of text', { actor: { id: 'a', type: 'human', name: null } }],
  ])('%s is rejected', async (_, change) => {
    expect((await record({ ...bare, ...change })).status).toBe(422);
  });

  test('very deep nesting is rejected without a stack overflow', async () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const answer = await record(JSON.stringify(bare).replace('"cleanup"', `"cleanup","input":${deep}`));
    expect(answer.status).toBe(422);
  });

  test('text at the maximum length is accepted, counted in characters, ids counted in bytes', async () => {
    const { status } = await record({
      ...bare,
      actor: { id: '😀'.repeat(64), type: 'human', name: '😀'.repeat(256) },
      action: { type: 'x', description: 'd'.repeat(10_000), input: { big: 'x'.repeat(262_144 - 10) } },
      tags: Array.from({ length: 50 }, (_, i) => String(i).padStart(64, 't')),
    });
    expect(status).toBe(201);
  });

  test('malformed JSON is a bad request', async () => {
    const { status, body } = await record('{"type":');
    expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST']);
  });

  test('a read-only key can read but not write, whatever it sends', async () => {
    const { app } = running;
    const { center } = await makeStage(app);
    const readOnly = await makeKey(app, center.id, ['proof:read']);
    for (const body of [bare, {}]) {
      const answer = await record(body, readOnly);
      expect([answer.status, answer.body.error.code]).toEqual([403, 'FORBIDDEN']);
    }
    expect((await list('', readOnly)).status).toBe(200);
  });
});

describe('idempotency keys', () => {
  test('concurrent equal requests create one event', async () => {
    const body = { ...decision, idempotencyKey: 'race-1' };
    const answers = await Promise.all(Array.from({ length: 40 }, () => record(body)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(39).fill(200), 201]);
    // Their receipts promise the same, but may belong to different batches.
    const [first, ...others] = answers.map(({ body: { data } }) => ({
      ...data,
      receipt: data.receipt.split('\n\n')[0],
    }));
    for (const other of others) expect(other).toEqual(first);
    expect(first.decisionId).toBe('race-1');
  });

  test('different keys in one batch do not affect each other', async () => {
    const bodies = Array.from({ length: 60 }, (_, i) => ({ ...bare, idempotencyKey: `mix-${i % 20}` }));
    const answers = await Promise.all(bodies.map((body) => record(body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(
      answers.every(({ status, body }, i) => status < 300 && body.data.decisionId === `mix-${i % 20}`),
    ).toBe(true);
  });

  test('a body with reordered fields is equal, one with another value is a conflict', async () => {
    const body = { ...decision, idempotencyKey: 'order' };
    const reversed = Object.fromEntries(Object.entries(body).reverse());
    expect((await record(body)).status).toBe(201);
    expect((await record(reversed)).status).toBe(200);
    const other = await record({ ...body, tags: ['other'] });
    expect([other.status, other.body.error.code]).toEqual([409, 'CONFLICT']);
  });

  test('each center has its own keys', async () => {
    const other = await makeStage(running.app);
    const body = { ...bare, idempotencyKey: 'shared' };
    const [mine, theirs] = [await record(body), await record(body, other.key)];
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(mine.body.data.id).not.toBe(theirs.body.data.id);
  });

  test('the Idempotency-Key header replays the stored response', async () => {
    const send = () =>
      running.call('POST', '/v1/decision-events', {
        token: key,
        body: bare,
        headers: { 'Idempotency-Key': 'header-1' },
      });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.text).toBe(first.text);
  });
});

test.each([
  ['is nested too deeply', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
  ['contains invalid Unicode', '"\\ud800"'],
])('a body that cannot be compared because it %s returns 422', async (_, junk) => {
  const { status } = await running.call('POST', '/v1/decision-events', {
    token: key,
    body: JSON.stringify(bare).replace('{', `{"junk":${junk},`),
    headers: { 'Idempotency-Key': 'junk' },
  });
  expect(status).toBe(422);
});

describe('listing', () => {
  test('supports filters, pages and exact totals', async () => {
    const { key: mine } = await makeStage(running.app);
    expect((await list('', mine)).body).toEqual({
      data: [],
      pagination: { total: 0, limit: 20, offset: 0, hasMore: false },
    });
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      const body = { ...(i % 2 ? decision : bare), tags: i < 3 ? ['early', `t${i}`] : ['late'] };
      ids.unshift((await record(body, mine)).body.data.id);
    }
    const idsOf = async (query: string) => {
      const { body } = await list(query, mine);
      return [body.data.map(({ id }: { id: string }) => ids.indexOf(id)), body.pagination.total];
    };
    expect(await idsOf('')).toEqual([[0, 1, 2, 3, 4], 5]);
    expect(await idsOf('?limit=2&offset=1')).toEqual([[1, 2], 5]);
    expect(await idsOf('?offset=50')).toEqual([[], 5]);
    expect(await idsOf('?type=custom')).toEqual([[0, 2, 4], 3]);
    expect(await idsOf('?type=escalation')).toEqual([[], 0]);
    expect(await idsOf('?status=recorded&type=agent_execution')).toEqual([[1, 3], 2]);
    expect(await idsOf('?status=sealed')).toEqual([[], 0]);
    expect(await idsOf('?tag=early')).toEqual([[2, 3, 4], 3]);
    expect(await idsOf('?tag=early&type=custom&status=recorded&limit=1')).toEqual([[2], 2]);
    const { body } = await list('?limit=2', mine);
    expect(body.pagination).toEqual({ total: 5, limit: 2, offset: 0, hasMore: true });
    expect(Object.keys(body.data[0]).sort()).toEqual(
      ['id', 'decisionId', 'type', 'status', 'actor', 'action', 'tags', 'createdAt', 'updatedAt'].sort(),
    );
    expect(body.data[1].action).toEqual({ type: 'refund.grant' });
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'offset=-1',
    'offset=1.5',
    'type=nonsense',
    'status=open',
    'tag=%00',
  ])('%s is rejected', async (query) => {
    const { status, body } = await list(`?${query}`);
    expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(body.error.details.fields[0].path).toBe(query.split('=')[0]);
  });
});

test('malformed ids return not found', async () => {
  for (const id of ['evt_nothing', 'a%20b', 'x'.repeat(250)]) {
    const { status } = await running.call('GET', `/v1/decision-events/${id}`, { token: key });
    expect(status).toBe(404);
  }
  const impossible = await running.call('GET', '/v1/decision-events/evt_%00', { token: key });
  expect([impossible.status, impossible.body.error.details.fields[0].path]).toEqual([422, 'id']);
});
