import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NOT_USED } from '../../src/domain/decisions/mandates/not-used.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { expectLinked } from './mandate-links.ts';
import { type ProofStage, proofStage } from './stage.ts';

let running: TestApp;
let stage: ProofStage;
beforeAll(async () => {
  running = await startTestApp();
  stage = await proofStage(running);
});
afterAll(() => running.close());

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
let agents = 0;
const newAgent = () => `agent-${++agents}`;

const request = (terms: object = {}) =>
  stage.post('/mandates', {
    agent: { id: 'refunder' },
    actionPattern: 'refund.*',
    validUntil: inDays(7),
    reason: 'Small refunds need no person.',
    ...terms,
  });

/** A mandate that a human granted. */
async function grant(terms: object): Promise<{ mandateId: string; eventId: string }> {
  const { status, body } = await request(terms);
  expect(status).toBe(201);
  expect(await stage.approveInPerson(body.data.eventId)).toHaveProperty('sealedHash');
  return body.data;
}

const refundBy = (agent: string, action: object = {}, more: object = {}) => ({
  agent: { id: agent },
  action: { type: 'refund.grant', description: 'A refund', input: { amount: 10 }, ...action },
  riskScore: 0.95,
  ...more,
});
/** A call that waits for a person unless a mandate covers it. */
const ask = async (agent: string, action: object = {}, more: object = {}) =>
  (await stage.post('/agents/decide', refundBy(agent, action, more))).body.data;

const read = async (id: string) => (await stage.get(`/mandates/${id}`)).body.data;
const reasonOf = ({ mandate }: { mandate?: { notUsed?: string } }) => mandate?.notUsed;
const outcomes = (answers: { outcome: string }[]) => answers.map(({ outcome }) => outcome);

describe('a request', () => {
  test('records a decision that only another human can approve, and is active once it is sealed', async () => {
    const agent = newAgent();
    const validUntil = inDays(30);
    const { status, body } = await request({ agent: { id: agent }, maxUses: 2, validUntil });
    expect(status).toBe(201);
    const { mandateId, eventId } = body.data;
    expect(body.data).toEqual({ mandateId, eventId, status: 'pending' });
    expect(mandateId).toMatch(/^mnd_/);
    expect(await read(mandateId)).toEqual({
      id: mandateId,
      status: 'pending',
      agent: { id: agent },
      keys: [await stage.keyId()],
      actionPattern: 'refund.*',
      condition: null,
      maxUses: 2,
      used: 0,
      budget: null,
      spent: null,
      validFrom: null,
      validUntil,
      eventId,
    });
    const event = (await stage.get(`/decision-events/${eventId}`)).body.data;
    expect(event).toMatchObject({
      type: 'policy_decision',
      actor: { type: 'system' },
      action: {
        type: 'mandate.grant',
        input: { mandateId, agent: { id: agent }, keys: [await stage.keyId()], maxUses: 2, validUntil },
      },
    });
    expect((await ask(agent)).outcome).toBe('awaiting_approval');

    expect(await stage.approveInPerson(eventId)).toHaveProperty('sealedHash');
    expect((await read(mandateId)).status).toBe('active');
    const proof = (await stage.get(`/decision-events/${eventId}/export`)).body;
    expect(proof.evidence.policy.guards[2]).toMatchObject({
      guard: 'human_review',
      verdict: 'pass',
      detail: 'grant of a mandate by a human: given',
    });
    const list = (await stage.get('/mandates')).body.data;
    expect(list.map(({ id }: { id: string }) => id)).toContain(mandateId);
  });

  test('that is rejected grants nothing', async () => {
    const agent = newAgent();
    const { mandateId, eventId } = (await request({ agent: { id: agent } })).body.data;
    expect((await stage.approve(eventId, { result: 'rejected' })).status).toBe(200);
    expect((await read(mandateId)).status).toBe('rejected');
    expect((await ask(agent)).outcome).toBe('awaiting_approval');
  });

  test.each([
    ['actionPattern', { actionPattern: '*' }],
    ['actionPattern', { actionPattern: 'refund*' }],
    ['validUntil', { validUntil: undefined }],
    ['validUntil', { validUntil: inDays(367) }],
    ['validUntil', { validUntil: inDays(-1) }],
    ['validFrom', { validFrom: inDays(8) }],
    ['condition', { condition: 'input.amount <' }],
    ['condition', { condition: 'steps.first == 1' }],
    ['maxUses', { maxUses: 0 }],
    ['budget.member', { budget: { member: 'order..amount', limit: 1 } }],
    ['budget.limit', { budget: { member: 'amount', limit: 0 } }],
    ['mandateId', { mandateId: 'mnd_of_another' }],
  ])('with an invalid %s is rejected', async (path, terms) => {
    const { status, body } = await request(terms);
    expect(status).toBe(422);
    expect(body.error.details.fields[0].path).toBe(path);
  });

  test('of another center is not found', async () => {
    const { mandateId } = (await request()).body.data;
    const stranger = await proofStage(running);
    expect((await stranger.get(`/mandates/${mandateId}`)).status).toBe(404);
    const ended = await running.call('DELETE', `/v1/mandates/${mandateId}`, { token: stranger.key });
    expect(ended.status).toBe(404);
  });
});

