// What a session from a center's provider reaches, whatever account it belongs to. Sessions are opened here without the provider,
// as the callback opens them.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Actor, Center } from '../../src/db/generated/prisma/client.ts';
import { makeContext } from '../../src/domain/context.ts';
import { openProviderSession } from '../../src/domain/identity/open-session.ts';
import { transact } from '../../src/domain/unit-of-work.ts';
import { newId } from '../../src/lib/ids.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeActor, makeCenter, makeMember, makeMembership, makeToken } from '../helpers/world.ts';

const password = 'correct horse battery';
let house: TestApp;
beforeAll(async () => {
  house = await startTestApp();
});
afterAll(() => house.close());

const ISSUER = 'https://login.example.test';

async function makeProvider(center: Center, required = false) {
  const { app } = house;
  await app.db.acrossTenants.identityProvider.create({
    data: {
      centerId: center.id,
      name: 'Example Login',
      issuer: ISSUER,
      clientId: 'countersign',
      clientSecret: app.vault.seal('secret', `identity_provider:${center.id}`),
      scopes: ['openid'],
      required,
    },
  });
  // The process has heard of the change.
  await app.principals.invalidate();
}

/** A session as the provider of the center opens it for the person. */
async function throughProvider(center: Center, actor: Actor) {
  const { app } = house;
  const where = { centerId: center.id };
  const provider = await app.db.acrossTenants.identityProvider.findUniqueOrThrow({ where });
  const identity = await app.db.acrossTenants.identity.create({
    data: { id: newId('idn'), centerId: center.id, issuer: ISSUER, subject: randomUUID(), actorId: actor.id },
  });
  const ctx = makeContext({ app, principal: { kind: 'anonymous' } });
  return transact.acrossTenants(ctx, (work) =>
    openProviderSession(ctx, work, actor, { identity, provider, sid: null, provenAt: ctx.now }),
  );
}

/** A person who exists only through the provider or the directory of a center. */
async function makePersonOfCenter(
  center: Center,
  contactEmail: string | null,
  role: 'ADMIN' | 'PARENT' = 'ADMIN',
) {
  const actor = await house.app.db.acrossTenants.actor.create({
    data: { name: 'Robin Vale', homeCenterId: center.id, contactEmail, baseRole: role },
  });
  const membership = await makeMembership(house.app, actor.id, center.id, role);
  return { actor, membership };
}

const call = (method: string, path: string, token: string, body?: object) =>
  house.call(method, path, { token, ...(body && { body }) });
const codeOf = async (document: string, token: string, variables = {}) => {
  const { errors } = await house.graphql(document, variables, token);
  return errors?.[0]?.extensions.code ?? null;
};

