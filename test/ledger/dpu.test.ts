import { recordHash } from '@countersign/proof-kit/record';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import { recordDpu } from '../../src/domain/dpus/append-dpu.ts';
import { updateDpu } from '../../src/domain/dpus/update-dpu.ts';
import { foldTallies } from '../../src/domain/tallies/tally.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeMember, makeStage } from '../helpers/world.ts';

let running: TestApp;
let stage: Awaited<ReturnType<typeof makeStage>>;

beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

const newStage = async () => {
  stage = await makeStage(running.app);
  return stage;
};
const call = (method: string, path: string, body?: unknown, token = stage.token) =>
  running.call(method, path, { token, body });
const demo = async (body: object = {}) => (await call('POST', '/dpu/demo', body)).body.data;
const eventsOf = async (type: string) =>
  (await running.app.db.forCenter(stage.center.id).platformEvent.findMany({ where: { type } })).map(
    ({ data }) => data,
  );

test('a demonstration record is created and read back, and its hash can be recomputed', async () => {
  await newStage();
  const body = {
    content: 'Grant the refund',
    referenceType: 'lms-event',
    referenceId: 'e-1',
    tags: ['a', 'b', 'a'],
  };
  const made = await call('POST', '/dpu/demo', body);
  expect(made.status).toBe(201);
  expect(made.body.data).toMatchObject({
    content: 'Grant the refund',
    evidenceLevel: 'DRAFT',
    referenceType: 'lms-event',
    referenceId: 'e-1',
    tags: ['a', 'b'],
    chainIndex: 0,
    previousHash: null,
    domain: 'platform',
    metadata: {},
    sealedAt: null,
  });
  const { id, content, chainHash, createdAt } = made.body.data;
  expect(id).toMatch(/^dpu_/);
  expect(chainHash).toBe(recordHash({ content, previousHash: '', timestamp: createdAt }));
  expect((await call('GET', `/dpu/${id}`)).body).toEqual(made.body);

  const second = (await call('POST', '/dpu/demo')).body.data;
  expect(second).toMatchObject({ chainIndex: 1, previousHash: chainHash, referenceType: 'demo' });
  expect(second.content).not.toBe('');
});

test('the evidence level only rises, can skip a level, and AUDIT_READY seals the record', async () => {
  await newStage();
  const { id, chainHash } = await demo();
  const put = (body: unknown) => call('PUT', `/dpu/${id}`, body);
  const code = async (body: unknown) => {
    const { status, body: answer } = await put(body);
    return [status, answer.error?.code];
  };
  expect(await code({ evidenceLevel: 'DRAFT' })).toEqual([400, 'INVALID_EVIDENCE_LEVEL']);
  expect((await put({ evidenceLevel: 'DOCUMENTED' })).body.data).toMatchObject({
    evidenceLevel: 'DOCUMENTED',
    sealedAt: null,
  });
  expect(await code({ evidenceLevel: 'DOCUMENTED' })).toEqual([400, 'INVALID_EVIDENCE_LEVEL']);
  expect(await code({ evidenceLevel: 'DRAFT' })).toEqual([400, 'INVALID_EVIDENCE_LEVEL']);
  expect(await code({ evidenceLevel: 'PROVEN' })).toEqual([400, 'VALIDATION_ERROR']);
  const sealed = await put({ evidenceLevel: 'AUDIT_READY' });
  expect(sealed.body.data).toMatchObject({ evidenceLevel: 'AUDIT_READY', chainHash });
  expect(sealed.body.data.sealedAt).not.toBeNull();
  for (const body of [{ evidenceLevel: 'AUDIT_READY' }, { evidenceLevel: 'DRAFT' }, { metadata: {} }, {}]) {
    expect(await code(body)).toEqual([403, 'DPU_SEALED']);
  }
  const actorId = stage.admin.actor.id;
  expect(await eventsOf('dpu.sealed')).toEqual([{ dpuId: id, chainHash, domain: 'platform', actorId }]);
  const raises = await running.app.db
    .forCenter(stage.center.id)
    .auditEntry.findMany({ where: { type: 'dpu.level_raised' }, orderBy: { id: 'asc' } });
  expect(raises.map(({ actorId, target, detail }) => ({ actorId, target, detail }))).toMatchObject([
    { actorId, target: id, detail: { from: 'DRAFT', to: 'DOCUMENTED' } },
    { actorId, target: id, detail: { from: 'DOCUMENTED', to: 'AUDIT_READY' } },
  ]);

  const jumped = await demo();
  const { body } = await call('PUT', `/dpu/${jumped.id}`, { evidenceLevel: 'AUDIT_READY' });
  expect(body.data.evidenceLevel).toBe('AUDIT_READY');
});

