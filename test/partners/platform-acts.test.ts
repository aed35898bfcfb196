import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { mailTo, tokenIn } from '../helpers/mail.ts';
import {
  makeActor,
  makeCenter,
  makeKey,
  makeMember,
  makeMembership,
  makePartner,
  makeStage,
  makeToken,
} from '../helpers/world.ts';

const password = 'correct horse battery';
let here: TestApp;
/** Another process with the same database. */
let there: TestApp;
beforeAll(async () => {
  here = await startTestApp({ worker: true });
  there = await startTestApp({ database: here.database });
});
afterAll(async () => {
  await there.close();
  await here.close();
});

async function makeRoot() {
  const root = await makeActor(here.app, { platformAdmin: true });
  return { root, token: await makeToken(here.app, root.id, null) };
}

/** The value of the only field, or the error code. */
async function ask(document: string, variables: object, token?: string, at = here) {
  const { data, errors } = await at.graphql(document, variables as Record<string, unknown>, token);
  return errors ? errors[0]!.extensions.code : Object.values(data as object)[0];
}

const acts = [
  'endPersonSessions',
  'suspendPerson',
  'reactivatePerson',
  'grantPlatformAdmin',
  'revokePlatformAdmin',
] as const;
type Act = (typeof acts)[number];

function act(name: Act, id: string, token?: string, more: object = {}) {
  const type = name === 'suspendPerson' ? 'SuspendPersonInput' : 'PersonInput';
  const input = { id, ...(name === 'suspendPerson' && { reason: 'Stolen laptop' }), ...more };
  return ask(
    `mutation ($input: ${type}!) { ${name}(input: $input) { id platformAdmin suspendedAt activeSessions } }`,
    { input },
    token,
  );
}

const CREATE = 'mutation ($input: CreateCenterInput!) { createCenter(input: $input) { center { id } } }';
const center = (changes: object = {}) => ({
  input: {
    name: 'Pier Nine',
    tenantType: 'CENTER',
    vertical: 'education',
    adminEmail: 'Head@Example.test',
    ...changes,
  },
});

const isSignedIn = async (token: string, at = here) =>
  (await at.graphql('{ me { actorId } }', {}, token)).errors === undefined;
const signIn = (email: string | null, at = here) =>
  at.call('POST', '/auth/login', { body: { email, password } });

describe('who may act on accounts and create centers', () => {
  test('only a platform admin who was authenticated recently, and never on their own account', async () => {
    const { center: owned, token: admin, key } = await makeStage(here.app);
    const { actor } = await makeMember(here.app, owned.id, 'INSTRUCTOR');
    const { token: partner } = await makePartner(here.app);
    const stranger = await makeToken(here.app, (await makeActor(here.app)).id, null);
    const { root, token } = await makeRoot();
    const callers = [
      [undefined, 'UNAUTHORIZED'],
      [key, 'UNAUTHORIZED'],
      [stranger, 'INSUFFICIENT_ROLE'],
      [partner, 'INSUFFICIENT_ROLE'],
      [admin, 'INSUFFICIENT_ROLE'],
    ] as const;
    for (const [caller, code] of callers) {
      for (const name of acts) expect(await act(name, actor.id, caller)).toBe(code);
      expect(await ask(CREATE, center(), caller)).toBe(code);
      expect(
        await ask(`{ person(id: "${actor.id}") { activeSessions onlyAdminOf { id } } }`, {}, caller),
      ).toBe(code);
    }
    for (const name of acts) expect(await act(name, root.id.toUpperCase(), token)).toBe('FORBIDDEN');
    expect(await act('suspendPerson', actor.id, token, { reason: ' ' })).toBe('VALIDATION_ERROR');
    expect(await act('endPersonSessions', 'nonsense', token)).toBe('VALIDATION_ERROR');
    expect(await act('endPersonSessions', '00000000-0000-4000-8000-000000000000', token)).toBe('NOT_FOUND');

    await here.superuser.query(
      "UPDATE session SET proven_at = now() - interval '6 minutes' WHERE actor_id = $1",
      [root.id],
    );
    for (const name of acts) expect(await act(name, actor.id, token)).toBe('REAUTHENTICATION_REQUIRED');
    expect(await ask(CREATE, center(), token)).toBe('REAUTHENTICATION_REQUIRED');
    const { platformAdmin, suspendedAt } = await here.app.db.acrossTenants.actor.findUniqueOrThrow({
      where: { id: actor.id },
    });
    expect({ platformAdmin, suspendedAt }).toEqual({ platformAdmin: false, suspendedAt: null });
  });
});

