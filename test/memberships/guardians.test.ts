import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { inParallel } from '../helpers/nasty.ts';
import { makeActor, makeMember, makeMembership, makeStage, makeToken } from '../helpers/world.ts';

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

test('only a PARENT sees its children, with their memberships in every center', async () => {
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
  // Whichever center the parent is in, or none.
  expect(await childrenOf(await makeToken(app, parent.actor.id, null))).toEqual(expected);
  const neighbor = await makeMember(app, center.id, 'PARENT');
  for (const by of [token, child.token, school.token, neighbor.token]) {
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

describe('a guardianship belongs to the center that created it', () => {
  interface Place {
    centerId: number;
    admin: string;
    membershipId: string;
    status: 'ACTIVE' | 'SUSPENDED' | 'ENDED';
    tied: boolean;
  }
  interface Scene {
    parent: { id: string; email: string; token: string };
    input: { guardianId: string; childId: string };
    places: Place[];
  }
  type Step = 'tie' | 'suspend' | 'reinstate' | 'end' | 'invite again';

  /** The possible actions in a center's current state. */
  const stepsAt = ({ status, tied }: Place): Step[] => [
    ...(status === 'ACTIVE' && !tied ? (['tie'] as const) : []),
    ...(status === 'ACTIVE' ? (['suspend', 'end'] as const) : []),
    ...(status === 'SUSPENDED' ? (['reinstate', 'end'] as const) : []),
    ...(status === 'ENDED' ? (['invite again'] as const) : []),
  ];
  const move = (name: string, membershipId: string, token: string) =>
    running.graphql(
      `mutation ($id: ID!) { ${name}Membership(input: { membershipId: $id }) { status } }`,
      { id: membershipId },
      token,
    );

  async function take(step: Step, place: Place, { parent, input }: Scene): Promise<void> {
    const { admin, membershipId } = place;
    switch (step) {
      case 'tie':
        expect(await code(TIE, input, admin)).toBe('done');
        place.tied = true;
        return;
      case 'invite again': {
        const { data } = await running.graphql(
          `mutation ($email: String!) { inviteMember(input: { email: $email, role: PARENT }) { id } }`,
          { email: parent.email },
          admin,
        );
        place.membershipId = data.inviteMember.id;
        await move('accept', place.membershipId, parent.token);
        await move('approve', place.membershipId, admin);
        place.status = 'ACTIVE';
        return;
      }
      default: {
        const { data } = await move(step, membershipId, admin);
        place.status = data[`${step}Membership`].status;
        // Permanently: a return does not restore it.
        if (step !== 'reinstate') place.tied = false;
      }
    }
  }

  async function sceneIn(stages: { center: { id: number }; token: string }[]): Promise<Scene> {
    const { app } = running;
    const [parent, child] = [
      await makeActor(app, { role: 'PARENT' }),
      await makeActor(app, { role: 'CHILD' }),
    ];
    const input = { guardianId: parent.id, childId: child.id };
    const places: Place[] = [];
    for (const { center, token } of stages) {
      const { id: membershipId } = await makeMembership(app, parent.id, center.id, 'PARENT');
      await makeMembership(app, child.id, center.id, 'CHILD');
      places.push({ centerId: center.id, admin: token, membershipId, status: 'ACTIVE', tied: false });
    }
    const token = await makeToken(app, parent.id, null);
    return { parent: { id: parent.id, email: parent.email!, token }, input, places };
  }

  const copy = (places: Place[]) => places.map((place) => ({ ...place }));

  /** Every order of the possible actions in two centers, up to this many steps. */
  function orders(places: Place[], length: number): [Step, number][][] {
    if (length === 0) return [[]];
    return places.flatMap((place, at) =>
      stepsAt(place).flatMap((step) => {
        const next = copy(places);
        const there = next[at]!;
        const after = { tie: 'ACTIVE', suspend: 'SUSPENDED', reinstate: 'ACTIVE', end: 'ENDED' } as const;
        there.status = step === 'invite again' ? 'ACTIVE' : after[step];
        there.tied = step === 'tie' || (there.tied && step === 'reinstate');
        return orders(next, length - 1).map((rest) => [[step, at] as [Step, number], ...rest]);
      }),
    );
  }

  test('and ends with the active membership of the PARENT there, in every order of two centers', async () => {
    const stages = [await makeStage(running.app), await makeStage(running.app)];
    const bothTied = (await sceneIn(stages)).places.map((place) => ({ ...place, tied: true }));
    const all = orders(bothTied, 2);
    expect(all).toHaveLength(14);
    // Each in a separate family. Common prefixes are checked once.
    const looked = new Set<string>();
    await inParallel(all, async (order) => {
      const scene = await sceneIn(stages);
      for (const place of scene.places) await take('tie', place, scene);
      for (const [i, [step, at]] of order.entries()) {
        await take(step, scene.places[at]!, scene);
        const beginning = String(order.slice(0, i + 1));
        if (looked.has(beginning)) continue;
        looked.add(beginning);
        const seen = (await childrenOf(scene.parent.token)).length > 0;
        const expected = scene.places.some(({ tied }) => tied);
        expect({ order: order.slice(0, i + 1), seen }).toEqual({
          order: order.slice(0, i + 1),
          seen: expected,
        });
      }
    });
  }, 300_000);

  test('and can be removed only by that center or a platform admin', async () => {
    const { app } = running;
    const stages = [await makeStage(app), await makeStage(app)];
    const { parent, input, places } = await sceneIn(stages);
    const [here, there] = places as [Place, Place];
    await code(TIE, input, here.admin);
    expect(await code(UNTIE, input, there.admin)).toBe('NOT_FOUND');
    expect(await code(UNTIE, { ...input, centerId: here.centerId }, there.admin)).toBe('NOT_FOUND');
    expect(await code(UNTIE, input, parent.token)).toBe('NO_MEMBERSHIP');
    expect(await childrenOf(parent.token)).toHaveLength(1);

    await code(TIE, input, there.admin);
    expect(await code(UNTIE, input, here.admin)).toBe('done');
    expect(await childrenOf(parent.token)).toHaveLength(1);
    const root = await makeToken(app, (await makeActor(app, { platformAdmin: true })).id, null);
    expect(await code(UNTIE, { ...input, centerId: here.centerId }, root)).toBe('NOT_FOUND');
    expect(await code(UNTIE, input, root)).toBe('done');
    expect(await childrenOf(parent.token)).toEqual([]);
  });

  test('and ends when the role changes or the center ends', async () => {
    const { app } = running;
    const stages = [await makeStage(app), await makeStage(app)];
    const scene = await sceneIn(stages);
    const [here, there] = scene.places as [Place, Place];
    for (const place of scene.places) await take('tie', place, scene);
    const become = (role: string) =>
      running.graphql(
        `mutation ($id: ID!, $role: ActorRole!) { changeMemberRole(input: { membershipId: $id, role: $role }) { role } }`,
        { id: here.membershipId, role },
        here.admin,
      );
    expect((await become('INSTRUCTOR')).data.changeMemberRole.role).toBe('INSTRUCTOR');
    await become('PARENT');
    expect(await childrenOf(scene.parent.token)).toHaveLength(1);
    const root = await makeToken(app, (await makeActor(app, { platformAdmin: true })).id, null);
    await running.graphql(
      `mutation ($id: ID!) { endCenter(input: { id: $id }) { status } }`,
      { id: String(there.centerId) },
      root,
    );
    expect(await childrenOf(scene.parent.token)).toEqual([]);
    expect(await app.db.acrossTenants.guardianship.count({ where: scene.input })).toBe(0);
  });

  test('and is not visible after the membership was ended by direct SQL', async () => {
    const { token, parent, input } = await makeFamily();
    await code(TIE, input, token);
    await running.app.db.acrossTenants.membership.update({
      where: { id: parent.membership.id },
      data: { status: 'ENDED' },
    });
    expect(await childrenOf(parent.token)).toEqual([]);
  });
});

test('only an ADMIN can create it, only for an active PARENT and CHILD of the same center', async () => {
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
