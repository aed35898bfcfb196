// A center moves from passwords to a provider of its own: the administrator in a browser, its forty people in browsers and
// over HTTP, with a second process on the same database.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { freePort } from '../../helpers/free-port.ts';
import { makeCenter, makeMember, makeSubscription } from '../../helpers/world.ts';
import { type CompanyProvider, startCompanyProvider } from '../../single-sign-on/helpers/oidc-provider.ts';
import { signInThroughProvider, whoIs } from '../../single-sign-on/helpers/sign-in.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { expectGoodScreen, PASSWORD, startSession, visitor } from './visitor.ts';

const PEOPLE = 40;
const NAME = 'Company Login';

const port = await freePort();
const home = `http://127.0.0.1:${port}`;
const stage = consoleStage({ port, worker: true, env: { PUBLIC_URL: home } });

let provider: CompanyProvider;
let second: TestApp;
beforeAll(async () => {
  provider = await startCompanyProvider({ home });
  second = await startTestApp({ database: stage.running.database, env: { PUBLIC_URL: home } });
}, 120_000);
afterAll(async () => {
  await provider?.stop();
  await second?.close();
});

/** A person with a browser, who may leave for the provider. */
async function someone() {
  const desk = await visitor(stage.browser, { url: home });
  const ownFaults = () => desk.faults.filter((fault) => !fault.startsWith(`asked ${provider.issuer}`));
  return { ...desk, ownFaults };
}

interface Member {
  subject: string;
  email: string;
  token: string;
  actorId: string;
  membershipId: string;
}

/** A center whose people sign in with passwords. The first one is an administrator. */
async function centerWithPasswords() {
  const { app } = stage.running;
  const center = await makeCenter(app, { name: 'Harbour Clinic' });
  await makeSubscription(app, center.id, { status: 'ACTIVE', seatLimit: PEOPLE });
  const people: Member[] = [];
  for (let n = 0; n < PEOPLE; n++) {
    const name = n === 0 ? 'Ada Lovelace' : `Person ${n}`;
    const role = n === 0 ? 'ADMIN' : 'INSTRUCTOR';
    const { actor, membership, token } = await makeMember(app, center.id, role, { name, password: PASSWORD });
    const email = actor.email!;
    people.push({ subject: `subject-${n}`, email, token, actorId: actor.id, membershipId: membership.id });
    provider.accounts.set(`subject-${n}`, { name, email, email_verified: true, groups: ['staff'] });
  }
  const [ada] = people;
  const groupId = async (name: string, membershipIds: string[]) => {
    const { data } = await stage.running.graphql(
      'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { id } }',
      { input: { name } },
      ada!.token,
    );
    const { id } = data.createGroup;
    const set = await stage.running.graphql(
      'mutation ($input: SetGroupMembersInput!) { setGroupMembers(input: $input) { id } }',
      { input: { id, membershipIds } },
      ada!.token,
    );
    expect(set.errors).toBeUndefined();
    return id as string;
  };
  const ids = people.map(({ membershipId }) => membershipId);
  await groupId('Finance', ids.slice(0, 10));
  await groupId('Medical board', ids.slice(5, 25));
  return { center, people, ada: ada! };
}

/** Who is a member, who is in which group, and how many people there are. */
async function peopleOf(centerId: number) {
  const db = stage.running.app.db.acrossTenants;
  const memberships = await db.membership.findMany({ where: { centerId }, orderBy: { id: 'asc' } });
  const groups = await db.approvalGroup.findMany({
    where: { centerId },
    orderBy: { id: 'asc' },
    include: { members: { orderBy: { membershipId: 'asc' } } },
  });
  return {
    memberships: memberships.map(({ id, actorId, role, status }) => ({ id, actorId, role, status })),
    groups: groups.map(({ name, members }) => ({
      name,
      ids: members.map(({ membershipId }) => membershipId),
    })),
    ownPeople: await db.actor.count({ where: { homeCenterId: centerId } }),
  };
}

const SETTINGS = '/settings/sign-in';