test('metadata is merged key by key', async () => {
  await newStage();
  const { id } = await demo();
  const put = async (metadata: unknown) =>
    (await call('PUT', `/dpu/${id}`, { metadata })).body.data?.metadata;
  expect(await put({ a: 1, b: { deep: [1] } })).toEqual({ a: 1, b: { deep: [1] } });
  expect(await put({ b: 'new', c: true })).toEqual({ a: 1, b: 'new', c: true });
  expect(await put({ a: null })).toEqual({ b: 'new', c: true });
  expect((await call('GET', `/dpu/${id}`)).body.data.metadata).toEqual({ b: 'new', c: true });
  for (const bad of ['text', [], { nul: '\u0000' }, { long: 'x'.repeat(300_000) }]) {
    const { status, body } = await call('PUT', `/dpu/${id}`, { metadata: bad });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  }
});

test('of concurrent callers that seal one record, one succeeds and the others get DPU_SEALED', async () => {
  await newStage();
  const { id } = await demo();
  const raise = () => call('PUT', `/dpu/${id}`, { evidenceLevel: 'AUDIT_READY' });
  const answers = await Promise.all([raise(), raise(), raise()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
  expect(await eventsOf('dpu.sealed')).toHaveLength(1);
});

test('only a person can raise the evidence level of AI-generated content', async () => {
  const { center } = await newStage();
  const ctx = systemContext(running.app, 'workflow', center.id);
  const { dpuId } = await recordDpu(ctx, { content: 'The model thinks so', aiGenerated: true });
  const raising = updateDpu(ctx, dpuId, { evidenceLevel: 'DOCUMENTED' });
  await expect(raising).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const { body } = await call('PUT', `/dpu/${dpuId}`, { evidenceLevel: 'DOCUMENTED' });
  expect(body.data).toMatchObject({ aiGenerated: true, evidenceLevel: 'DOCUMENTED' });
});

test('unknown ids and ids of other centers return 404, and other roles 403', async () => {
  const { center } = await newStage();
  const { id } = await demo();
  const own = stage;
  const other = await newStage();
  const instructor = await makeMember(running.app, center.id, 'INSTRUCTOR');
  const parent = await makeMember(running.app, center.id, 'PARENT');
  const paths = [
    ['GET', ''],
    ['PUT', ''],
    ['GET', '/verify'],
    ['GET', '/responsibility'],
  ] as const;
  for (const [method, rest] of paths) {
    const body = method === 'PUT' ? {} : undefined;
    for (const [target, token] of [
      ['dpu_unknown', own.token],
      [id, other.token],
    ] as const) {
      const answer = await call(method, `/dpu/${target}${rest}`, body, token);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'DPU_NOT_FOUND']);
    }
    expect((await call(method, `/dpu/${id}${rest}`, body, instructor.token)).status).toBe(200);
    const refused = await call(method, `/dpu/${id}${rest}`, body, parent.token);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE']);
  }
  const node = `query ($id: ID!) { node(id: $id) { id __typename } }`;
  expect((await running.graphql(node, { id }, own.token)).data.node).toEqual({ id, __typename: 'Dpu' });
  expect((await running.graphql(node, { id }, other.token)).data.node).toBeNull();
  const asParent = await running.graphql(node, { id }, parent.token);
  expect(asParent.errors![0]!.extensions.code).toBe('INSUFFICIENT_ROLE');
});

