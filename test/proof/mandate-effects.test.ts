import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NOT_USED } from '../../src/domain/decisions/mandates/not-used.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeKey, makeMember } from '../helpers/world.ts';
import { type QuorumStage, quorumStage } from './quorum-stage.ts';

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const terms = (change: object = {}) => ({
  agent: { id: 'refunder' },
  actionPattern: 'refund.*',
  validUntil: inDays(7),
  reason: 'Small refunds need no person.',
  ...change,
});

const request = async (stage: QuorumStage, change: object = {}) =>
  (await stage.post('/mandates', terms(change))).body.data;

const EFFECT = 'query ($id: ID!) { mandate(id: $id) { status lifts notUsed approvalProblem } }';
const REQUESTED = `query ($id: ID!) {
  decisionEvent(id: $id) { mandateRequest { mandateId lifts approvalProblem } } }`;
const BASELINE = /^Replaces the approval that policy “.+” requires above a risk of 80 %\.$/;

const nameGroup = (stage: QuorumStage, id: string, name: string) =>
  stage.ask('mutation ($input: RenameGroupInput!) { renameGroup(input: $input) { id } }', {
    input: { id, name },
  });

test('an approver is told what a mandate would replace, by the policies in force for its actions', async () => {
  const stage = await quorumStage(running);
  const finance = await stage.group(await stage.member(), await stage.member());
  await nameGroup(stage, finance, 'Finance');
  const { id: policyId } = await stage.policy({ quorum: [{ group: finance, count: 2 }] }, 'refund.*');
  await stage.ask('mutation ($input: UpdatePolicyInput!) { updatePolicy(input: $input) { id } }', {
    input: { id: policyId, name: 'Refunds' },
  });
  const { mandateId, eventId } = await request(stage);
  const quorum = 'Replaces the quorum of two of policy “Refunds”: two members of Finance, each signed in.';
  const lifts = [quorum, expect.stringMatching(BASELINE)];
  expect(await stage.ask(REQUESTED, { id: eventId })).toEqual({
    mandateRequest: { mandateId, lifts, approvalProblem: null },
  });
  await stage.policy({ riskThreshold: 0.2, riskRequired: true, humanReviewForAi: true }, 'refund.gift');
  await stage.policy({ dualApproval: true }, 'refund.large');
  // A policy outside the pattern changes nothing.
  await stage.policy({ dualApproval: true }, 'refunds.large');
  expect((await stage.ask(EFFECT, { id: mandateId })).lifts).toEqual([
    ...lifts,
    'For refund.gift: replaces the human review of AI decisions that policy “Strict” requires.',
    'For refund.gift: replaces the approval that policy “Strict” requires above a risk of 20 % or without a risk score.',
    'Cannot be used for refund.large: policy “Strict” requires two approvers, and a mandate counts as none.',
  ]);
  // Once the decision is final, the policies of today say nothing about it.
  expect(await stage.approveInPerson(eventId)).toHaveProperty('sealedHash');
  expect(await stage.ask(REQUESTED, { id: eventId })).toEqual({ mandateRequest: null });
  expect(await stage.ask(EFFECT, { id: mandateId })).toMatchObject({ status: 'active', notUsed: null });
  const other = await stage.record();
  expect(await stage.ask(REQUESTED, { id: other.id })).toEqual({ mandateRequest: null });
});

test('a mandate without anything to replace says so', async () => {
  const stage = await quorumStage(running);
  await stage.policy({ riskThreshold: 1 }, 'note.*');
  const { mandateId } = await request(stage, { actionPattern: 'note.*' });
  expect((await stage.ask(EFFECT, { id: mandateId })).lifts).toEqual([
    'Replaces nothing for note.*: no policy in force requires a person for these calls.',
  ]);
});

test('an active mandate that approves nothing says why', async () => {
  const stage = await quorumStage(running);
  const notUsed = async (id: string) => (await stage.ask(EFFECT, { id })).notUsed;
  const own = await makeKey(running.app, stage.center.id);
  const granted = async (change: object = {}) => {
    const { mandateId, eventId } = await request(stage, { keys: [await stage.keyId(own)], ...change });
    await stage.approveInPerson(eventId);
    return mandateId as string;
  };
  const early = await granted({ validFrom: inDays(1) });
  expect(await notUsed(early)).toBe(NOT_USED.not_yet_valid);
  const mandate = await granted();
  expect(await notUsed(mandate)).toBeNull();
  const { id } = await stage.policy({ approverAuthentication: 'SIGNED' }, 'refund.*');
  expect(await notUsed(mandate)).toBe(NOT_USED.needs_passkey);
  expect((await stage.ask(EFFECT, { id: mandate })).lifts).toEqual([
    'Cannot be used for refund.*: policy “Strict” requires approvers who sign with a passkey.',
  ]);
  // It can be used for some of its actions.
  await stage.policy({ approverAuthentication: 'ASSERTED' }, 'refund.gift');
  expect(await notUsed(mandate)).toBeNull();
  const gift = await granted({ actionPattern: 'refund.grant' });
  expect(await notUsed(gift)).toBe(NOT_USED.needs_passkey);
  await stage.ask('mutation ($input: UpdatePolicyInput!) { updatePolicy(input: $input) { id } }', {
    input: { id, active: false },
  });
  expect(await notUsed(gift)).toBeNull();
  const revoke = 'mutation ($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { id } }';
  await stage.ask(revoke, { input: { id: await stage.keyId(own) } });
  expect(await notUsed(gift)).toBe(NOT_USED.no_keys);
  await stage.ask('mutation ($input: RevokeMandateInput!) { revokeMandate(input: $input) { id } }', {
    input: { id: gift },
  });
  expect(await stage.ask(EFFECT, { id: gift })).toEqual({
    status: 'revoked',
    lifts: [],
    notUsed: null,
    approvalProblem: null,
  });
});

