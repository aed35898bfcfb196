import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makePartner, makeToken } from '../helpers/world.ts';
import { quorumStage } from '../proof/quorum-stage.ts';

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

const LIST = `query ($filter: AuditFilter) {
  auditEntries(filter: $filter, first: 50) {
    edges { node { type target actorName detail subject { kind name } mentions { id kind name } } }
  }
}`;

/** The newest entry with this change, as an ADMIN reads it. */
async function entryOf(token: string, change: string) {
  const { data, errors } = await running.graphql(LIST, {}, token);
  expect(errors).toBeUndefined();
  type Edge = { node: { detail: { change?: string }; [member: string]: unknown } };
  return data.auditEntries.edges
    .map(({ node }: Edge) => node)
    .find(({ detail }: Edge['node']) => detail.change === change);
}

test('entries name the people who were added to a group and removed from it', async () => {
  const { ask, group, member, token } = await quorumStage(running);
  const [ada, grace] = [await member(), await member()];
  const id = await group(ada);
  await ask('mutation ($input: SetGroupMembersInput!) { setGroupMembers(input: $input) { id } }', {
    input: { id, membershipIds: [grace.membership.id] },
  });
  const entry = await entryOf(token, 'group members');
  expect(entry).toMatchObject({
    target: id,
    subject: { kind: 'GROUP' },
    detail: { added: [grace.membership.id], removed: [ada.membership.id] },
  });
  expect(entry.mentions).toEqual([
    { id: grace.membership.id, kind: 'MEMBER', name: grace.actor.name },
    { id: ada.membership.id, kind: 'MEMBER', name: ada.actor.name },
  ]);
});

test('delegations and chat channels have names, also as subjects', async () => {
  const { ask, group, member, token } = await quorumStage(running);
  const [ada, grace] = [await member(), await member()];
  await group(ada);
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const { id } = await ask(
    'mutation ($input: DelegateApprovalsInput!) { delegateApprovals(input: $input) { id } }',
    { input: { toMembershipId: grace.membership.id, from: at(0), until: at(1), reason: 'Away' } },
    ada.token,
  );
  expect(await entryOf(token, 'delegation given')).toMatchObject({
    target: id,
    subject: { kind: 'DELEGATION', name: `${ada.actor.name} to ${grace.actor.name}` },
    mentions: expect.arrayContaining([
      { id: ada.membership.id, kind: 'MEMBER', name: ada.actor.name },
      { id: grace.membership.id, kind: 'MEMBER', name: grace.actor.name },
    ]),
  });
  await ask(
    `mutation { saveChatChannel(input: { name: "Ward", url: "http://127.0.0.1:9/x", kind: SLACK }) { id } }`,
  );
  expect(await entryOf(token, 'chat channel created')).toMatchObject({
    subject: { kind: 'CHAT_CHANNEL', name: 'Ward' },
  });
});

test('the first approval of a quorum and a rejection have entries, with the seats and the delegator', async () => {
  const { ask, group, member, ruled, recordAction, approveAs, token } = await quorumStage(running);
  const [ada, grace] = [await member(), await member()];
  const ward = await group(ada);
  const action = await ruled({ quorum: [{ group: ward, count: 1 }, { count: 1 }] });
  const event = await recordAction(action);
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  await ask(
    'mutation ($input: DelegateApprovalsInput!) { delegateApprovals(input: $input) { id } }',
    { input: { toMembershipId: grace.membership.id, from: at(-1), until: at(1), reason: 'Away' } },
    ada.token,
  );
  expect(await approveAs(grace, event.id)).toEqual({ evidenceLevel: 'DOCUMENTED' });
  const approved = await entryOf(token, 'decision approved');
  expect(approved).toMatchObject({
    type: 'center.updated',
    target: event.id,
    actorName: grace.actor.name,
    subject: { kind: 'DECISION' },
    detail: {
      change: 'decision approved',
      approval: expect.stringMatching(/^apr_/),
      seats: [{ index: 0, group: ward }],
      onBehalfOf: ada.actor.id,
    },
  });
  expect(approved.mentions).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: ward, kind: 'GROUP' }),
      { id: ada.actor.id, kind: 'MEMBER', name: ada.actor.name },
    ]),
  );
  const reject =
    'mutation ($input: ApproveDecisionInput!) { approveDecision(input: $input) { evidenceLevel } }';
  await ask(reject, { input: { eventId: event.id, result: 'rejected', reason: 'Too early.' } });
  const rejected = await entryOf(token, 'decision rejected');
  expect(rejected).toMatchObject({ target: event.id, detail: { approval: expect.stringMatching(/^apr_/) } });
  // The reason can be erased from the decision, so it is nowhere else.
  expect(JSON.stringify(rejected)).not.toContain('Too early');
  // What seals has its own entry.
  const { data } = await running.graphql(LIST, { filter: { target: event.id } }, token);
  expect(data.auditEntries.edges).toHaveLength(2);
  expect(await ask('{ verifyChain { valid } }')).toEqual({ valid: true });
});

test('settings of a partner and webhooks record only what changed', async () => {
  const { partner, actor } = await makePartner(running.app);
  const partnerToken = await makeToken(running.app, actor.id, null);
  const change = async (patch: object) => {
    const { errors } = await running.graphql(
      'mutation ($patch: JSON!) { changePartnerSettings(patch: $patch) }',
      { patch },
      partnerToken,
    );
    expect(errors).toBeUndefined();
  };
  await change({ branding: { name: 'North', primaryColor: '#112233' } });
  await change({ branding: { name: 'North', primaryColor: '#445566' } });
  await change({ branding: { name: 'North' } });
  const entries = await running.app.db.acrossTenants.auditEntry.findMany({
    where: { partnerId: partner.id, type: 'partner.settings_changed' },
    orderBy: { id: 'asc' },
  });
  expect(entries.map(({ detail }) => detail)).toEqual([
    { keys: ['branding'] },
    { keys: ['branding.primaryColor'] },
  ]);

  const { ask, token } = await quorumStage(running);
  const { webhook } = await ask(
    'mutation { createWebhook(input: { url: "http://127.0.0.1:9/a", events: ["*"] }) { webhook { id } } }',
  );
  await ask(
    'mutation ($id: ID!) { updateWebhook(input: { id: $id, changes: { url: "http://127.0.0.1:9/b", events: ["*"], active: true } }) { id } }',
    { id: webhook.id },
  );
  expect((await entryOf(token, 'updated')).detail).toEqual({
    change: 'updated',
    url: 'http://127.0.0.1:9/b',
  });
});
