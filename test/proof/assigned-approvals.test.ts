/** Who is asked to fill the seats of a quorum: members of a group, their delegates, and the group it escalates to. */
import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { meetDeadlines } from '../../src/domain/decisions/approve/deadlines.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { type Member, type QuorumStage, quorumStage, SEALED, violates, WAITS } from './quorum-stage.ts';

let running: TestApp;
let stage: QuorumStage;
beforeAll(async () => {
  running = await startTestApp();
  stage = await quorumStage(running);
});
afterAll(() => running.close());

const mine = async ({ token }: { token: string }, first = 50) =>
  (
    await stage.ask(
      `query ($first: Int) { approvalsForMe(first: $first) { edges { node { eventId reason event { action { type } seats { open } } } } } }`,
      { first },
      token,
    )
  ).edges.map(({ node }: Parsed) => node);

test('approvalsForMe lists decisions that the caller can approve now, with the reason', async () => {
  const [ada, eve, admin] = [await stage.member(), await stage.member(), await stage.member('ADMIN')];
  const finance = await stage.group(ada);
  const type = await stage.ruled({
    quorum: [
      { group: finance, count: 1 },
      { group: await stage.group(eve), count: 1 },
    ],
    quorumOrdered: true,
  });
  const event = await stage.recordAction(type);
  expect(await mine(ada)).toMatchObject([
    { eventId: event.id, reason: 'GROUP', event: { action: { type } } },
  ]);
  expect(await mine(eve)).toEqual([]);
  expect((await mine(admin)).some(({ eventId }: Parsed) => eventId === event.id)).toBe(false);
  await stage.approveAs(ada, event.id);
  expect(await mine(ada)).toEqual([]);
  expect(await mine(eve)).toMatchObject([{ eventId: event.id, reason: 'GROUP' }]);
  const open = await stage.recordAction('nobody.asks');
  expect(await mine(admin, 1)).toMatchObject([{ eventId: open.id, reason: 'ANYONE' }]);
  expect(
    await stage.ask('query ($id: ID!) { decisionEvent(id: $id) { id } }', { id: open.id }, eve.token),
  ).toEqual({
    code: 'INSUFFICIENT_ROLE',
  });
  expect(
    await stage.ask(
      'query ($id: ID!) { decisionEvent(id: $id) { id approvals { id } } }',
      { id: event.id },
      eve.token,
    ),
  ).toEqual({
    id: event.id,
    approvals: [{ id: expect.any(String) }],
  });
});

test('a delegate fills a seat for the delegator, and only one of the two can approve', async () => {
  const [ada, eve, zoe, max] = [
    await stage.member(),
    await stage.member(),
    await stage.member(),
    await stage.member(),
  ];
  const finance = await stage.group(ada, zoe);
  const type = await stage.ruled({ quorum: [{ group: finance, count: 2 }] });
  const event = await stage.recordAction(type);
  expect(await stage.approveAs(eve, event.id)).toEqual({ code: 'INSUFFICIENT_ROLE' });
  const give = (from: Member, to: Member) =>
    stage.ask(
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
  expect(await stage.approveAs(eve, event.id)).toEqual(WAITS);
  expect(await stage.approveAs(ada, event.id)).toMatchObject(violates('quorum'));
  expect(await stage.approveAs(zoe, event.id)).toEqual(SEALED);
  const proof = await stage.exported(event);
  expect(proof.evidence.approvals[0]).toMatchObject({ delegation: { id }, onBehalfOf: ada.actor.id });
  expect((await verifyProof(JSON.stringify(proof))).verdict).toMatch(/consistent|partial/);

  const later = await stage.recordAction(type);
  await stage.ask(
    'mutation ($id: ID!) { moveMembership(input: { membershipId: $id, to: SUSPENDED }) { id } }',
    {
      id: ada.membership.id,
    },
  );
  expect(await stage.approveAs(eve, later.id)).toEqual({ code: 'INSUFFICIENT_ROLE' });
  const given = await stage.ask('{ delegations { id endedAt } }', {}, eve.token);
  expect(given.find((each: Parsed) => each.id === id).endedAt).not.toBeNull();
});

test('after the escalation time another group can fill the open seats, with a journal entry', async () => {
  const [ada, boss] = [await stage.member(), await stage.member()];
  const board = await stage.group(boss);
  const finance = await stage.group(ada);
  const type = await stage.ruled({
    quorum: [{ group: finance, count: 1 }],
    escalateAfterSeconds: 60,
    escalateToGroup: board,
  });
  const event = await stage.recordAction(type);
  expect(await stage.approveAs(boss, event.id)).toEqual({ code: 'INSUFFICIENT_ROLE' });
  await meetDeadlines(running.app);
  const escalated = () =>
    running.app.db.forCenter(stage.center.id).escalation.findMany({ where: { eventId: event.id } });
  expect(await escalated()).toEqual([]);

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  try {
    await Promise.all([meetDeadlines(running.app), meetDeadlines(running.app)]);
    expect(await escalated()).toMatchObject([{ groupId: board }]);
    const { journal } = await stage.ask(
      'query ($id: ID!) { decisionEvent(id: $id) { journal { kind content } } }',
      {
        id: event.id,
      },
    );
    expect(journal.filter(({ kind }: Parsed) => kind === 'escalated')).toHaveLength(1);
    const mine = await stage.ask(
      '{ approvalsForMe(first: 5) { edges { node { eventId reason } } } }',
      {},
      boss.token,
    );
    expect(mine.edges).toEqual([{ node: { eventId: event.id, reason: 'ESCALATION' } }]);
    expect(await stage.approveAs(boss, event.id)).toEqual(SEALED);
  } finally {
    vi.useRealTimers();
  }
  const proof = await stage.exported(event);
  expect(proof.evidence.approvals[0]).toMatchObject({
    seat: { index: 0, group: finance },
    escalation: { group: board },
  });
  expect((await verifyProof(JSON.stringify(proof))).verdict).toMatch(/consistent|partial/);
});