describe('a request that the present members cannot approve', () => {
  const CHECK = 'query ($input: MandateDraftInput!) { checkMandate(input: $input) { approvalProblem } }';
  const REQUEST = `mutation ($input: RequestMandateInput!) {
    requestMandate(input: $input) { mandateId eventId approvalProblem } }`;
  const ALONE =
    'No other person can approve this request: the center has no other active administrator. Requesters cannot approve their own requests.';

  const desk = async () => {
    const stage = await quorumStage(running);
    const keys = [await stage.keyId()];
    const check = async (token = stage.token) =>
      (await stage.ask(CHECK, { input: {} }, token)).approvalProblem;
    const ask = (token = stage.token) => stage.ask(REQUEST, { input: terms({ keys }) }, token);
    return { stage, check, ask };
  };

  test('is named before it is sent, in the answer, and while it waits', async () => {
    const { stage, check, ask } = await desk();
    expect(await check()).toBe(ALONE);
    const { mandateId, approvalProblem } = await ask();
    expect(approvalProblem).toBe(ALONE);
    const problem = async () => (await stage.ask(EFFECT, { id: mandateId })).approvalProblem;
    expect(await problem()).toBe(ALONE);
    // A key asks for it: then the administrator can approve.
    expect(await request(stage)).not.toHaveProperty('approvalProblem');
    // Other roles approve nothing.
    await stage.member();
    expect(await problem()).toBe(ALONE);
    await stage.member('ADMIN');
    expect(await problem()).toBeNull();
    expect(await check()).toBeNull();
  });

  test('because none of them has the passkey that a policy requires', async () => {
    const { stage, check } = await desk();
    const other = await stage.member('ADMIN');
    await stage.policy({ approverAuthentication: 'SIGNED' }, 'mandate.*');
    expect(await check()).toBe(
      'No other person can approve this request: it requires a passkey, and none of the people who may approve it has one. Requesters cannot approve their own requests.',
    );
    expect((await request(stage)).approvalProblem).toMatch(
      /^No person can approve this request: it requires/,
    );
    await stage.registerPasskey(other.token);
    expect(await check()).toBeNull();
    expect(await request(stage)).not.toHaveProperty('approvalProblem');
  });

  test('because too few belong to the groups of its seats', async () => {
    const { stage, check } = await desk();
    const admin = await makeMember(running.app, stage.center.id, 'ADMIN');
    const [ann, bo] = [await stage.member(), await stage.member()];
    const board = await stage.group(admin, ann);
    await stage.policy(
      {
        quorum: [
          { group: board, count: 1 },
          { group: board, count: 1 },
        ],
      },
      'mandate.grant',
    );
    expect(await check()).toBeNull();
    expect(await check(admin.token)).toBe(
      'This request needs two approvals by different people, and only one other person can give one.',
    );
    // A delegate of a member who could approve anyway adds nothing, and neither does one of the requester.
    const { id: eventId } = { id: (await request(stage)).eventId };
    expect(await stage.approveAs(ann, eventId)).toMatchObject({ evidenceLevel: 'DOCUMENTED' });
    const delegate = `mutation ($input: DelegateApprovalsInput!) { delegateApprovals(input: $input) { id } }`;
    const delegation = {
      toMembershipId: bo.membership.id,
      from: new Date().toISOString(),
      until: inDays(2),
      reason: 'Holiday',
    };
    expect(await stage.ask(delegate, { input: delegation }, admin.token)).toHaveProperty('id');
    expect(await check(admin.token)).toMatch(/only one other person/);
    await stage.policy({ dualApproval: true }, 'mandate.*');
    expect(await check()).toBeNull();
  });
});

