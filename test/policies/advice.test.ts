import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { makeActor, makeMember, makeStage, makeToken } from '../helpers/world.ts';
import { quorumStage } from '../proof/quorum-stage.ts';

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

const CHECK = `query ($input: PolicyDraftInput!) { checkPolicy(input: $input) { path level message } }`;
const TRY = `query ($input: PolicyDraftInput!) {
  tryPolicy(input: $input) {
    complete covered waitingBefore waiting changed
    changes { eventId actionType agent recordedAt before after needs }
  }
}`;
const draft = (guards: object, more: object = {}) => ({
  input: { scope: 'CENTER', actionPattern: 'refund.*', guards, ...more },
});
const warns = (path: string, message: unknown) => ({ path, level: 'warning', message });
const hints = (path: string, message: unknown) => ({ path, level: 'hint', message });

test('an author is warned of seats that too few members can fill', async () => {
  const stage = await quorumStage(running);
  const check = (guards: object, more = {}) => stage.ask(CHECK, draft(guards, more));
  const rename = (id: string, name: string) =>
    running.app.db.acrossTenants.actor.update({ where: { id }, data: { name } });
  const [ann, bo] = [await stage.member(), await stage.member()];
  await rename(ann.actor.id, 'Ann');
  await rename(bo.actor.id, 'Bo');
  const both = await stage.group(ann, bo);
  const alone = await stage.group(ann);
  const none = await stage.group();
  const nameOf = async (id: string) =>
    (await running.app.db.acrossTenants.approvalGroup.findUniqueOrThrow({ where: { id } })).name;

  expect(await check({ quorum: [{ group: both, count: 1 }, { count: 2 }] })).toEqual([]);
  expect(await check({ quorum: [{ group: none, count: 1 }] })).toEqual([
    warns('guards.quorum.0', `No member can fill this seat: ${await nameOf(none)} has no active member.`),
  ]);
  expect(await check({ quorum: [{ count: 1 }, { group: both, count: 3 }] })).toEqual([
    warns('guards.quorum.1', 'This seat needs 3 people, but only 2 can fill it: Ann, Bo.'),
  ]);
  expect(await check({ quorum: [{ group: alone, count: 1 }] })).toEqual([
    warns('guards.quorum.0', 'Only one person can fill this seat: Ann.'),
    hints('guards.quorum', expect.stringMatching(/every one of these members: Ann\. A request that/)),
  ]);
  // Each seat alone could be filled.
  expect(
    await check({
      quorum: [
        { group: both, count: 1 },
        { group: both, count: 2 },
      ],
    }),
  ).toEqual([warns('guards.quorum', expect.stringMatching(/^Only 2 of 3 approvals can be given/))]);
  expect(await check({ quorum: [{ group: both, count: 2 }] })).toEqual([
    hints('guards.quorum', expect.stringMatching(/^The seats need every one of these members: Ann, Bo\./)),
  ]);
  const signed = { quorum: [{ group: both, count: 1, authentication: 'SIGNED' }] };
  expect(await check(signed)).toEqual([
    warns('guards.quorum.0', expect.stringMatching(/it requires a passkey, and none of them has one/)),
  ]);
  await stage.registerPasskey(bo.token);
  expect((await check(signed))[0]).toEqual(
    warns('guards.quorum.0', 'Only one person can fill this seat: Bo. Another has no passkey.'),
  );
  expect(await check({ dualApproval: true, approverAuthentication: 'SIGNED' })).toEqual([
    warns('guards.dualApproval', 'No administrator has a passkey, so no request can be approved.'),
  ]);
  expect(
    await check({
      quorum: [{ group: both, count: 1 }],
      escalateToGroup: none,
      escalateAfterSeconds: 604_800,
    }),
  ).toEqual([
    warns('guards.escalateToGroup', expect.stringMatching(/no active member, so the escalation adds no/)),
    warns('guards.escalateAfterSeconds', expect.stringMatching(/^Requests of agents expire after 7 days/)),
  ]);
});

test('an author is warned of values without effect and of mandates that are never used', async () => {
  const stage = await quorumStage(running);
  const own = await stage.policy({ dualApproval: true }, 'refund.*');
  const check = (guards: object, more = {}) => stage.ask(CHECK, draft(guards, more));
  expect(await check({ dualApproval: false }, { actionPattern: '*' })).toEqual([]);
  await stage.policy({ riskThreshold: 0.2 }, 'refund.*');
  expect(await check({ riskThreshold: 0.5 }, { id: own.id })).toEqual([
    warns('guards.riskThreshold', expect.stringContaining('the policy “Strict” decides it')),
  ]);

  const terms = {
    agent: { id: 'refund-agent' },
    actionPattern: 'refund.small.*',
    validUntil: new Date(Date.now() + 86_400_000).toISOString(),
    reason: 'Small refunds',
  };
  const { body } = await stage.post('/mandates', terms);
  const unused = (reason: string) =>
    expect.stringContaining(
      `“refund-agent” for refund.small.* would never be used, because this policy ${reason}`,
    );
  const demand = { approverAuthentication: 'SIGNED' };
  const ofMandates = (warnings: Parsed[]) => warnings.filter(({ message }) => /mandate/.test(message));
  expect(ofMandates(await check(demand, { actionPattern: '*' }))).toEqual([]);
  await running.app.db.acrossTenants.policy.updateMany({
    where: { centerId: stage.center.id },
    data: { active: false },
  });
  expect(await stage.approveInPerson(body.data.eventId)).toHaveProperty('sealedHash');
  expect(ofMandates(await check(demand))).toEqual([
    warns('guards.approverAuthentication', unused('requires a passkey')),
  ]);
  expect(ofMandates(await check({ dualApproval: true }))).toEqual([
    warns('guards.dualApproval', unused('requires two approvers')),
  ]);
  expect(ofMandates(await check(demand, { actionPattern: 'payment.*' }))).toEqual([]);
  expect(ofMandates(await check({ quorum: [{ count: 1 }] }))).toEqual([]);
});

