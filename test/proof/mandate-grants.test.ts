// Who may grant a mandate.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeKey, makeMember } from '../helpers/world.ts';
import { execute, makeWorkflow, reaches } from '../workflows/steps.ts';
import { type QuorumStage, quorumStage } from './quorum-stage.ts';

let running: TestApp;
let stage: QuorumStage;
beforeAll(async () => {
  running = await startTestApp({ worker: true });
  stage = await quorumStage(running);
});
afterAll(() => running.close());

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
let agents = 0;
const newAgent = () => `agent-${++agents}`;

const request = async (
  of = stage,
  agent = newAgent(),
  more: object = {},
): Promise<{ mandateId: string; eventId: string }> =>
  (
    await of.post('/mandates', {
      agent: { id: agent },
      actionPattern: 'refund.*',
      validUntil: inDays(7),
      reason: 'Small refunds need no person.',
      ...more,
    })
  ).body.data;

const byKey = async (of: QuorumStage, eventId: string, change: object = {}) => {
  const { status, body } = await of.approve(eventId, change);
  return { status, code: body.error?.code, rule: body.error?.details?.rule };
};
const REFUSED = { status: 422, code: 'POLICY_VIOLATION', rule: 'mandate_grant' };
const statusOf = async (id: string) => (await stage.get(`/decision-events/${id}`)).body.data.status;

test('a key cannot ask for a mandate, approve it in the name of a person, and use it', async () => {
  const agent = newAgent();
  const { mandateId, eventId } = await request(stage, agent);
  const people = ['the-boss', stage.admin.actor.id, await stage.keyId()];
  for (const id of people) {
    expect(await byKey(stage, eventId, { approver: { id, type: 'human' } })).toEqual(REFUSED);
  }
  const another = await makeKey(running.app, stage.center.id);
  const approval = { approver: { id: 'the-boss', type: 'human' }, result: 'approved', reason: 'Fine.' };
  const byAnother = await running.call('POST', `/v1/decision-events/${eventId}/approvals`, {
    token: another,
    body: approval,
  });
  expect(byAnother.body.error.details).toEqual({ rule: 'mandate_grant' });
  const inGraphql = await stage.ask(
    'mutation ($eventId: ID!, $input: AddApprovalInput!) { addApproval(eventId: $eventId, input: $input) { result } }',
    { eventId, input: approval },
    stage.key,
  );
  expect(inGraphql).toEqual({ code: 'POLICY_VIOLATION', rule: 'mandate_grant' });
  expect((await stage.get(`/mandates/${mandateId}`)).body.data.status).toBe('pending');
  const call = { agent: { id: agent }, action: { type: 'refund.grant', input: {} }, riskScore: 0.95 };
  expect((await stage.post('/agents/decide', call)).body.data.outcome).toBe('awaiting_approval');
  // The refused attempts changed nothing.
  expect(await stage.approveInPerson(eventId)).toHaveProperty('sealedHash');
  expect((await stage.post('/agents/decide', call)).body.data.outcome).toBe('completed');
});

test('an ADMIN does not approve a mandate in the name of another person', async () => {
  const { mandateId, eventId } = await request();
  const { errors } = await running.graphql(
    'mutation ($eventId: ID!, $input: AddApprovalInput!) { addApproval(eventId: $eventId, input: $input) { result } }',
    { eventId, input: { approver: { id: 'the-boss', type: 'human' }, result: 'approved' } },
    stage.token,
  );
  expect(errors![0]!.message).toBe('This operation requires an API key with the scope proof:write.');
  expect(errors![0]!.extensions.code).toBe('INSUFFICIENT_ROLE');
  expect((await stage.get(`/mandates/${mandateId}`)).body.data.status).toBe('pending');
});

test('a key may reject a mandate', async () => {
  const { mandateId, eventId } = await request();
  expect(await byKey(stage, eventId, { result: 'rejected' })).toMatchObject({ status: 200 });
  expect((await stage.get(`/mandates/${mandateId}`)).body.data.status).toBe('rejected');
});

test('a person who requested a mandate does not grant it', async () => {
  const REQUEST = 'mutation ($input: RequestMandateInput!) { requestMandate(input: $input) { eventId } }';
  const agent = { id: newAgent() };
  const keys = [await stage.keyId()];
  const input = { agent, keys, actionPattern: 'refund.*', validUntil: inDays(1), reason: 'Mine' };
  const { eventId } = await stage.ask(REQUEST, { input });
  expect(await byKey(stage, eventId)).toEqual(REFUSED);
  expect(await stage.approveInPerson(eventId)).toMatchObject({ rule: 'self_approval' });
  const { token } = await makeMember(running.app, stage.center.id);
  expect(await stage.approveInPerson(eventId, token)).toHaveProperty('sealedHash');
});

