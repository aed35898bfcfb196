import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { makeActor, makeToken } from '../helpers/world.ts';
import {
  CREATE_POLICY,
  type Member,
  type QuorumStage,
  quorumStage,
  SEALED,
  violates,
  WAITS,
} from './quorum-stage.ts';

let running: TestApp;
let stage: QuorumStage;
beforeAll(async () => {
  running = await startTestApp();
  stage = await quorumStage(running);
});
afterAll(() => running.close());

const seats = async (id: string) =>
  (
    await stage.ask(
      'query ($id: ID!) { decisionEvent(id: $id) { seats { index group count authentication open filledBy { id } } } }',
      { id },
    )
  ).seats;

test('a decision is sealed when different people have filled every seat, whatever their role', async () => {
  const [ada, eve, kim] = [await stage.member(), await stage.member('PARENT'), await stage.member('ADMIN')];
  const finance = await stage.group(ada, eve);
  const type = await stage.ruled({
    quorum: [
      { group: finance, count: 2 },
      { count: 1, authentication: 'SESSION' },
    ],
  });
  const event = await stage.recordAction(type);
  expect(await stage.approveAs(ada, event.id)).toEqual(WAITS);
  expect(await seats(event.id)).toMatchObject([
    { index: 0, group: finance, count: 2, authentication: 'SESSION', open: true, filledBy: [{}] },
    { index: 1, group: null, count: 1, authentication: 'SESSION', open: true, filledBy: [] },
  ]);
  expect(await stage.approveAs(ada, event.id)).toEqual({ code: 'CONFLICT' });
  expect(await stage.approveAs(kim, event.id)).toEqual(WAITS);
  expect(await stage.approveAs(eve, event.id)).toEqual(SEALED);
  expect((await seats(event.id)).map(({ open, filledBy }: Parsed) => [open, filledBy.length])).toEqual([
    [false, 2],
    [false, 1],
  ]);
  const proof = await stage.exported(event);
  expect(proof.evidence.policy.guards).toHaveLength(7);
  expect(proof.evidence.policy.guards[6]).toMatchObject({
    guard: 'quorum',
    verdict: 'pass',
    detail: `2 of ${finance} (SESSION), 1 of any human (SESSION): filled`,
  });
  expect(proof.evidence.approvals.map(({ seat }: Parsed) => seat)).toEqual([
    { index: 0, group: finance },
    { index: 1 },
    { index: 0, group: finance },
  ]);
  expect((await verifyProof(JSON.stringify(proof))).verdict).toMatch(/consistent|partial/);
});

test('a seat of a group accepts only its signed-in members', async () => {
  const [ada, outsider, admin] = [await stage.member(), await stage.member(), await stage.member('ADMIN')];
  const type = await stage.ruled({ quorum: [{ group: await stage.group(ada), count: 1 }] });
  const event = await stage.recordAction(type);
  expect(await stage.approveAs(admin, event.id)).toEqual(violates('quorum_group'));
  expect(await stage.approveAs(outsider, event.id)).toEqual({ code: 'INSUFFICIENT_ROLE' });
  const byKey = await stage.approve(event.id, { approver: { id: ada.actor.id, type: 'human' } });
  expect(byKey).toMatchObject({ status: 422, body: { error: { details: { rule: 'quorum_group' } } } });
  expect(await stage.approveAs(ada, event.id)).toEqual(SEALED);
});

test('with ordered seats a later seat waits for the earlier ones', async () => {
  const [ada, eve, admin] = [await stage.member(), await stage.member(), await stage.member('ADMIN')];
  const [first, second] = [await stage.group(ada), await stage.group(eve)];
  const type = await stage.ruled({
    quorum: [
      { group: first, count: 1 },
      { group: second, count: 1 },
    ],
    quorumOrdered: true,
  });
  const event = await stage.recordAction(type);
  expect(await stage.approveAs(eve, event.id)).toEqual(violates('quorum_order'));
  expect(await stage.approveAs(admin, event.id)).toEqual(violates('quorum_group'));
  expect(await stage.approveAs(ada, event.id)).toEqual(WAITS);
  expect(await stage.approveAs(eve, event.id)).toEqual(SEALED);
});