test('a policy is tried on the requests of the last days', async () => {
  const stage = await quorumStage(running);
  const other = await quorumStage(running);
  const finance = await stage.group(await stage.member(), await stage.member());
  const decide = (at: typeof stage, type: string, riskScore: number) =>
    at.post('/agents/decide', {
      agent: { id: 'bot', name: 'Bot' },
      action: { type, input: { x: 1 } },
      riskScore,
    });
  await decide(stage, 'refund.grant', 0.1);
  await decide(stage, 'refund.grant', 0.9);
  const { body } = await decide(stage, 'refund.large', 0.6);
  await decide(stage, 'payment.send', 0.6);
  await decide(other, 'refund.grant', 0.6);

  const risky = await stage.ask(TRY, draft({ riskThreshold: 0.5 }));
  expect(risky).toEqual({
    complete: true,
    covered: 3,
    waitingBefore: 1,
    waiting: 2,
    changed: 1,
    changes: [
      {
        eventId: body.data.eventId,
        actionType: 'refund.large',
        agent: 'Bot',
        recordedAt: expect.any(String),
        before: 'sealed',
        after: 'awaiting_approval',
        needs: ['Approval by a human, because the risk is over 50 %'],
      },
    ],
  });
  const seats = await stage.ask(TRY, draft({ quorum: [{ group: finance, count: 2 }] }));
  expect(seats).toMatchObject({ covered: 3, waitingBefore: 1, waiting: 3, changed: 3 });
  expect(seats.changes[0].needs).toEqual([
    expect.stringMatching(/^Approval by two members of Group \d+, each signed in$/),
  ]);
  // A change of a policy also counts the requests that it no longer covers.
  const { id } = await stage.policy({ riskThreshold: 0 }, 'refund.*');
  expect(await stage.ask(TRY, draft({}, { id, actionPattern: 'nothing' }))).toMatchObject({
    covered: 3,
    waitingBefore: 3,
    waiting: 1,
    changed: 2,
  });
  // Nothing was recorded or saved.
  expect(await running.app.db.forCenter(stage.center.id).policy.count()).toBe(1);
});

test('only administrators of the center can check and try policies, and they learn nothing of others', async () => {
  const stage = await quorumStage(running);
  const other = await makeStage(running.app);
  const member = await makeMember(running.app, stage.center.id, 'INSTRUCTOR');
  const group = await stage.group(member);
  const { id } = await stage.policy({ dualApproval: true }, 'refund.*');
  const root = await makeToken(running.app, (await makeActor(running.app, { platformAdmin: true })).id, null);
  const codeOf = async (variables: Record<string, unknown>, token: string | undefined) =>
    Promise.all(
      [CHECK, TRY].map(
        async (query) => (await running.graphql(query, variables, token)).errors?.[0]?.extensions.code,
      ),
    );
  const both = (code: string) => [code, code];
  expect(await codeOf(draft({}), member.token)).toEqual(both('INSUFFICIENT_ROLE'));
  expect(await codeOf(draft({}), undefined)).toEqual(both('UNAUTHORIZED'));
  expect(await codeOf(draft({}), root)).not.toEqual([undefined, undefined]);
  expect(await codeOf(draft({}, { id }), other.token)).toEqual(both('NOT_FOUND'));
  expect(await codeOf(draft({}, { id: 'pol_missing' }), other.token)).toEqual(both('NOT_FOUND'));
  expect(await codeOf(draft({ quorum: [{ group, count: 1 }] }), other.token)).toEqual(
    both('VALIDATION_ERROR'),
  );
  expect(await codeOf(draft({}, { scope: 'GLOBAL' }), stage.token)).toEqual(both('INSUFFICIENT_ROLE'));
  expect(await codeOf(draft({}, { id: 'pol_baseline' }), stage.token)).toEqual(both('INSUFFICIENT_ROLE'));
  for (const bad of [
    draft({ riskThreshold: 2 }),
    draft({}, { actionPattern: 'a*b' }),
    draft({ quorumOrdered: true }),
  ])
    expect(await codeOf(bad, stage.token)).toEqual(both('VALIDATION_ERROR'));
});
