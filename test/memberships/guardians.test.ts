import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeMember, makeMembership, makeStage, makeToken } from '../helpers/world.ts';

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

const TIE = /* GraphQL */ `
  mutation ($input: GuardianshipInput!) { tieGuardian(input: $input) { guardianId childId } }`;
const UNTIE = /* GraphQL */ `
  mutation ($input: GuardianshipInput!) { untieGuardian(input: $input) { guardianId childId } }`;
const CHILDREN = /* GraphQL */ `
  { children { actorId name memberships { centerId centerName role status } } }`;

const childrenOf = async (token: string) => (await running.graphql(CHILDREN, {}, token)).data.children;
const code = async (document: string, input: Record<string, unknown>, token: string) =>
  (await running.graphql(document, { input }, token)).errors?.[0]?.extensions.code ?? 'done';

async function makeFamily() {
  const stage = await makeStage(running.app);
  const parent = await makeMember(running.app, stage.center.id, 'PARENT');
  const child = await makeMember(running.app, stage.center.id, 'CHILD', { name: 'Kim' });
  const input = { guardianId: parent.actor.id, childId: child.actor.id };
  return { ...stage, parent, child, input };
}

test('a PARENT sees its children with their memberships in every center, and nobody else does', async () => {
  const { app } = running;
  const { center, token, parent, child, input } = await makeFamily();
  const school = await makeStage(app);
  await makeMembership(app, child.actor.id, school.center.id, 'CHILD', 'PENDING');
  expect(await childrenOf(parent.token)).toEqual([]);

  expect(await code(TIE, input, token)).toBe('done');
  expect(await code(TIE, input, token)).toBe('done');
  const expected = [
    {
      actorId: child.actor.id,
      name: 'Kim',
      memberships: [
        { centerId: center.id, centerName: center.name, role: 'CHILD', status: 'ACTIVE' },
        { centerId: school.center.id, centerName: school.center.name, role: 'CHILD', status: 'PENDING' },
      ],
    },
  ];
  expect(await childrenOf(parent.token)).toEqual(expected);
  // Whichever center the parent is in, or in none.
  expect(await childrenOf(await makeToken(app, parent.actor.id, null))).toEqual(expected);
  const neighbour = await makeMember(app, center.id, 'PARENT');
  for (const by of [token, child.token, school.token, neighbour.token]) {
    expect(await childrenOf(by)).toEqual([]);
  }
  const audits = await app.db.forCenter(center.id).auditEntry.findMany({
    where: { target: child.membership.id, type: 'membership.moved' },
  });
  expect(audits.map(({ detail }) => detail)).toEqual([
    { from: 'ACTIVE', to: 'ACTIVE', move: 'tie_guardian', ...input },
  ]);

  expect(await code(UNTIE, input, token)).toBe('done');
  expect(await childrenOf(parent.token)).toEqual([]);
});

test('a guardian who is an active PARENT nowhere any more sees nothing', async () => {
  const { token, parent, input } = await makeFamily();
  await code(TIE, input, token);
  await running.app.db.acrossTenants.membership.update({
    where: { id: parent.membership.id },
    data: { status: 'ENDED' },
  });
  expect(await childrenOf(parent.token)).toEqual([]);
});

test('only an ADMIN ties, and only an active PARENT and CHILD of its own center', async () => {
  const { center, token, parent, child, input } = await makeFamily();
  const other = await makeFamily();
  expect(await code(TIE, input, parent.token)).toBe('INSUFFICIENT_ROLE');
  expect(await code(TIE, input, other.token)).toBe('NOT_FOUND');
  expect(await code(TIE, { ...input, childId: other.child.actor.id }, token)).toBe('NOT_FOUND');
  expect(await code(TIE, { ...input, childId: randomUUID() }, token)).toBe('NOT_FOUND');
  expect(await code(TIE, { guardianId: child.actor.id, childId: parent.actor.id }, token)).toBe('NOT_FOUND');
  expect(await code(TIE, { ...input, childId: 'kim' }, token)).toBe('VALIDATION_ERROR');
  expect(await code(UNTIE, input, other.token)).toBe('NOT_FOUND');
  const invited = await makeMember(running.app, center.id, 'CHILD');
  await running.app.db.acrossTenants.membership.update({
    where: { id: invited.membership.id },
    data: { status: 'INVITED' },
  });
  expect(await code(TIE, { ...input, childId: invited.actor.id }, token)).toBe('NOT_FOUND');
});