describe('suspending an account', () => {
  test('ends its sessions in every process, refuses every sign-in, and is undone', async () => {
    const { token: root } = await makeRoot();
    const { center: owned, token: admin } = await makeStage(here.app);
    const member = await makeMember(here.app, owned.id, 'INSTRUCTOR', { password });
    const { accessToken, refreshToken } = (await signIn(member.actor.email)).body.data;
    const { token: sso } = (
      await here.call('POST', '/auth/sso/token', { token: accessToken, body: { targetApp: 'lms' } })
    ).body.data;
    for (const at of [here, there]) expect(await isSignedIn(accessToken, at)).toBe(true);

    expect(await act('suspendPerson', member.actor.id, root)).toMatchObject({
      suspendedAt: expect.any(String),
      activeSessions: 0,
    });
    for (const at of [here, there]) expect(await isSignedIn(accessToken, at)).toBe(false);
    expect((await here.call('POST', '/auth/refresh-token', { body: { refreshToken } })).status).toBe(401);
    expect((await here.call('POST', '/auth/sso/verify', { body: { token: sso } })).status).toBe(401);
    const refused = await signIn(member.actor.email, there);
    expect([refused.status, refused.body.message ?? refused.body.error.message]).toEqual([
      403,
      'This account is suspended; contact the operator of the service.',
    ]);
    // A stranger without the password learns nothing.
    const guessed = await here.call('POST', '/auth/login', {
      body: { email: member.actor.email, password: 'a wrong password' },
    });
    expect(guessed.status).toBe(401);
    expect(await act('suspendPerson', member.actor.id, root)).toBe('CONFLICT');
    expect(await act('grantPlatformAdmin', member.actor.id, root)).toBe('CONFLICT');

    // The center learns of it, but not the reason.
    const { data } = await here.graphql(
      '{ auditEntries(first: 5) { edges { node { type target detail } } } }',
      {},
      admin,
    );
    expect(data.auditEntries.edges.map(({ node }: { node: object }) => node)).toContainEqual({
      type: 'membership.moved',
      target: member.membership.id,
      detail: { move: 'suspend_account' },
    });
    expect(await act('reactivatePerson', member.actor.id, root)).toMatchObject({ suspendedAt: null });
    expect(await act('reactivatePerson', member.actor.id, root)).toBe('CONFLICT');
    expect(await isSignedIn(accessToken)).toBe(false);
    expect((await signIn(member.actor.email)).status).toBe(200);
  });

  test('takes its rights from relatives who share its phone number', async () => {
    const { token: root } = await makeRoot();
    const { center: owned } = await makeStage(here.app);
    const phone = '+4930123456';
    const member = await makeMember(here.app, owned.id, 'INSTRUCTOR', { phone });
    const relative = await makeActor(here.app, { phone });
    const token = await makeToken(here.app, relative.id, owned.id);
    const inCenter = () => ask('{ me { centerId } }', {}, token, there);
    expect(await inCenter()).toEqual({ centerId: owned.id });
    await act('suspendPerson', member.actor.id, root);
    expect(await inCenter()).toEqual({ centerId: null });
    await act('reactivatePerson', member.actor.id, root);
    expect(await inCenter()).toEqual({ centerId: owned.id });
  });

  test('of the only ADMIN of a center must be intended, and leaves the center to the platform', async () => {
    const { token: root } = await makeRoot();
    const { center: owned, admin } = await makeStage(here.app, { name: 'Quay School' });
    const waiting = await makeActor(here.app);
    const pending = await makeMembership(here.app, waiting.id, owned.id, 'ADMIN', 'PENDING');
    const SUSPEND = `mutation ($input: SuspendPersonInput!) { suspendPerson(input: $input) { suspendedAt } }`;
    const input = { id: admin.actor.id, reason: 'Fraud' };
    const { errors } = await here.graphql(SUSPEND, { input }, root);
    expect(errors![0]!.message).toContain('the only active ADMIN of Quay School');
    expect(errors![0]!.extensions).toMatchObject({ code: 'CONFLICT', details: { centers: [owned.id] } });
    const seen = await ask(`{ person(id: "${admin.actor.id}") { onlyAdminOf { centerName } } }`, {}, root);
    expect(seen).toEqual({ onlyAdminOf: [{ centerName: 'Quay School' }] });

    expect(await act('suspendPerson', admin.actor.id, root, { leaveWithoutAdmin: true })).toHaveProperty(
      'id',
    );
    const stranded = '{ strandedMembers(first: 100) { edges { node { id } } } }';
    expect(JSON.stringify(await ask(stranded, {}, root))).toContain(pending.id);
    const APPROVE = `mutation ($id: ID!) { approveMembership(input: { membershipId: $id }) { status } }`;
    expect(await ask(APPROVE, { id: pending.id }, root)).toEqual({ status: 'ACTIVE' });
    // The suspended one is no longer needed, but would not count as a remaining ADMIN.
    const END = `mutation ($id: ID!) { endMembership(input: { membershipId: $id }) { status } }`;
    expect(await ask(END, { id: pending.id }, root)).toBe('CONFLICT');
    expect(await ask(END, { id: admin.membership.id }, root)).toEqual({ status: 'ENDED' });
  });

  test('ends the delegations of the person', async () => {
    const { token: root } = await makeRoot();
    const { center: owned, token: admin } = await makeStage(here.app);
    const away = await makeMember(here.app, owned.id, 'INSTRUCTOR');
    const other = await makeMember(here.app, owned.id, 'INSTRUCTOR');
    const made = await ask('mutation { createGroup(input: { name: "Finance" }) { id } }', {}, admin);
    await ask(
      `mutation ($input: SetGroupMembersInput!) { setGroupMembers(input: $input) { id } }`,
      { input: { id: made.id, membershipIds: [away.membership.id, other.membership.id] } },
      admin,
    );
    const now = Date.now();
    const input = {
      toMembershipId: other.membership.id,
      from: new Date(now).toISOString(),
      until: new Date(now + 86_400_000).toISOString(),
      reason: 'Holiday',
    };
    const DELEGATE = 'mutation ($input: DelegateApprovalsInput!) { delegateApprovals(input: $input) { id } }';
    const { id } = await ask(DELEGATE, { input }, away.token);
    await act('suspendPerson', away.actor.id, root);
    const delegation = await here.app.db.acrossTenants.delegation.findUniqueOrThrow({ where: { id } });
    expect(delegation.endedAt).not.toBeNull();
  });
});