test('responsibility answers all six questions', async () => {
  await newStage();
  const { id } = await demo({ content: 'Admit the child', tags: ['admission'] });
  await call('PUT', `/dpu/${id}`, { evidenceLevel: 'DOCUMENTED' });
  const { data } = (await call('GET', `/dpu/${id}/responsibility`)).body;
  const { actor } = stage.admin;
  expect(data).toMatchObject({
    who: { actor: { id: actor.id, name: actor.name, role: 'ADMIN' }, reviewers: [actor.id] },
    what: { content: 'Admit the child', referenceType: 'demo' },
    when: { recordedAt: expect.any(String), raises: [{ from: 'DRAFT', to: 'DOCUMENTED' }] },
    where: { centerId: stage.center.id, country: 'DE', region: 'BE', chain: 'platform', chainIndex: 0 },
    why: { tags: ['admission'] },
    how: { evidenceLevel: 'DOCUMENTED', hashAlgorithm: 'SHA-256' },
  });
});

test('stats are exact before and after folding; other centers appear in global counts only', async () => {
  const fresh = await startTestApp();
  try {
    const here = await makeStage(fresh.app, { vertical: 'education' });
    const there = await makeStage(fresh.app, { vertical: 'pharmacy' });
    const make = async (token: string) =>
      (await fresh.call('POST', '/dpu/demo', { token, body: {} })).body.data.id as string;
    const ids = [await make(here.token), await make(here.token), await make(here.token)];
    await make(there.token);
    const raise = (id: string, evidenceLevel: string) =>
      fresh.call('PUT', `/dpu/${id}`, { token: here.token, body: { evidenceLevel } });
    await raise(ids[0]!, 'DOCUMENTED');
    await raise(ids[1]!, 'AUDIT_READY');
    const stats = async () => (await fresh.call('GET', '/dpu/stats', { token: here.token })).body.data;
    const expected = {
      total: 4,
      byEvidenceLevel: { DRAFT: 2, DOCUMENTED: 1, AUDIT_READY: 1 },
      byVertical: { education: 3, pharmacy: 1, rehabilitation: 0 },
      center: { total: 3, byEvidenceLevel: { DRAFT: 1, DOCUMENTED: 1, AUDIT_READY: 1 } },
    };
    expect(await stats()).toMatchObject(expected);
    await foldTallies(fresh.app.db.pool);
    expect(await stats()).toMatchObject(expected);
  } finally {
    await fresh.close();
  }
});

test('the list is paged newest first and can be filtered', async () => {
  await newStage();
  const ids: string[] = [];
  for (const tag of ['x', 'y', 'x', 'y', 'x']) ids.unshift((await demo({ tags: [tag] })).id);
  await call('PUT', `/dpu/${ids[0]}`, { evidenceLevel: 'DOCUMENTED' });
  const query = `query ($first: Int, $after: String, $last: Int, $tag: String, $level: EvidenceLevel) {
    dpus(first: $first, after: $after, last: $last, tag: $tag, evidenceLevel: $level) {
      edges { node { id } } pageInfo { endCursor hasNextPage }
    }
  }`;
  const page = async (variables: object) => {
    const { data } = await running.graphql(query, { ...variables }, stage.token);
    const { edges, pageInfo } = data.dpus;
    return { ids: edges.map((edge: { node: { id: string } }) => edge.node.id), ...pageInfo };
  };
  const first = await page({ first: 2 });
  expect(first).toMatchObject({ ids: ids.slice(0, 2), hasNextPage: true });
  const second = await page({ first: 3, after: first.endCursor });
  expect(second).toMatchObject({ ids: ids.slice(2), hasNextPage: false });
  expect((await page({ last: 2 })).ids).toEqual(ids.slice(3));
  expect((await page({ tag: 'y' })).ids).toEqual([ids[1], ids[3]]);
  expect((await page({ level: 'DOCUMENTED' })).ids).toEqual([ids[0]]);
});