describe('a session from the provider of one center', () => {
  test('reaches that center only, even for an account with every right elsewhere', async () => {
    const { app } = house;
    const [home, other] = [await makeCenter(app), await makeCenter(app)];
    await makeProvider(home);
    const { actor } = await makeMember(app, home.id, 'INSTRUCTOR', { platformAdmin: true, password });
    await makeMembership(app, actor.id, other.id, 'ADMIN');
    const partner = await app.db.acrossTenants.partner.create({
      data: { id: newId('ptn'), name: randomUUID() },
    });
    await app.db.acrossTenants.partnerMembership.create({
      data: { partnerId: partner.id, actorId: actor.id, role: 'PARTNER_ADMIN' },
    });
    const relative = await makeActor(app, { email: actor.email });
    const third = await makeCenter(app);
    await makeMembership(app, relative.id, third.id, 'ADMIN');

    const { accessToken: token, refreshToken } = await throughProvider(home, actor);
    const me = (await call('GET', '/auth/me', token)).body.data;
    expect(me.authorizedDomains).toEqual([home.centerDomain]);
    expect(me.memberships.map(({ centerDomain }: Center) => centerDomain)).toEqual([home.centerDomain]);
    const centers = (await call('GET', '/centers', token)).body.data;
    expect(centers.map(({ centerDomain }: Center) => centerDomain)).toEqual([home.centerDomain]);
    for (const { id } of [other, third]) {
      const switched = await call('POST', '/auth/switch-center', token, { centerId: id });
      expect([switched.status, switched.body.error.code]).toEqual([403, 'NO_MEMBERSHIP']);
    }
    const entered = await call('GET', `/centers/${other.centerDomain}/instructors`, token);
    expect(entered.body.error.code).toBe('NO_MEMBERSHIP');
    expect(await codeOf('{ allPeople(first: 1) { edges { node { id } } } }', token)).toBe(
      'INSUFFICIENT_ROLE',
    );
    expect((await call('GET', '/partner/centers', token)).body.error.code).toBe('INSUFFICIENT_ROLE');

    // A renewed session and a companion app see no more.
    const renewed = (await call('POST', '/auth/refresh-token', token, { refreshToken })).body.data;
    const claims = JSON.parse(Buffer.from(renewed.accessToken.split('.')[1], 'base64url').toString());
    expect(claims.authorizedDomains).toEqual([home.centerDomain]);
    const sso = (await call('POST', '/auth/sso/token', renewed.accessToken, { targetApp: 'lms' })).body.data;
    const known = (await house.call('POST', '/auth/sso/verify', { body: { token: sso.token } })).body.data;
    expect(known.authorizedDomains).toEqual([home.centerDomain]);
    expect(known.memberships).toHaveLength(1);
  });

  test('keeps its end when it is refreshed', async () => {
    const center = await makeCenter(house.app);
    await makeProvider(center);
    const { actor } = await makeMember(house.app, center.id);
    const first = await throughProvider(center, actor);
    const endOf = async () =>
      (await house.app.db.acrossTenants.session.findFirstOrThrow({
        where: { actorId: actor.id, identityId: { not: null } },
        include: { refreshTokens: true },
      }))!;
    const before = await endOf();
    expect(before.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 12 * 3_600_000);
    const { status } = await call('POST', '/auth/refresh-token', '', { refreshToken: first.refreshToken });
    expect(status).toBe(200);
    const after = await endOf();
    expect(after.expiresAt).toEqual(before.expiresAt);
    expect(after.refreshTokens).toHaveLength(2);
    for (const { expiresAt } of after.refreshTokens) expect(expiresAt).toEqual(before.expiresAt);
  });

  test('cannot change what the account has beyond the center', async () => {
    const { app } = house;
    const center = await makeCenter(app);
    await makeProvider(center);
    const { actor } = await makeMember(app, center.id, 'ADMIN', { password });
    const { accessToken: token } = await throughProvider(center, actor);
    // Not even with the right password.
    await house.graphql(
      'mutation ($p: String!) { reauthenticate(input: { password: $p }) }',
      { p: password },
      token,
    );
    const invited = await makeMembership(app, actor.id, (await makeCenter(app)).id, 'PARENT', 'INVITED');
    expect(
      await codeOf(
        'mutation ($p: String!) { changePassword(input: { currentPassword: $p, newPassword: "staple of the horse" }) }',
        token,
        { p: password },
      ),
    ).toBe('FORBIDDEN');
    expect(await codeOf('mutation { updateProfile(input: { name: "Someone Else" }) { name } }', token)).toBe(
      'FORBIDDEN',
    );
    expect(await codeOf('mutation { beginPasskeyRegistration }', token)).toBe('FORBIDDEN');
    expect(await codeOf('mutation { removePasskey(input: { id: "psk_x" }) { id } }', token)).toBe(
      'FORBIDDEN',
    );
    expect(
      await codeOf('mutation ($id: ID!) { acceptMembership(input: { membershipId: $id }) { id } }', token, {
        id: invited.id,
      }),
    ).toBe('NOT_FOUND');
    const ordered = await call('POST', '/provisioning/center-tenant', token, {
      centerName: 'Elsewhere',
      subdomain: 'elsewhere',
      planId: 'center-starter',
      orderId: randomUUID(),
      adminActorId: actor.id,
    });
    expect(ordered.body.error.code).toBe('FORBIDDEN');
    expect(
      await app.db.acrossTenants.membership.count({ where: { actorId: actor.id, status: 'ACTIVE' } }),
    ).toBe(1);
  });

  test('sees and ends only sessions from the same provider', async () => {
    const center = await makeCenter(house.app);
    await makeProvider(center);
    const { actor, token: own } = await makeMember(house.app, center.id);
    const { accessToken: token } = await throughProvider(center, actor);
    await throughProvider(center, actor).catch(() => null);
    const sessions = async (with_: string) =>
      (await house.graphql('{ sessions { id } }', {}, with_)).data!['sessions'] as { id: string }[];
    const [mine, all] = [await sessions(token), await sessions(own)];
    expect(mine).toHaveLength(2);
    expect(all).toHaveLength(3);
    const foreign = all.find(({ id }) => !mine.some((each) => each.id === id))!;
    expect(
      await codeOf('mutation ($id: ID!) { revokeSession(input: { id: $id }) { id } }', token, {
        id: foreign.id,
      }),
    ).toBe('NOT_FOUND');
    await house.graphql('mutation { revokeOtherSessions }', {}, token);
    expect(await sessions(own)).toHaveLength(2);
  });
});

