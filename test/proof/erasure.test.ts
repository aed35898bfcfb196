import { describe, expect, test } from 'vitest';
import type { Parsed } from '../helpers/client.ts';
import { eventually } from '../helpers/eventually.ts';
import { runAs } from '../helpers/server.ts';
import { consumer, type Reply } from '../webhooks/consumer.ts';
import { subscribe } from '../webhooks/stage.ts';
import { bare } from './decisions.ts';
import {
  chainsAreValid,
  erase,
  exported,
  journal,
  running,
  spellings,
  stage,
  startErasureWorld,
  tracesOf,
  verdictOf,
} from './erasure-world.ts';
import { proofStage } from './stage.ts';

startErasureWorld();

const echo: Reply = ({ raw }, response) => response.end(raw);

const said = {
  agent: { id: 'mark-agent-id', name: 'Mark Agent-Name' },
  action: {
    type: 'refund.grant',
    description: 'mark-description',
    input: { customer: 'mark-input', amount: 4711 },
    output: { note: 'mark-output' },
  },
  aiContext: {
    model: 'mark-model',
    provider: 'mark-provider',
    confidence: 0.93715937,
    reasoning: 'mark-reasoning',
  },
  riskScore: 0.95713593,
  tags: ['mark-tag-1', 'mark-tag-2'],
};
const approval = {
  approver: { id: 'mark-approver-id', type: 'human', name: 'Mark Approver-Name' },
  result: 'approved',
  reason: 'mark-reason',
};
const output = { receipt: 'mark-outcome' };

const ALL = [
  'action.description',
  'action.input',
  'action.output',
  'actor.id',
  'actor.name',
  'aiContext.confidence',
  'aiContext.model',
  'aiContext.provider',
  'aiContext.reasoning',
  'approvals.approver.id',
  'approvals.approver.name',
  'approvals.by.id',
  'approvals.reason',
  'decisionId',
  'outcome.output',
  'riskScore',
  'tags',
];

test('after erasure no table and no log contains a value, and every proof still verifies', async () => {
  const { url, received } = await consumer(echo);
  await subscribe(running, stage.key, url);
  const keyed = { 'Idempotency-Key': 'mark-header-key' };

  // An agent's decision with every member, approved, carried out, repeated.
  const asked = await stage.post('/agents/decide', said, keyed);
  const { eventId, argumentsDigest, dpu } = asked.body.data;
  const approve = () => stage.post(`/decision-events/${eventId}/approvals`, approval, keyed);
  expect((await approve()).status).toBe(200);
  expect((await approve()).headers.get('idempotent-replayed')).toBe('true');
  const outcome = { status: 'executed', argumentsDigest, output };
  const report = () => stage.post(`/decision-events/${eventId}/outcome`, outcome, { 'Idempotency-Key': 'o' });
  expect((await report()).status).toBe(201);
  expect((await stage.post('/agents/decide', said, keyed)).status).toBe(200);

  // A reported decision with the caller's own key, under another header and found by search.
  const recordedBody = {
    ...bare,
    actor: { id: 'mark-actor', type: 'human' },
    idempotencyKey: 'mark-own-key',
  };
  const record = () =>
    stage.post('/decision-events', recordedBody, { 'Idempotency-Key': 'mark-other-header' });
  const other = (await record()).body.data;
  expect((await record()).headers.get('idempotent-replayed')).toBe('true');
  expect((await stage.approve(other.id, { reason: 'mark-second-reason' })).status).toBe(200);
  const search = async () =>
    (
      await running.graphql(
        `{ decisionEvents(filter: {search: "mark-"}) { edges { node { id } } } }`,
        {},
        stage.token,
      )
    ).data.decisionEvents.edges.length;
  expect(await search()).toBe(2);

  const before = await exported(`/dpu/${dpu.id}/export`);
  const document = JSON.parse(before);
  await eventually(() => received.filter(({ raw }) => raw.includes('mark-')).length >= 3);
  await eventually(
    async () =>
      (
        await running.superuser.query(
          `SELECT FROM delivery_attempt WHERE response_body LIKE '%mark-approver-id%'`,
        )
      ).rowCount! > 0,
  );

  const answer = await erase(eventId);
  expect(answer.errors).toBeUndefined();
  expect(answer.data.eraseDecision.status).toBe('sealed');
  expect(answer.data.eraseDecision.erased.map(({ path }: Parsed) => path)).toEqual(ALL);
  expect((await erase(other.id)).errors).toBeUndefined();

  // Later work of the workers reveals nothing either.
  await running.call('GET', '/dpu/verify-chain', { token: stage.token });
  await eventually(
    async () =>
      (
        await running.superuser.query(
          'SELECT FROM graphile_worker.jobs WHERE attempts = 0 AND run_at <= now()',
        )
      ).rowCount === 0,
  );
  const values = [
    said.agent.id,
    said.agent.name,
    ...Object.values(said.action).slice(1),
    ...Object.values(said.aiContext),
    said.riskScore,
    said.tags,
    ...said.tags,
    approval.approver.id,
    approval.approver.name,
    approval.reason,
    output,
    said,
    approval,
    outcome,
    { ...said, expiresInSeconds: 86_400 },
    recordedBody,
  ];
  const opened = (each: string) => JSON.parse(Buffer.from(each, 'base64url').toString());
  // Who reported the outcome stays on record.
  const ofOutcome = document.outcome.disclosures.filter((each: string) => opened(each)[1] !== 'id');
  const disclosures = [...document.disclosures, ...ofOutcome];
  const salts = disclosures.map((each: string) => opened(each)[0]);
  const words = [
    'mark-',
    'Mark Agent',
    'Mark Approver',
    ...values.flatMap(spellings),
    ...['mark-header-key', 'mark-own-key', 'mark-other-header', 'mark-actor'].flatMap(spellings),
    ...disclosures,
    ...salts,
  ];
  expect(await tracesOf(words)).toEqual([]);
  expect(await search()).toBe(0);

  expect(await verdictOf(before)).toMatch(/^proven: /);
  const after = await exported(`/dpu/${dpu.id}/export`);
  expect(await verdictOf(after)).toBe(
    `partial: erased: ${[...ALL.filter((path) => path !== 'outcome.output'), 'outcome.output'].join(', ')}; erased by ADMIN; outcome: executed`,
  );
  expect(JSON.parse(after).erased[0]).toMatchObject({
    path: 'action.description',
    at: expect.any(String),
    reason: 'asked to',
    by: { kind: 'session', id: stage.admin.actor.id },
    journal: expect.objectContaining({ inclusion: expect.anything() }),
  });
  await chainsAreValid();

  // Replays neither return erased data nor run again.
  expect((await approve()).status).toBe(409);
  expect((await report()).status).toBe(409);
  expect((await record()).status).toBe(409);
  const shown = (await stage.get(`/decision-events/${eventId}`)).body.data;
  expect(shown).toMatchObject({ decisionId: '', actor: { id: '', type: 'ai_agent' }, tags: [] });
  expect((await stage.get(`/evidence/${shown.evidence.id}`)).body.data.erased).toHaveLength(ALL.length - 1);
  expect((await running.fetch(`/verify/${eventId}`)).status).toBe(200);
});

