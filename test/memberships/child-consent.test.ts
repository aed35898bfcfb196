import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PartnerRole } from '../../src/db/generated/prisma/enums.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { mailTo, tokenIn } from '../helpers/mail.ts';
import {
  makeActor,
  makeMember,
  makeMembership,
  makePartner,
  makeStage,
  makeToken,
} from '../helpers/world.ts';

let house: TestApp;
beforeAll(async () => {
  house = await startTestApp({ worker: true });
});
afterAll(() => house.close());

/** The value of the only field, or the error code. */
async function ask(document: string, input: Record<string, unknown> | null, token?: string) {
  const { data, errors } = await house.graphql(document, input ? { input } : {}, token);
  return errors ? errors[0]!.extensions.code : Object.values(data as object)[0];
}

const changeRole = (membershipId: string, role: string, token: string) =>
  ask(
    `mutation ($input: ChangeMemberRoleInput!) { changeMemberRole(input: $input) { role pendingRole } }`,
    { membershipId, role },
    token,
  );
const confirm = (token: string) =>
  ask(`mutation ($input: RoleChangeInput!) { confirmRoleChange(input: $input) { role pendingRole } }`, {
    token,
  });
const read = (token: string) =>
  ask(`mutation ($input: RoleChangeInput!) { readRoleChange(input: $input) { role pendingRole } }`, {
    token,
  });
const tie = (guardianId: string, childId: string, token: string) =>
  ask(
    `mutation ($input: GuardianshipInput!) { tieGuardian(input: $input) { childId } }`,
    { guardianId, childId },
    token,
  );
const endTie = (guardianId: string, childId: string, token: string) =>
  ask(
    `mutation ($input: EndGuardianshipInput!) { endGuardianship(input: $input) { childId } }`,
    { guardianId, childId },
    token,
  );
const childrenOf = (token: string) => ask('{ children { actorId memberships { centerName } } }', null, token);
const guardiansOf = (token: string) => ask('{ guardians { guardianId centerName } }', null, token);
const linkFor = async (email: string, count = 1) =>
  tokenIn(await mailTo(house, email, 'Confirm your new role', count));

/** A clinic with a member who also belongs to a school, and a sock puppet of the clinic's administrator. */
async function makeScene() {
  const { app } = house;
  const clinic = await makeStage(app);
  const school = await makeStage(app);
  const person = await makeMember(app, clinic.center.id, 'PARENT');
  await makeMembership(app, person.actor.id, school.center.id, 'INSTRUCTOR');
  const puppet = await makeMember(app, clinic.center.id, 'PARENT');
  return { clinic, school, person, puppet };
}

