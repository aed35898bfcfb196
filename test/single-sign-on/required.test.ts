import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import { endProviderRequirement } from '../../src/domain/identities/end-requirement.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { mailTo } from '../helpers/mail.ts';
import { makeCenter, makeKey, makeMember, makeMembership, makeToken } from '../helpers/world.ts';
import { claimsOf, linked, makeProvider, signInWith } from './helpers/people.ts';

const PASSWORD = 'correct horse battery';

let it: TestApp;
let other: TestApp;
beforeAll(async () => {
  it = await startTestApp({ worker: true });
  other = await startTestApp({ database: it.database });
});
afterAll(async () => {
  await other.close();
  await it.close();
});

const db = () => it.app.db.acrossTenants;
const codeOf = ({ errors }: { errors?: { extensions: { code: string } }[] }) => errors?.[0]?.extensions.code;
const address = (name: string) => `${name}-${randomUUID()}@corp.test`;
const login = (email: string, centerDomain?: string) =>
  it.call('POST', '/auth/login', {
    body: { email, password: PASSWORD, ...(centerDomain && { centerDomain }) },
  });

/** A center with a provider, an ADMIN for emergencies and a member, both with passwords. */
async function stage({ required = true } = {}) {
  const center = await makeCenter(it.app);
  const admin = await makeMember(it.app, center.id, 'ADMIN', {
    email: address('admin'),
    password: PASSWORD,
    name: 'Eve Emergency',
  });
  await db().membership.update({ where: { id: admin.membership.id }, data: { emergencyAccess: true } });
  const member = await makeMember(it.app, center.id, 'INSTRUCTOR', {
    email: address('member'),
    password: PASSWORD,
  });
  const provider = await makeProvider(it.app, center.id, { required });
  return { center, admin, member, provider };
}

const require = (centerId: number, required = true) =>
  db().identityProvider.update({ where: { centerId }, data: { required } });

const REFUSED = {
  code: 'FORBIDDEN',
  details: { reason: 'provider_required', provider: 'Company Login' },
};

describe('a center that requires its provider', () => {
  test('closes open sessions in every process at once, and opens them again', async () => {
    const { center, member } = await stage({ required: false });
    const me = (house: TestApp) => house.call('GET', '/dpu/stats', { token: member.token });
    for (const house of [it, other]) expect((await me(house)).status).toBe(200);
    await require(center.id);
    for (const house of [it, other]) {
      const { status, body } = await me(house);
      expect([status, body.error]).toMatchObject([403, REFUSED]);
    }
    await require(center.id, false);
    for (const house of [it, other]) expect((await me(house)).status).toBe(200);
  });

  test('is not opened by a password', async () => {
    const { center, member } = await stage();
    const direct = await login(member.actor.email!, center.centerDomain);
    expect([direct.status, direct.body.error]).toMatchObject([403, REFUSED]);
    const landed = await login(member.actor.email!);
    expect(landed.body.data).toMatchObject({ center: null, landing: { kind: 'TENANT_PICKER' } });
    const { status, body } = await it.call('POST', '/auth/switch-center', {
      token: landed.body.data.accessToken,
      body: { centerId: center.id },
    });
    expect([status, body.error]).toMatchObject([403, REFUSED]);
  });

  test('is not opened by refreshing, by a token for a companion app or from another center', async () => {
    const { center, member } = await stage({ required: false });
    const signedIn = (await login(member.actor.email!, center.centerDomain)).body.data;
    const sso = await it.call('POST', '/auth/sso/token', {
      token: signedIn.accessToken,
      body: { targetApp: 'lms' },
    });
    await require(center.id);
    const refreshed = await it.call('POST', '/auth/refresh-token', {
      body: { refreshToken: signedIn.refreshToken },
    });
    const { status, body } = await it.call('GET', '/dpu/stats', { token: refreshed.body.data.accessToken });
    expect([status, body.error]).toMatchObject([403, REFUSED]);
    const verified = await it.call('POST', '/auth/sso/verify', { body: { token: sso.body.data.token } });
    expect(JSON.stringify(verified.body.data.authorizedDomains)).toBe('[]');
    const elsewhere = await makeCenter(it.app);
    await makeMembership(it.app, member.actor.id, elsewhere.id, 'INSTRUCTOR');
    const token = await makeToken(it.app, member.actor.id, elsewhere.id);
    const moved = await it.call('POST', '/auth/switch-center', { token, body: { centerId: center.id } });
    expect([moved.status, moved.body.error]).toMatchObject([403, REFUSED]);
  });

  test('is not opened by the membership of a relative, not even by one with emergency access', async () => {
    const { center, admin } = await stage();
    const relative = await makeMember(it.app, (await makeCenter(it.app)).id, 'PARENT', {
      email: admin.actor.email!,
      password: PASSWORD,
    });
    const { status, body } = await it.call('POST', '/auth/switch-center', {
      token: relative.token,
      body: { centerId: center.id },
    });
    expect([status, body.error]).toMatchObject([403, REFUSED]);
  });

  test('still serves API keys and sessions of the provider', async () => {
    const { center, provider } = await stage();
    const key = await makeKey(it.app, center.id);
    expect((await it.call('GET', '/v1/decision-events', { token: key })).status).toBe(200);
    const { accessToken } = await signInWith(it.app, provider, claimsOf());
    expect((await it.call('GET', '/dpu/stats', { token: accessToken })).status).toBe(200);
  });
});

