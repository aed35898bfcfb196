import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { escalateDecisions } from '../../src/domain/proof/escalate.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { SoftPasskey } from '../helpers/authenticator.ts';
import { makeMember } from '../helpers/world.ts';
import { type ProofStage, proofStage } from './stage.ts';

/** The value of the field. */
type Answer = ReturnType<typeof JSON.parse>;

let running: TestApp;
let stage: ProofStage;

beforeAll(async () => {
  running = await startTestApp();
  stage = await proofStage(running);
});
afterAll(() => running.close());

async function ask(
  document: string,
  variables: Record<string, unknown> = {},
  token = stage.token,
): Promise<Answer> {
  const { data, errors } = await running.graphql(document, variables, token);
  const { code, details } = errors?.[0]?.extensions ?? {};
  return errors ? { code, ...(details as object) } : Object.values(data)[0];
}

type Member = Awaited<ReturnType<typeof makeMember>>;
const member = (role: 'ADMIN' | 'INSTRUCTOR' | 'PARENT' = 'INSTRUCTOR') =>
  makeMember(running.app, stage.center.id, role);

let groups = 0;
async function group(...members: Member[]): Promise<string> {
  const name = `Group ${groups++}`;
  const { id } = await ask('mutation ($name: String!) { createGroup(input: { name: $name }) { id } }', {
    name,
  });
  const membershipIds = members.map(({ membership }) => membership.id);
  await ask('mutation ($input: SetGroupMembersInput!) { setGroupMembers(input: $input) { id } }', {
    input: { id, membershipIds },
  });
  return id;
}

let actions = 0;
/** Creates a policy for a new action type; returns that type. */
async function ruled(guards: object): Promise<string> {
  const actionType = `quorum.${actions++}`;
  const input = { scope: 'CENTER', name: actionType, actionPattern: actionType, guards };
  const made = await ask('mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { id } }', {
    input,
  });
  expect(made).toEqual({ id: expect.any(String) });
  return actionType;
}

const record = (type: string, change: object = {}) =>
  stage.record({ action: { type, description: 'Pay' }, ...change });
const approve = (eventId: string, { token }: { token: string }, result = 'approved') =>
  ask(
    `mutation ($input: ApproveDecisionInput!) { approveDecision(input: $input) { evidenceLevel } }`,
    { input: { eventId, result } },
    token,
  );
const seats = async (id: string) =>
  (
    await ask(
      'query ($id: ID!) { decisionEvent(id: $id) { seats { index group count authentication open filledBy { id } } } }',
      { id },
    )
  ).seats;
const SEALED = { evidenceLevel: 'AUDIT_READY' };
const WAITS = { evidenceLevel: 'DOCUMENTED' };
const violates = (rule: string) => ({
  code: 'POLICY_VIOLATION',
  policy: expect.stringMatching(/^pol_/),
  rule,
});

async function exported(event: { evidence: { id: string } }) {
  const { body } = await stage.get(`/evidence/${event.evidence.id}/export`);
  return body;
}

test('a decision is sealed when different people filled every seat, whatever their role', async () => {
  const [ada, eve, kim] = [await member(), await member('PARENT'), await member('ADMIN')];
  const finance = await group(ada, eve);
  const type = await ruled({
    quorum: [
      { group: finance, count: 2 },
      { count: 1, authentication: 'SESSION' },
    ],
  });
  const event = await record(type);
  expect(await approve(event.id, ada)).toEqual(WAITS);
  expect(await seats(event.id)).toMatchObject([
    { index: 0, group: finance, count: 2, authentication: 'SESSION', open: true, filledBy: [{}] },
    { index: 1, group: null, count: 1, authentication: 'SESSION', open: true, filledBy: [] },
  ]);
  expect(await approve(event.id, ada)).toEqual({ code: 'CONFLICT' });
  expect(await approve(event.id, kim)).toEqual(WAITS);
  expect(await approve(event.id, eve)).toEqual(SEALED);
  expect((await seats(event.id)).map(({ open, filledBy }: Answer) => [open, filledBy.length])).toEqual([
    [false, 2],
    [false, 1],
  ]);
  const proof = await exported(event);
  expect(proof.evidence.policy.guards).toHaveLength(7);
  expect(proof.evidence.policy.guards[6]).toMatchObject({
    guard: 'quorum',
    verdict: 'pass',
    detail: `2 of ${finance} (SESSION), 1 of any human (SESSION): filled`,
  });
  expect(proof.evidence.approvals.map(({ seat }: Answer) => seat)).toEqual([
    { index: 0, group: finance },
    { index: 1 },
    { index: 0, group: finance },
  ]);
  expect((await verifyProof(JSON.stringify(proof))).verdict).toMatch(/consistent|partial/);
});