describe('with a policy for the grant', () => {
  test.for([
    ['that accepts asserted approvals', { approverAuthentication: 'ASSERTED' }],
    ['that requires a signature', { approverAuthentication: 'SIGNED' }],
    ['that requires two people', { dualApproval: true }],
    ['that has a seat for any human', { quorum: [{ count: 2 }] }],
    ['that has a seat for any human, asserted', { quorum: [{ count: 1, authentication: 'ASSERTED' }] }],
    ['that requires more evidence', { minimumEvidenceLevel: 'AUDIT_READY' }],
  ] as const)('%s, the rule is named before every other', async ([, guards]) => {
    const own = await quorumStage(running);
    await own.policy(guards as object, 'mandate.grant');
    const { eventId } = await request(own);
    expect(await byKey(own, eventId)).toEqual(REFUSED);
    expect(await byKey(own, eventId, { approver: { id: 'robot', type: 'system' } })).toEqual(REFUSED);
    // The approver is the requester, which is another rule.
    expect(await byKey(own, eventId, { approver: { id: await own.keyId(), type: 'human' } })).toEqual(
      REFUSED,
    );
  });

  test('with seats of a group in order, the rule is named before those of the seats', async () => {
    const own = await quorumStage(running);
    const [first, second] = [await own.member(), await own.member()];
    const groups = [await own.group(first), await own.group(second)];
    const quorum = groups.map((group) => ({ group, count: 1 }));
    await own.policy({ quorum, quorumOrdered: true } as object, 'mandate.*');
    const { mandateId, eventId } = await request(own);
    expect(await byKey(own, eventId)).toEqual(REFUSED);
    expect(await own.approveAs(first, eventId)).toMatchObject({ evidenceLevel: 'DOCUMENTED' });
    expect(await byKey(own, eventId)).toEqual(REFUSED);
    expect(await own.approveAs(second, eventId)).toMatchObject({ evidenceLevel: 'AUDIT_READY' });
    expect((await own.get(`/mandates/${mandateId}`)).body.data.status).toBe('active');
  });

  test('a key is not one of two approvers', async () => {
    const own = await quorumStage(running);
    await own.policy({ dualApproval: true }, 'mandate.grant');
    const { eventId } = await request(own);
    expect(await own.approveInPerson(eventId)).toEqual({ sealedHash: null });
    expect(await byKey(own, eventId)).toEqual(REFUSED);
    const { token } = await makeMember(running.app, own.center.id);
    expect(await own.approveInPerson(eventId, token)).toEqual({ sealedHash: expect.any(String) });
  });
});

describe('a decision that looks like a grant', () => {
  test.for([
    ['policy_decision', 'mandate.grant'],
    ['custom', 'mandate.grant'],
    ['human_approval', 'Mandate.Grant'],
    ['policy_decision', '\uff4dandate.grant'],
    ['policy_decision', 'mandate\uff0egrant'],
  ])('of type %s with action %s is not approved by a key, and grants nothing', async ([type, action]) => {
    const agent = newAgent();
    const terms = {
      agent: { id: agent },
      keys: [await stage.keyId()],
      actionPattern: 'refund.*',
      validUntil: inDays(7),
      reason: 'x',
    };
    const actor = { id: 'clerk', type: 'system' };
    const { id } = await stage.record({ type, actor, action: { type: action, input: terms } });
    expect(await byKey(stage, id)).toEqual(REFUSED);
    expect(await statusOf(id)).toBe('recorded');
    expect(await stage.approveInPerson(id)).toEqual({ sealedHash: expect.any(String) });
    const call = { agent: { id: agent }, action: { type: 'refund.grant', input: {} }, riskScore: 0.95 };
    expect((await stage.post('/agents/decide', call)).body.data.outcome).toBe('awaiting_approval');
  });

  test('of an agent waits for a person, also under a mandate that covers it', async () => {
    const agent = newAgent();
    const { eventId } = await request(stage, agent, { actionPattern: 'mandate.*' });
    await stage.approveInPerson(eventId);
    for (const type of ['mandate.grant', 'MANDATE.grant']) {
      const call = { agent: { id: agent }, action: { type, input: {} }, riskScore: 0 };
      const { outcome, eventId: waiting } = (await stage.post('/agents/decide', call)).body.data;
      expect(outcome).toBe('awaiting_approval');
      expect(await byKey(stage, waiting)).toEqual(REFUSED);
      expect(await stage.approveInPerson(waiting)).toEqual({ sealedHash: expect.any(String) });
    }
    const requests = await stage.events('agent.approval.requested');
    expect(requests.at(-1)!.data).toMatchObject({ reason: 'mandate_grant' });
    const other = { agent: { id: agent }, action: { type: 'mandate.revise', input: {} }, riskScore: 0.95 };
    expect((await stage.post('/agents/decide', other)).body.data.outcome).toBe('completed');
  });

  test('of a workflow is not approved by a key', async () => {
    const action = { type: 'mandate.grant', description: 'A grant' };
    const id = await makeWorkflow(running, stage.token, [{ name: 'grant', kind: 'record_decision', action }]);
    const done = await reaches(running, stage.token, await execute(running, stage.token, id), 'COMPLETED');
    const { eventId } = done.steps[0]!.output as { eventId: string };
    expect(await byKey(stage, eventId)).toEqual(REFUSED);
  });
});

test('the simulator refuses what a real call refuses', async () => {
  const SIMULATE = 'query ($input: SimulatePolicyInput!) { simulatePolicy(input: $input) { outcome } }';
  const simulate = async (actorType: string, by?: string) => {
    const approvals = by === undefined ? [] : [{ approverId: 'boss', approverType: 'human', by }];
    const input = { type: 'policy_decision', actionType: 'mandate.grant', actorType, approvals };
    return (await stage.ask(SIMULATE, { input })).outcome;
  };
  expect(await simulate('system', 'api_key')).toBe('refused');
  expect(await simulate('system', 'session')).toBe('sealed');
  expect(await simulate('system', 'passkey')).toBe('sealed');
  expect(await simulate('ai_agent')).toBe('awaiting_approval');
});
