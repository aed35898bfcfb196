import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { mailTo, tokenIn } from '../helpers/mail.ts';
import { makeActor, makeCenter, makeMember, makeMembership } from '../helpers/world.ts';
import {
  claimsOf,
  directoryPerson,
  invite,
  linked,
  makeProvider,
  refusalOf,
  signInWith,
} from './helpers/people.ts';

let it: TestApp;
beforeAll(async () => {
  it = await startTestApp({ worker: true });
});
afterAll(() => it.close());

const db = () => it.app.db.acrossTenants;
const GROUPS = {
  groupsClaim: 'groups',
  roleByGroup: [
    { group: 'heads', role: 'ADMIN' },
    { group: 'staff', role: 'INSTRUCTOR' },
    { group: 'pupils', role: 'CHILD' },
  ],
  defaultRole: 'PARENT' as const,
};

async function centerWithGroups(settings: Parameters<typeof makeProvider>[2] = {}) {
  const center = await makeCenter(it.app);
  return { center, provider: await makeProvider(it.app, center.id, { ...GROUPS, ...settings }) };
}

const membership = (centerId: number, actorId: string) =>
  db().membership.findFirstOrThrow({ where: { centerId, actorId }, orderBy: { id: 'desc' } });

describe('groups set the role', () => {
  test.each<[string, unknown, string]>([
    ['the first entry of the table that fits', ['staff', 'heads'], 'ADMIN'],
    ['one string', 'staff', 'INSTRUCTOR'],
    ['none that fits', ['other'], 'PARENT'],
    ['300 groups', [...Array.from({ length: 299 }, (_, i) => `group-${i}`), 'staff'], 'INSTRUCTOR'],
    ['an object', { heads: true }, 'PARENT'],
    ['a list of anything', [7, null, ['heads'], { heads: 1 }], 'PARENT'],
    ['a list as text', 'heads,staff', 'PARENT'],
    ['no claim', undefined, 'PARENT'],
  ])('from %s', async (_, groups, role) => {
    const { center, provider } = await centerWithGroups();
    const { actor } = await signInWith(it.app, provider, {
      ...claimsOf(),
      ...(groups !== undefined && { groups }),
    });
    expect((await membership(center.id, actor.id)).role).toBe(role);
  });

  test('at every sign-in, audited with the provider', async () => {
    const { center, provider } = await centerWithGroups();
    await makeMember(it.app, center.id, 'ADMIN');
    const claims = claimsOf();
    const { actor } = await signInWith(it.app, provider, { ...claims, groups: ['heads'] });
    const changed = await signInWith(it.app, provider, { ...claims, groups: ['staff'] });
    expect(changed.actor.role).toBe('INSTRUCTOR');
    const audited = await db().auditEntry.findMany({
      where: { centerId: center.id, type: 'membership.moved', actorId: actor.id },
      orderBy: { id: 'asc' },
    });
    expect(audited.map(({ detail }) => detail)).toMatchObject([
      { from: null, to: 'ACTIVE', move: 'sign_in', role: 'ADMIN', provider: 'Company Login' },
      { move: 'change_role', roleBefore: 'ADMIN', role: 'INSTRUCTOR', provider: 'Company Login' },
    ]);
  });

  test('but a person in none of them without a default role has no place', async () => {
    const { center, provider } = await centerWithGroups({ defaultRole: null });
    const claims = claimsOf();
    expect(await refusalOf(it.app, provider, { ...claims, groups: ['other'] })).toBe('NO_MEMBERSHIP');
    const { actor } = await signInWith(it.app, provider, { ...claims, groups: ['staff'] });
    expect(await refusalOf(it.app, provider, claims)).toBe('NO_MEMBERSHIP');
    expect(await membership(center.id, actor.id)).toMatchObject({ status: 'ACTIVE', role: 'INSTRUCTOR' });
  });

  test.each([
    [
      '_claim_names',
      { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://x.test' } } },
    ],
    ['hasgroups', { hasgroups: true }],
  ])('and stays when the provider leaves them out with %s', async (_, overage) => {
    const { center, provider } = await centerWithGroups();
    const claims = claimsOf();
    const { actor } = await signInWith(it.app, provider, { ...claims, groups: ['heads'] });
    await makeMember(it.app, center.id, 'ADMIN');
    await signInWith(it.app, provider, { ...claims, ...overage });
    expect((await membership(center.id, actor.id)).role).toBe('ADMIN');
    // A new person gets the role that everyone begins with.
    const newcomer = await signInWith(it.app, provider, { ...claimsOf(), ...overage });
    expect(newcomer.actor.role).toBe('PARENT');
  });

  test('over that of an invitation', async () => {
    const { center, provider } = await centerWithGroups();
    const claims = claimsOf();
    await invite(it.app, center.id, claims.email, 'ADMIN');
    expect((await signInWith(it.app, provider, { ...claims, groups: ['staff'] })).actor.role).toBe(
      'INSTRUCTOR',
    );
  });
});

test('without a table the role is set once, then by hand', async () => {
  const { center, provider } = await centerWithGroups({ roleByGroup: [], defaultRole: 'INSTRUCTOR' });
  const claims = claimsOf({ groups: ['heads'] });
  const { actor } = await signInWith(it.app, provider, claims);
  await db().membership.updateMany({
    where: { centerId: center.id, actorId: actor.id },
    data: { role: 'PARENT' },
  });
  expect((await signInWith(it.app, provider, claims)).actor.role).toBe('PARENT');
});

describe('administrators', () => {
  test('of two who are demoted at once one stays', async () => {
    const { center, provider } = await centerWithGroups();
    const people = [claimsOf(), claimsOf()];
    for (const claims of people) await signInWith(it.app, provider, { ...claims, groups: ['heads'] });
    await Promise.all(people.map((claims) => signInWith(it.app, provider, { ...claims, groups: ['staff'] })));
    const roles = (await db().membership.findMany({ where: { centerId: center.id } })).map(
      ({ role }) => role,
    );
    expect(roles.sort()).toEqual(['ADMIN', 'INSTRUCTOR']);
  });

  test('the last one signs in even without a group that has a role', async () => {
    const { center, provider } = await centerWithGroups({ defaultRole: null });
    const claims = claimsOf();
    await signInWith(it.app, provider, { ...claims, groups: ['heads'] });
    expect((await signInWith(it.app, provider, claims)).actor.role).toBe('ADMIN');
    expect(await db().membership.count({ where: { centerId: center.id, role: 'ADMIN' } })).toBe(1);
  });

  test('with emergency access keep their role whatever the groups say', async () => {
    const { center, provider } = await centerWithGroups();
    await makeMember(it.app, center.id, 'ADMIN');
    const head = await makeMember(it.app, center.id, 'ADMIN', { password: 'correct horse battery' });
    await db().membership.update({ where: { id: head.membership.id }, data: { emergencyAccess: true } });
    const claims = claimsOf();
    await linked(it.app, provider, head.actor.id, claims.sub);
    expect((await signInWith(it.app, provider, { ...claims, groups: ['staff'] })).actor.role).toBe('ADMIN');
    expect(await membership(center.id, head.actor.id)).toMatchObject({
      role: 'ADMIN',
      emergencyAccess: true,
    });
  });
});

describe('children', () => {
  test('a person of the center becomes one at once', async () => {
    const { center, provider } = await centerWithGroups();
    const claims = claimsOf();
    const { actor } = await directoryPerson(it.app, center.id, { externalId: claims.sub });
    await signInWith(it.app, provider, { ...claims, groups: ['pupils'] });
    const { role, childConsentAt } = await membership(center.id, actor.id);
    expect([role, childConsentAt === null]).toEqual(['CHILD', false]);
  });

  test('an account only after its owner has confirmed it by mail', async () => {
    const { center, provider } = await centerWithGroups();
    const email = `grown-up-${randomUUID()}@home.test`;
    const { actor } = await makeMember(it.app, center.id, 'PARENT', { email });
    const claims = claimsOf();
    await linked(it.app, provider, actor.id, claims.sub);
    const pupil = { ...claims, groups: ['pupils'] };
    for (let i = 0; i < 2; i++) expect((await signInWith(it.app, provider, pupil)).actor.role).toBe('PARENT');
    expect(await membership(center.id, actor.id)).toMatchObject({ role: 'PARENT', pendingRole: 'CHILD' });
    const mail = await mailTo(it, email, 'Confirm your new role');
    expect(mail.text).toContain('Company Login');
    expect(await db().mail.count({ where: { recipient: email, kind: 'role_change' } })).toBe(1);
    const { errors } = await it.graphql(
      'mutation ($token: String!) { confirmRoleChange(input: { token: $token }) { role } }',
      { token: tokenIn(mail) },
    );
    expect(errors).toBeUndefined();
    expect((await signInWith(it.app, provider, pupil)).actor.role).toBe('CHILD');
    // Another group withdraws what was asked.
    expect((await signInWith(it.app, provider, { ...claims, groups: ['staff'] })).actor.role).toBe(
      'INSTRUCTOR',
    );
    expect(await membership(center.id, actor.id)).toMatchObject({ role: 'INSTRUCTOR', childConsentAt: null });
  });

  test('and their guardians lose what depends on a role that ends', async () => {
    const { center, provider } = await centerWithGroups();
    const claims = claimsOf();
    const { actor: child } = await signInWith(it.app, provider, { ...claims, groups: ['pupils'] });
    const parent = await makeActor(it.app);
    await makeMembership(it.app, parent.id, center.id, 'PARENT');
    await db().guardianship.create({
      data: { guardianId: parent.id, childId: child.id, centerId: center.id },
    });
    await signInWith(it.app, provider, { ...claims, groups: ['staff'] });
    expect(await db().guardianship.count({ where: { childId: child.id } })).toBe(0);
  });
});

describe('required claims', () => {
  const requiredClaims = [
    { claim: 'hd', value: 'corp.test' },
    { claim: 'mfa', value: 'true' },
  ];

  test.each<[string, Record<string, unknown>, string]>([
    ['all', { hd: 'corp.test', mfa: true }, 'signed-in'],
    ['all, one of them in a list', { hd: ['other.test', 'corp.test'], mfa: 'true' }, 'signed-in'],
    ['one', { hd: 'corp.test' }, 'NO_MEMBERSHIP'],
    ['another value', { hd: 'CORP.test', mfa: true }, 'NO_MEMBERSHIP'],
    ['an object', { hd: { 'corp.test': true }, mfa: true }, 'NO_MEMBERSHIP'],
    ['none', {}, 'NO_MEMBERSHIP'],
  ])('with %s', async (_, all, result) => {
    const { provider } = await centerWithGroups({ requiredClaims });
    expect(await refusalOf(it.app, provider, { ...claimsOf(), ...all })).toBe(result);
  });

  test('are needed at every sign-in, and inherited ones do not count', async () => {
    const { provider } = await centerWithGroups({ requiredClaims: [{ claim: 'toString', value: 'x' }] });
    const claims = claimsOf();
    await signInWith(it.app, provider, { ...claims, toString: 'x' });
    expect(await refusalOf(it.app, provider, claims)).toBe('NO_MEMBERSHIP');
  });
});