test('a repeated Idempotency-Key creates one record', async () => {
  const { center } = await newStage();
  const send = () =>
    running.call('POST', '/dpu/demo', {
      token: stage.token,
      body: { content: 'once' },
      headers: { 'Idempotency-Key': 'k-1' },
    });
  const first = await send();
  const second = await send();
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  const kept = await running.app.db.acrossTenants.idempotencyRecord.findFirstOrThrow({
    where: { subjects: { has: first.body.data.id } },
  });
  expect(kept.committedAt).not.toBeNull();
  expect(await running.app.db.forCenter(center.id).dpu.count()).toBe(1);
});

test('invalid input for a demonstration record is rejected', async () => {
  await newStage();
  for (const body of [
    { content: '' },
    { content: 'nul \u0000' },
    { content: '\ud800' },
    { referenceType: 'other' },
    { tags: 'x' },
    { tags: Array(51).fill('t') },
  ]) {
    const answer = await call('POST', '/dpu/demo', body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  }
});

test('a sealed decision can be read, verified and explained as a DPU, and not changed', async () => {
  const { key } = await newStage();
  const event = {
    type: 'agent_execution',
    actor: { id: 'agent-7', type: 'ai_agent', name: 'Refunds' },
    action: { type: 'refund.grant', description: 'Refund a session', input: { amount: 5 } },
    aiContext: { model: 'judge-3', confidence: 0.9, reasoning: 'Cancelled in time.' },
    tags: ['refund'],
  };
  const recorded = await call('POST', '/v1/decision-events', event, key);
  const approval = {
    approver: { id: 'ada', type: 'human', name: 'Ada' },
    result: 'approved',
    reason: 'Fine.',
  };
  const { id } = recorded.body.data;
  const sealed = await call('POST', `/v1/decision-events/${id}/approvals`, approval, key);
  expect(sealed.body.data.evidenceLevel).toBe('AUDIT_READY');
  const { data } = await running.graphql(
    '{ dpus(domain: proof, first: 5) { edges { node { id } } } }',
    {},
    stage.token,
  );
  const [{ node }] = data.dpus.edges;
  const read = (await call('GET', `/dpu/${node.id}`)).body.data;
  expect(read).toMatchObject({ domain: 'proof', evidenceLevel: 'AUDIT_READY', chainIndex: 0 });
  expect(`sha256:${read.chainHash}`).toBe(sealed.body.data.sealedHash);
  expect(JSON.parse(read.content).event.id).toBe(id);
  expect((await call('GET', `/dpu/${node.id}/verify`)).body.data).toMatchObject({
    valid: true,
    chainLength: 1,
  });
  const refused = await call('PUT', `/dpu/${node.id}`, { metadata: { a: 1 } });
  expect([refused.status, refused.body.error.code]).toEqual([403, 'DPU_SEALED']);
  expect((await call('GET', `/dpu/${node.id}/responsibility`)).body.data).toMatchObject({
    who: { actor: event.actor, approvers: [approval.approver] },
    what: { eventId: id, type: event.action.type, description: event.action.description },
    when: { occurredAt: expect.any(String), approvedAt: [expect.any(String)], sealedAt: expect.any(String) },
    where: { centerId: stage.center.id, centerDomain: stage.center.centerDomain, chainIndex: 0 },
    why: { reasoning: 'Cancelled in time.', reasons: ['Fine.'], policyId: 'pol_baseline', policyVersion: 1 },
    how: { method: 'agent_execution', model: 'judge-3', approvedBy: ['api_key'] },
  });
});
