import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { inOneDay } from '../helpers/same-day.ts';
import { makeMember } from '../helpers/world.ts';
import { bare } from './decisions.ts';
import { proofStage } from './stage.ts';

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

const PAGE = /* GraphQL */ `
  query ($first: Int, $after: String, $last: Int, $before: String, $filter: DecisionEventFilter) {
    decisionEvents(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount
      edges { cursor node { id status action { type input } } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`;

test('an ADMIN pages through events in both directions, with filters and totals', async () => {
  const stage = await proofStage(running);
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.unshift((await stage.record(i === 2 ? { ...bare, tags: ['odd'] } : {})).id);
  await stage.approve(ids[0]!);
  const page = async (variables: object) => {
    const { data } = await running.graphql(PAGE, { ...variables }, stage.token);
    const { edges, pageInfo, totalCount } = data.decisionEvents;
    return {
      ids: edges.map(({ node }: { node: { id: string } }) => ids.indexOf(node.id)),
      pageInfo,
      totalCount,
    };
  };
  const first = await page({ first: 2 });
  expect(first).toMatchObject({ ids: [0, 1], totalCount: 5, pageInfo: { hasNextPage: true } });
  const second = await page({ first: 2, after: first.pageInfo.endCursor });
  expect(second.ids).toEqual([2, 3]);
  const third = await page({ first: 2, after: second.pageInfo.endCursor });
  expect(third).toMatchObject({ ids: [4], pageInfo: { hasNextPage: false } });
  expect((await page({ last: 2, before: second.pageInfo.startCursor })).ids).toEqual([0, 1]);
  expect(await page({ filter: { status: 'sealed' } })).toMatchObject({ ids: [0], totalCount: 1 });
  expect(await page({ filter: { tag: 'odd', type: 'custom' } })).toMatchObject({ ids: [2], totalCount: 1 });
  const { errors } = await running.graphql(PAGE, { first: 101 }, stage.token);
  expect(errors).toBeUndefined();
});

