import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { mailTo, tokenIn } from '../helpers/mail.ts';
import { makeCenter, makeMember } from '../helpers/world.ts';
import { makeProvider, makeScimUser, refusalOf, signInWith, waitWith } from './helpers/people.ts';

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
