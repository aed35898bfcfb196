/** People read about one rule on the page of a policy, in the simulator and on a request: all three say the same. */
import { guardNeed } from '@countersign/proof-kit/guard-sentences';
import { policyStatements } from '@countersign/proof-kit/policy-sentences';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type QuorumStage, quorumStage } from '../proof/quorum-stage.ts';

let running: TestApp;
let stage: QuorumStage;
beforeAll(async () => {
  running = await startTestApp();
  stage = await quorumStage(running);
});
afterAll(() => running.close());

const GUARDS = 'guards { guard verdict detail policyId policyName version }';
const SEATS = 'seats { index group groupName count authentication open';
const REQUEST = `query ($id: ID!) {
  decisionEvent(id: $id) { ${GUARDS} outlook { ${GUARDS} } ${SEATS} filledBy { id } } }
}`;
const SIMULATION = `query ($input: SimulatePolicyInput!) {
  simulatePolicy(input: $input) { outcome ${GUARDS} ${SEATS} filledBy } }
}`;

test.each([
  ['a risk threshold', { riskThreshold: 0.125 }],
  ['an unrated decision', { riskThreshold: 0.5, riskRequired: true }, { riskScore: null }],
  [
    'a review and two approvers with passkeys',
    {
      humanReviewForAi: true,
      dualApproval: true,
      approverAuthentication: 'SIGNED',
      passkeyAgeHours: 48,
    },
  ],
  ['an evidence level', { minimumEvidenceLevel: 'AUDIT_READY', humanReviewForAi: true }],
])(
  'the simulator and the request say the same of %s',
  async (_, guards, more: { riskScore: number | null } = { riskScore: 0.6 }) => {
    const actionType = await stage.ruled(guards);
    const { riskScore } = more;
    const { body } = await stage.post('/agents/decide', {
      agent: { id: 'bot' },
      action: { type: actionType, description: 'Pay', input: {} },
      ...(riskScore !== null && { riskScore }),
    });
    expect(body.data).toMatchObject({ outcome: 'awaiting_approval' });
    const request = await stage.ask(REQUEST, { id: body.data.eventId });
    const simulated = await stage.ask(SIMULATION, {
      input: { actionType, actorType: 'ai_agent', riskScore },
    });
    expect(simulated.outcome).toBe('awaiting_approval');
    expect(simulated.guards).toEqual(request.outlook.guards);
    expect(simulated.guards).toEqual(request.guards);
    expect(simulated.guards).toContainEqual(
      expect.objectContaining({ policyName: actionType, version: 1, policyId: expect.any(String) }),
    );
  },
);

test('seats have one sentence on the page of the policy, in the simulator and on the request', async () => {
  const grace = await stage.member();
  const finance = await stage.group(grace, await stage.member());
  const guards = {
    quorum: [
      { group: finance, count: 2 },
      { count: 1, authentication: 'SIGNED' as const },
    ],
    quorumOrdered: true,
    escalateAfterSeconds: 5_400,
    escalateToGroup: finance,
  };
  const actionType = await stage.ruled(guards);
  const event = await stage.recordAction(actionType, { actor: { id: 'bot', type: 'ai_agent' } });
  expect(await stage.approveAs(grace, event.id)).toMatchObject({ evidenceLevel: 'DOCUMENTED' });
  const request = await stage.ask(REQUEST, { id: event.id });
  const approvals = [{ approverId: 'grace', approverType: 'human', by: 'session', groups: [finance] }];
  const simulated = await stage.ask(SIMULATION, {
    input: { actionType, actorType: 'ai_agent', approvals: approvals },
  });
  expect(simulated.guards).toEqual(request.outlook.guards);
  const filled = (seats: { filledBy: unknown[] }[]) =>
    seats.map((seat) => ({ ...seat, filledBy: seat.filledBy.length }));
  expect(filled(simulated.seats)).toEqual(filled(request.seats));
  expect(simulated.seats[0]).toMatchObject({ groupName: expect.stringMatching(/^Group/), filledBy: [0] });

  const groupName = () => 'Finance';
  const sentence =
    'Approval by two members of Finance, each signed in; one person, with a passkey, in this order; after 1 hour 30 minutes, members of Finance can fill open seats';
  expect(policyStatements(guards, groupName)).toEqual([sentence]);
  const { detail } = simulated.guards.find(({ guard }: { guard: string }) => guard === 'quorum');
  expect(guardNeed(detail, groupName)).toBe(sentence);
});

test('two approvers and their authentication are worded alike', async () => {
  const guards = { dualApproval: true, approverAuthentication: 'SESSION' as const };
  const actionType = await stage.ruled(guards);
  const { guards: findings } = await stage.ask(SIMULATION, { input: { actionType, actorType: 'ai_agent' } });
  const needs = findings.map(({ detail }: { detail: string }) => guardNeed(detail));
  expect(needs).toEqual(expect.arrayContaining(policyStatements(guards, () => undefined)));
});
