import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeContext } from '../../src/domain/context.ts';
import { linkIdentityOfSession } from '../../src/domain/identities/link.ts';
import { confirmSessionAtProvider } from '../../src/domain/identities/reauthenticate.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { mailTo } from '../helpers/mail.ts';
import {
  makeActor,
  makeCenter,
  makeMember,
  makeMembership,
  makeSubscription,
  makeToken,
} from '../helpers/world.ts';
import { quorumStage, SEALED, WAITS } from '../proof/quorum-stage.ts';
import { claimsOf, invite, linked, makeProvider, refusalOf, signInWith } from './helpers/people.ts';

let it: TestApp;
beforeAll(async () => {
  it = await startTestApp({ worker: true });
});
afterAll(() => it.close());

const db = () => it.app.db.acrossTenants;
const codeOf = ({ errors }: { errors?: { extensions: { code: string } }[] }) => errors?.[0]?.extensions.code;

async function stage(settings: Parameters<typeof makeProvider>[2] = {}) {
  const center = await makeCenter(it.app);
  const provider = await makeProvider(it.app, center.id, settings);
  const email = `owner-${randomUUID()}@home.test`;
  const { actor, membership, token } = await makeMember(it.app, center.id, 'INSTRUCTOR', { email });
  return { center, provider, actor, membership, token, email };
}

type Provider = Awaited<ReturnType<typeof makeProvider>>;
type At = typeof linkIdentityOfSession | typeof confirmSessionAtProvider;

/** What the callback does for a session; resolves to the code of the error. */
async function finish(
  step: At,
  provider: Provider,
  sessionId: string,
  all: { sub: string; email?: unknown },
  authTime: Date | null = null,
) {
  const ctx = makeContext({ app: it.app, principal: { kind: 'anonymous' }, requestId: 'test' });
  const claims = { issuer: provider.issuer, subject: all.sub, sid: null, authTime, all: { ...all } };
  return step(ctx, provider, claims, sessionId).then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );
}

const sessionOf = async (actorId: string) =>
  (await db().session.findFirstOrThrow({ where: { actorId }, orderBy: { id: 'desc' } })).id;
const link = async (provider: Provider, actorId: string, all: { sub: string }) =>
  finish(linkIdentityOfSession, provider, await sessionOf(actorId), all);

const LINK = 'mutation ($input: LinkIdentityInput!) { linkIdentity(input: $input) { url } }';
const begin = (token: string, centerDomain: string) => it.graphql(LINK, { input: { centerDomain } }, token);
const OWN = '{ identities { id centerDomain centerName issuer email linkedAt lastSignInAt } }';
const unlink = (token: string, id: string) =>
  it.graphql('mutation ($id: ID!) { unlinkIdentity(input: { id: $id }) }', { id }, token);

describe('beginning a link', () => {
  test('gives an address for this session, and needs a fresh proof', async () => {
    const { center, actor, token } = await stage();
    const { data } = await begin(token, center.centerDomain);
    expect(data.linkIdentity.url).toMatch(/\/auth\/oidc\/start\?ticket=[\w-]{43}$/);
    expect(await db().signInTicket.findMany({ where: { centerId: center.id } })).toMatchObject([
      { purpose: 'LINK', sessionId: await sessionOf(actor.id) },
    ]);
    await db().session.updateMany({ where: { actorId: actor.id }, data: { provenAt: new Date(0) } });
    expect(codeOf(await begin(token, center.centerDomain))).toBe('REAUTHENTICATION_REQUIRED');
  });

  test('is refused in a session of a provider, without a center or without its provider', async () => {
    const { center, provider, token } = await stage();
    const { accessToken } = await signInWith(it.app, provider, claimsOf());
    expect(codeOf(await begin(accessToken, center.centerDomain))).toBe('FORBIDDEN');
    expect(codeOf(await begin(token, 'nowhere'))).toBe('CENTER_NOT_FOUND');
    expect(codeOf(await begin(token, (await makeCenter(it.app)).centerDomain))).toBe('CENTER_NOT_FOUND');
    await db().center.update({ where: { id: center.id }, data: { status: 'SUSPENDED' } });
    const elsewhere = await makeMember(it.app, (await makeCenter(it.app)).id);
    expect(codeOf(await begin(elsewhere.token, center.centerDomain))).toBe('CENTER_SUSPENDED');
  });
});