test('a seat of a group accepts only its members, signed in', async () => {
  const [ada, outsider, admin] = [await member(), await member(), await member('ADMIN')];
  const type = await ruled({ quorum: [{ group: await group(ada), count: 1 }] });
  const event = await record(type);
  expect(await approve(event.id, admin)).toEqual(violates('quorum_group'));
  expect(await approve(event.id, outsider)).toEqual({ code: 'INSUFFICIENT_ROLE' });
  const byKey = await stage.approve(event.id, { approver: { id: ada.actor.id, type: 'human' } });
  expect(byKey).toMatchObject({ status: 422, body: { error: { details: { rule: 'quorum_group' } } } });
  expect(await approve(event.id, ada)).toEqual(SEALED);
});

test('in order, a later seat waits for the earlier ones', async () => {
  const [ada, eve, admin] = [await member(), await member(), await member('ADMIN')];
  const [first, second] = [await group(ada), await group(eve)];
  const type = await ruled({
    quorum: [
      { group: first, count: 1 },
      { group: second, count: 1 },
    ],
    quorumOrdered: true,
  });
  const event = await record(type);
  expect(await approve(event.id, eve)).toEqual(violates('quorum_order'));
  expect(await approve(event.id, admin)).toEqual(violates('quorum_group'));
  expect(await approve(event.id, ada)).toEqual(WAITS);
  expect(await approve(event.id, eve)).toEqual(SEALED);
});

test('a key vouches for any human, but the requester fills no seat, and anybody rejects', async () => {
  const type = await ruled({ quorum: [{ count: 2 }] });
  const actor = { id: 'ben', type: 'human' };
  const human = { type: 'human_approval', actor, aiContext: undefined };
  const event = await record(type, human);
  const byKey = (id: string) => stage.approve(event.id, { approver: { id, type: 'human' } });
  expect(await byKey('ada')).toMatchObject({ status: 200, body: { data: { evidenceLevel: 'DOCUMENTED' } } });
  expect(await byKey(' ADA')).toMatchObject({ status: 409 });
  expect(await byKey('BEN')).toMatchObject({
    status: 422,
    body: { error: { details: { rule: 'self_approval' } } },
  });
  expect(await byKey('eve')).toMatchObject({ status: 200, body: { data: { evidenceLevel: 'AUDIT_READY' } } });

  const rejected = await record(type, human);
  await stage.approve(rejected.id, { approver: { id: 'ada', type: 'human' } });
  await stage.approve(rejected.id, { approver: { id: 'ben', type: 'human' }, result: 'rejected' });
  expect(await approve(rejected.id, { token: stage.token })).toEqual({ code: 'CONFLICT' });
});

test('dual approval keeps its meaning beside a quorum', async () => {
  const [ada, admin] = [await member(), await member('ADMIN')];
  const type = await ruled({ quorum: [{ group: await group(ada), count: 1 }], dualApproval: true });
  const event = await record(type);
  expect(await approve(event.id, admin)).toEqual(WAITS);
  expect(await approve(event.id, ada)).toEqual(SEALED);
});

test('a passkey signs the seat with the approval; a seat that asks for it takes no session', async () => {
  const ada = await member();
  const type = await ruled({ quorum: [{ group: await group(ada), count: 1, authentication: 'SIGNED' }] });
  const event = await record(type);
  expect(await approve(event.id, ada)).toEqual(violates('approver_authentication'));
  const passkey = new SoftPasskey(new URL(running.config.publicUrl).origin);
  const options = await ask('mutation { beginPasskeyRegistration }', {}, ada.token);
  await ask(
    'mutation ($response: JSON!) { finishPasskeyRegistration(input: { name: "Key", response: $response }) { id } }',
    { response: passkey.register(options) },
    ada.token,
  );
  const said = { eventId: event.id, result: 'approved' };
  const prepared = await ask(
    'mutation ($input: PrepareApprovalInput!) { prepareApproval(input: $input) { approvalId options } }',
    { input: said },
    ada.token,
  );
  const input = { ...said, approvalId: prepared.approvalId, assertion: passkey.answer(prepared.options) };
  expect(
    await ask(
      'mutation ($input: ApproveDecisionInput!) { approveDecision(input: $input) { evidenceLevel } }',
      { input },
      ada.token,
    ),
  ).toEqual(SEALED);
  const proof = await exported(event);
  expect((await verifyProof(JSON.stringify(proof))).verdict).toMatch(/consistent|partial/);
});