describe('a use', () => {
  test('is sealed immediately until the mandate is exhausted; a replay does not count as a use', async () => {
    const agent = newAgent();
    const { mandateId, eventId } = await grant({ agent: { id: agent }, maxUses: 2 });
    const body = {
      agent: { id: agent },
      action: { type: 'refund.grant', input: { amount: 10 } },
      riskScore: 0.95,
    };
    const call = () => stage.post('/agents/decide', body, { 'Idempotency-Key': 'mandated-once' });
    const first = (await call()).body.data;
    expect(first).toMatchObject({
      outcome: 'completed',
      mandate: { id: mandateId, eventId, use: 1, remaining: { uses: 1, budget: null } },
      dpu: { status: 'sealed' },
    });
    const again = await call();
    expect(again.status).toBe(200);
    expect(again.body.data.mandate).toEqual(first.mandate);
    expect((await ask(agent)).mandate.use).toBe(2);
    expect(await read(mandateId)).toMatchObject({ status: 'exhausted', used: 2 });
    const third = await ask(agent);
    expect(third.outcome).toBe('awaiting_approval');
    expect(third.mandate).toEqual({ id: mandateId, notUsed: NOT_USED.no_uses_left });
  });

  test('is sealed with the mandate, and its export verifies with the proof of the grant', async () => {
    const agent = newAgent();
    const budget = { member: 'order.amount', limit: 100 };
    const { mandateId, eventId } = await grant({ agent: { id: agent }, budget });
    const used = await ask(agent, { input: { order: { amount: 40 } } });
    const { evidence } = (await stage.get(`/decision-events/${used.eventId}`)).body.data;
    const { text, body } = await stage.get(`/evidence/${evidence.id}/export`);
    const content = JSON.parse(body.record.content);
    expect(content.mandate).toEqual({ id: mandateId, eventId, use: 1, spent: 40, previous: '' });
    expect(used.mandate).not.toHaveProperty('previous');
    expect(body.evidence.approval).toMatchObject({
      approver: { id: mandateId, type: 'system' },
      by: { kind: 'mandate', id: mandateId },
    });
    const details = content.policy.guards.map(({ detail }: { detail: string }) => detail);
    expect(details).toContain('risk over 0.8: approval by a human: under a mandate');
    expect(JSON.parse(body.mandateProof.record.content).event.id).toBe(eventId);
    const verdict = await verifyProof(text);
    expect(verdict.verdict).not.toBe('refuted');
    expect(verdict.verdict).not.toBe('unreadable');
    expect(verdict.reason).not.toContain('mandate');
    const without = await verifyProof(JSON.stringify({ ...body, mandateProof: undefined }));
    expect(without.reason).toContain('mandateProof');
    const other = await grant({ agent: { id: newAgent() } });
    const foreign = (await stage.get(`/decision-events/${other.eventId}`)).body.data;
    const mandateProof = (await stage.get(`/evidence/${foreign.evidence.id}/export`)).body;
    expect((await verifyProof(JSON.stringify({ ...body, mandateProof }))).verdict).toBe('refuted');
    const { valid } = (await running.graphql('{ verifyChain { valid } }', {}, stage.token)).data.verifyChain;
    expect(valid).toBe(true);
  });

  test('never exceeds budget or uses under concurrent calls', async () => {
    const agent = newAgent();
    const budget = { member: 'amount', limit: 75 };
    const { mandateId } = await grant({ agent: { id: agent }, budget, maxUses: 10 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(agent)));
    expect(outcomes(answers).filter((each) => each === 'completed')).toHaveLength(7);
    const uses = answers.flatMap(({ mandate }) => mandate?.use ?? []);
    expect(uses.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await read(mandateId)).toMatchObject({ used: 7, spent: 70, status: 'active' });
    const last = await ask(agent, { input: { amount: 5 } });
    expect(last.mandate).toMatchObject({ spent: 75, remaining: { uses: 2, budget: 0 } });
    await expectLinked([...answers, last], stage);
    expect((await read(mandateId)).status).toBe('exhausted');
  });

  test('outside the terms needs an ordinary approval', async () => {
    const agent = newAgent();
    const { mandateId } = await grant({
      agent: { id: agent },
      budget: { member: 'amount', limit: 50 },
      condition: 'input.amount < 20 && input.currency == "EUR" && riskScore < 0.99',
    });
    const euros = (amount: unknown) => ({ input: { amount, currency: 'EUR' } });
    const outside = [
      await ask(newAgent(), euros(10)),
      await ask(agent, { type: 'refunds.grant', ...euros(10) }),
      await ask(agent, euros(20)),
      await ask(agent, euros(-1)),
      await ask(agent, euros('10')),
      await ask(agent, { input: { amount: 10 } }),
      await ask(agent, { input: { currency: 'EUR' } }),
      await ask(agent, euros(10), { riskScore: 1 }),
    ];
    expect(new Set(outcomes(outside))).toEqual(new Set(['awaiting_approval']));
    // What does not match agent and action is told nothing; the rest, why.
    expect(outside.map(reasonOf)).toEqual([
      undefined,
      undefined,
      NOT_USED.condition_not_met,
      NOT_USED.no_amount,
      NOT_USED.no_amount,
      NOT_USED.condition_failed,
      NOT_USED.no_amount,
      NOT_USED.condition_not_met,
    ]);
    expect(outside[2].mandate).toEqual({ id: mandateId, notUsed: NOT_USED.condition_not_met });
    expect(reasonOf(await ask(agent, { input: { amount: 51, currency: 'EUR' } }))).toBe(
      NOT_USED.no_budget_left,
    );
    expect((await ask(agent, euros(10))).mandate).toMatchObject({ use: 1, spent: 10 });
    const early = newAgent();
    await grant({ agent: { id: early }, validFrom: inDays(1) });
    expect(await ask(early)).toMatchObject({
      outcome: 'awaiting_approval',
      mandate: { notUsed: NOT_USED.not_yet_valid },
    });
  });

  test('does not replace dual approval or authentication, and the answer says so', async () => {
    const guards = {
      'wire.two': [{ dualApproval: true }, NOT_USED.needs_two],
      'wire.signed': [{ approverAuthentication: 'SIGNED' }, NOT_USED.needs_passkey],
      'wire.session': [{ approverAuthentication: 'SESSION' }, NOT_USED.needs_session],
    } as const;
    const agent = newAgent();
    const { mandateId } = await grant({ agent: { id: agent }, actionPattern: 'wire.*' });
    for (const [type, [demands, notUsed]] of Object.entries(guards)) {
      await stage.policy(demands, type);
      expect(await ask(agent, { type })).toMatchObject({
        outcome: 'awaiting_approval',
        mandate: { id: mandateId, notUsed },
      });
    }
    expect(await read(mandateId)).toMatchObject({ status: 'active', used: 0 });
  });

  test('is named to its agent while it waits for its approval, once it is used up, and after it ends', async () => {
    const agent = newAgent();
    const { mandateId, eventId } = (await request({ agent: { id: agent }, maxUses: 1 })).body.data;
    expect((await ask(agent)).mandate).toEqual({ id: mandateId, notUsed: NOT_USED.pending });
    await stage.approveInPerson(eventId);
    const first = refundBy(agent);
    const headers = { 'idempotency-key': agent };
    const used = (await stage.post('/agents/decide', first, headers)).body.data;
    expect(used.mandate).toMatchObject({ id: mandateId, use: 1 });
    expect(reasonOf(await ask(agent))).toBe(NOT_USED.no_uses_left);
    // A repeated call shows the use, and not that none is left by now.
    expect((await stage.post('/agents/decide', first, headers)).body.data.mandate).toEqual(used.mandate);
    const rejected = (await request({ agent: { id: newAgent() } })).body.data;
    await stage.approve(rejected.eventId, { result: 'rejected' });
    expect(await ask((await read(rejected.mandateId)).agent.id)).not.toHaveProperty('mandate');
    const concerned = newAgent();
    await grant({ agent: { id: concerned }, validUntil: new Date(Date.now() + 2_000).toISOString() });
    await expect.poll(async () => reasonOf(await ask(concerned)), { timeout: 10_000 }).toBe(NOT_USED.expired);
  });
});

