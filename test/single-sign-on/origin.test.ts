import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeCenter, makeMember, makeMembership } from '../helpers/world.ts';

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

const MEMBERS = `{ members(first: 20) { edges { node {
  id hasAccount directory { userName externalId since }
} } } }`;

/** A member whom the directory keeps. */
async function addScimUser(membershipId: string, centerId: number, userName: string, endedAt?: Date) {
  await running.app.db.acrossTenants.scimUser.create({
    data: {
      membershipId,
      centerId,
      userName,
      userNameKey: userName.toLowerCase(),
      externalId: `ext-${userName}`,
      endedAt: endedAt ?? null,
    },
  });
}

test('administrators see who has an account and whom the directory keeps', async () => {
  const { app } = running;
  const center = await makeCenter(app);
  const admin = await makeMember(app, center.id);
  const kept = await makeMember(app, center.id, 'INSTRUCTOR');
  const left = await makeMember(app, center.id, 'INSTRUCTOR');
  const actor = await app.db.acrossTenants.actor.create({
    data: { name: 'Person of the center', email: null, baseRole: 'PARENT', homeCenterId: center.id },
  });
  const local = await makeMembership(app, actor.id, center.id, 'PARENT');
  const invited = await makeMember(app, center.id, 'PARENT');
  await app.db.acrossTenants.membership.update({
    where: { id: invited.membership.id },
    data: { status: 'INVITED', invitedEmail: 'invited@example.test' },
  });
  await addScimUser(kept.membership.id, center.id, 'Kept');
  await addScimUser(left.membership.id, center.id, 'Left', new Date());

  const { data, errors } = await running.graphql(MEMBERS, {}, admin.token);
  expect(errors).toBeUndefined();
  const members = Object.fromEntries(
    (data as { members: { edges: { node: { id: string } }[] } }).members.edges.map(({ node }) => [
      node.id,
      node,
    ]),
  );
  expect(members[admin.membership.id]).toMatchObject({ hasAccount: true, directory: null });
  expect(members[local.id]).toMatchObject({ hasAccount: false, directory: null });
  expect(members[kept.membership.id]).toMatchObject({
    hasAccount: true,
    directory: { userName: 'Kept', externalId: 'ext-Kept' },
  });
  expect(members[left.membership.id]).toMatchObject({ hasAccount: true, directory: null });
  // Until a person accepts, the center learns nothing of an account.
  expect(members[invited.membership.id]).toMatchObject({ hasAccount: null });
});

test('members who are no administrators do not see it', async () => {
  const center = await makeCenter(running.app);
  const parent = await makeMember(running.app, center.id, 'PARENT');
  const { errors } = await running.graphql(
    'query ($id: ID!) { node(id: $id) { ... on Membership { hasAccount directory { userName } } } }',
    { id: parent.membership.id },
    parent.token,
  );
  expect(errors?.map(({ extensions }) => extensions?.['code'])).toContain('INSUFFICIENT_ROLE');
});
