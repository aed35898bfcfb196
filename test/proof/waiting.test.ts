/** What waits for a person: the list, its number and the live messages agree in every role, and a result is told to those concerned. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { firstResult, watch } from '../helpers/watch.ts';
import { makePartner } from '../helpers/world.ts';
import { type Member, quorumStage } from './quorum-stage.ts';

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

const scene = () => quorumStage(running);
type Scene = Awaited<ReturnType<typeof scene>>;

/** The ids in the list, after checking that the number beside it agrees. */
async function listOf({ ask }: Scene, { token }: { token: string }): Promise<string[]> {
  const list = await ask(
    '{ approvalsForMe(first: 100) { totalCount edges { node { eventId event { action { type } } } } } }',
    {},
    token,
  );
  expect(list.totalCount).toBe(list.edges.length);
  expect(await ask('{ approvalsForMe(first: 1) { totalCount } }', {}, token)).toEqual({
    totalCount: list.edges.length,
  });
  return list.edges.map(({ node }: Parsed) => node.eventId);
}

describe('the number of waiting requests is that of the list', () => {
  test('for administrators: without what they approved or asked for themselves, and without seats of others', async () => {
    const stage = await scene();
    const admin = await stage.member('ADMIN');
    const group = await stage.group(await stage.member());
    const open = await stage.recordAction('open.to.any');
    await stage.recordAction(await stage.ruled({ quorum: [{ group, count: 1 }] }));
    const dual = await stage.ruled({ dualApproval: true });
    const approved = await stage.recordAction(dual);
    await stage.recordAction(dual, { actor: { id: admin.actor.id, type: 'human', name: 'Ada' } });
    await stage.approveAs(admin, approved.id);
    expect(await listOf(stage, admin)).toEqual([open.id]);
    // The other administrator can still decide the others.
    expect(await listOf(stage, stage.admin)).toHaveLength(3);
  });

  test('for instructors: with and without a group, and as the first approver of a quorum', async () => {
    const stage = await scene();
    const [ada, eve, outsider] = [await stage.member(), await stage.member(), await stage.member()];
    const type = await stage.ruled({ quorum: [{ group: await stage.group(ada, eve), count: 2 }] });
    const event = await stage.recordAction(type);
    await stage.recordAction('open.to.any');
    expect(await listOf(stage, ada)).toEqual([event.id]);
    expect(await listOf(stage, outsider)).toEqual([]);
    await stage.approveAs(ada, event.id);
    expect(await listOf(stage, ada)).toEqual([]);
    expect(await listOf(stage, eve)).toEqual([event.id]);
  });

  test('for delegates, parents in a group, partners and requesters', async () => {
    const stage = await scene();
    const [ada, delegate, parent] = [
      await stage.member(),
      await stage.member(),
      await stage.member('PARENT'),
    ];
    const type = await stage.ruled({ quorum: [{ group: await stage.group(ada, parent), count: 1 }] });
    const event = await stage.recordAction(type);
    await stage.ask(
      'mutation ($input: DelegateApprovalsInput!) { delegateApprovals(input: $input) { id } }',
      {
        input: {
          toMembershipId: delegate.membership.id,
          from: new Date(Date.now() - 1_000).toISOString(),
          until: new Date(Date.now() + 86_400_000).toISOString(),
          reason: 'Holiday',
        },
      },
      ada.token,
    );
    for (const member of [ada, delegate, parent]) expect(await listOf(stage, member)).toEqual([event.id]);
    const own = await stage.recordAction(type, { actor: { id: parent.actor.id, type: 'human', name: 'P' } });
    expect(await listOf(stage, parent)).toEqual([event.id]);
    expect(await listOf(stage, ada)).toEqual([own.id, event.id]);
    const partner = await makePartner(running.app);
    expect(await stage.ask('{ approvalsForMe(first: 1) { totalCount } }', {}, partner.token)).toMatchObject({
      code: expect.stringMatching(/NO_MEMBERSHIP|INSUFFICIENT_ROLE/),
    });
  });

  test('counting stops at 100', async () => {
    const stage = await scene();
    const record = () => stage.recordAction('open.to.any');
    for (let batch = 0; batch < 3; batch++) await Promise.all(Array.from({ length: 35 }, record));
    expect(await stage.ask('{ approvalsForMe(first: 1) { totalCount } }')).toEqual({ totalCount: 100 });
  });
});

