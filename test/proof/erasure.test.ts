import { createHash } from 'node:crypto';
import { parseVerifierKey, verifyProof } from '@countersign/proof-kit';
import { canonicalJson } from '@countersign/proof-kit/canonical';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { eventually } from '../helpers/eventually.ts';
import { runAs } from '../helpers/server.ts';
import { makeMember } from '../helpers/world.ts';
import { consumer, type Reply } from '../webhooks/consumer.ts';
import { subscribe } from '../webhooks/stage.ts';
import { execute, makeWorkflow, reaches, text as template } from '../workflows/steps.ts';
import { bare } from './decisions.ts';
import { type ProofStage, proofStage } from './stage.ts';

let running: TestApp;
let stage: ProofStage;
beforeAll(async () => {
  running = await startTestApp({ worker: true, env: { WEBHOOK_RETRY_DELAYS: '0,1,1,1' } });
  stage = await proofStage(running);
});
afterAll(() => running.close());

const ERASE = `mutation ($input: EraseDecisionInput!) {
  eraseDecision(input: $input) { status erased { path at reason } } }`;
const ERASE_CONTENT = `mutation ($input: EraseDpuContentInput!) {
  eraseDpuContent(input: $input) { content erasedAt erasedReason tags metadata } }`;

const erase = (eventId: string, more: object = {}, token = stage.token) =>
  running.graphql(ERASE, { input: { eventId, reason: 'asked to', ...more } }, token);
const eraseContent = (id: string, token = stage.token) =>
  running.graphql(ERASE_CONTENT, { input: { id, reason: 'asked to' } }, token);

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const { rows: tables } = await running.superuser.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  let all = '';
  for (const { name } of tables) {
    const { rows } = await running.superuser.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
    all += rows.map(({ text }) => `${name} ${text}\n`).join('');
  }
  return all;
}

const sha256 = (text: string, encoding: 'hex' | 'base64url') =>
  createHash('sha256').update(text).digest(encoding);

/** The forms in which a value may be stored: itself, its digests, and JSON-escaped once more. */
const spellings = (value: unknown) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const digested = [text, canonicalJson(value as never)];
  return [text, ...digested.flatMap((each) => [sha256(each, 'hex'), sha256(each, 'base64url')])];
};

/** Lines of the dump and of the log that contain any of these texts. */
async function tracesOf(texts: readonly string[]): Promise<string[]> {
  const lines = `${await dump()}${running.logged.join('\n')}`.split('\n');
  return lines.filter((line) => texts.some((text) => line.toLowerCase().includes(text.toLowerCase())));
}

const exported = async (path: string) => (await running.call('GET', path, { token: stage.token })).text;
async function verdictOf(document: string): Promise<string> {
  const { keys } = (await (await running.fetch('/.well-known/countersign-keys.json')).json()) as {
    keys: { vkey: string }[];
  };
  const trust = { keys: keys.map(({ vkey }) => parseVerifierKey(vkey)) };
  const { verdict, reason } = await verifyProof(document, trust);
  return `${verdict}: ${reason}`.replace(/erased by [0-9a-f-]{36}/, 'erased by ADMIN');
}

const chainsAreValid = async () => {
  const { body } = await running.call('GET', '/dpu/verify-chain', { token: stage.token });
  expect(body.data).toMatchObject({ valid: true, brokenAt: null });
};

const journal = async (): Promise<Parsed[]> => {
  const { rows } = await running.superuser.query<{ content: string }>(
    `SELECT r.content FROM ledger_record r JOIN ledger_chain c ON c.id = r.chain_id
     WHERE c.domain = 'journal' AND c.center_id = $1 ORDER BY r.index`,
    [stage.center.id],
  );
  return rows.map(({ content }) => JSON.parse(content)).filter(({ kind }) => kind === 'erased');
};

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