describe('erasing some members', () => {
  test('keeps the others, is idempotent, and the rest can be erased later', async () => {
    const { eventId, dpu } = (await stage.post('/agents/decide', { ...said, riskScore: 0.97 })).body.data;
    await stage.post(`/decision-events/${eventId}/approvals`, approval);
    const fields = ['action.input', 'approvals.reason', 'tags'];
    const entries = (await journal()).length;
    for (let i = 0; i < 2; i++) {
      const { data } = await erase(eventId, { fields });
      expect(data.eraseDecision.erased.map(({ path }: Parsed) => path)).toEqual(fields);
      expect((await journal()).slice(entries)).toEqual([
        {
          kind: 'erased',
          eventId,
          fields,
          reason: 'asked to',
          by: { kind: 'session', _sd: [expect.any(String)] },
          _sd_alg: 'sha-256',
        },
      ]);
    }
    const { data } = await stage.get(`/decision-events/${eventId}`).then(({ body }) => body);
    expect(data.action).toEqual({
      type: 'refund.grant',
      description: 'mark-description',
      output: said.action.output,
    });
    expect(data).toMatchObject({ actor: said.agent, aiContext: said.aiContext, tags: [] });
    expect(await verdictOf(await exported(`/dpu/${dpu.id}/export`))).toBe(
      `partial: erased: ${fields.join(', ')}; erased by ADMIN; outcome: none shown`,
    );
    const audits = await stage.audits('center.updated');
    expect(audits.filter(({ target }) => target === eventId)).toMatchObject([
      { detail: { change: 'decision erased', fields, reason: 'asked to' } },
    ]);
    // An erased decision can no longer be carried out, because the arguments could not be compared with the approved ones.
    const late = { status: 'executed', argumentsDigest: `sha256:${'0'.repeat(64)}` };
    expect((await stage.post(`/decision-events/${eventId}/outcome`, late)).status).toBe(409);
    const rest = (await erase(eventId)).data.eraseDecision.erased.map(({ path }: Parsed) => path);
    expect(rest).toEqual(ALL.filter((path) => path !== 'outcome.output'));
    expect((await journal()).slice(entries + 1)).toMatchObject([
      { fields: expect.not.arrayContaining(fields) },
    ]);
    await chainsAreValid();
  });

  test('lists the path of a missing reason once if there are two approvers', async () => {
    const strict = await proofStage(running);
    await strict.policy({ dualApproval: true });
    const { id, evidence } = await strict.record();
    await strict.approve(id, { approver: { id: 'a', type: 'human' } });
    await strict.approve(id, { approver: { id: 'b', type: 'human' }, reason: undefined });
    const fields = ['approvals.reason', 'approvals.approver.id'];
    expect((await erase(id, { fields }, strict.token)).errors).toBeUndefined();
    const { text } = await strict.get(`/evidence/${evidence.id}/export`);
    expect(await verdictOf(text)).toBe(
      'partial: erased: approvals.approver.id, approvals.reason; erased by ADMIN; outcome: none shown',
    );
    // The reason for the erasure is on the journal: a different reason in a row is reported.
    const other = `erased = replace(erased::text, 'asked to', 'lost')::json`;
    await runAs(
      running.database.adminUrl,
      `SET session_replication_role = replica; UPDATE approval SET ${other} WHERE event_id = '${id}'`,
    );
    const { body } = await running.call('GET', '/dpu/verify-chain', { token: strict.token });
    expect(body.data.differences.map(({ member }: Parsed) => member).sort()).toEqual([
      ...['approver.id', 'approver.id', 'reason'],
    ]);
  });
});