test('a revoked mandate approves nothing more, and the revocation is in the journal', async () => {
  const agent = newAgent();
  const { mandateId } = await grant({ agent: { id: agent } });
  expect((await ask(agent)).outcome).toBe('completed');
  const revoke = () => running.call('DELETE', `/v1/mandates/${mandateId}`, { token: stage.key });
  expect((await revoke()).status).toBe(204);
  expect((await revoke()).status).toBe(409);
  expect(await read(mandateId)).toMatchObject({ status: 'revoked', used: 1 });
  expect(await ask(agent)).toMatchObject({
    outcome: 'awaiting_approval',
    mandate: { id: mandateId, notUsed: NOT_USED.revoked },
  });
  const JOURNAL = '{ journal(first: 20) { edges { node { kind content } } } }';
  const { data } = await running.graphql(JOURNAL, {}, stage.token);
  const entries: { kind: string; content: string }[] = data.journal.edges.map(
    ({ node }: { node: object }) => node,
  );
  const entry = entries.find(({ kind }) => kind === 'mandate')!;
  expect(JSON.parse(entry.content)).toMatchObject({ change: 'revoked', mandateId, by: { kind: 'api_key' } });
});

test('an ADMIN requests and revokes in GraphQL, and is the actor of the decision', async () => {
  const REQUEST = `mutation ($input: RequestMandateInput!) {
    requestMandate(input: $input) { mandateId eventId status } }`;
  const input = {
    agent: { id: newAgent() },
    keys: [await stage.keyId()],
    actionPattern: 'refund.grant',
    validUntil: inDays(1),
    reason: 'Night shift',
  };
  const { data, errors } = await running.graphql(REQUEST, { input }, stage.token);
  expect(errors).toBeUndefined();
  const { mandateId, eventId } = data.requestMandate;
  expect((await stage.get(`/decision-events/${eventId}`)).body.data.actor.type).toBe('human');
  expect(await stage.approveInPerson(eventId)).toMatchObject({ rule: 'self_approval' });
  const READ =
    'query ($id: ID!) { mandate(id: $id) { status keys } mandates(first: 1) { edges { node { id } } } }';
  const found = await running.graphql(READ, { id: mandateId }, stage.token);
  expect(found.data).toEqual({
    mandate: { status: 'pending', keys: input.keys },
    mandates: { edges: [{ node: { id: mandateId } }] },
  });
  const REVOKE = 'mutation ($input: RevokeMandateInput!) { revokeMandate(input: $input) { status } }';
  const ended = await running.graphql(REVOKE, { input: { id: mandateId, reason: 'Over' } }, stage.token);
  expect(ended.data.revokeMandate.status).toBe('revoked');
});