describe('platform admins', () => {
  test('appoint and dismiss others at once in every process', async () => {
    const { token: root } = await makeRoot();
    const { actor, token } = await makeMember(here.app, (await makeCenter(here.app)).id, 'INSTRUCTOR');
    const seesAll = (at: TestApp) => ask('{ allPeople(first: 1) { totalCount } }', {}, token, at);
    expect(await seesAll(there)).toBe('INSUFFICIENT_ROLE');
    expect(await act('grantPlatformAdmin', actor.id, root)).toMatchObject({ platformAdmin: true });
    expect(await act('grantPlatformAdmin', actor.id, root)).toBe('CONFLICT');
    expect(await seesAll(there)).toHaveProperty('totalCount');
    expect(await act('revokePlatformAdmin', actor.id, root)).toMatchObject({ platformAdmin: false });
    expect(await seesAll(there)).toBe('INSUFFICIENT_ROLE');
    expect(await act('revokePlatformAdmin', actor.id, root)).toBe('CONFLICT');
    const { data } = await here.graphql(
      '{ platformAudit(first: 4) { edges { node { target detail } } } }',
      {},
      root,
    );
    const moves = data.platformAudit.edges.map(({ node }: { node: { detail: object } }) => node);
    for (const move of ['appoint_platform_admin', 'dismiss_platform_admin']) {
      expect(moves).toContainEqual({ target: actor.id, detail: { move, email: actor.email } });
    }
  });

  test('cannot all remove one another, however they race', async () => {
    const roots = await Promise.all([makeRoot(), makeRoot()]);
    const [first, second] = roots as [(typeof roots)[0], (typeof roots)[0]];
    const results = await Promise.all([
      act('revokePlatformAdmin', second.root.id, first.token),
      act('suspendPerson', first.root.id, second.token),
    ]);
    expect(results.filter((result) => typeof result === 'object')).toHaveLength(1);
  });

  test('end the sessions of a person, who can sign in again', async () => {
    const { token: root } = await makeRoot();
    const person = await makeActor(here.app, { password });
    const tokens = await Promise.all([1, 2].map(() => makeToken(here.app, person.id, null)));
    for (const token of tokens) expect(await isSignedIn(token, there)).toBe(true);
    expect(await act('endPersonSessions', person.id, root)).toMatchObject({ activeSessions: 0 });
    for (const token of tokens) expect(await isSignedIn(token, there)).toBe(false);
    expect((await signIn(person.email)).status).toBe(200);
  });
});