describe('a person of a center', () => {
  test('with the address of an account gets none of its rights and is no relative', async () => {
    const { app } = house;
    const [attacker, victim] = [await makeCenter(app), await makeCenter(app)];
    await makeProvider(attacker);
    const target = await makeMember(app, victim.id, 'ADMIN', { platformAdmin: true });
    const invitedElsewhere = await makeCenter(app);
    await app.db.acrossTenants.membership.create({
      data: {
        id: newId('mbr'),
        centerId: invitedElsewhere.id,
        invitedEmail: target.actor.email,
        role: 'ADMIN',
        status: 'INVITED',
      },
    });
    const { actor } = await makePersonOfCenter(attacker, target.actor.email);
    const { accessToken: token } = await throughProvider(attacker, actor);
    const me = (await call('GET', '/auth/me', token)).body.data;
    expect(me.authorizedDomains).toEqual([attacker.centerDomain]);
    expect(me.memberships).toHaveLength(1);
    // Companion apps recognize people by this address.
    expect(me.email).toBe('');
    expect((await house.graphql('{ me { contactEmail platformAdmin } }', {}, token)).data).toEqual({
      me: { contactEmail: target.actor.email, platformAdmin: false },
    });
    // Nor does the account get anything from the person.
    const theirs = (await call('GET', '/auth/me', target.token)).body.data;
    expect(theirs.authorizedDomains).toEqual([victim.centerDomain]);
  });

  test('is listed and searched by the displayed address, and cannot be invited a second time', async () => {
    const center = await makeCenter(house.app);
    const { token } = await makeMember(house.app, center.id);
    await makePersonOfCenter(center, 'robin@company.test', 'PARENT');
    const { data } = await house.graphql(
      '{ members(first: 5, filter: { search: "robin@company" }) { edges { node { name email phone } } } }',
      {},
      token,
    );
    expect(data!['members'].edges).toEqual([
      { node: { name: 'Robin Vale', email: 'robin@company.test', phone: null } },
    ]);
    const invite = 'mutation { inviteMember(input: { email: "Robin@Company.test", role: PARENT }) { id } }';
    expect(await codeOf(invite, token)).toBe('CONFLICT');
  });

  test('cannot be stored with an address, a password, rights of the platform or a place elsewhere', async () => {
    const { app } = house;
    const [home, other] = [await makeCenter(app), await makeCenter(app)];
    const { actor } = await makePersonOfCenter(home, null);
    const where = { id: actor.id };
    const changes = [
      { email: 'admin@demo.test' },
      { phone: '+491' },
      { passwordHash: 'x' },
      { platformAdmin: true },
    ];
    for (const data of changes) {
      await expect(app.db.acrossTenants.actor.update({ where, data })).rejects.toThrow();
    }
    await expect(makeMembership(app, actor.id, other.id, 'ADMIN')).rejects.toThrow();
    const partner = await app.db.acrossTenants.partner.create({
      data: { id: newId('ptn'), name: randomUUID() },
    });
    await expect(
      app.db.acrossTenants.partnerMembership.create({
        data: { partnerId: partner.id, actorId: actor.id, role: 'PARTNER_ADMIN' },
      }),
    ).rejects.toThrow();
  });
});

describe('a center that requires its provider', () => {
  test('is closed to sessions of passwords and passkeys, open ones included, and to new sign-ins', async () => {
    const { app } = house;
    const center = await makeCenter(app);
    const { actor, token } = await makeMember(app, center.id, 'ADMIN', { password });
    expect((await call('GET', '/auth/me', token)).body.data.centerDomain).toBe(center.centerDomain);
    await makeProvider(center, true);
    const closed = { reason: 'provider_required', provider: 'Example Login' };
    const members = await house.graphql('{ members(first: 1) { edges { node { id } } } }', {}, token);
    expect(members.errors![0]!.extensions).toMatchObject({ code: 'FORBIDDEN', details: closed });
    const credentials = { email: actor.email, password };
    const named = await house.call('POST', '/auth/login', {
      body: { ...credentials, centerDomain: center.centerDomain },
    });
    expect([named.status, named.body.error.code, named.body.error.details]).toEqual([
      403,
      'FORBIDDEN',
      closed,
    ]);
    const unnamed = await house.call('POST', '/auth/login', { body: credentials });
    expect(unnamed.body.data.landing).toEqual({ kind: 'TENANT_PICKER', centerDomain: null });
    expect(unnamed.body.data.center).toBeNull();
    const switched = await call('POST', '/auth/switch-center', unnamed.body.data.accessToken, {
      centerId: center.id,
    });
    expect([switched.status, switched.body.error.code, switched.body.error.details]).toEqual([
      403,
      'FORBIDDEN',
      closed,
    ]);
  });

  test('admits a session from the provider and ADMINs marked for emergencies, but no relatives of these', async () => {
    const { app } = house;
    const center = await makeCenter(app);
    await makeProvider(center, true);
    const marked = await makeMember(app, center.id, 'ADMIN', { password });
    await app.db.acrossTenants.membership.update({
      where: { id: marked.membership.id },
      data: { emergencyAccess: true },
    });
    const isOpen = async (token: string) =>
      (await codeOf('{ members(first: 1) { edges { node { id } } } }', token)) === null;
    expect(await isOpen(marked.token)).toBe(true);
    const relative = await makeActor(app, { email: marked.actor.email });
    expect(await isOpen(await makeToken(app, relative.id, center.id))).toBe(false);
    const { actor } = await makePersonOfCenter(center, null);
    expect(await isOpen((await throughProvider(center, actor)).accessToken)).toBe(true);
    // The person's own passkey does not replace the provider.
    expect(await isOpen(await makeToken(app, actor.id, center.id))).toBe(false);
  });
});