describe('the author of a mandate', () => {
  const CHECK = `query ($input: MandateDraftInput!) {
    checkMandate(input: $input) { conditionProblem lifts notUsed } }`;
  const TRY = 'query ($input: TryMandateInput!) { tryMandate(input: $input) { approves reason } }';

  test('learns where the condition is wrong, and what the mandate would replace', async () => {
    const stage = await quorumStage(running);
    const check = (input: object) => stage.ask(CHECK, { input });
    expect(await check({})).toEqual({ conditionProblem: null, lifts: [], notUsed: null });
    const { conditionProblem } = await check({ condition: 'input.amount <' });
    expect(conditionProblem).toBe('Unexpected end of the expression (line 1, column 15)');
    expect(await check({ condition: 'input.amount < 20', actionPattern: 'refund.*' })).toEqual({
      conditionProblem: null,
      lifts: [expect.stringMatching(BASELINE)],
      notUsed: null,
    });
    await stage.policy({ dualApproval: true }, 'refund.*');
    expect((await check({ actionPattern: 'refund.*' })).notUsed).toBe(NOT_USED.needs_two);
    expect(await check({ actionPattern: '*' })).toMatchObject({ code: 'VALIDATION_ERROR' });
    const instructor = await stage.member();
    expect(await stage.ask(CHECK, { input: {} }, instructor.token)).toEqual({ code: 'INSUFFICIENT_ROLE' });
  });

  test('tries it on an example', async () => {
    const stage = await quorumStage(running);
    const draft = {
      actionPattern: 'refund.*',
      condition: 'input.amount < 20 && riskScore < 0.9',
      budget: { member: 'amount', limit: 15 },
    };
    const attempt = (change: object) => stage.ask(TRY, { input: { ...draft, ...change } });
    const APPROVED = { approves: true, reason: 'The call would be approved.' };
    const refused = (reason: unknown) => ({ approves: false, reason });
    expect(await attempt({ input: { amount: 10 }, riskScore: 0.5 })).toEqual(APPROVED);
    expect(await attempt({ input: { amount: 10 }, riskScore: 0.95 })).toEqual(
      refused(NOT_USED.condition_not_met),
    );
    expect(await attempt({ input: { amount: 16 }, riskScore: 0.5 })).toEqual(
      refused(NOT_USED.no_budget_left),
    );
    expect(await attempt({ riskScore: 0.5 })).toEqual(refused(NOT_USED.no_amount));
    expect(await attempt({ input: { amount: 10 } })).toEqual(
      refused(expect.stringMatching(/^The condition could not be evaluated for this call: .+\.$/)),
    );
    expect(await attempt({ actionType: 'payment.send' })).toEqual(
      refused('The mandate does not cover the action payment.send.'),
    );
    expect(await attempt({ condition: 'input.amount <' })).toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: [{ path: 'condition', message: expect.stringMatching(/line 1/) }],
    });
    await stage.policy({ approverAuthentication: 'SIGNED' }, 'refund.large');
    const large = { actionType: 'refund.large', input: { amount: 10 }, riskScore: 0.5 };
    expect(await attempt(large)).toEqual(refused(NOT_USED.needs_passkey));
    expect(await attempt({ ...large, actionType: 'refund.small' })).toEqual(APPROVED);
  });
});

test('the simulator says what active mandates would do', async () => {
  const SIMULATE = `query ($input: SimulatePolicyInput!) {
    simulatePolicy(input: $input) { outcome mandates { mandateId agent approves reason } } }`;
  const stage = await quorumStage(running);
  const { mandateId, eventId } = await request(stage, { condition: 'input.amount < 20' });
  const simulate = (change: object = {}) =>
    stage.ask(SIMULATE, {
      input: { actionType: 'refund.grant', actorType: 'ai_agent', riskScore: 0.95, ...change },
    });
  expect((await simulate()).mandates).toEqual([]);
  await stage.approveInPerson(eventId);
  const says = (approves: boolean, reason: unknown) => ({
    outcome: 'awaiting_approval',
    mandates: [{ mandateId, agent: 'refunder', approves, reason }],
  });
  expect(await simulate()).toEqual(says(false, expect.stringMatching(/depends on the input/)));
  expect(await simulate({ input: { amount: 10 } })).toEqual(says(true, 'The call would be approved.'));
  expect(await simulate({ input: { amount: 30 } })).toEqual(says(false, NOT_USED.condition_not_met));
  expect((await simulate({ actorId: 'another' })).mandates).toEqual([]);
  expect((await simulate({ actorId: 'Refunder', input: { amount: 1 } })).mandates).toHaveLength(1);
  expect((await simulate({ actionType: 'payment.send' })).mandates).toEqual([]);
  expect((await simulate({ actorType: 'system' })).mandates).toEqual([]);
  const stranger = await quorumStage(running);
  const foreign = { input: { actionType: 'refund.grant', actorType: 'ai_agent' } };
  expect((await stranger.ask(SIMULATE, foreign)).mandates).toEqual([]);
  await stage.policy({ dualApproval: true }, 'refund.*');
  expect(await simulate({ input: { amount: 10 } })).toEqual(says(false, NOT_USED.needs_two));
});