describe('erasing a pending decision', () => {
  test.each([false, true])('rejects it as the system, with a first of two approvals: %s', async (first) => {
    const strict = await proofStage(running);
    if (first) await strict.policy({ dualApproval: true });
    const { id } = await strict.record({ actor: { id: 'wait-actor', type: 'ai_agent' } });
    if (first) await strict.approve(id, { reason: 'wait-reason' });
    const { data } = await erase(id, {}, strict.token);
    expect(data.eraseDecision.status).toBe('rejected');
    const QUERY = `query ($id: ID!) { decisionEvent(id: $id) {
      actor { id } approvals { result reason approver { id } } } }`;
    const { decisionEvent } = (await running.graphql(QUERY, { id }, strict.token)).data;
    expect(decisionEvent.actor.id).toBe('');
    expect(decisionEvent.approvals.at(-1)).toEqual({
      result: 'rejected',
      reason: 'erased',
      approver: { id: 'countersign' },
    });
    if (first)
      expect(decisionEvent.approvals[0]).toEqual({ result: 'approved', reason: null, approver: { id: '' } });
    expect((await strict.approve(id)).status).toBe(409);
    expect(await tracesOf(['wait-actor', 'wait-reason'])).toEqual([]);
    const { body } = await running.call('GET', '/dpu/verify-chain', { token: strict.token });
    expect(body.data.valid).toBe(true);
  });

  test('concurrently with an approval ends in either state, with all values erased', async () => {
    const ids = await Promise.all(
      Array.from(
        { length: 6 },
        async () => (await stage.record({ actor: { id: 'race-actor', type: 'service' } })).id,
      ),
    );
    const calls = ids.flatMap((id) => [
      stage.approve(id, { approver: { id: 'race-approver', type: 'human' } }),
      erase(id),
      erase(id),
    ]);
    for (const call of await Promise.all(calls)) {
      expect([200, 409]).toContain(call.status);
      if ('errors' in call) expect(call.errors).toBeUndefined();
    }
    expect(await tracesOf(['race-actor', 'race-approver'])).toEqual([]);
    await chainsAreValid();
  });
});

test('a delivery in progress is retried with erased data, and the response to the full data is not stored', async () => {
  const other = await proofStage(running);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { url, received } = await consumer(async ({ raw }, response, count) => {
    if (count === 1) await held;
    response.writeHead(count === 1 ? 500 : 200).end(raw);
  });
  const { id: webhookId } = await subscribe(running, other.key, url, ['agent.decision.completed']);
  const body = { agent: { id: 'under-way' }, action: { type: 'a' }, riskScore: 0.1 };
  const { eventId } = (await other.post('/agents/decide', body)).body.data;
  await eventually(() => received.length === 1);
  await erase(eventId, {}, other.token);
  release();
  await eventually(() => received.length === 2);
  const empty = { eventId, actionType: 'a', decisionId: '', agentId: '', riskScore: null, autonomous: true };
  expect(received[1]!.body).toMatchObject({ data: empty, deliveryAttempt: 2 });
  await eventually(
    async () =>
      (await running.superuser.query('SELECT FROM delivery_attempt WHERE webhook_id = $1', [webhookId]))
        .rowCount === 2,
  );
  expect(await tracesOf(['under-way'])).toEqual([]);
});