test('an agent waits for the quorum instead of being sealed by the service', async () => {
  const ada = await member();
  const type = await ruled({ quorum: [{ group: await group(ada), count: 1 }] });
  const { body } = await stage.post('/agents/decide', {
    agent: { id: 'bot-1' },
    action: { type },
  });
  expect(body.data).toMatchObject({ outcome: 'awaiting_approval' });
  expect(await approve(body.data.eventId, ada)).toEqual(SEALED);
});

test('of many approvers at once each fills one seat, and no seat is filled twice', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => member()));
  const type = await ruled({ quorum: [{ group: await group(...people), count: 3 }] });
  const event = await record(type);
  const answers = await Promise.all(people.map((person) => approve(event.id, person)));
  expect(answers.filter((answer) => answer.evidenceLevel === 'DOCUMENTED')).toHaveLength(2);
  expect(answers.filter((answer) => answer.evidenceLevel === 'AUDIT_READY')).toHaveLength(1);
  expect((await exported(event)).evidence.approvals).toHaveLength(3);
});

describe('approvalsForMe', () => {
  const mine = async ({ token }: { token: string }, first = 50) =>
    (
      await ask(
        `query ($first: Int) { approvalsForMe(first: $first) { edges { node { eventId reason event { action { type } seats { open } } } } } }`,
        { first },
        token,
      )
    ).edges.map(({ node }: Answer) => node);

  test('lists decisions that the caller can approve now, with the reason', async () => {
    const [ada, eve, admin] = [await member(), await member(), await member('ADMIN')];
    const finance = await group(ada);
    const type = await ruled({
      quorum: [
        { group: finance, count: 1 },
        { group: await group(eve), count: 1 },
      ],
      quorumOrdered: true,
    });
    const event = await record(type);
    expect(await mine(ada)).toMatchObject([
      { eventId: event.id, reason: 'GROUP', event: { action: { type } } },
    ]);
    expect(await mine(eve)).toEqual([]);
    expect((await mine(admin)).some(({ eventId }: Answer) => eventId === event.id)).toBe(false);
    await approve(event.id, ada);
    expect(await mine(ada)).toEqual([]);
    expect(await mine(eve)).toMatchObject([{ eventId: event.id, reason: 'GROUP' }]);
    const open = await record('nobody.asks');
    expect(await mine(admin, 1)).toMatchObject([{ eventId: open.id, reason: 'ANYONE' }]);
    expect(
      await ask('query ($id: ID!) { decisionEvent(id: $id) { id } }', { id: open.id }, eve.token),
    ).toEqual({
      code: 'INSUFFICIENT_ROLE',
    });
    expect(
      await ask(
        'query ($id: ID!) { decisionEvent(id: $id) { id approvals { id } } }',
        { id: event.id },
        eve.token,
      ),
    ).toEqual({
      id: event.id,
      approvals: [{ id: expect.any(String) }],
    });
  });

  test('a delegate fills seats of the delegator, once for both of them', async () => {
    const [ada, eve, zoe, max] = [await member(), await member(), await member(), await member()];
    const finance = await group(ada, zoe);
    const type = await ruled({ quorum: [{ group: finance, count: 2 }] });
    const event = await record(type);
    expect(await approve(event.id, eve)).toEqual({ code: 'INSUFFICIENT_ROLE' });
    const give = (from: Member, to: Member) =>
      ask(
        `mutation ($input: DelegateApprovalsInput!) { delegateApprovals(input: $input) { id delegate { id } } }`,
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
    const { id } = await give(ada, eve);
    expect(id).toMatch(/^dlg_/);
    expect(await mine(eve)).toMatchObject([{ eventId: event.id, reason: 'DELEGATION' }]);
    // A delegation cannot be passed on.
    await give(eve, max);
    expect(await mine(max)).toEqual([]);
    expect(await approve(event.id, eve)).toEqual(WAITS);
    expect(await approve(event.id, ada)).toMatchObject(violates('quorum'));
    expect(await approve(event.id, zoe)).toEqual(SEALED);
    const proof = await exported(event);
    expect(proof.evidence.approvals[0]).toMatchObject({ delegation: { id }, onBehalfOf: ada.actor.id });
    expect((await verifyProof(JSON.stringify(proof))).verdict).toMatch(/consistent|partial/);

    const later = await record(type);
    await ask('mutation ($id: ID!) { moveMembership(input: { membershipId: $id, to: SUSPENDED }) { id } }', {
      id: ada.membership.id,
    });
    expect(await approve(later.id, eve)).toEqual({ code: 'INSUFFICIENT_ROLE' });
    const given = await ask('{ delegations { id endedAt } }', {}, eve.token);
    expect(given.find((each: Answer) => each.id === id).endedAt).not.toBeNull();
  });
});

test('after the time is up another group fills the open seats, which the journal tells', async () => {
  const [ada, boss] = [await member(), await member()];
  const board = await group(boss);
  const finance = await group(ada);
  const type = await ruled({
    quorum: [{ group: finance, count: 1 }],
    escalateAfterSeconds: 60,
    escalateToGroup: board,
  });
  const event = await record(type);
  expect(await approve(event.id, boss)).toEqual({ code: 'INSUFFICIENT_ROLE' });
  await escalateDecisions(running.app);
  const escalated = () =>
    running.app.db.forCenter(stage.center.id).escalation.findMany({ where: { eventId: event.id } });
  expect(await escalated()).toEqual([]);

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  try {
    await Promise.all([escalateDecisions(running.app), escalateDecisions(running.app)]);
    expect(await escalated()).toMatchObject([{ groupId: board }]);
    const { journal } = await ask(
      'query ($id: ID!) { decisionEvent(id: $id) { journal { kind content } } }',
      {
        id: event.id,
      },
    );
    expect(journal.filter(({ kind }: Answer) => kind === 'escalated')).toHaveLength(1);
    const mine = await ask(
      '{ approvalsForMe(first: 5) { edges { node { eventId reason } } } }',
      {},
      boss.token,
    );
    expect(mine.edges).toEqual([{ node: { eventId: event.id, reason: 'ESCALATION' } }]);
    expect(await approve(event.id, boss)).toEqual(SEALED);
  } finally {
    vi.useRealTimers();
  }
  const proof = await exported(event);
  expect(proof.evidence.approvals[0]).toMatchObject({
    seat: { index: 0, group: finance },
    escalation: { group: board },
  });
  expect((await verifyProof(JSON.stringify(proof))).verdict).toMatch(/consistent|partial/);
});

test('a simulation tells who would have to approve', async () => {
  const finance = await group(await member());
  const type = await ruled({ quorum: [{ group: finance, count: 1 }, { count: 1 }] });
  const simulate = (approvals: object[]) =>
    ask(
      `query ($input: SimulatePolicyInput!) { simulatePolicy(input: $input) { verdict seats { group count filled open } } }`,
      { input: { actionType: type, actorType: 'ai_agent', approvals } },
    );
  expect(await simulate([])).toEqual({
    verdict: 'pending',
    seats: [
      { group: finance, count: 1, filled: 0, open: true },
      { group: null, count: 1, filled: 0, open: true },
    ],
  });
  const people = [
    { approverId: 'ada', approverType: 'human', by: 'session', groups: [finance] },
    { approverId: 'eve', approverType: 'human', by: 'api_key' },
  ];
  expect((await simulate(people)).verdict).toBe('pass');
  expect((await simulate(people.slice(1))).seats.map(({ filled }: Answer) => filled)).toEqual([0, 1]);
});

test('a wider policy names no groups; one that enforces its quorum is met beside the own one', async () => {
  const finance = await group(await member());
  const root = { scope: 'COUNTRY', country: 'DE', name: 'Wide', actionPattern: 'wide.*' };
  const { makeActor, makeToken } = await import('../helpers/world.ts');
  const token = await makeToken(
    running.app,
    (await makeActor(running.app, { platformAdmin: true })).id,
    null,
  );
  const create = (guards: object) =>
    ask(
      'mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { id } }',
      { input: { ...root, guards } },
      token,
    );
  expect(await create({ quorum: [{ group: finance, count: 1 }] })).toMatchObject({
    code: 'VALIDATION_ERROR',
  });
  expect(
    await create({ quorum: [{ count: 2, authentication: 'SESSION' }], enforced: ['quorum'] }),
  ).toHaveProperty('id');
  const [ada, eve] = [await member('ADMIN'), await member('ADMIN')];
  const own = await group(ada);
  await ask('mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { id } }', {
    input: {
      scope: 'CENTER',
      name: 'Own',
      actionPattern: 'wide.pay',
      guards: { quorum: [{ group: own, count: 1 }] },
    },
  });
  const event = await record('wide.pay');
  expect(await approve(event.id, ada)).toEqual(WAITS);
  expect(await approve(event.id, eve)).toEqual(SEALED);
  const proof = await exported(event);
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
])('guards that make no sense are refused: %j', async (guards) => {
  const input = { scope: 'CENTER', name: 'x', actionPattern: 'x', guards };
  expect(
    await ask('mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { id } }', { input }),
  ).toMatchObject({ code: 'VALIDATION_ERROR' });
});