test('an operator with a shell lets passwords open the center again, which its ADMINs hear of', async () => {
  const { center, admin, member } = await stage();
  const ctx = systemContext(it.app, 'admin command', null);
  const asked = { domain: center.centerDomain };
  expect(await endProviderRequirement(ctx, asked)).toMatchObject({
    provider: 'Company Login',
    wasRequired: true,
  });
  expect(await endProviderRequirement(ctx, asked)).toMatchObject({ wasRequired: false });
  expect((await login(member.actor.email!, center.centerDomain)).status).toBe(200);
  const { detail } = await db().auditEntry.findFirstOrThrow({
    where: { centerId: center.id, type: 'center.updated' },
  });
  expect(detail).toMatchObject({ fields: ['required'] });
  expect((await mailTo(it, admin.actor.email!, 'changed')).text).toContain('the operator of the service');
  await expect(endProviderRequirement(ctx, { domain: 'nowhere' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

const SET = `mutation ($input: SetEmergencyAccessInput!) {
  setEmergencyAccess(input: $input) { id emergencyAccess } }`;
const mark = (token: string, membershipId: string, enabled = true) =>
  it.graphql(SET, { input: { membershipId, enabled } }, token);

describe('emergency access', () => {
  test('enters with a password, which is audited and mailed to all ADMINs', async () => {
    const { center, admin } = await stage();
    const colleague = await makeMember(it.app, center.id, 'ADMIN', { email: address('colleague') });
    const { status } = await login(admin.actor.email!, center.centerDomain);
    expect(status).toBe(200);
    const audited = await db().auditEntry.findFirstOrThrow({
      where: { centerId: center.id, type: 'auth.signed_in', actorId: admin.actor.id },
    });
    expect(audited.detail).toMatchObject({ emergency: true });
    for (const { actor } of [admin, colleague]) {
      expect((await mailTo(it, actor.email!, 'emergency access')).text).toContain('Eve Emergency');
    }
  });

  test('used from a session that began elsewhere is noticed as well', async () => {
    const { center, admin } = await stage();
    const elsewhere = await makeCenter(it.app);
    await makeMembership(it.app, admin.actor.id, elsewhere.id, 'INSTRUCTOR');
    const token = await makeToken(it.app, admin.actor.id, elsewhere.id);
    expect(
      (await it.call('POST', '/auth/switch-center', { token, body: { centerId: center.id } })).status,
    ).toBe(200);
    await mailTo(it, admin.actor.email!, 'emergency access');
    expect(
      await db().auditEntry.count({
        where: { centerId: center.id, type: 'auth.signed_in', detail: { path: ['emergency'], equals: true } },
      }),
    ).toBe(1);
  });

  test('of an ADMIN who signs in through the provider is noticed as well', async () => {
    const { center, admin, provider } = await stage({ required: false });
    const claims = claimsOf();
    await linked(it.app, provider, admin.actor.id, claims.sub);
    await signInWith(it.app, provider, claims);
    const { detail } = await db().auditEntry.findFirstOrThrow({
      where: { centerId: center.id, type: 'auth.signed_in', actorId: admin.actor.id },
    });
    expect(detail).toMatchObject({ emergency: true, provider: 'Company Login' });
  });

  test('is given to an active ADMIN with a password only', async () => {
    const { center, admin, member, provider } = await stage({ required: false });
    const passwordless = await makeMember(it.app, center.id, 'ADMIN');
    const { actor } = await signInWith(it.app, provider, claimsOf());
    const person = await db().membership.findFirstOrThrow({ where: { actorId: actor.id } });
    for (const { id } of [passwordless.membership, member.membership, person]) {
      expect(codeOf(await mark(admin.token, id))).toBe('CONFLICT');
    }
    const colleague = await makeMember(it.app, center.id, 'ADMIN', { password: PASSWORD });
    expect((await mark(admin.token, colleague.membership.id)).data.setEmergencyAccess).toMatchObject({
      emergencyAccess: true,
    });
    const audited = await db().auditEntry.findFirstOrThrow({
      where: { centerId: center.id, target: colleague.membership.id, type: 'membership.moved' },
    });
    expect(audited.detail).toMatchObject({ move: 'emergency_access', enabled: true });
    const foreign = await stage();
    expect(codeOf(await mark(admin.token, foreign.admin.membership.id, false))).toBe('NOT_FOUND');
    expect(codeOf(await mark(member.token, colleague.membership.id))).toBe('INSUFFICIENT_ROLE');
  });

  test('is neither given nor taken in a session of the provider, nor without a fresh proof', async () => {
    const { admin, provider, center } = await stage({ required: false });
    const colleague = await makeMember(it.app, center.id, 'ADMIN', { password: PASSWORD });
    const claims = claimsOf();
    await linked(it.app, provider, colleague.actor.id, claims.sub);
    const { accessToken } = await signInWith(it.app, provider, claims);
    expect(codeOf(await mark(accessToken, colleague.membership.id))).toBe('FORBIDDEN');
    expect(codeOf(await mark(accessToken, admin.membership.id, false))).toBe('FORBIDDEN');
    await db().session.updateMany({ where: { actorId: admin.actor.id }, data: { provenAt: new Date(0) } });
    expect(codeOf(await mark(admin.token, colleague.membership.id))).toBe('REAUTHENTICATION_REQUIRED');
  });

  const asAdmin = (document: string) => (token: string, id: string) => it.graphql(document, { id }, token);
  const attempts: [string, (token: string, id: string) => ReturnType<TestApp['graphql']>][] = [
    ['unmarked', (token, id) => mark(token, id, false)],
    [
      'demoted',
      asAdmin(
        'mutation ($id: ID!) { changeMemberRole(input: { membershipId: $id, role: INSTRUCTOR }) { id } }',
      ),
    ],
    [
      'asked to be a child',
      asAdmin('mutation ($id: ID!) { changeMemberRole(input: { membershipId: $id, role: CHILD }) { id } }'),
    ],
    ['suspended', asAdmin('mutation ($id: ID!) { suspendMembership(input: { membershipId: $id }) { id } }')],
    ['ended', asAdmin('mutation ($id: ID!) { endMembership(input: { membershipId: $id }) { id } }')],
  ];

  test.each(attempts)('the last one can not be %s while the provider is required', async (_, attempt) => {
    const { center, admin } = await stage();
    const { accessToken } = (await login(admin.actor.email!, center.centerDomain)).body.data;
    const colleague = await makeMember(it.app, center.id, 'ADMIN', { password: PASSWORD });
    const { id } = admin.membership;
    expect(codeOf(await attempt(accessToken, id))).toBe('CONFLICT');
    expect(await db().membership.findUniqueOrThrow({ where: { id } })).toMatchObject({
      emergencyAccess: true,
      role: 'ADMIN',
      status: 'ACTIVE',
    });
    expect((await mark(accessToken, colleague.membership.id)).errors).toBeUndefined();
    expect((await attempt(accessToken, id)).errors).toBeUndefined();
  });

  test('ends with the role and with the membership', async () => {
    const { center, admin } = await stage({ required: false });
    const colleague = await makeMember(it.app, center.id, 'ADMIN', { password: PASSWORD });
    const { id } = admin.membership;
    const change = (role: string) =>
      it.graphql(
        'mutation ($id: ID!, $role: ActorRole!) { changeMemberRole(input: { membershipId: $id, role: $role }) { emergencyAccess } }',
        { id, role },
        colleague.token,
      );
    expect((await change('INSTRUCTOR')).data.changeMemberRole.emergencyAccess).toBe(false);
    expect((await change('ADMIN')).data.changeMemberRole.emergencyAccess).toBe(false);
  });
});
