/** Limits of delegations: who can create them, how many, and that no number of them hides one from the list. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { type Member, type QuorumStage, quorumStage } from '../proof/quorum-stage.ts';

let running: TestApp;
let stage: QuorumStage;
beforeAll(async () => {
  running = await startTestApp();
  stage = await quorumStage(running);
});
afterAll(() => running.close());

const DAY_MS = 86_400_000;
const giveOnce = (from: Member, to: Member) =>
  stage.ask(
    'mutation ($input: DelegateApprovalsInput!) { delegateApprovals(input: $input) { id } }',
    {
      input: {
        toMembershipId: to.membership.id,
        from: new Date().toISOString(),
        until: new Date(Date.now() + DAY_MS).toISOString(),
        reason: 'Holiday',
      },
    },
    from.token,
  );
/** On a slow machine some of many parallel calls are told to try again. */
async function give(from: Member, to: Member): ReturnType<typeof giveOnce> {
  const result = await giveOnce(from, to);
  return result.code === 'SERVICE_UNAVAILABLE' ? give(from, to) : result;
}
const end = (id: string, { token }: Member) =>
  stage.ask('mutation ($id: ID!) { endDelegation(id: $id) { id } }', { id }, token);
const rowsFrom = ({ membership }: Member) =>
  running.app.db.forCenter(stage.center.id).delegation.count({
    where: { fromMembershipId: membership.id },
  });

test('a person without a group cannot delegate, and gains the right with a group', async () => {
  const [outsider, other] = [await stage.member('ADMIN'), await stage.member()];
  for (const result of await Promise.all(Array.from({ length: 30 }, () => give(outsider, other)))) {
    expect(result).toEqual({ code: 'FORBIDDEN' });
  }
  expect(await rowsFrom(outsider)).toBe(0);
  await stage.group(outsider);
  expect(await give(outsider, other)).toEqual({ id: expect.stringMatching(/^dlg_/) });
});

test('of 30 parallel delegations of one person, 20 are created and the others are a CONFLICT', async () => {
  const [ada, ...others] = [await stage.member(), await stage.member(), await stage.member()];
  await stage.group(ada!);
  const results = await Promise.all(Array.from({ length: 30 }, (_, i) => give(ada!, others[i % 2]!)));
  const created = results.filter(({ id }) => id);
  expect(created).toHaveLength(20);
  expect(results.filter(({ code }) => code === 'CONFLICT')).toHaveLength(10);
  expect(await rowsFrom(ada!)).toBe(20);
  // An ended one makes room for another, and only for one.
  await end(created[0].id, ada!);
  expect(await give(ada!, others[0]!)).toHaveProperty('id');
  expect(await give(ada!, others[0]!)).toEqual({ code: 'CONFLICT' });
});

test('two people who delegate to each other at the same time do not block each other', async () => {
  const [ada, eve] = [await stage.member(), await stage.member()];
  await stage.group(ada, eve);
  const results = await Promise.all(
    Array.from({ length: 10 }, (_, i) => (i % 2 ? give(ada, eve) : give(eve, ada))),
  );
  expect(results.filter(({ id }) => id)).toHaveLength(10);
});

test('no number of newer delegations hides an open one: the list has pages and filters', async () => {
  const [ada, eve, spammer] = [await stage.member(), await stage.member(), await stage.member()];
  await stage.group(ada, eve);
  const { id } = await give(ada, eve);
  const spam = Array.from({ length: 420 }, () => ({
    id: newId('dlg'),
    centerId: stage.center.id,
    fromMembershipId: spammer.membership.id,
    toMembershipId: eve.membership.id,
    startsAt: new Date(Date.now() - DAY_MS),
    endsAt: new Date(Date.now() + DAY_MS),
    endedAt: new Date(),
    reason: 'Spam',
  }));
  await running.app.db.forCenter(stage.center.id).delegation.createMany({ data: spam });
  const list = async (args: string, token: string): Promise<string[]> =>
    (await stage.ask(`{ delegations${args} { id } }`, {}, token)).map((each: Parsed) => each.id);

  const first = await list('', eve.token);
  expect(first).toHaveLength(200);
  expect(first).not.toContain(id);
  const rest = [
    ...(await list('(offset: 200)', eve.token)),
    ...(await list('(offset: 400, limit: 1000)', eve.token)),
  ];
  expect(rest).toContain(id);
  expect(new Set([...first, ...rest]).size).toBe(421);
  expect(await list('(open: true)', eve.token)).toEqual([id]);
  expect(await list(`(delegatorId: "${ada.membership.id}")`, stage.token)).toEqual([id]);
  expect(await list('(open: false, limit: 3)', eve.token)).toHaveLength(3);
  expect(await list('(own: true)', stage.token)).toEqual([]);
  for (const bad of ['(limit: 0)', '(offset: -1)']) {
    expect(await stage.ask(`{ delegations${bad} { id } }`, {}, eve.token)).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  }
  // Without the role ADMIN, no filter shows the delegations of others.
  const stranger = await stage.member();
  expect(await list(`(delegatorId: "${ada.membership.id}")`, stranger.token)).toEqual([]);
});

test('possible delegates, sessions and guardianships have pages too', async () => {
  const ada = await stage.member();
  await stage.group(ada, await stage.member(), await stage.member());
  const names = async (args: string) =>
    (await stage.ask(`{ possibleDelegates${args} { membershipId } }`, {}, ada.token)).map(
      (each: Parsed) => each.membershipId,
    );
  const all = await names('');
  const pages = [...(await names('(limit: 2)')), ...(await names('(offset: 2)'))];
  expect(all.length).toBeGreaterThan(2);
  expect(pages).toEqual(all);
  expect(await stage.ask('{ sessions(limit: 1, offset: 50) { id } }', {}, ada.token)).toEqual([]);
  expect(await stage.ask('{ guardianships(limit: 1, offset: 50) { childId } }')).toEqual([]);
});
