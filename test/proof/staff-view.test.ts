/** What staff without the role ADMIN sees of sealed decisions: their public record, and nothing of what it withholds. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type Member, type QuorumStage, quorumStage, SEALED } from './quorum-stage.ts';

let running: TestApp;
let stage: QuorumStage;
let stranger: Member;
let approver: Member;
let dpuId: string;

const SECRETS = ['Pay Mallory', 'order-4711', 'secret-tag', 'secret-agent', 'secret-key'];
const tells = (answer: unknown) =>
  [...SECRETS, approver.actor.id].filter((secret) => JSON.stringify(answer).includes(secret));

beforeAll(async () => {
  running = await startTestApp();
  stage = await quorumStage(running);
  [stranger, approver] = [await stage.member(), await stage.member()];
  const type = await stage.ruled({ quorum: [{ group: await stage.group(approver), count: 1 }] });
  const event = await stage.record({
    action: { type, description: 'Pay Mallory', input: { order: 'order-4711' } },
    actor: { id: 'secret-agent', type: 'ai_agent' },
    tags: ['secret-tag'],
    idempotencyKey: 'secret-key',
  });
  expect(await stage.approveAs(approver, event.id)).toEqual(SEALED);
  const read = await stage.ask('query ($id: ID!) { decisionEvent(id: $id) { dpuId } }', { id: event.id });
  dpuId = read.dpuId;
});
afterAll(() => running.close());

const get = (path: string, { token }: { token: string }) => running.call('GET', path, { token });

test('responsibility is refused to staff that decisionEvent refuses, over REST and GraphQL', async () => {
  const refused = await get(`/dpu/${dpuId}/responsibility`, stranger);
  expect([refused.status, refused.body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE']);
  const asked = 'query ($id: ID!) { dpuResponsibility(id: $id) { who what why } }';
  expect(await stage.ask(asked, { id: dpuId }, stranger.token)).toEqual({ code: 'INSUFFICIENT_ROLE' });
  // Who approved the decision may read it, and so may an ADMIN.
  for (const reader of [approver, stage]) {
    const { status, body } = await get(`/dpu/${dpuId}/responsibility`, reader);
    expect([status, body.data.what.description]).toEqual([200, 'Pay Mallory']);
  }
});

test('no other field shows staff what the record of a decision withholds', async () => {
  const DPU = 'id content actorId tags metadata referenceType referenceId evidenceLevel chainHash';
  const answers = [
    (await get(`/dpu/${dpuId}`, stranger)).body.data,
    await stage.ask(`query ($id: ID!) { dpu(id: $id) { ${DPU} } }`, { id: dpuId }, stranger.token),
    await stage.ask(
      `query ($id: ID!) { node(id: $id) { ... on Dpu { ${DPU} } } }`,
      { id: dpuId },
      stranger.token,
    ),
    (await stage.ask(`{ dpus(domain: proof) { nodes: edges { node { ${DPU} } } } }`, {}, stranger.token))
      .nodes[0].node,
  ];
  for (const dpu of answers) {
    expect(dpu).toMatchObject({ id: dpuId, evidenceLevel: 'AUDIT_READY', actorId: null, tags: [] });
    expect(tells(dpu)).toEqual([]);
  }
  const { body } = await get(`/dpu/${dpuId}`, stage);
  expect(tells(body.data)).toEqual(['secret-tag', 'secret-key', approver.actor.id]);

  const byTag = '{ dpus(tag: "secret-tag") { totalCount edges { node { id } } } }';
  expect(await stage.ask(byTag, {}, stranger.token)).toEqual({ totalCount: 0, edges: [] });
  expect((await stage.ask(byTag)).totalCount).toBe(1);
  for (const path of ['', '/verify', '/export']) {
    const answer = await get(`/dpu/${dpuId}${path}`, stranger);
    expect(answer.status).toBe(path === '/export' ? 403 : 200);
    expect(tells(answer.body)).toEqual([]);
  }
});

test('records of the platform stay readable to staff, with tags, author and responsibility', async () => {
  const { token } = stranger;
  const body = { content: 'Plan confirmed', tags: ['therapy'] };
  const { data } = (await running.call('POST', '/dpu/demo', { token, body })).body;
  expect(data).toMatchObject({ tags: ['therapy'], actorId: stranger.actor.id });
  expect((await get(`/dpu/${data.id}/responsibility`, approver)).status).toBe(200);
  const byTag = '{ dpus(tag: "therapy") { totalCount } }';
  expect(await stage.ask(byTag, {}, approver.token)).toEqual({ totalCount: 1 });
});
