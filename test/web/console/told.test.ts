import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { notifyOfDecisions } from '../../../src/domain/notifications/notify.ts';
import { eventually } from '../../helpers/eventually.ts';
import { mailTo } from '../../helpers/mail.ts';
import { makeMember } from '../../helpers/world.ts';
import { decisionDesk } from './decision-desk.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { expectGoodScreen, PASSWORD, startSession, visitor } from './visitor.ts';

const stage = consoleStage({ worker: true });

/** Records what the console shows; the test clicks on it. */
const FAKE_NOTIFICATIONS = `(() => {
  window.shown = [];
  class Shown {
    static get permission() {
      return localStorage.getItem('fake permission') ?? 'default';
    }
    static async requestPermission() {
      localStorage.setItem('fake permission', 'granted');
      return 'granted';
    }
    constructor(title, options) {
      window.shown.push({ title, ...options, click: () => this.onclick() });
    }
    close() {}
  }
  window.Notification = Shown;
  document.hasFocus = () => false;
})()`;

const shown = (page: Page) =>
  page.evaluate('shown.map(({ title, body }) => ({ title, body }))') as Promise<
    { title: string; body: string }[]
  >;

describe.runIf(hasBrowser)('getting told', () => {
  test('Job: Get told about requests. An administrator gets a mail, follows the link, and learns that another one was faster', async () => {
    const { page, ask, center, admin, close } = await decisionDesk(stage);
    const { app } = stage.running;
    const { body } = await ask('Raise to three sessions');
    await notifyOfDecisions(app);
    const mail = await mailTo(stage.running, admin.actor.email!, center.center.name);
    expect(mail.text).toContain('Planning agent');
    const { pathname, search } = new URL(mail.links[0]!);
    // The other one is faster.
    const other = await center.ask(
      'mutation ($input: ApproveDecisionInput!) { approveDecision(input: $input) { evidenceLevel } }',
      { input: { eventId: body.data.eventId, result: 'rejected', reason: 'Too many.' } },
    );
    expect(other).toHaveProperty('evidenceLevel');
    await page.goto(`${pathname}${search}`);
    await page.getByRole('heading', { name: 'Already decided' }).waitFor();
    const name = center.admin.actor.name;
    await page.getByText(`${name} rejected this request`).waitFor();
    await expectGoodScreen(page, 'told-decided');
    await page.goto(`${pathname}?event=evt_missing`);
    await page.getByText('Request not found').waitFor();
    await close();
  });

  test('a member of the group reads who decided, without access to the decision, and Today lists what waits', async () => {
    const { ask, center, path, close } = await decisionDesk(stage);
    const { app } = stage.running;
    const [ines, paul] = await Promise.all(
      ['Ines Instructor', 'Paul Peer'].map((name) =>
        makeMember(app, center.center.id, 'INSTRUCTOR', { name, password: PASSWORD }),
      ),
    );
    const { id: group } = await center.ask('mutation { createGroup(input: { name: "Leads" }) { id } }');
    await center.ask('mutation ($input: SetGroupMembersInput!) { setGroupMembers(input: $input) { id } }', {
      input: { id: group, membershipIds: [ines!.membership.id, paul!.membership.id] },
    });
    await center.policy({ quorum: [{ group, count: 1, authentication: 'SESSION' }] } as never, 'plan.adjust');
    const { body } = await ask('Raise to three sessions');
    await ask('Raise to four sessions');
    const desk = await visitor(stage.browser, stage.running);
    await startSession(desk.page, ines!.actor.email!);
    await desk.page.goto(path);
    await desk.page.getByText('2 requests to approve or reject.').waitFor();
    await desk.page.getByRole('link', { name: /Approvals 2 waiting/ }).waitFor();
    await expectGoodScreen(desk.page, 'told-today');
    await center.ask(
      'mutation ($input: ApproveDecisionInput!) { approveDecision(input: $input) { evidenceLevel } }',
      { input: { eventId: body.data.eventId, result: 'approved' } },
      paul!.token,
    );
    // The number follows without a reload.
    await desk.page.getByRole('link', { name: /Approvals 1 waiting/ }).waitFor();
    await desk.page.goto(`${path}/approvals?event=${body.data.eventId}`);
    await desk.page.getByText('Paul Peer approved this request').waitFor();
    expect(await desk.page.getByText('You do not have access').count()).toBe(0);
    expect(await desk.page.getByText('Exact arguments').count()).toBe(0);
    await expectGoodScreen(desk.page, 'told-decided-by-peer');
    await desk.close();
    await close();
  });

  test('a notification of the browser shows center and title, and a click opens the request', async () => {
    const { page, ask, path, center } = await decisionDesk(stage);
    await page.addInitScript(FAKE_NOTIFICATIONS);
    await page.goto('/me');
    await page.getByRole('heading', { name: 'Notifications about requests' }).waitFor();
    await page.getByRole('button', { name: 'Turn on', exact: true }).click();
    await page.getByRole('button', { name: 'Turn off', exact: true }).waitFor();
    await expectGoodScreen(page, 'told-settings');
    await Promise.all([
      page.waitForResponse((answer) => !!answer.request().postData()?.includes('subscription MyApprovals')),
      page.goto(path),
    ]);
    await ask('Raise to three\u202e sessions');
    await eventually(async () => (await shown(page)).length === 1);
    expect(await shown(page)).toEqual([
      { title: center.center.name, body: 'Waiting for you: Raise to three\\u202e sessions' },
    ]);
    await page.evaluate('shown[0].click()');
    await page.waitForURL(/approvals\?event=evt_/);
    await page.getByRole('heading', { name: /Raise to three/ }).waitFor();
    // The window must not be used again.
    await page.context().close();
  });
});
