import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, testApp } from '../helpers/app.ts';
import { mailTo, tokenIn } from '../helpers/mail.ts';
import { makeCenter, makeMember, makeSubscription } from '../helpers/world.ts';
import { claimsOf, makeProvider, makeScimUser, signInWith, waitWith } from './helpers/people.ts';

const PASSWORD = 'correct horse battery';

let it: TestApp;
beforeAll(async () => {
  it = await startTestApp({ worker: true });
});
afterAll(() => it.close());

const db = () => it.app.db.acrossTenants;

/** A center with a provider and a member who has an account with a password. */
async function movedCenter(settings: Parameters<typeof makeProvider>[2] = {}) {
  const center = await makeCenter(it.app);
  const provider = await makeProvider(it.app, center.id, settings);
  const email = `member-${randomUUID()}@corp.test`;
  const member = await makeMember(it.app, center.id, 'INSTRUCTOR', {
    email,
    name: 'Mia Member',
    password: PASSWORD,
  });
  const claims = { sub: randomUUID(), email, email_verified: true, name: 'Mia at Corp' };
  return { center, provider, member, email, claims };
}

/** A GraphQL request with cookies, as the page /connect sends it. */
async function ask(query: string, cookie = '', variables: Record<string, unknown> = {}) {
  const response = await it.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ query, variables }),
  });
  return { ...(await response.json()), cookies: response.headers.getSetCookie() };
}

const CONFIRM = `mutation ($input: ConfirmIdentityInput!) {
  confirmIdentity(input: $input) { accessToken actor { id } center { id } landing { kind } } }`;
const confirm = (cookie: string, input: Record<string, unknown>) => ask(CONFIRM, cookie, { input });
const codeOf = ({ errors }: { errors?: { extensions: { code: string } }[] }) => errors?.[0]?.extensions.code;

const WAITING = `{ waitingIdentity { centerName centerDomain providerName issuer name email matchedBy hasAccount next expiresAt } }`;

test('an account joins its identity with its password, and signs in by itself from then on', async () => {
  const { center, provider, member, email, claims } = await movedCenter();
  const cookie = await waitWith(it.app, provider, claims);
  const { data } = await ask(WAITING, cookie);
  expect(data.waitingIdentity).toMatchObject({
    centerName: center.name,
    providerName: 'Company Login',
    issuer: provider.issuer,
    name: 'Mia Member',
    email,
    matchedBy: 'ADDRESS',
    hasAccount: true,
  });
  const confirmed = await confirm(cookie, { password: PASSWORD });
  expect(confirmed.data.confirmIdentity).toMatchObject({
    actor: { id: member.actor.id },
    center: { id: center.id },
  });
  expect(confirmed.cookies.some((each: string) => each.startsWith('auth_token='))).toBe(true);
  expect(confirmed.cookies.some((each: string) => /^connect=;/.test(each))).toBe(true);
  const again = await signInWith(it.app, provider, claims);
  expect(again.actor.id).toBe(member.actor.id);
  expect(await db().membership.count({ where: { centerId: center.id } })).toBe(1);
  expect((await mailTo(it, email, 'connected')).text).toContain('Company Login');
  const audited = await db().auditEntry.findMany({
    where: { actorId: member.actor.id, type: 'api_key.changed' },
  });
  expect(audited.map(({ centerId }) => centerId).sort()).toEqual([center.id, null].sort());
  // The account itself stays as it was.
  expect(await db().actor.findUniqueOrThrow({ where: { id: member.actor.id } })).toMatchObject({
    name: 'Mia Member',
    email,
  });
});

test('a wrong password, another browser and a second use connect nothing', async () => {
  const { provider, claims, center } = await movedCenter();
  const cookie = await waitWith(it.app, provider, claims);
  expect(codeOf(await confirm(cookie, { password: 'wrong' }))).toBe('INVALID_CREDENTIALS');
  expect(codeOf(await confirm('', { password: PASSWORD }))).toBe('UNAUTHORIZED');
  expect(codeOf(await confirm('connect=guessed', { password: PASSWORD }))).toBe('UNAUTHORIZED');
  expect(await db().identity.count({ where: { centerId: center.id } })).toBe(0);
  expect((await confirm(cookie, { password: PASSWORD })).data.confirmIdentity).not.toBeNull();
  expect(codeOf(await confirm(cookie, { password: PASSWORD }))).toBe('UNAUTHORIZED');
});