describe('a link', () => {
  test('lets the identity open the account in this center, and tells its owner', async () => {
    const { center, provider, actor, email } = await stage();
    const claims = claimsOf();
    expect(await link(provider, actor.id, claims)).toBe('done');
    expect(await link(provider, actor.id, claims)).toBe('done');
    const signedIn = await signInWith(it.app, provider, claims);
    expect(signedIn).toMatchObject({ actor: { id: actor.id }, center: { id: center.id } });
    const mail = await mailTo(it, email, 'connected');
    expect(mail.text).toContain('Company Login');
    const audited = await db().auditEntry.findMany({ where: { actorId: actor.id, type: 'api_key.changed' } });
    expect(audited).toHaveLength(2);
    for (const { detail } of audited) expect(detail).toMatchObject({ kind: 'identity', change: 'linked' });
  });

  test('of a session that has ended, or that a provider opened, connects nothing', async () => {
    const { provider, actor } = await stage();
    const claims = claimsOf();
    const sessionId = await sessionOf(actor.id);
    await db().session.update({ where: { id: sessionId }, data: { revokedAt: new Date() } });
    expect(await finish(linkIdentityOfSession, provider, sessionId, claims)).toBe('UNAUTHORIZED');
    expect(await finish(linkIdentityOfSession, provider, 'ses_unknown', claims)).toBe('UNAUTHORIZED');
    const mine = claimsOf();
    await linked(it.app, provider, actor.id, mine.sub);
    await signInWith(it.app, provider, mine);
    expect(await link(provider, actor.id, claims)).toBe('FORBIDDEN');
    expect(await db().identity.count({ where: { actorId: actor.id } })).toBe(1);
  });

  test('of the identity of another account is refused', async () => {
    const { center, provider, actor } = await stage();
    const colleague = await makeMember(it.app, center.id, 'ADMIN');
    const claims = claimsOf();
    await linked(it.app, provider, colleague.actor.id, claims.sub);
    expect(await link(provider, actor.id, claims)).toBe('CONFLICT');
    expect((await signInWith(it.app, provider, claims)).actor.id).toBe(colleague.actor.id);
  });

  test('of the identity of a person of the center waits until an ADMIN has ended that person', async () => {
    const { center, provider, actor } = await stage();
    const claims = claimsOf();
    const person = await signInWith(it.app, provider, claims);
    const where = { centerId: center.id, actorId: person.actor.id };
    for (const status of ['PENDING', 'ACTIVE', 'SUSPENDED'] as const) {
      await db().membership.updateMany({ where, data: { status } });
      expect(await link(provider, actor.id, claims)).toBe('CONFLICT');
    }
    await db().membership.updateMany({ where, data: { status: 'ENDED', endedAt: new Date() } });
    expect(await link(provider, actor.id, claims)).toBe('done');
    const { status } = await it.call('GET', '/auth/me', { token: person.accessToken });
    expect(status).toBe(401);
    expect((await signInWith(it.app, provider, claims)).actor.id).toBe(actor.id);
  });

  test('of an identity whose owner approved a decision that is still open is refused', async () => {
    const stage = await quorumStage(it);
    const provider = await makeProvider(it.app, stage.center.id, { defaultRole: 'ADMIN' });
    const claims = claimsOf();
    const person = await signInWith(it.app, provider, claims);
    const event = await stage.recordAction(await stage.ruled({ quorum: [{ count: 2 }] }));
    expect(await stage.approveAs({ token: person.accessToken }, event.id)).toEqual(WAITS);
    const where = { centerId: stage.center.id, actorId: person.actor.id };
    await db().membership.updateMany({ where, data: { status: 'ENDED', endedAt: new Date() } });
    const owner = await stage.member('ADMIN');
    expect(await link(provider, owner.actor.id, claims)).toBe('CONFLICT');
    const colleague = await stage.member('ADMIN');
    expect(await stage.approveAs(colleague, event.id)).toEqual(SEALED);
    expect(await link(provider, owner.actor.id, claims)).toBe('done');
  });
});