test('the live messages contain what the subscriber can approve, and nothing for members who can approve nothing', async () => {
  const stage = await scene();
  const [ada, outsider] = [await stage.member(), await stage.member()];
  const type = await stage.ruled({ quorum: [{ group: await stage.group(ada), count: 1 }] });
  const document = 'subscription { approvalsForMe { eventId reason } }';
  const [ofAda, ofOutsider] = [
    await watch(running, document, ada.token),
    await watch(running, document, outsider.token),
  ];
  const group = { eventId: expect.stringMatching(/^evt_/), reason: 'GROUP' };
  const filled = ({ length }: unknown[]) => length > 0;
  const forAda = await messageThat(filled, ofAda, () => stage.recordAction(type));
  expect(forAda).toEqual(forAda.map(() => group));
  await messageThat(
    ({ length }) => length === 0,
    ofAda,
    () => stage.recordAction('open.to.any'),
  );
  // No decision before these was one that the outsider can approve.
  const theirs = await stage.ruled({ quorum: [{ group: await stage.group(outsider), count: 1 }] });
  const forOutsider = await messageThat(filled, ofOutsider, () => stage.recordAction(theirs));
  expect(forOutsider).toEqual(forOutsider.map(() => group));
});

/** The first message of the kind. Decisions are recorded until it arrives, and some may still have older ones. */
async function messageThat(
  isWanted: (approvals: { eventId: string }[]) => boolean,
  next: Awaited<ReturnType<typeof watch>>,
  record: () => unknown,
): Promise<{ eventId: string }[]> {
  for (;;) {
    const { data } = await firstResult(next, record);
    if (isWanted(data.approvalsForMe)) return data.approvalsForMe;
  }
}

describe('decisionResult', () => {
  const RESULT = `query ($id: ID!) {
    decisionResult(eventId: $id) { status readable decisions { name result cause isMine } } }`;
  const resultFor = (stage: Scene, { token }: Pick<Member, 'token'>, id: string) =>
    stage.ask(RESULT, { id }, token);

  test('says who decided to those who could have decided it, and to no one else', async () => {
    const stage = await scene();
    const [ada, eve, outsider] = [await stage.member(), await stage.member(), await stage.member()];
    const type = await stage.ruled({ quorum: [{ group: await stage.group(ada, eve), count: 1 }] });
    const event = await stage.recordAction(type);
    expect(await resultFor(stage, eve, event.id)).toEqual({
      status: 'recorded',
      readable: true,
      decisions: [],
    });
    await stage.approveAs(ada, event.id);
    const made = { name: ada.actor.name, result: 'approved', cause: null };
    expect(await resultFor(stage, eve, event.id)).toEqual({
      status: 'sealed',
      readable: false,
      decisions: [{ ...made, isMine: false }],
    });
    expect(await resultFor(stage, ada, event.id)).toMatchObject({
      readable: true,
      decisions: [{ ...made, isMine: true }],
    });
    expect(await resultFor(stage, stage.admin, event.id)).toMatchObject({ readable: true });
    // The same for a decision that does not exist, one of another center, and one that was never theirs.
    const foreign = await (await scene()).recordAction('open.to.any');
    for (const id of [event.id, foreign.id, 'evt_missing', 'x'])
      expect(await resultFor(stage, outsider, id)).toEqual({ code: 'NOT_FOUND' });
    expect(await resultFor(stage, eve, foreign.id)).toEqual({ code: 'NOT_FOUND' });
  });

  test('names the cause when the service rejected it', async () => {
    const stage = await scene();
    const { body } = await stage.post('/agents/decide', {
      agent: { id: 'planner' },
      action: { type: 'plan.adjust' },
      riskScore: 1,
    });
    const { eventId } = body.data;
    await stage.ask('mutation ($id: ID!) { withdrawDecision(eventId: $id) { id } }', { id: eventId });
    expect(await resultFor(stage, stage.admin, eventId)).toMatchObject({
      status: 'rejected',
      decisions: [{ name: null, result: 'rejected', cause: 'withdrawn', isMine: false }],
    });
  });
});
