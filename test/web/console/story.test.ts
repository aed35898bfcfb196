import { describe, expect, test } from 'vitest';
import { publicPaths } from '../../../src/domain/centers/update.ts';
import { newId } from '../../../src/lib/ids.ts';
import { eventually } from '../../helpers/eventually.ts';
import { freePort } from '../../helpers/free-port.ts';
import { mailTo } from '../../helpers/mail.ts';
import { makeCenter, makeKey, makeMember, makeSubscription } from '../../helpers/world.ts';
import { consumer } from '../../webhooks/consumer.ts';
import { addAuthenticator } from './authenticator.ts';
import { consoleStage, hasBrowser } from './stage.ts';
import { expectGoodScreen, PASSWORD, startSession, visitor } from './visitor.ts';

// Passkeys belong to a host name: this one, not the IP address.
const port = await freePort();
const origin = `http://localhost:${port}`;
const stage = consoleStage({ worker: true, port, env: { PUBLIC_URL: origin } });

const PATIENCE = { timeout: 60_000 };

/** A person with a browser and an authenticator that unlocks immediately. */
async function somebody() {
  const desk = await visitor(stage.browser, { url: origin });
  await addAuthenticator(desk);
  return desk;
}

describe.runIf(hasBrowser)('from an invitation to a proof', () => {
  test('Jobs: Invite a person; Accept an invitation; Add a passkey; Prove a decision to others. A member is invited by mail, approved, signs a decision that an agent requested, and its proof is verified without an account', async () => {
    const { running } = stage;
    const { app } = running;
    const partner = await app.db.acrossTenants.partner.create({
      data: {
        id: newId('ptn'),
        name: 'Coast Group',
        settings: { branding: { name: 'Coastline', tagline: 'Close to the water' } },
      },
    });
    const center = await makeCenter(app, {
      name: 'Harbour Clinic',
      partnerId: partner.id,
      // Nothing withheld, so that the public page can prove all of it.
      settings: { proof: { enabled: true, disclose: [...publicPaths] } },
    });
    await makeSubscription(app, center.id, { status: 'ACTIVE' });
    const admin = await makeMember(app, center.id, 'ADMIN', { name: 'Ada Lovelace', password: PASSWORD });
    const key = await makeKey(app, center.id);
    const hook = await consumer();
    const asAda = async (document: string, input: object) => {
      const answer = await running.graphql(document, { input }, admin.token);
      expect(answer.errors).toBeUndefined();
      return answer.data as Record<string, { id: string }>;
    };
    await asAda('mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { id } }', {
      name: 'Signed by a person',
      scope: 'CENTER',
      actionPattern: '*',
      guards: { humanReviewForAi: true, approverAuthentication: 'SIGNED' },
    });
    await asAda(
      'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }',
      {
        url: hook.url,
        events: ['dpu.sealed'],
      },
    );

    const ada = await somebody();
    await startSession(ada.page, admin.actor.email!);
    await ada.page.goto(`/c/${center.centerDomain}/people`);
    await ada.page.getByRole('button', { name: 'Invite person' }).click();
    await ada.page.getByLabel('Email').fill('grace@example.test');
    await ada.page.getByRole('combobox', { name: 'Role' }).last().click();
    await ada.page.getByRole('option', { name: 'Administrator' }).last().click();
    await ada.page.getByRole('button', { name: 'Send invitation' }).click();
    await ada.page.getByRole('row', { name: /grace@example\.test.*Invited/ }).waitFor();

    const grace = await somebody();
    await grace.page.clock.install();
    const { links } = await mailTo(running, 'grace@example.test');
    await grace.page.goto(links[0]!);
    await grace.page.getByRole('heading', { name: 'Join Harbour Clinic' }).waitFor();
    const forBrand = grace.page.getByText('Countersign runs this service for Coastline.');
    await forBrand.waitFor();
    await expectGoodScreen(grace.page, 'invitation');
    await grace.page.getByLabel('Your name').fill('Grace Hopper');
    await grace.page.getByLabel('Choose a password').fill(PASSWORD);
    await grace.page.getByRole('button', { name: 'Accept invitation' }).click();
    await grace.page.getByText('You have accepted').waitFor();
    await forBrand.waitFor();
    await grace.page.getByText('This page opens the center as soon as that is done.').waitFor();
    await expectGoodScreen(grace.page, 'invitation-accepted');
    await ada.page.getByRole('button', { name: 'Approve Grace Hopper' }).click(PATIENCE);
    await ada.page.getByRole('button', { name: 'Approve Grace Hopper' }).waitFor({ state: 'detached' });
    // The page of the accepted invitation polls four times a minute.
    await grace.page.clock.fastForward(15_000);
    await grace.page.waitForURL(`**/c/${center.centerDomain}`);

    await grace.page.goto('/me');
    await grace.page.getByRole('button', { name: 'Add passkey' }).click();
    await grace.page.getByRole('dialog').getByLabel('Name').fill('My laptop');
    await grace.page.getByRole('button', { name: 'Continue' }).click();
    await grace.page.getByRole('row', { name: /My laptop/ }).waitFor();

    const asked = await running.call('POST', '/v1/agents/decide', {
      token: key,
      body: {
        agent: { id: 'planner', name: 'Planning agent' },
        action: { type: 'plan.adjust', description: 'Raise to three sessions', input: { sessions: 3 } },
        riskScore: 0.2,
      },
    });
    const { eventId, outcome } = asked.body.data;
    expect(outcome).toBe('awaiting_approval');
    await grace.page.goto(`/c/${center.centerDomain}/approvals?event=${eventId}`);
    await grace.page.getByRole('heading', { name: 'Raise to three sessions' }).waitFor();
    await grace.page.getByRole('textbox', { name: 'Reason' }).fill('Agreed with the family.');
    await grace.page.getByRole('button', { name: 'Sign and approve' }).click();
    await grace.page.getByRole('status').getByText('You approved this request.').waitFor();
    await grace.page.goto(`/c/${center.centerDomain}/decisions/${eventId}`);
    await grace.page
      .getByText(/^Grace Hopper approved, signed with a passkey/)
      .first()
      .waitFor();
    await grace.page
      .getByRole('status')
      .getByText(/^Proven/)
      .waitFor();

    await eventually(() => hook.received.some(({ body }) => body.type === 'dpu.sealed'), 60_000);
    await ada.page.goto(`/c/${center.centerDomain}/webhooks`);
    await ada.page.getByRole('link', { name: hook.url }).click();
    await ada.page.getByRole('row', { name: /dpu\.sealed.*Delivered/ }).waitFor(PATIENCE);

    const stranger = await somebody();
    await stranger.page.goto(`/verify/${eventId}`);
    await stranger.page.getByRole('heading', { name: 'Proven', exact: true }).waitFor(PATIENCE);
    const proof = await (await running.fetch(`/verify/${eventId}/proof.json`)).text();
    expect(proof).toContain(eventId);
    expect(proof).toContain('webauthn');

    await stranger.page.goto('/forgot-password');
    await expectGoodScreen(stranger.page, 'forgot-password');
    await stranger.page.getByLabel('Email').fill('grace@example.test');
    await stranger.page.getByRole('button', { name: 'Send link' }).click();
    await stranger.page.getByRole('heading', { name: 'Check your email' }).waitFor();
    const mail = await mailTo(running, 'grace@example.test', 'password');
    await stranger.page.goto(mail.links[0]!);
    await stranger.page.getByLabel('New password').fill(`${PASSWORD} anew`);
    await stranger.page.getByLabel('My laptop').check();
    await expectGoodScreen(stranger.page, 'reset');
    await stranger.page.getByRole('button', { name: 'Set password' }).click();
    await stranger.page.getByText('You were signed out on all devices').waitFor();
    await grace.page.goto(`/c/${center.centerDomain}/approvals`);
    await grace.page.waitForURL('**/sign-in**');
    await grace.page.getByRole('button', { name: /passkey/ }).click();
    await grace.page.waitForURL('**/approvals');

    for (const { faults, close } of [ada, grace, stranger]) {
      // An ended session is a response of the service, not a fault of the page.
      expect(faults.filter((fault) => !/401|Unauthorized/.test(fault))).toEqual([]);
      await close();
    }
  });
});