test('an API key can assert any human, except the requester; anyone can reject', async () => {
  const type = await stage.ruled({ quorum: [{ count: 2 }] });
  const actor = { id: 'ben', type: 'human' };
  const human = { type: 'human_approval', actor, aiContext: undefined };
  const event = await stage.recordAction(type, human);
  const byKey = (id: string) => stage.approve(event.id, { approver: { id, type: 'human' } });
  expect(await byKey('ada')).toMatchObject({ status: 200, body: { data: { evidenceLevel: 'DOCUMENTED' } } });
  expect(await byKey(' ADA')).toMatchObject({ status: 409 });
  expect(await byKey('BEN')).toMatchObject({
    status: 422,
    body: { error: { details: { rule: 'self_approval' } } },
  });
  expect(await byKey('eve')).toMatchObject({ status: 200, body: { data: { evidenceLevel: 'AUDIT_READY' } } });

  const rejected = await stage.recordAction(type, human);
  await stage.approve(rejected.id, { approver: { id: 'ada', type: 'human' } });
  await stage.approve(rejected.id, { approver: { id: 'ben', type: 'human' }, result: 'rejected' });
  expect(await stage.approveAs(stage, rejected.id)).toEqual({ code: 'CONFLICT' });
});

test('dual approval applies in addition to a quorum', async () => {
  const [ada, admin] = [await stage.member(), await stage.member('ADMIN')];
  const type = await stage.ruled({
    quorum: [{ group: await stage.group(ada), count: 1 }],
    dualApproval: true,
  });
  const event = await stage.recordAction(type);
  expect(await stage.approveAs(admin, event.id)).toEqual(WAITS);
  expect(await stage.approveAs(ada, event.id)).toEqual(SEALED);
});

test('a seat that requires a signature accepts a passkey and rejects a session', async () => {
  const ada = await stage.member();
  const type = await stage.ruled({
    quorum: [{ group: await stage.group(ada), count: 1, authentication: 'SIGNED' }],
  });
  const event = await stage.recordAction(type);
  expect(await stage.approveAs(ada, event.id)).toEqual(violates('approver_authentication'));
  const passkey = await stage.registerPasskey(ada.token);
  const said = { eventId: event.id, result: 'approved' };
  const prepared = await stage.ask(
    'mutation ($input: PrepareApprovalInput!) { prepareApproval(input: $input) { approvalId options } }',
    { input: said },
    ada.token,
  );
  const input = { ...said, approvalId: prepared.approvalId, assertion: passkey.answer(prepared.options) };
  expect(
    await stage.ask(
      'mutation ($input: ApproveDecisionInput!) { approveDecision(input: $input) { evidenceLevel } }',
      { input },
      ada.token,
    ),
  ).toEqual(SEALED);
  const proof = await stage.exported(event);
  expect((await verifyProof(JSON.stringify(proof))).verdict).toMatch(/consistent|partial/);
});

test('a decision of an agent waits for the quorum and is not sealed by the service', async () => {
  const ada = await stage.member();
  const type = await stage.ruled({ quorum: [{ group: await stage.group(ada), count: 1 }] });
  const { body } = await stage.post('/agents/decide', {
    agent: { id: 'bot-1' },
    action: { type },
  });
  expect(body.data).toMatchObject({ outcome: 'awaiting_approval' });
  expect(await stage.approveAs(ada, body.data.eventId)).toEqual(SEALED);
});

test('concurrent approvers fill one seat each, and no seat is filled twice', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => stage.member()));
  const type = await stage.ruled({ quorum: [{ group: await stage.group(...people), count: 3 }] });
  const event = await stage.recordAction(type);
  const answers = await Promise.all(people.map((person) => stage.approveAs(person, event.id)));
  expect(answers.filter((answer) => answer.evidenceLevel === 'DOCUMENTED')).toHaveLength(2);
  expect(answers.filter((answer) => answer.evidenceLevel === 'AUDIT_READY')).toHaveLength(1);
  expect((await stage.exported(event)).evidence.approvals).toHaveLength(3);
});