test('after erasure nothing in the database or the log holds a value, and every proof still verifies', async () => {
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

describe('some members only', () => {
  test('the others stay, a second call changes nothing, and what is left can go later', async () => {
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

  test('one of two approvers has no reason: the path is in the proof once', async () => {
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

describe('a decision that still waits', () => {
  test.each([false, true])('is rejected by the system, with a first of two approvals: %s', async (first) => {
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

  test('approved and erased at once it is one of the two, and empty', async () => {
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

test('a delivery under way carries the emptied form, and what came back to the full one is not kept', async () => {
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

describe('a record of the platform', () => {
  test('loses its content and what repeats it; its hash stays proven', async () => {
    const { admin, token } = stage;
    const made = await running.call('POST', '/dpu/demo', {
      token,
      body: { content: 'mark-content', tags: ['mark-demo-tag'] },
      headers: { 'Idempotency-Key': 'mark-demo-key' },
    });
    const { id } = made.body.data;
    await running.call('PUT', `/dpu/${id}`, { token, body: { metadata: { note: 'mark-note' } } });
    const learn = async (mutation: string) =>
      (await running.graphql(`mutation { ${mutation} { dpuId } }`, {}, token)).data;
    const { recordAttendance } = await learn(
      `recordAttendance(input: {attendeeId: "${admin.actor.id}", sessionRef: "mark-session", method: qr})`,
    );
    const { issueCertificate } = await learn(
      `issueCertificate(input: {learnerId: "${admin.actor.id}", title: "mark-title", courseRef: "mark-course"})`,
    );
    const ids = [id, recordAttendance.dpuId, issueCertificate.dpuId];
    const before = await Promise.all(ids.map((each) => exported(`/dpu/${each}/export`)));
    const contents = before.map((text) => JSON.parse(text).record.content);

    for (const each of ids) {
      const { data, errors } = await eraseContent(each);
      expect(errors).toBeUndefined();
      expect(data.eraseDpuContent).toEqual({
        content: '',
        erasedAt: expect.any(String),
        erasedReason: 'asked to',
        tags: [],
        metadata: {},
      });
      // Erasing again changes nothing.
      expect((await eraseContent(each)).data).toEqual(data);
      const text = await exported(`/dpu/${each}/export`);
      expect(await verdictOf(text)).toBe('partial: erased: content; erased by ADMIN');
      expect(JSON.parse(await exported(`/dpu/${each}`)).data.erasedAt).toBe(data.eraseDpuContent.erasedAt);
      expect(JSON.parse(text)).toMatchObject({
        evidence: { content: '', erasedAt: data.eraseDpuContent.erasedAt },
        erased: [{ path: 'content', at: data.eraseDpuContent.erasedAt, reason: 'asked to' }],
      });
    }
    for (const text of before) expect(await verdictOf(text)).toMatch(/^proven: /);
    const words = ['mark-content', 'mark-demo', 'mark-note', 'mark-session', 'mark-title', 'mark-course'];
    expect(await tracesOf([...words, ...contents.flatMap(spellings)])).toEqual([]);
    await chainsAreValid();
    expect((await journal()).slice(-3).map(({ dpuId, fields }) => [dpuId, fields])).toEqual(
      ids.map((each) => [each, ['content']]),
    );
    expect((await running.call('GET', `/dpu/${id}/verify`, { token })).body.data.valid).toBe(true);
    expect((await running.call('GET', `/dpu/${id}/responsibility`, { token })).status).toBe(200);
    const put = await running.call('PUT', `/dpu/${id}`, { token, body: { evidenceLevel: 'AUDIT_READY' } });
    expect(put.status).toBe(409);
  });

  test('a run takes its steps along, and that of a decision is erased with the decision', async () => {
    const { token } = stage;
    const workflow = await makeWorkflow(running, token, [
      template('say', 'says {{ parameters.who }}'),
      {
        name: 'tell',
        kind: 'emit_event',
        type: 'agent.approval.requested',
        data: {
          decisionId: 'd',
          eventId: 'e',
          agentId: '{{ steps.say.text }}',
          actionType: 'a',
          riskScore: null,
          reason: 'r',
        },
      },
      {
        name: 'decide',
        kind: 'record_decision',
        action: { type: 'a', input: { who: '{{ parameters.who }}' } },
      },
    ]);
    const runs = [];
    for (const who of ['run-one', 'run-two']) {
      const execution = await execute(running, token, workflow, { who });
      runs.push(await reaches(running, token, execution, 'COMPLETED'));
    }
    const [one, two] = runs;
    const recorded = (run: typeof one) => run!.steps[2]!.output as { eventId: string };
    const record = one!.dpuId!;
    expect((await eraseContent(record)).errors).toBeUndefined();
    expect((await erase(recorded(one).eventId)).errors).toBeUndefined();
    expect(await tracesOf(['run-one'])).toEqual([]);
    // Conversely, the record of the run is erased with the decision.
    expect((await erase(recorded(two).eventId, { fields: ['action.input'] })).errors).toBeUndefined();
    expect(await tracesOf(['run-two'])).toEqual([]);
    await chainsAreValid();
  });

  test('that of a decision is erased as the decision', async () => {
    const { id } = await stage.record();
    const { data } = await running.graphql(`{ decisionEvent(id: "${id}") { dpuId } }`, {}, stage.token);
    await stage.approve(id);
    const { errors } = await eraseContent(data.decisionEvent.dpuId);
    expect(errors?.[0]?.message).toContain('erase the decision');
  });
});

/** As the login of the service, which an injection would use. */
describe('by SQL alone', () => {
  let ids: Record<'waiting' | 'sealed' | 'dpu' | 'platform', string>;
  beforeAll(async () => {
    const waiting = (await stage.record()).id;
    const sealed = (await stage.record()).id;
    await stage.approve(sealed);
    const { body } = await running.call('POST', '/dpu/demo', {
      token: stage.token,
      body: { content: 'stays' },
    });
    const { rows } = await running.superuser.query('SELECT dpu_id FROM decision_event WHERE id = $1', [
      sealed,
    ]);
    ids = { waiting, sealed, dpu: rows[0].dpu_id, platform: body.data.id };
  });
  const filled = (sql: string) =>
    sql.replace(/:(\w+)/g, (all, name: string) => (name in ids ? `'${ids[name as 'sealed']}'` : all));

  test.each([
    // No privilege on any column except the status of a decision and the level of a record.
    `UPDATE decision_event SET actor_id = '' WHERE id = :sealed`,
    `UPDATE decision_event SET action_input = NULL WHERE id = :waiting`,
    `UPDATE decision_event SET erased = '{}' WHERE id = :sealed`,
    `UPDATE approval SET reason = NULL`,
    `UPDATE outcome SET output = NULL`,
    `UPDATE ledger_record SET content = ''`,
    `UPDATE dpu SET tags = '{}' WHERE id = :platform`,
    `UPDATE platform_event SET data = '{}'`,
    `DELETE FROM outcome`,
    // Final states stay final.
    `UPDATE decision_event SET status = 'recorded' WHERE id = :sealed`,
    `UPDATE dpu SET metadata = '{"a": 1}' WHERE id = :dpu`,
    // Erasure writes to the journal; only final, declared and existing members can be erased.
    `SELECT erase_decision_members(:center, '{"kind": "noted", "eventId": ":sealed", "fields": ["tags"], "reason": "r"}', :at, '{"event": {"tags": "x"}}')`,
    `SELECT erase_decision_members(:center, '{"kind": "erased", "eventId": ":sealed", "fields": ["actor.id"], "reason": "r"}', :at, '{"event": {"tags": "x"}}')`,
    `SELECT erase_decision_members(:center, '{"kind": "erased", "eventId": ":waiting", "fields": ["tags"], "reason": "r"}', :at, '{"event": {"tags": "x"}}')`,
    `SELECT erase_decision_members(:center, '{"kind": "erased", "eventId": ":sealed", "fields": ["tags"], "reason": "r"}', :at, '{"event": {"tags": "x"}}')`,
    `SELECT erase_decision_members(:center, '{"kind": "erased", "eventId": ":sealed", "fields": ["action.type"], "reason": "r"}', :at, '{"event": {"action.type": "x"}}')`,
    `SELECT empty_events(:center, 'msg_', ARRAY[:sealed], '{}')`,
    `SELECT erase_record_content(:center, '{"kind": "erased", "dpuId": ":dpu", "fields": ["content"], "reason": "r"}', '{"kind": "dpu"}', 's', :at)`,
    `SELECT erase_record_content(:center, '{"kind": "erased", "dpuId": ":platform", "fields": ["content"], "reason": "r"}', '{"kind": "dpu"}', 's', :at)`,
  ])('%s is refused', async (sql) => {
    const text = filled(sql.replaceAll(/":(\w+)"/g, (_, name) => `"${ids[name as 'sealed']}"`))
      .replace(':center', String(stage.center.id))
      .replace(':at', `'${new Date().toISOString()}'`);
    await expect(
      runAs(running.database.url, `SET cs.centers = '${stage.center.id}'; ${text}`),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|23001)$/) });
  });

  test('the tables refuse the owner too, whatever is not a value taken away with its mark', async () => {
    const mark = `'{"tags": {"at": "t", "reason": "r", "digest": "d"}}'`;
    const without = `(salts::jsonb - 'tags')::json`;
    for (const change of [
      `decision_event SET tags = '{}' WHERE id = :sealed`,
      `decision_event SET tags = '{other}', salts = ${without}, erased = ${mark} WHERE id = :sealed`,
      `decision_event SET tags = '{}', erased = ${mark} WHERE id = :sealed`,
      `decision_event SET salts = ${without}, erased = ${mark} WHERE id = :waiting`,
      `decision_event SET tags = '{}', salts = ${without}, erased = '{"tags": {}}' WHERE id = :sealed`,
      `decision_event SET actor_name = NULL WHERE id = :waiting`,
      `decision_event SET action_type = 'other' WHERE id = :waiting`,
      `approval SET reason = 'other' WHERE event_id = :sealed`,
      `ledger_record r SET content = '' FROM dpu d WHERE d.id = :platform AND d.chain_id = r.chain_id AND d.index = r.index`,
      `ledger_record r SET content = '' FROM dpu d WHERE d.id = :dpu AND d.chain_id = r.chain_id AND d.index = r.index`,
      `dpu SET tags = '{}', actor_id = NULL WHERE id = :dpu`,
      `dpu SET erased_at = now(), metadata = '{"a": 1}' WHERE id = :platform`,
      `dpu SET erased_at = now(), erased_reason = 'r' WHERE id = :dpu`,
    ]) {
      const done = running.superuser.query(`UPDATE ${filled(change)}`);
      await expect(done, change).rejects.toMatchObject({ code: '23001' });
    }
    await chainsAreValid();
  });

  test('no center is erased from that was not declared', async () => {
    const foreign = await proofStage(running);
    const entry = { kind: 'erased', eventId: ids.sealed, fields: ['tags'], reason: 'r' };
    const calls = [
      `erase_decision_members(${stage.center.id}, '${JSON.stringify(entry)}', '${new Date().toISOString()}', '{"event": {"tags": "x"}}')`,
      `erase_from_events(${stage.center.id}, 'msg_', ARRAY['${ids.sealed}'], '{}')`,
    ];
    for (const call of calls) {
      for (const declared of ['', `SET cs.centers = '${foreign.center.id}';`]) {
        await expect(runAs(running.database.url, `${declared} SELECT ${call}`)).rejects.toMatchObject({
          code: '42501',
        });
      }
    }
  });
});

describe('impossible requests', () => {
  let id: string;
  beforeAll(async () => {
    id = (await stage.record()).id;
  });

  test.each([
    [{ fields: ['action.input', 'action.type'] }, '"action.type" is not a member that can be erased'],
    [{ fields: ['approver.id'] }, '"approver.id" is not a member that can be erased'],
    [{ fields: [] }, 'fields'],
    [{ reason: '' }, 'reason'],
    [{ reason: 'x'.repeat(1_001) }, 'reason'],
  ])('%j is told so', async (more, words) => {
    const { errors } = await erase(id, more);
    expect(errors?.[0]?.extensions.code).toBe('VALIDATION_ERROR');
    expect(JSON.stringify(errors)).toContain(JSON.stringify(words).slice(1, -1));
  });

  test('another role, a key or another center erases nothing', async () => {
    const instructor = await makeMember(running.app, stage.center.id, 'INSTRUCTOR');
    const foreign = await proofStage(running);
    const codes = async (token: string) => [
      (await erase(id, {}, token)).errors?.[0]?.extensions.code,
      (await eraseContent('dpu_00000000000000000000000000', token)).errors?.[0]?.extensions.code,
    ];
    expect(await codes(instructor.token)).toEqual(['INSUFFICIENT_ROLE', 'INSUFFICIENT_ROLE']);
    expect(await codes(stage.key)).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED']);
    expect(await codes(foreign.token)).toEqual(['NOT_FOUND', 'DPU_NOT_FOUND']);
    expect((await stage.get(`/decision-events/${id}`)).body.data.status).toBe('recorded');
  });
});