describe('an account that is not a member', () => {
  const outsider = async () => {
    const email = `new-${randomUUID()}@home.test`;
    const actor = await makeActor(it.app, { email });
    await makeToken(it.app, actor.id, null);
    return { actor, email };
  };
  const membershipsIn = (centerId: number, actorId: string) =>
    db().membership.findMany({ where: { centerId, actorId }, orderBy: { id: 'asc' } });

  test('takes the invitation to its own address', async () => {
    const { center, provider } = await stage({ createOnSignIn: false });
    const { actor, email } = await outsider();
    const { membership } = await invite(it.app, center.id, email, 'CHILD');
    expect(await link(provider, actor.id, claimsOf())).toBe('done');
    expect(await membershipsIn(center.id, actor.id)).toMatchObject([
      { id: membership.id, status: 'ACTIVE', role: 'CHILD', childConsentAt: expect.any(Date) },
    ]);
  });

  test('joins with the default role if the provider creates members, and a seat is left', async () => {
    const { center, provider } = await stage();
    const { actor } = await outsider();
    await makeSubscription(it.app, center.id, { seatLimit: 1 });
    expect(await link(provider, actor.id, claimsOf())).toBe('CONFLICT');
    expect(await db().identity.count({ where: { actorId: actor.id } })).toBe(0);
    await db().subscription.update({ where: { centerId: center.id }, data: { seatLimit: 2 } });
    expect(await link(provider, actor.id, claimsOf())).toBe('done');
    expect(await membershipsIn(center.id, actor.id)).toMatchObject([
      { status: 'ACTIVE', role: 'INSTRUCTOR' },
    ]);
  });

  test('does not join without an invitation, as a CHILD, or after its membership has ended', async () => {
    const { actor } = await outsider();
    const closed = await stage({ createOnSignIn: false });
    expect(await link(closed.provider, actor.id, claimsOf())).toBe('NO_MEMBERSHIP');
    const school = await stage({ defaultRole: 'CHILD' });
    expect(await link(school.provider, actor.id, claimsOf())).toBe('NO_MEMBERSHIP');
    const left = await stage();
    await makeMembership(it.app, actor.id, left.center.id, 'ADMIN', 'ENDED');
    expect(await link(left.provider, actor.id, claimsOf())).toBe('MEMBERSHIP_ENDED');
    const declined = await stage();
    await makeMembership(it.app, actor.id, declined.center.id, 'ADMIN', 'REJECTED');
    expect(await link(declined.provider, actor.id, claimsOf())).toBe('NO_MEMBERSHIP');
    expect(await db().identity.count({ where: { actorId: actor.id } })).toBe(0);
  });
});

describe('connected identities', () => {
  test('are listed for their owner, and a session of the provider sees those of its center', async () => {
    const [one, two] = [await stage(), await stage()];
    const claims = claimsOf();
    await linked(it.app, one.provider, one.actor.id, claims.sub);
    await makeMembership(it.app, one.actor.id, two.center.id, 'PARENT');
    await linked(it.app, two.provider, one.actor.id, randomUUID());
    const own = (await it.graphql(OWN, {}, one.token)).data.identities;
    expect(own.map(({ centerDomain }: { centerDomain: string }) => centerDomain)).toEqual([
      one.center.centerDomain,
      two.center.centerDomain,
    ]);
    const { accessToken } = await signInWith(it.app, one.provider, claims);
    expect((await it.graphql(OWN, {}, accessToken)).data.identities).toMatchObject([
      { centerDomain: one.center.centerDomain, issuer: one.provider.issuer, email: null },
    ]);
    expect((await it.graphql(OWN, {}, two.token)).data.identities).toEqual([]);
  });

  test('are unlinked by their owner with a fresh proof: their sessions end, the membership stays', async () => {
    const { center, provider, actor, token, email } = await stage();
    const claims = claimsOf();
    const { id } = await linked(it.app, provider, actor.id, claims.sub);
    const { accessToken } = await signInWith(it.app, provider, claims);
    expect(codeOf(await unlink(accessToken, id))).toBe('FORBIDDEN');
    const stranger = await stage();
    expect(codeOf(await unlink(stranger.token, id))).toBe('NOT_FOUND');
    await db().session.updateMany({ where: { actorId: actor.id }, data: { provenAt: new Date(0) } });
    expect(codeOf(await unlink(token, id))).toBe('REAUTHENTICATION_REQUIRED');
    await db().session.updateMany({ where: { actorId: actor.id }, data: { provenAt: new Date() } });
    expect((await unlink(token, id)).data).toEqual({ unlinkIdentity: true });
    expect((await it.call('GET', '/auth/me', { token: accessToken })).status).toBe(401);
    expect((await it.call('GET', '/auth/me', { token })).status).toBe(200);
    expect(
      await db().membership.count({ where: { centerId: center.id, actorId: actor.id, status: 'ACTIVE' } }),
    ).toBe(1);
    expect((await mailTo(it, email, 'disconnected')).text).toContain('Company Login');
  });

  test('show an ADMIN how a member signs in, and others nothing', async () => {
    const { center, provider, actor, token, membership } = await stage();
    const admin = await makeMember(it.app, center.id, 'ADMIN');
    const claims = claimsOf();
    await linked(it.app, provider, actor.id, claims.sub);
    await signInWith(it.app, provider, claims);
    const query =
      '{ members(first: 10) { edges { node { id emergencyAccess identity { issuer subject lastSignInAt } } } } }';
    const { edges } = (await it.graphql(query, {}, admin.token)).data.members;
    const nodes = edges.map(({ node }: { node: { id: string } }) => node);
    expect(nodes.find(({ id }: { id: string }) => id === membership.id)).toMatchObject({
      emergencyAccess: false,
      identity: { issuer: provider.issuer, subject: claims.sub, lastSignInAt: expect.any(String) },
    });
    expect(nodes.find(({ id }: { id: string }) => id === admin.membership.id).identity).toBeNull();
    expect(codeOf(await it.graphql(query, {}, token))).toBe('INSUFFICIENT_ROLE');
  });
});