describe('creating a center as a platform admin', () => {
  const CREATED = `mutation ($input: CreateCenterInput!) { createCenter(input: $input) {
    center { id name centerDomain vertical status } admin { email status } } }`;

  test('invites its administrator, whom the platform admin approves', async () => {
    const { token: root } = await makeRoot();
    const created = await ask(CREATED, center(), root);
    expect(created).toMatchObject({
      center: { name: 'Pier Nine', centerDomain: 'pier-nine', vertical: 'education', status: 'ACTIVE' },
      admin: { email: 'head@example.test', status: 'INVITED' },
    });
    const link = tokenIn(await mailTo(here, 'head@example.test', 'Invitation'));
    const ACCEPT = `mutation ($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { id status } }`;
    const accepted = await ask(ACCEPT, { input: { token: link, password, name: 'Hedda Head' } });
    const APPROVE = `mutation ($id: ID!) { approveMembership(input: { membershipId: $id }) { status } }`;
    expect(await ask(APPROVE, { id: accepted.id }, root)).toEqual({ status: 'ACTIVE' });
  });

  test('with a chosen domain and a partner, and refuses bad ones', async () => {
    const { token: root } = await makeRoot();
    const { partner } = await makePartner(here.app, 'PARTNER_ADMIN', 0);
    const wanted = {
      domain: 'harbor-nine',
      partnerId: partner.id,
      planId: 'center-growth',
      timezone: 'Europe/Lisbon',
    };
    const created = await ask(CREATED, center(wanted), root);
    expect(created.center.centerDomain).toBe('harbor-nine');
    const stored = await here.app.db.acrossTenants.center.findUniqueOrThrow({
      where: { id: created.center.id },
      include: { subscription: true },
    });
    expect([stored.partnerId, stored.subscription?.planId]).toEqual([partner.id, 'center-growth']);
    expect(stored.settings).toMatchObject({ timezone: 'Europe/Lisbon' });
    expect(await ask(CREATED, center({ timezone: 'Europe/Atlantis' }), root)).toBe('VALIDATION_ERROR');
    expect(await ask(CREATED, center({ domain: 'harbor-nine' }), root)).toBe('SUBDOMAIN_TAKEN');
    expect(await ask(CREATED, center({ domain: 'NO' }), root)).toBe('VALIDATION_ERROR');
    expect(await ask(CREATED, center({ partnerId: 'ptn_none' }), root)).toBe('NOT_FOUND');
    expect(await ask(CREATED, center({ planId: 'lms-none' }), root)).toBe('VALIDATION_ERROR');
    expect(await ask(CREATED, center({ adminEmail: 'nobody' }), root)).not.toHaveProperty('center');
    expect(await makeKey(here.app, created.center.id)).toMatch(/^csk_/);
  });
});
