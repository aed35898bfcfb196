import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeMember, makeMembership, makeStage } from '../helpers/world.ts';

const DIGEST = expect.stringMatching(/^[\w-]{43}$/);

/** The value of the field. */
type Answer = ReturnType<typeof JSON.parse>;

let running: TestApp;
let stage: Awaited<ReturnType<typeof makeStage>>;

beforeAll(async () => {
  running = await startTestApp();
  stage = await makeStage(running.app);
});
afterAll(() => running.close());

async function ask(
  document: string,
  variables: Record<string, unknown> = {},
  token = stage.token,
): Promise<Answer> {
  const { data, errors } = await running.graphql(document, variables, token);
  return errors ? { refused: errors[0]!.extensions.code } : Object.values(data)[0];
}

const create = (name: string, token?: string) =>
  ask(
    'mutation ($name: String!) { createGroup(input: { name: $name }) { id name members { id } } }',
    { name },
    token,
  );
const setMembers = (id: string, membershipIds: string[], token?: string) =>
  ask(
    `mutation ($id: ID!, $membershipIds: [ID!]!) {
      setGroupMembers(input: { id: $id, membershipIds: $membershipIds }) { members { id name } } }`,
    { id, membershipIds },
    token,
  );
const remove = (id: string, token?: string) =>
  ask('mutation ($id: ID!) { deleteGroup(id: $id) { id } }', { id }, token);
const entries = async (kind: string) => {
  const journal = await ask('{ journal(first: 100) { edges { node { kind content } } } }');
  return journal.edges.map(({ node }: Answer) => node).filter((node: Answer) => node.kind === kind);
};

test('an ADMIN creates, renames, fills, lists and deletes groups, with audit and journal entries', async () => {
  const group = await create('Finance');
  expect(group).toEqual({ id: expect.stringMatching(/^grp_/), name: 'Finance', members: [] });
  expect(await create('Finance')).toEqual({ refused: 'CONFLICT' });
  const { membership } = await makeMember(running.app, stage.center.id, 'INSTRUCTOR', { name: 'Ada' });
  expect(await setMembers(group.id, [membership.id])).toEqual({
    members: [{ id: membership.id, name: 'Ada' }],
  });
  const rename = 'mutation ($id: ID!) { renameGroup(input: { id: $id, name: "Treasury" }) { name } }';
  expect(await ask(rename, { id: group.id })).toEqual({ name: 'Treasury' });
  const other = await create('Board');
  expect(
    await ask('mutation ($id: ID!) { renameGroup(input: { id: $id, name: "Treasury" }) { name } }', {
      id: other.id,
    }),
  ).toEqual({ refused: 'CONFLICT' });
  const first = await ask(
    '{ groups(first: 1) { edges { node { name } } pageInfo { hasNextPage endCursor } } }',
  );
  expect(first.edges).toEqual([{ node: { name: 'Board' } }]);
  const next = `{ groups(first: 1, after: "${first.pageInfo.endCursor}") { edges { node { name members { id } } } } }`;
  expect((await ask(next)).edges).toEqual([{ node: { name: 'Treasury', members: [{ id: membership.id }] } }]);
  expect(await remove(other.id)).toEqual({ id: other.id });
  expect(await remove(other.id)).toEqual({ refused: 'NOT_FOUND' });
  const told = (await entries('group')).map((entry: Answer) =>
    typeof entry.content === 'string' ? JSON.parse(entry.content) : entry.content,
  );
  expect(told).toContainEqual({ kind: 'group', id: group.id, name: 'Treasury', members: [DIGEST] });
  expect(told).toContainEqual({ kind: 'group', id: other.id, name: 'Board', members: [], deleted: true });
  const audited = await running.app.db
    .forCenter(stage.center.id)
    .auditEntry.findMany({ where: { type: 'center.updated', target: group.id } });
  expect(audited.map(({ detail }) => (detail as { change: string }).change)).toEqual([
    'group created',
    'group members',
    'group renamed',
  ]);
});

test('only ACTIVE memberships count', async () => {
  const group = await create('Active only');
  const { membership } = await makeMember(running.app, stage.center.id, 'INSTRUCTOR');
  const { actor } = await makeMember(running.app, stage.center.id, 'PARENT');
  const ended = await makeMembership(running.app, actor.id, stage.center.id, 'PARENT', 'ENDED');
  expect(await setMembers(group.id, [membership.id, ended.id])).toEqual({ refused: 'VALIDATION_ERROR' });
  await setMembers(group.id, [membership.id]);
  await ask('mutation ($id: ID!) { moveMembership(input: { membershipId: $id, to: SUSPENDED }) { id } }', {
    id: membership.id,
  });
  const listed = await ask('{ groups(first: 1) { edges { node { name members { id } } } } }');
  expect(listed.edges[0].node).toEqual({ name: 'Active only', members: [] });
});

test('groups of another center are not found, and only ADMINs list groups', async () => {
  const group = await create('Ours');
  const other = await makeStage(running.app);
  expect(await remove(group.id, other.token)).toEqual({ refused: 'NOT_FOUND' });
  expect(await setMembers(group.id, [], other.token)).toEqual({ refused: 'NOT_FOUND' });
  const stranger = await makeMember(running.app, other.center.id, 'INSTRUCTOR');
  expect(await setMembers(group.id, [stranger.membership.id])).toEqual({ refused: 'VALIDATION_ERROR' });
  const instructor = await makeMember(running.app, stage.center.id, 'INSTRUCTOR');
  expect(await ask('{ groups(first: 1) { edges { node { id } } } }', {}, instructor.token)).toEqual({
    refused: 'INSUFFICIENT_ROLE',
  });
});

test('a group that a policy uses cannot be deleted', async () => {
  const group = await create('Named');
  const policy = await ask(
    `mutation ($group: ID!) { createPolicy(input: { scope: CENTER, name: "Q", actionPattern: "named.*",
      guards: { quorum: [{ group: $group, count: 1 }] } }) { id guards { quorum { group count authentication } } } }`,
    { group: group.id },
  );
  expect(policy.guards.quorum).toEqual([{ group: group.id, count: 1, authentication: null }]);
  expect(await remove(group.id)).toEqual({ refused: 'CONFLICT' });
  const update =
    'mutation ($id: ID!) { updatePolicy(input: { id: $id, guards: { dualApproval: true } }) { id } }';
  expect(await ask(update, { id: policy.id })).toEqual({ id: policy.id });
  expect(await remove(group.id)).toEqual({ id: group.id });
});
