import { describe, expect, test } from 'vitest';
import { makeCenter, makeMember, makeSubscription } from '../../helpers/world.ts';
import { makeProvider, waitWith } from '../../single-sign-on/helpers/people.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { expectGoodScreen, PASSWORD, visitor } from './visitor.ts';

const stage = consoleStage();

/** A member whose company confirmed an identity with the same address, in the browser that waits for the proof. */
async function waitingMember(claims: Record<string, unknown> = {}) {
  const { app } = stage.running;
  const center = await makeCenter(app, { name: 'Harbour Clinic' });
  await makeSubscription(app, center.id, { status: 'ACTIVE' });
  const options = { name: 'Ann Member', password: PASSWORD };
  const member = await makeMember(app, center.id, 'INSTRUCTOR', options);
  const provider = await makeProvider(app, center.id);
  const email = member.actor.email!;
  const sub = `subject of ${email}`;
  const cookie = await waitWith(app, provider, { sub, email, email_verified: true, ...claims });
  const ann = await visitor(stage.browser, stage.running);
  const [name, value] = cookie.split('=') as [string, string];
  await ann.context.addCookies([{ name, value, url: stage.running.url, httpOnly: true, sameSite: 'Lax' }]);
  return { ...ann, center, member, email };
}

const identitiesOf = (actorId: string) =>
  stage.running.app.db.acrossTenants.identity.count({ where: { actorId } });

describe.runIf(hasBrowser)('the page that connects a profile', () => {
  test('Job: Connect your profile. It says whose profile and why, and takes the password', async () => {
    const { page, center, member, email, faults, close } = await waitingMember();
    await page.goto('/connect');
    await page.getByRole('heading', { name: 'Is this your profile?' }).waitFor();
    await page.getByText('Ann Member').waitFor();
    await page.getByText(email, { exact: true }).waitFor();
    await page.getByText('It has the email address that Company Login gave.').waitFor();
    await expectGoodScreen(page, 'connect');
    await page.getByLabel('Password of this profile').fill('not the password');
    await page.getByRole('button', { name: 'Connect this profile' }).click();
    await page.getByRole('alert').waitFor();
    expect(await identitiesOf(member.actor.id)).toBe(0);
    await page.getByLabel('Password of this profile').fill(PASSWORD);
    await page.getByRole('button', { name: 'Connect this profile' }).click();
    await page.waitForURL(`**/c/${center.centerDomain}`);
    expect(await identitiesOf(member.actor.id)).toBe(1);
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    await close();
  });

  test('a link is mailed to the address of the profile', async () => {
    const { page, email, close } = await waitingMember();
    await page.goto('/connect');
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await page.getByText('Check your email').waitFor();
    await expectGoodScreen(page, 'connect-mailed');
    const mails = await stage.running.app.db.acrossTenants.mail.findMany({ where: { recipient: email } });
    expect(mails).toHaveLength(1);
    await close();
  });

  test('the mailed link works in no other browser, and a browser without a sign-in gets the next step', async () => {
    const { page, faults, close } = await visitor(stage.browser, stage.running);
    await page.goto(`/connect#${'x'.repeat(43)}`);
    await page.getByText('Open the link where you signed in').waitFor();
    expect(page.url()).not.toContain('#');
    await expectGoodScreen(page, 'connect-elsewhere');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL('**/sign-in');
    await page.goto('/connect');
    await page.getByRole('heading', { name: 'No sign-in waits here' }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