test('a simulation returns who would have to approve', async () => {
  const finance = await stage.group(await stage.member());
  const type = await stage.ruled({ quorum: [{ group: finance, count: 1 }, { count: 1 }] });
  const simulate = (approvals: object[]) =>
    stage.ask(
      `query ($input: SimulatePolicyInput!) {
        simulatePolicy(input: $input) { verdict outcome seats { group groupName count filled filledBy open } }
      }`,
      { input: { actionType: type, actorType: 'ai_agent', approvals } },
    );
  const groupName = expect.stringMatching(/^Group \d+$/);
  expect(await simulate([])).toEqual({
    verdict: 'pending',
    outcome: 'awaiting_approval',
    seats: [
      { group: finance, groupName, count: 1, filled: 0, filledBy: [], open: true },
      { group: null, groupName: null, count: 1, filled: 0, filledBy: [], open: true },
    ],
  });
  const people = [
    { approverId: 'ada', approverType: 'human', by: 'session', groups: [finance] },
    { approverId: 'eve', approverType: 'human', by: 'api_key' },
  ];
  expect((await simulate(people)).verdict).toBe('pass');
  expect((await simulate(people.slice(1))).seats.map(({ filled }: Parsed) => filled)).toEqual([0, 1]);
  expect((await simulate(people.toReversed())).seats.map(({ filledBy }: Parsed) => filledBy)).toEqual([
    [1],
    [0],
  ]);
  // An approver who can fill no open seat is refused, as in a call.
  const outsider = { approverId: 'max', approverType: 'human', by: 'session', administrator: false };
  expect(await simulate([outsider])).toMatchObject({ outcome: 'refused' });
  expect(await simulate([{ ...outsider, groups: [finance] }])).toMatchObject({
    outcome: 'awaiting_approval',
  });
});

test('a wider policy cannot name groups; its enforced quorum applies in addition to that of the center', async () => {
  const finance = await stage.group(await stage.member());
  const root = { scope: 'COUNTRY', country: 'DE', name: 'Wide', actionPattern: 'wide.*' };
  const token = await makeToken(
    running.app,
    (await makeActor(running.app, { platformAdmin: true })).id,
    null,
  );
  const create = (guards: object) => stage.ask(CREATE_POLICY, { input: { ...root, guards } }, token);
  expect(await create({ quorum: [{ group: finance, count: 1 }] })).toMatchObject({
    code: 'VALIDATION_ERROR',
  });
  expect(
    await create({ quorum: [{ count: 2, authentication: 'SESSION' }], enforced: ['quorum'] }),
  ).toHaveProperty('id');
  const [ada, eve] = [await stage.member('ADMIN'), await stage.member('ADMIN')];
  const own = await stage.group(ada);
  await stage.ask(CREATE_POLICY, {
    input: {
      scope: 'CENTER',
      name: 'Own',
      actionPattern: 'wide.pay',
      guards: { quorum: [{ group: own, count: 1 }] },
    },
  });
  const event = await stage.recordAction('wide.pay');
  expect(await stage.approveAs(ada, event.id)).toEqual(WAITS);
  expect(await stage.approveAs(eve, event.id)).toEqual(SEALED);
  const proof = await stage.exported(event);
  expect(proof.evidence.approvals[0]).toMatchObject({
    seat: { index: 0, group: own },
    alsoSeats: [{ index: 1 }],
  });
  expect(proof.evidence.policy.guards[6].detail).toBe(
    `1 of ${own} (SESSION); and 2 of any human (SESSION): filled`,
  );
});

test.each([
  [{ quorum: [] }],
  [{ quorum: [{ count: 0 }] }],
  [{ quorum: [{ count: 11 }] }],
  [{ quorum: Array(6).fill({ count: 1 }) }],
  [{ quorumOrdered: true }],
  [{ quorum: [{ count: 1 }], escalateAfterSeconds: 60 }],
  [{ quorum: [{ count: 1 }], escalateAfterSeconds: 59, escalateToGroup: 'grp_x' }],
  [{ quorum: [{ count: 1, group: 'grp_unknown' }] }],
  [{ enforced: ['quorum'] }],
])('invalid guards are rejected: %j', async (guards) => {
  const input = { scope: 'CENTER', name: 'x', actionPattern: 'x', guards };
  expect(await stage.ask(CREATE_POLICY, { input })).toMatchObject({ code: 'VALIDATION_ERROR' });
});

const delegate = (from: Member, to: Member) =>
  stage.ask(
    'mutation ($input: DelegateApprovalsInput!) { delegateApprovals(input: $input) { id } }',
    {
      input: {
        toMembershipId: to.membership.id,
        from: new Date(Date.now() - 1_000).toISOString(),
        until: new Date(Date.now() + 86_400_000).toISOString(),
        reason: 'Holiday',
      },
    },
    from.token,
  );
const waitsFor = async ({ token }: Member, id: string): Promise<string | undefined> => {
  const list = await stage.ask(
    '{ approvalsForMe(first: 100) { edges { node { eventId reason } } } }',
    {},
    token,
  );
  return list.edges.find(({ node }: Parsed) => node.eventId === id)?.node.reason;
};
const seatsSealed = async (event: { evidence: { id: string } }): Promise<Parsed[]> =>
  (await stage.exported(event)).evidence.approvals.map(({ seat }: Parsed) => seat.index);