test('a mailed link proves the profile once, and only in the browser that signed in', async () => {
  const { provider, email, claims, member } = await movedCenter();
  const cookie = await waitWith(it.app, provider, claims);
  expect((await ask('mutation { mailIdentityLink }', cookie)).data).toEqual({ mailIdentityLink: true });
  const token = tokenIn(await mailTo(it, email, 'Connect'));
  expect(await db().mail.count({ where: { about: { string_contains: token } } })).toBe(0);
  expect(codeOf(await confirm('', { token }))).toBe('UNAUTHORIZED');
  const stranger = await movedCenter();
  const strangersCookie = await waitWith(it.app, stranger.provider, stranger.claims);
  expect(codeOf(await confirm(strangersCookie, { token }))).toBe('INVALID_CREDENTIALS');
  expect((await confirm(cookie, { token })).data.confirmIdentity.actor.id).toBe(member.actor.id);
  expect(codeOf(await confirm(cookie, { token }))).toBe('UNAUTHORIZED');
});

describe('a profile that someone has used before', () => {
  /** A person of the center who has signed in at an earlier provider. */
  async function personWithPast(options: { verified?: boolean } = {}) {
    const center = await makeCenter(it.app);
    const domain = `${randomUUID()}.test`;
    const provider = await makeProvider(it.app, center.id);
    const claims = claimsOf({ email: `vera@${domain}`, name: 'Vera Veteran' });
    const { actor } = await signInWith(it.app, provider, claims);
    if (options.verified !== false) {
      const verifiedAt = new Date();
      await db().emailDomain.create({ data: { centerId: center.id, domain, challenge: 'x', verifiedAt } });
    }
    const membership = await db().membership.findFirstOrThrow({ where: { actorId: actor.id } });
    return { center, domain, provider, claims, actor, membership };
  }

  /** The ADMIN replaces the provider by one of their own. */
  const swapProvider = (centerId: number) =>
    db().identityProvider.update({ where: { centerId }, data: { issuer: `https://evil-${centerId}.test` } });

  test('is not taken over by a provider that an ADMIN swapped in', async () => {
    const { center, claims, actor } = await personWithPast();
    const evil = await swapProvider(center.id);
    // Neither the subject nor the address of the old provider opens the profile.
    const cookie = await waitWith(it.app, evil, claims);
    expect((await ask(WAITING, cookie)).data.waitingIdentity).toMatchObject({
      name: 'Vera Veteran',
      hasAccount: false,
      matchedBy: 'ADDRESS',
    });
    expect(codeOf(await confirm(cookie, { password: PASSWORD }))).toBe('INVALID_CREDENTIALS');
    expect(codeOf(await confirm(cookie, { token: 'guessed' }))).toBe('INVALID_CREDENTIALS');
    expect(await db().identity.count({ where: { actorId: actor.id } })).toBe(1);
    expect(await db().session.count({ where: { actorId: actor.id } })).toBe(1);
  });

  test('is joined by its owner through the mailbox with which they last signed in', async () => {
    const { center, claims, actor } = await personWithPast();
    const next = await swapProvider(center.id);
    const cookie = await waitWith(it.app, next, { ...claims, sub: randomUUID() });
    await ask('mutation { mailIdentityLink }', cookie);
    const token = tokenIn(await mailTo(it, claims.email, 'Connect'));
    expect((await confirm(cookie, { token })).data.confirmIdentity.actor.id).toBe(actor.id);
    expect(await db().membership.count({ where: { centerId: center.id } })).toBe(1);
  });

  test('is not taken over by setting its externalId and address in the directory', async () => {
    const { center, domain, provider, claims, actor, membership } = await personWithPast();
    const evil = claimsOf({ email: `mallory@${domain}` });
    const user = { externalId: evil.sub, email: evil.email };
    await makeScimUser(it.app, { centerId: center.id, membershipId: membership.id }, user);
    const cookie = await waitWith(it.app, provider, evil);
    const { waitingIdentity } = (await ask(WAITING, cookie)).data;
    expect(waitingIdentity).toMatchObject({ matchedBy: 'EXTERNAL_ID', email: `v…@${domain}` });
    expect((await ask('mutation { mailIdentityLink }', cookie)).data.mailIdentityLink).toBe(true);
    await mailTo(it, claims.email, 'Connect');
    expect(await db().mail.count({ where: { recipient: evil.email } })).toBe(0);
    expect(await db().identity.count({ where: { actorId: actor.id } })).toBe(1);
  });

  test('gets no mail at an address in a domain that the center has not verified', async () => {
    const { center, claims } = await personWithPast({ verified: false });
    const next = await swapProvider(center.id);
    const cookie = await waitWith(it.app, next, { ...claims, sub: randomUUID() });
    expect((await ask(WAITING, cookie)).data.waitingIdentity.email).toBeNull();
    expect((await ask('mutation { mailIdentityLink }', cookie)).data.mailIdentityLink).toBe(true);
    expect(await db().mail.count({ where: { recipient: claims.email } })).toBe(0);
  });

  test('keeps its account out of reach of the directory', async () => {
    const { center, provider, member, email } = await movedCenter();
    const evil = claimsOf();
    const user = { externalId: evil.sub, email: evil.email };
    await makeScimUser(it.app, { centerId: center.id, membershipId: member.membership.id }, user);
    const cookie = await waitWith(it.app, provider, evil);
    expect((await ask(WAITING, cookie)).data.waitingIdentity).toMatchObject({
      email: 'm…@corp.test',
      hasAccount: true,
    });
    await ask('mutation { mailIdentityLink }', cookie);
    await mailTo(it, email, 'Connect');
    expect(await db().mail.count({ where: { recipient: evil.email } })).toBe(0);
  });
});