/** Enters the settings of the provider, tries them in another tab, and saves them. */
async function setUpProvider(page: Page, domain: string) {
  await page.goto(`/c/${domain}/settings`);
  await page.getByRole('link', { name: 'Set up company sign-in' }).click();
  await page.getByText(`${home}/auth/oidc/callback`).waitFor();
  await page.getByRole('combobox', { name: 'Provider' }).click();
  await page.getByRole('option', { name: 'Another provider' }).click();
  await page.getByLabel('Issuer').fill(provider.issuer);
  await page.getByLabel('Client ID').fill(provider.clientId);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Enter the client secret.').waitFor();
  await page.getByText('Choose the role of the people who are created').waitFor();
  await page.getByLabel('Client secret').fill(provider.clientSecret);
  await page.getByLabel('Claim with the groups').fill('groups');
  await page.getByRole('button', { name: 'Map a group' }).click();
  await page.getByLabel('Entry 1: group').fill('staff');
  await page.getByRole('button', { name: 'Map a group' }).click();
  await page.getByLabel('Entry 2: group').fill('bosses');
  await page.getByRole('combobox', { name: 'Entry 2: role' }).click();
  await page.getByRole('listbox').getByRole('option', { name: 'Administrator' }).click();
  await page.getByRole('button', { name: 'Move entry 2 up' }).click();
  expect(await page.getByLabel('Entry 1: group').inputValue()).toBe('bosses');
  const openTest = async () => {
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Test this provider' }).click();
    return opened;
  };
  const refused = await openTest();
  await refused.getByRole('link', { name: 'Sign in as subject-1', exact: true }).waitFor();
  await refused.goto(`${refused.url()}?account=refuse`);
  await refused.getByText('The test failed').waitFor();
  await refused.close();
  await page.getByText('The test failed').waitFor();
  await page.getByText('The identity provider refused the sign-in.').waitFor();
  const tab = await openTest();
  await tab.getByRole('link', { name: 'Sign in as subject-1', exact: true }).click();
  await tab.getByText('The test succeeded').waitFor();
  await expectGoodScreen(tab, 'provider-test');
  await tab.close();
  await page.getByText('The test succeeded').waitFor();
  await page.getByText(/proof that the profile of Person 1 is theirs/).waitFor();
  await page.getByText('"subject-1"').first().waitFor();
  await expectGoodScreen(page, 'sign-in-settings-tested');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  await page.getByText(/^These settings were last tested successfully/).waitFor();
  expect(await page.content()).not.toContain(provider.clientSecret);
}

/** Why a process refuses a member's request in the center; undefined if it does not. */
const refusalAt = async ({ graphql }: TestApp, token: string) =>
  (await graphql('{ bookingGuests { actorId } }', {}, token)).errors?.[0]?.extensions;

const CONFIRM = `mutation ($input: ConfirmIdentityInput!) {
  confirmIdentity(input: $input) { landing { kind centerDomain } }
}`;