test('an ADMIN approves in their own name and reads approvals and evidence', async () => {
  const stage = await proofStage(running);
  const event = await stage.record();
  const { data } = await running.graphql(
    /* GraphQL */ `mutation ($id: ID!) {
      approveDecision(input: { eventId: $id, result: approved, reason: "Checked." }) {
        approver { id type name } evidenceLevel sealedHash
      }
    }`,
    { id: event.id },
    stage.token,
  );
  const { actor } = stage.admin;
  expect(data.approveDecision).toMatchObject({
    approver: { id: actor.id, type: 'human', name: actor.name },
    evidenceLevel: 'AUDIT_READY',
    sealedHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const read = await running.graphql(
    /* GraphQL */ `query ($event: ID!, $evidence: ID!) {
      decisionEvent(id: $event) { status approvals { id approver { id } reason } }
      evidence(id: $evidence) { eventId event approval policy chain { hash index domain } }
      approvals(first: 5, eventId: $event) { edges { node { result contentHash } } }
      node(id: $event) { ... on DecisionEvent { contentHash } }
    }`,
    { event: event.id, evidence: event.evidence.id },
    stage.token,
  );
  expect(read.errors).toBeUndefined();
  expect(read.data.decisionEvent.approvals).toMatchObject([
    { approver: { id: actor.id }, reason: 'Checked.' },
  ]);
  expect(read.data.evidence.chain).toEqual({
    hash: data.approveDecision.sealedHash,
    index: 0,
    domain: 'proof',
  });
  expect(read.data.evidence.event.actor.id).toBe('refund-agent');
  // The approval is bound to the content of the event.
  expect(read.data.approvals.edges[0].node.contentHash).toBe(read.data.node.contentHash);
});

test('other roles, other centers and read-only keys are rejected', async () => {
  const stage = await proofStage(running);
  const other = await proofStage(running);
  const event = await stage.record();
  await stage.approve(event.id);
  const parent = await makeMember(running.app, stage.center.id, 'PARENT');
  const approvals = await running.app.db.acrossTenants.approval.findMany({ where: { eventId: event.id } });
  const queries = [
    `{ decisionEvents(first: 1) { edges { node { id } } } }`,
    `{ decisionEvent(id: "${event.id}") { id } }`,
    `{ evidence(id: "${event.evidence.id}") { id } }`,
    `{ approvals(first: 1) { edges { node { id } } } }`,
    `mutation { approveDecision(input: { eventId: "${event.id}", result: approved }) { approvalId } }`,
    `{ node(id: "${event.id}") { ... on DecisionEvent { contentHash } } }`,
    `{ node(id: "${approvals[0]!.id}") { ... on Approval { contentHash } } }`,
  ];
  for (const query of queries) {
    const { data, errors } = await running.graphql(query, {}, parent.token);
    expect([query, errors?.[0]?.extensions.code]).toEqual([query, 'INSUFFICIENT_ROLE']);
    expect(JSON.stringify(data ?? null)).not.toMatch(/evt_|[0-9a-f]{64}/);
  }
  const foreign = await running.graphql(queries[1]!, {}, other.token);
  expect(foreign.errors![0]!.extensions.code).toBe('NOT_FOUND');
  expect((await running.graphql(queries[5]!, {}, other.token)).data.node).toBeNull();
  const own = await running.graphql(queries[1]!, {}, stage.key);
  expect(own.data.decisionEvent.id).toBe(event.id);
});

test('new and sealed events are published to subscribers', async () => {
  const stage = await proofStage(running);
  const abort = new AbortController();
  const response = await running.fetch('/graphql', {
    method: 'POST',
    signal: abort.signal,
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${stage.token}`,
    },
    body: JSON.stringify({ query: 'subscription { decisionEvents { id status } }' }),
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  const hear = async (part: string) => {
    while (!heard.includes(part)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the stream ended without ${part}: ${heard}`);
      heard += value;
    }
  };
  const event = await stage.record();
  await hear(`{"id":"${event.id}","status":"recorded"}`);
  await stage.approve(event.id);
  await hear(`{"id":"${event.id}","status":"sealed"}`);
  abort.abort();
});

test('decision events are filtered by statuses, text and time', async () => {
  const stage = await proofStage(running);
  const waiting = await stage.record({ action: { type: 'refund.issue', description: 'Pay 100% back' } });
  const sealed = await stage.record({ action: { type: 'refund.deny' }, tags: ['holiday'] });
  await stage.approve(sealed.id);
  const rejected = await stage.record({ action: { type: 'access.grant' } });
  await stage.approve(rejected.id, { result: 'rejected' });
  const find = async (filter: object) => {
    const query = `query ($filter: DecisionEventFilter) {
      decisionEvents(filter: $filter) { totalCount edges { node { id } } } }`;
    const { data } = await running.graphql(query, { filter }, stage.token);
    const ids = data.decisionEvents.edges.map(({ node }: { node: { id: string } }) => node.id);
    expect(data.decisionEvents.totalCount).toBe(ids.length);
    return ids;
  };
  expect(await find({ statuses: ['recorded', 'rejected'] })).toEqual([rejected.id, waiting.id]);
  expect(await find({ search: 'REFUND.' })).toEqual([sealed.id, waiting.id]);
  expect(await find({ search: '100%' })).toEqual([waiting.id]);
  expect(await find({ search: '%' })).toEqual([waiting.id]);
  expect(await find({ search: 'holi' })).toEqual([sealed.id]);
  expect(await find({ search: waiting.id.slice(4) })).toEqual([waiting.id]);
  expect(await find({ search: 'refund.', statuses: ['sealed'] })).toEqual([sealed.id]);
  expect(await find({ to: waiting.createdAt })).toEqual([]);
  expect(await find({ from: waiting.createdAt })).toHaveLength(3);
});

test('decisions are counted by status and by day in the time zone of the center', async () => {
  await inOneDay('Pacific/Auckland');
  const stage = await proofStage(running, { settings: { timezone: 'Pacific/Auckland' } });
  for (let i = 0; i < 3; i++) await stage.approve((await stage.record()).id);
  await stage.approve((await stage.record()).id, { result: 'rejected' });
  const { createdAt } = await stage.record();
  const today = new Intl.DateTimeFormat('sv', { timeZone: 'Pacific/Auckland' }).format(new Date(createdAt));
  const daysLater = (days: number) =>
    new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
  const count = (from: string, to: string, token = stage.token) =>
    running.graphql(
      `{ decisionsByDay(from: "${from}", to: "${to}") { day recorded approved sealed rejected } }`,
      {},
      token,
    );
  const none = { recorded: 0, approved: 0, sealed: 0, rejected: 0 };
  expect((await count(daysLater(-1), daysLater(1))).data.decisionsByDay).toEqual([
    { day: daysLater(-1), ...none },
    { day: today, recorded: 1, approved: 0, sealed: 3, rejected: 1 },
    { day: daysLater(1), ...none },
  ]);
  const other = await proofStage(running);
  expect((await count(today, today, other.token)).data.decisionsByDay).toEqual([{ day: today, ...none }]);
  for (const [from, to] of [
    [today, daysLater(-1)],
    [daysLater(-366), today],
    ['1999-01-01', today],
  ]) {
    expect((await count(from!, to!)).errors![0]!.extensions.code).toBe('VALIDATION_ERROR');
  }
});

test('a pending decision shows what is still required, and a simulation what would be required', async () => {
  const stage = await proofStage(running);
  await stage.policy({ humanReviewForAi: true, dualApproval: true }, 'refund.*');
  const event = await stage.record({ action: { type: 'refund.issue', description: 'Pay back' } });
  const asked = `query ($id: ID!) { decisionEvent(id: $id) { outlook { verdict guards { guard verdict } } } }`;
  const open = async () =>
    (await running.graphql(asked, { id: event.id }, stage.token)).data.decisionEvent.outlook;
  const pending = (outlook: { guards: { guard: string; verdict: string }[] }) =>
    outlook.guards.filter(({ verdict }) => verdict === 'pending').map(({ guard }) => guard);
  expect(pending(await open())).toEqual(['human_review', 'dual_approval']);
  await stage.approve(event.id);
  expect(pending(await open())).toEqual(['dual_approval']);
  await stage.approve(event.id, { approver: { id: 'second', type: 'human' } });
  expect(await open()).toBeNull();

  const simulate = async (input: object) => {
    const query = `query ($input: SimulatePolicyInput!) {
      simulatePolicy(input: $input) { verdict outcome selfApproval guards { guard verdict policyId } } }`;
    return (await running.graphql(query, { input }, stage.token)).data.simulatePolicy;
  };
  const agent = { actionType: 'refund.issue', actorType: 'ai_agent', actorId: 'bot' };
  expect(pending(await simulate(agent))).toEqual(['human_review', 'dual_approval']);
  const approver = (approverId: string) => ({ approverId, approverType: 'human', by: 'session' });
  expect(await simulate({ ...agent, approvals: [approver('ada'), approver('bob')] })).toMatchObject({
    verdict: 'pass',
    selfApproval: false,
  });
  expect(await simulate({ ...agent, approvals: [approver('bot')] })).toMatchObject({ selfApproval: true });
  expect(await simulate({ ...agent, approvals: [{ ...approver('ada'), rejected: true }] })).toMatchObject({
    verdict: 'fail',
  });
  const alone = { ...agent, actionType: 'other.thing' };
  expect(await simulate(alone)).toMatchObject({ verdict: 'pass', outcome: 'sealed' });
  // A signature is required, so the real call waits, and the simulation says so.
  await stage.policy({ approverAuthentication: 'SIGNED' }, 'signed.*');
  const signed = await simulate({ ...agent, actionType: 'signed.call' });
  expect([signed.outcome, pending(signed)]).toEqual(['awaiting_approval', ['approver_authentication']]);
  const call = { agent: { id: 'bot' }, action: { type: 'signed.call' }, riskScore: 0.1 };
  const real = (await stage.post('/agents/decide', call)).body.data;
  expect(real.outcome).toBe('awaiting_approval');
  const OUTLOOK =
    'query ($id: ID!) { decisionEvent(id: $id) { outlook { verdict guards { guard verdict } } } }';
  const { data } = await running.graphql(OUTLOOK, { id: real.eventId }, stage.token);
  expect(pending(data.decisionEvent.outlook)).toEqual(['approver_authentication']);
  // An approval that does not advance the decision is rejected, and the simulation says that too.
  await stage.policy({ humanReviewForAi: true }, 'reviewed.*');
  const reviewed = { ...agent, actionType: 'reviewed.call' };
  const bySystem = { approverId: 'cron', approverType: 'system', by: 'api_key' };
  expect((await simulate({ ...reviewed, approvals: [bySystem] })).outcome).toBe('refused');
  const waiting = (await stage.post('/agents/decide', { ...call, action: { type: 'reviewed.call' } })).body
    .data;
  const refused = await stage.post(`/decision-events/${waiting.eventId}/approvals`, {
    approver: { id: 'cron', type: 'system' },
    result: 'approved',
  });
  expect([refused.status, refused.body.error?.code]).toEqual([422, 'POLICY_VIOLATION']);
  // So is a decision without enough evidence.
  await stage.policy({ minimumEvidenceLevel: 'AUDIT_READY' }, 'explained.*');
  const unexplained = { ...agent, actionType: 'explained.call', evidenceLevel: 'DOCUMENTED' };
  expect((await simulate(unexplained)).outcome).toBe('refused');
  const silent = await stage.post('/agents/decide', { ...call, action: { type: 'explained.call' } });
  expect(silent.body.error?.code).toBe('POLICY_VIOLATION');
  expect(await simulate({ actionType: 'other.thing', actorType: 'human' })).toMatchObject({
    outcome: 'awaiting_approval',
    verdict: 'pass',
  });
});

const ALL_OF_EVENT = `id decisionId dpuId type status contentHash createdAt occurredAt updatedAt expiresAt riskScore tags
  receipt claimedAt argumentsDigest actor { id type name } action { type description input output }
  aiContext { model provider confidence reasoning } evidence { id status chainHash chainIndex }
  outcome { status } approvals { id result approver { id type } } erased { path }`;

test.each(['policy', 'mandate'])(
  'an agent whose decision a %s allows gets it as it is stored',
  async (allowedBy) => {
    const stage = await proofStage(running);
    if (allowedBy === 'mandate') {
      const terms = { agent: { id: 'bot' }, actionPattern: 'shift.*', reason: 'Shifts move every day.' };
      const validUntil = new Date(Date.now() + 86_400_000).toISOString();
      const requested = await stage.post('/mandates', { ...terms, validUntil });
      expect(await stage.approveInPerson(requested.body.data.eventId)).toHaveProperty('sealedHash');
    }
    const input = {
      agent: { id: 'bot', name: 'The bot' },
      action: { type: 'shift.move', description: 'A later shift', input: { by: 1 }, output: { ok: true } },
      aiContext: { model: 'm', confidence: 0.5, reasoning: 'Somebody is ill.' },
      riskScore: allowedBy === 'mandate' ? 0.95 : 0.1,
      tags: ['shifts'],
    };
    const decided = await running.graphql(
      `mutation ($input: AgentDecisionInput!) {
         decideAsAgent(input: $input) { outcome mandate { use } event { ${ALL_OF_EVENT} } } }`,
      { input },
      stage.key,
    );
    const { outcome, mandate, event } = decided.data.decideAsAgent;
    expect({ outcome, mandate }).toEqual({
      outcome: 'completed',
      mandate: allowedBy === 'mandate' ? { use: 1 } : null,
    });
    const stored = await running.graphql(
      `query ($id: ID!) { decisionEvent(id: $id) { ${ALL_OF_EVENT} } }`,
      { id: event.id },
      stage.token,
    );
    expect(event).toEqual(stored.data.decisionEvent);
    expect(event).toMatchObject({ status: 'sealed', evidence: { status: 'sealed' }, claimedAt: null });
  },
);