test('a waiting sign-in ends with its provider, its ten minutes and the membership', async () => {
  const { center, provider, member, claims } = await movedCenter();
  const cookie = await waitWith(it.app, provider, claims);
  const input = { password: PASSWORD };
  await db().waitingIdentity.updateMany({ where: { centerId: center.id }, data: { expiresAt: new Date() } });
  expect((await ask(WAITING, cookie)).data.waitingIdentity).toBeNull();
  expect(codeOf(await confirm(cookie, input))).toBe('UNAUTHORIZED');
  const expiresAt = new Date(Date.now() + 60_000);
  await db().waitingIdentity.updateMany({ where: { centerId: center.id }, data: { expiresAt } });
  await db().identityProvider.update({ where: { centerId: center.id }, data: { clientId: 'other' } });
  expect(codeOf(await confirm(cookie, input))).toBe('UNAUTHORIZED');
  await db().identityProvider.update({
    where: { centerId: center.id },
    data: { clientId: provider.clientId },
  });
  const where = { id: member.membership.id };
  await db().membership.update({ where, data: { status: 'SUSPENDED' } });
  expect(codeOf(await confirm(cookie, input))).toBe('MEMBERSHIP_SUSPENDED');
  await db().membership.update({ where, data: { status: 'ENDED', endedAt: new Date() } });
  expect(codeOf(await confirm(cookie, input))).toBe('MEMBERSHIP_ENDED');
  expect(await db().identity.count({ where: { centerId: center.id } })).toBe(0);
});

test('a member who waits for approval gets a seat by proving the profile, if one is left', async () => {
  const { center, provider, member, claims } = await movedCenter();
  await db().membership.update({ where: { id: member.membership.id }, data: { status: 'PENDING' } });
  await makeSubscription(it.app, center.id, { seatLimit: 0 });
  const cookie = await waitWith(it.app, provider, claims);
  expect(codeOf(await confirm(cookie, { password: PASSWORD }))).toBe('CONFLICT');
  expect(await db().identity.count({ where: { centerId: center.id } })).toBe(0);
  await db().subscription.update({ where: { centerId: center.id }, data: { seatLimit: 1 } });
  expect((await confirm(cookie, { password: PASSWORD })).errors).toBeUndefined();
});

test('the claims of the sign-in set the role once the profile is proven', async () => {
  const { center, provider, member, claims } = await movedCenter({
    groupsClaim: 'groups',
    roleByGroup: [{ group: 'heads', role: 'ADMIN' }],
  });
  const cookie = await waitWith(it.app, provider, { ...claims, groups: ['heads'] });
  expect((await confirm(cookie, { password: PASSWORD })).errors).toBeUndefined();
  const row = await db().membership.findUniqueOrThrow({ where: { id: member.membership.id } });
  expect([row.role, row.centerId]).toEqual(['ADMIN', center.id]);
});

test.each([{}, { password: 'a', token: 'b' }, { response: {} }, { token: '' }])(
  'a malformed proof %j is refused and uses nothing up',
  async (input) => {
    const { provider, claims } = await movedCenter();
    const cookie = await waitWith(it.app, provider, claims);
    expect(['VALIDATION_ERROR', 'BAD_REQUEST']).toContain(codeOf(await confirm(cookie, input)));
    expect((await confirm(cookie, { password: PASSWORD })).errors).toBeUndefined();
  },
);

test('without a sign-in nothing is shown and nothing is mailed', async () => {
  expect((await ask(WAITING)).data.waitingIdentity).toBeNull();
  expect((await ask('mutation { mailIdentityLink }', 'connect=guessed')).data.mailIdentityLink).toBe(true);
});

test('proofs are guessed no faster than passwords', async () => {
  const limited = await testApp({ database: it.database, env: { RATE_AUTH: '2' } });
  const { provider, claims } = await movedCenter();
  const cookie = await waitWith(it.app, provider, claims);
  const guess = async () => {
    const response = await limited.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ query: CONFIRM, variables: { input: { password: 'wrong' } } }),
    });
    return codeOf(await response.json());
  };
  expect([await guess(), await guess(), await guess()]).toEqual([
    'INVALID_CREDENTIALS',
    'INVALID_CREDENTIALS',
    'RATE_LIMITED',
  ]);
});