describe.runIf(hasBrowser)('company sign-in', () => {
  test('Jobs: Set up company sign-in; Require company sign-in. Forty members with passwords move to a provider, each stays one person with one seat and their groups, an administrator gets in while the provider is off, and a user whom the directory deactivates loses the console in both processes', async () => {
    const { running } = stage;
    const { center, people, ada } = await centerWithPasswords();
    const domain = center.centerDomain;
    const before = await peopleOf(center.id);

    const admin = await someone();
    await startSession(admin.page, ada.email);
    await setUpProvider(admin.page, domain);

    // Without an administrator who gets in anyway, the provider cannot be required.
    const require = () => admin.page.getByRole('button', { name: `Require ${NAME}` });
    await require().click();
    const dialog = admin.page.getByRole('dialog');
    await dialog.getByText(/^Mark an administrator under/).waitFor();
    await dialog.getByText(`${PEOPLE} members would be locked out`).waitFor();
    await dialog.getByText('Ada Lovelace (you)').waitFor();
    expect(await require().last().isDisabled()).toBe(true);
    await admin.page.keyboard.press('Escape');
    await admin.page.getByRole('button', { name: 'Mark Ada Lovelace' }).click();
    await admin.page.getByRole('row', { name: /Ada Lovelace.*Marked/ }).waitFor();
    await require().click();
    await dialog.getByText(`${PEOPLE - 1} members would be locked out`).waitFor();
    await expectGoodScreen(admin.page, 'require-provider');
    await admin.page.keyboard.press('Escape');

    // One of them in a browser.
    const [, first] = people;
    const grace = await someone();
    await grace.page.goto(`/sign-in?center=${domain}`);
    await grace.page.getByRole('link', { name: `Continue with ${NAME}` }).click();
    await grace.page.getByRole('link', { name: 'Sign in as subject-1', exact: true }).click();
    await grace.page.waitForURL('**/connect');
    await grace.page.getByLabel('Password of this profile').fill(PASSWORD);
    await grace.page.getByRole('button', { name: 'Connect this profile' }).click();
    await grace.page.waitForURL(`**/c/${domain}`);
    const graceToken = (await grace.context.cookies()).find(({ name }) => name === 'auth_token')!.value;
    expect((await whoIs(running, graceToken)).actorId).toBe(first!.actorId);

    // The others over HTTP, as their browsers would.
    const others = [ada, ...people.slice(2)];
    const moveAtProvider = async ({ subject, actorId }: Member) => {
      const { url, visitor: browser } = await signInThroughProvider(running, center, subject);
      expect(url.pathname).toBe('/connect');
      const answer = await browser.request(`${home}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: CONFIRM, variables: { input: { password: PASSWORD } } }),
      });
      expect(((await answer.json()) as { errors?: unknown }).errors).toBeUndefined();
      expect((await whoIs(running, browser.cookie(home, 'auth_token'))).actorId).toBe(actorId);
    };
    // Eight at a time: all at once would wait for one lock longer than the service lets them on a slow machine.
    for (let at = 0; at < others.length; at += 8)
      await Promise.all(others.slice(at, at + 8).map(moveAtProvider));
    // From now on the provider alone signs them in.
    const again = await signInThroughProvider(running, center, 'subject-7');
    expect((await whoIs(running, again.token)).actorId).toBe(people[7]!.actorId);

    expect(await peopleOf(center.id)).toEqual(before);
    expect(before).toMatchObject({ ownPeople: 0, memberships: { length: PEOPLE } });
    const identities = await running.app.db.acrossTenants.identity.findMany({
      where: { centerId: center.id },
    });
    expect(new Set(identities.map(({ actorId }) => actorId)).size).toBe(PEOPLE);
    expect(identities).toHaveLength(PEOPLE);
    const { data: seats } = await running.graphql('{ centerSubscription { seatUsed } }', {}, ada.token);
    expect(seats.centerSubscription.seatUsed).toBe(PEOPLE);

    // No one would be locked out any more.
    await admin.page.goto(`/c/${domain}${SETTINGS}`);
    await require().click();
    await dialog.getByText(/^Ada Lovelace can still sign in/).waitFor();
    expect(await dialog.getByText(/locked out/).count()).toBe(0);
    await require().last().click();
    await admin.page.getByText(`Only ${NAME}`).waitFor();
    await expectGoodScreen(admin.page, 'sign-in-settings-required');
    const closed = { code: 'FORBIDDEN', details: { reason: 'provider_required', provider: NAME } };
    for (const house of [running, second]) {
      await eventually(async () => (await refusalAt(house, people[3]!.token)) !== undefined);
      expect(await refusalAt(house, people[3]!.token)).toMatchObject(closed);
    }

    await admin.page.goto(`/c/${domain}/people?role=ADMIN`);
    await admin.page.getByRole('row', { name: /Ada Lovelace.*Emergency access/ }).waitFor();
    await admin.page.goto(`/c/${domain}/people?search=Person%209`);
    await admin.page.getByRole('row', { name: new RegExp(`Person 9.*Account, ${NAME}`) }).waitFor();
    await expectGoodScreen(admin.page, 'people-company-sign-in');
    await admin.page.getByRole('link', { name: 'Person 9' }).click();
    await admin.page.getByText('subject-9').waitFor();
    await expectGoodScreen(admin.page, 'person-company-sign-in');

    // The directory deactivates a person who is at work.
    const { data: made } = await running.graphql(
      'mutation { createScimToken(input: { name: "Directory" }) { plaintext } }',
      {},
      ada.token,
    );
    const leaving = await signInThroughProvider(running, center, 'subject-9');
    await grace.page.getByRole('heading').first().waitFor();
    const deactivate = (membershipId: string) =>
      running.fetch(`/scim/v2/Users/${membershipId}`, {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${made.createScimToken.plaintext}`,
          'content-type': 'application/scim+json',
        },
        body: JSON.stringify({
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
        }),
      });
    for (const house of [running, second]) expect(await refusalAt(house, leaving.token!)).toBeUndefined();
    expect((await deactivate(people[9]!.membershipId)).status).toBe(200);
    await Promise.all(
      [running, second].map((house) =>
        eventually(async () => (await refusalAt(house, leaving.token!)) !== undefined, 1_000),
      ),
    );
    expect((await deactivate(first!.membershipId)).status).toBe(200);
    await grace.page.goto(`/c/${domain}/certificates`);
    await grace.page.waitForURL('**/sign-in**');

    // The provider refuses a sign-in, and then is off.
    expect((await signInThroughProvider(running, center, 'refuse')).error).toBe('FORBIDDEN');
    await provider.stop();
    await expect(signInThroughProvider(running, center, 'subject-8')).rejects.toThrow('fetch failed');
    const rescuer = await someone();
    await rescuer.page.goto(`/sign-in?center=${domain}`);
    await rescuer.page.getByRole('button', { name: 'Emergency access' }).click();
    await rescuer.page.getByLabel('Email').fill(ada.email);
    await rescuer.page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await rescuer.page.keyboard.press('Enter');
    await rescuer.page.waitForURL(`**/c/${domain}`);
    await rescuer.page.goto(`/c/${domain}${SETTINGS}`);
    await rescuer.page
      .getByRole('row', { name: /The identity provider refused the sign-in.*FORBIDDEN.*req_/ })
      .waitFor();
    await expectGoodScreen(rescuer.page, 'sign-in-settings-failures');
    await rescuer.page.getByRole('button', { name: 'Make it optional' }).click();
    await rescuer.page.getByText(`${NAME}, password or passkey`).waitFor();
    expect([...admin.ownFaults(), ...rescuer.ownFaults()]).toEqual([]);
    for (const each of [admin, grace, rescuer]) await each.close();
  });
});