describe('a guardian invented by a center', () => {
  test('sees nothing: a role change to CHILD needs the consent of the person', async () => {
    const { clinic, person, puppet } = await makeScene();
    expect(await changeRole(person.membership.id, 'CHILD', clinic.token)).toEqual({
      role: 'PARENT',
      pendingRole: 'CHILD',
    });
    expect(await tie(puppet.actor.id, person.actor.id, clinic.token)).toBe('NOT_FOUND');
    expect(await childrenOf(puppet.token)).toEqual([]);
    // The change is shown as pending, and can be withdrawn by requesting the current role.
    const members = await house.graphql(
      `{ members(first: 10) { edges { node { actorId role pendingRole } } } }`,
      {},
      clinic.token,
    );
    const nodes = members.data.members.edges.map(({ node }: { node: object }) => node);
    expect(nodes).toContainEqual({ actorId: person.actor.id, role: 'PARENT', pendingRole: 'CHILD' });
    const link = await linkFor(person.actor.email!);
    expect(await changeRole(person.membership.id, 'PARENT', clinic.token)).toEqual({
      role: 'PARENT',
      pendingRole: null,
    });
    expect(await confirm(link)).toBe('UNAUTHORIZED');
  });

  test('sees nothing after an invitation with another role either', async () => {
    const { app } = house;
    const { clinic, puppet } = await makeScene();
    const victim = await makeActor(app);
    const session = await makeToken(app, victim.id, null);
    const { id } = await ask(
      `mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { id } }`,
      { email: victim.email, role: 'PARENT' },
      clinic.token,
    );
    const move = (to: string, by: string) =>
      ask(
        `mutation ($input: MoveMembershipInput!) { moveMembership(input: $input) { status } }`,
        { membershipId: id, to },
        by,
      );
    expect(await changeRole(id, 'CHILD', clinic.token)).toBe('CONFLICT');
    await move('PENDING', session);
    expect(await changeRole(id, 'CHILD', clinic.token)).toMatchObject({ pendingRole: 'CHILD' });
    await move('ACTIVE', clinic.token);
    expect(await tie(puppet.actor.id, victim.id, clinic.token)).toBe('NOT_FOUND');
  });

  test('can be removed by the person, who is notified', async () => {
    const { clinic, school, person, puppet } = await makeScene();
    await changeRole(person.membership.id, 'CHILD', clinic.token);
    const link = await linkFor(person.actor.email!);
    expect(await read(link)).toEqual({ role: 'PARENT', pendingRole: 'CHILD' });
    expect(await confirm(link)).toEqual({ role: 'CHILD', pendingRole: null });
    expect(await confirm(link)).toBe('UNAUTHORIZED');
    const [entry] = await house.app.db.acrossTenants.auditEntry.findMany({
      where: { target: person.membership.id },
      orderBy: { id: 'desc' },
      take: 1,
    });
    expect(entry).toMatchObject({
      actorId: person.actor.id,
      detail: { move: 'change_role', roleBefore: 'PARENT', role: 'CHILD' },
    });

    expect(await tie(puppet.actor.id, person.actor.id, clinic.token)).toEqual({ childId: person.actor.id });
    expect((await childrenOf(puppet.token))[0].memberships).toHaveLength(2);
    expect((await mailTo(house, person.actor.email!, 'guardian')).text).toContain(puppet.actor.name);
    expect(await guardiansOf(person.token)).toEqual([
      { guardianId: puppet.actor.id, centerName: clinic.center.name },
    ]);
    expect(await guardiansOf(school.token)).toEqual([]);
    expect(await endTie(puppet.actor.id, person.actor.id, puppet.token)).toBe('NOT_FOUND');
    expect(await endTie(puppet.actor.id, person.actor.id, person.token)).toEqual({
      childId: person.actor.id,
    });
    expect(await childrenOf(puppet.token)).toEqual([]);
  });

  test('can be removed by another center of the person, and by no other', async () => {
    const { clinic, school, person, puppet } = await makeScene();
    const stranger = await makeStage(house.app);
    await changeRole(person.membership.id, 'CHILD', clinic.token);
    await confirm(await linkFor(person.actor.email!));
    await tie(puppet.actor.id, person.actor.id, clinic.token);
    expect(await endTie(puppet.actor.id, person.actor.id, stranger.token)).toBe('NOT_FOUND');
    const teacher = await makeMember(house.app, school.center.id, 'INSTRUCTOR');
    expect(await endTie(puppet.actor.id, person.actor.id, teacher.token)).toBe('NOT_FOUND');
    expect(await childrenOf(puppet.token)).toHaveLength(1);
    expect(await endTie(puppet.actor.id, person.actor.id, school.token)).toEqual({
      childId: person.actor.id,
    });
    expect(await childrenOf(puppet.token)).toEqual([]);
    // The clinic learns that it ended, not which other center the person belongs to.
    const [entry] = await house.app.db.forCenter(clinic.center.id).auditEntry.findMany({
      where: { target: person.membership.id },
      orderBy: { id: 'desc' },
      take: 1,
    });
    expect(entry).toMatchObject({ actorId: null, actorEmail: null, detail: { move: 'untie_guardian' } });
  });

  test('loses access when the role changes, and consent is required again', async () => {
    const { clinic, person, puppet } = await makeScene();
    await changeRole(person.membership.id, 'CHILD', clinic.token);
    await confirm(await linkFor(person.actor.email!));
    await tie(puppet.actor.id, person.actor.id, clinic.token);
    expect(await changeRole(person.membership.id, 'PARENT', clinic.token)).toEqual({
      role: 'PARENT',
      pendingRole: null,
    });
    expect(await childrenOf(puppet.token)).toEqual([]);
    expect(await changeRole(person.membership.id, 'CHILD', clinic.token)).toEqual({
      role: 'PARENT',
      pendingRole: 'CHILD',
    });
    expect(await tie(puppet.actor.id, person.actor.id, clinic.token)).toBe('NOT_FOUND');
  });
});

test('accepting an invitation as CHILD counts as consent', async () => {
  const { app } = house;
  const { clinic, puppet } = await makeScene();
  const child = await makeActor(app);
  const { id } = await ask(
    `mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { id } }`,
    { email: child.email, role: 'CHILD' },
    clinic.token,
  );
  for (const [to, by] of [
    ['PENDING', await makeToken(app, child.id, null)],
    ['ACTIVE', clinic.token],
  ] as const) {
    await ask(
      `mutation ($input: MoveMembershipInput!) { moveMembership(input: $input) { status } }`,
      { membershipId: id, to },
      by,
    );
  }
  expect(await tie(puppet.actor.id, child.id, clinic.token)).toEqual({ childId: child.id });
});

test('a role change to CHILD is rejected if the person has no email address', async () => {
  const { clinic } = await makeScene();
  const { membership } = await makeMember(house.app, clinic.center.id, 'PARENT', {
    email: null,
    phone: '+491701234567',
  });
  expect(await changeRole(membership.id, 'CHILD', clinic.token)).toBe('CONFLICT');
});

test.for<PartnerRole>(['PARTNER_ADMIN', 'PARTNER_OPERATOR'])(
  'a %s changes roles only in a center without an active ADMIN',
  async (role) => {
    const { app } = house;
    const { token, centers } = await makePartner(app, role);
    const center = centers[0]!;
    const { membership } = await makeMember(app, center.id, 'PARENT');
    const answer = async (to: string) => {
      const changed = await changeRole(membership.id, to, token);
      return changed.role ?? changed;
    };
    // The platform must create the first ADMIN; from then on that ADMIN manages the roles.
    expect(await answer('ADMIN')).toBe('ADMIN');
    await makeMember(app, center.id, 'ADMIN');
    expect(await answer('INSTRUCTOR')).toBe('INSUFFICIENT_ROLE');
    const child = await makeMember(app, center.id, 'CHILD');
    expect(await changeRole(child.membership.id, 'ADMIN', token)).toBe('INSUFFICIENT_ROLE');
    expect(await changeRole(child.membership.id, 'CHILD', token)).toBe('INSUFFICIENT_ROLE');
  },
);