describe('a fresh proof at the provider', () => {
  const BEGIN = 'mutation { reauthenticateWithProvider { url } }';
  const provenAt = async (id: string) =>
    (await db().session.findUniqueOrThrow({ where: { id } })).provenAt!.getTime();

  test('is for people of the center: their sign-in is one, and a new one renews it', async () => {
    const { provider, token } = await stage();
    const claims = claimsOf();
    const { accessToken, actor } = await signInWith(it.app, provider, claims);
    const id = await sessionOf(actor.id);
    expect(Date.now() - (await provenAt(id))).toBeLessThan(60_000);
    await db().session.update({ where: { id }, data: { provenAt: new Date(0) } });
    expect((await it.graphql(BEGIN, {}, accessToken)).data.reauthenticateWithProvider.url).toContain(
      'ticket=',
    );
    expect(codeOf(await it.graphql(BEGIN, {}, token))).toBe('FORBIDDEN');
    const confirm = (all: { sub: string }, authTime: Date | null) =>
      finish(confirmSessionAtProvider, provider, id, all, authTime);
    expect(await confirm(claimsOf(), null)).toBe('UNAUTHORIZED');
    expect(await confirm(claims, new Date(Date.now() - 5 * 60_000))).toBe('UNAUTHORIZED');
    expect(await provenAt(id)).toBe(0);
    expect(await confirm(claims, new Date(Date.now() - 60_000))).toBe('done');
    expect(await provenAt(id)).toBeLessThan(Date.now() - 50_000);
    expect(await confirm(claims, null)).toBe('done');
    await db().session.update({ where: { id }, data: { revokedAt: new Date() } });
    expect(await confirm(claims, null)).toBe('UNAUTHORIZED');
  });

  test('does not come from an earlier sign-in that the provider reuses, nor for an account', async () => {
    const { provider, actor: owner } = await stage();
    const hourAgo = new Date(Date.now() - 3_600_000);
    const { actor } = await signInWith(it.app, provider, claimsOf(), { authTime: hourAgo });
    expect(await provenAt(await sessionOf(actor.id))).toBe(hourAgo.getTime());
    const claims = claimsOf();
    await linked(it.app, provider, owner.id, claims.sub);
    await signInWith(it.app, provider, claims);
    const session = await db().session.findUniqueOrThrow({ where: { id: await sessionOf(owner.id) } });
    expect(session.provenAt).toBeNull();
    expect(await finish(confirmSessionAtProvider, provider, session.id, claims)).toBe('UNAUTHORIZED');
  });
});

test('ending a membership ends the sessions of its provider', async () => {
  const { center, provider } = await stage();
  const admin = await makeMember(it.app, center.id, 'ADMIN');
  const claims = claimsOf();
  const { actor, accessToken } = await signInWith(it.app, provider, claims);
  const { id } = await db().membership.findFirstOrThrow({ where: { actorId: actor.id } });
  const ended = await it.graphql(
    'mutation ($id: ID!) { endMembership(input: { membershipId: $id }) { id } }',
    { id },
    admin.token,
  );
  expect(ended.errors).toBeUndefined();
  expect((await it.call('GET', '/auth/me', { token: accessToken })).status).toBe(401);
  expect(await db().session.findFirstOrThrow({ where: { actorId: actor.id } })).toMatchObject({
    revokedReason: 'membership ended',
  });
  expect(await refusalOf(it.app, provider, claims)).toBe('MEMBERSHIP_ENDED');
});