test('a seat for any human is open to members of the groups that the same quorum names, and to no others', async () => {
  const [ada, eve, dan, outsider] = [
    await stage.member(),
    await stage.member(),
    await stage.member(),
    await stage.member(),
  ];
  await stage.group(outsider);
  const finance = await stage.group(ada, eve);
  await delegate(eve, dan);
  const type = await stage.ruled({ quorum: [{ group: finance, count: 1 }, { count: 1 }] });
  const event = await stage.recordAction(type);
  expect(await waitsFor(outsider, event.id)).toBeUndefined();
  expect(await stage.approveAs(outsider, event.id)).toEqual({ code: 'INSUFFICIENT_ROLE' });
  expect(await stage.approveAs(ada, event.id)).toEqual(WAITS);
  expect(await waitsFor(eve, event.id)).toBe('ANYONE');
  expect(await waitsFor(dan, event.id)).toBe('DELEGATION');
  expect(await stage.approveAs(outsider, event.id)).toEqual({ code: 'INSUFFICIENT_ROLE' });
  expect(await stage.approveAs(dan, event.id)).toEqual(SEALED);
  const proof = await stage.exported(event);
  expect(proof.evidence.approvals).toMatchObject([
    { seat: { index: 0, group: finance } },
    { seat: { index: 1 }, delegation: { id: expect.stringMatching(/^dlg_/) }, onBehalfOf: eve.actor.id },
  ]);
  expect((await verifyProof(JSON.stringify(proof))).verdict).toMatch(/consistent|partial/);
});

test('an approver takes the seat that leaves the others fillable', async () => {
  const [ada, eve, ben] = [await stage.member(), await stage.member(), await stage.member()];
  const [audit, finance] = [await stage.group(ada, eve), await stage.group(ada)];
  // Only Ada is in Finance, so she does not take the seat of Audit, which comes first.
  const type = await stage.ruled({
    quorum: [
      { group: audit, count: 1 },
      { group: finance, count: 1 },
    ],
  });
  const event = await stage.recordAction(type);
  expect(await stage.approveAs(ada, event.id)).toEqual(WAITS);
  expect(await waitsFor(eve, event.id)).toBe('GROUP');
  expect(await stage.approveAs(eve, event.id)).toEqual(SEALED);
  expect(await seatsSealed(event)).toEqual([1, 0]);
  expect((await verifyProof(JSON.stringify(await stage.exported(event)))).verdict).toMatch(
    /consistent|partial/,
  );

  // Ben cannot sign, so Zoe leaves him the seat of her group and takes the one that requires a signature.
  const zoe = await stage.member();
  const passkey = await stage.registerPasskey(zoe.token);
  const signing = await stage.ruled({
    quorum: [
      { group: await stage.group(ben, zoe), count: 1 },
      { count: 1, authentication: 'SIGNED' },
    ],
  });
  const signed = await stage.recordAction(signing);
  // Unsigned, her approval would take Ben's only seat.
  expect(await stage.approveAs(zoe, signed.id)).toEqual(violates('approver_authentication'));
  const said = { eventId: signed.id, result: 'approved' };
  const prepared = await stage.ask(
    'mutation ($input: PrepareApprovalInput!) { prepareApproval(input: $input) { approvalId options } }',
    { input: said },
    zoe.token,
  );
  const input = { ...said, approvalId: prepared.approvalId, assertion: passkey.answer(prepared.options) };
  const approve =
    'mutation ($input: ApproveDecisionInput!) { approveDecision(input: $input) { evidenceLevel } }';
  expect(await stage.ask(approve, { input }, zoe.token)).toEqual(WAITS);
  expect(await stage.approveAs(ben, signed.id)).toEqual(SEALED);
  expect(await seatsSealed(signed)).toEqual([1, 0]);
});

test('with ordered seats, the only member for a later seat does not take an earlier one', async () => {
  const [ada, eve] = [await stage.member('ADMIN'), await stage.member('ADMIN')];
  const type = await stage.ruled({
    quorum: [
      { count: 1, authentication: 'SESSION' },
      { group: await stage.group(ada), count: 1 },
    ],
    quorumOrdered: true,
  });
  const event = await stage.recordAction(type);
  expect(await waitsFor(ada, event.id)).toBeUndefined();
  expect(await stage.approveAs(ada, event.id)).toEqual(violates('quorum_order'));
  expect(await stage.approveAs(eve, event.id)).toEqual(WAITS);
  expect(await waitsFor(ada, event.id)).toBe('GROUP');
  expect(await stage.approveAs(ada, event.id)).toEqual(SEALED);
});
