import { describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../helpers/app.ts';
import { mailTo, tokenIn } from '../helpers/mail.ts';
import { makeActor, makeCenter, makePartner, makeStage, makeToken } from '../helpers/world.ts';

const draft = (changes: object = {}) => ({
  partnerName: 'Lighthouse Group',
  centerName: 'Lighthouse One',
  subdomain: 'lighthouse-one',
  vertical: 'welfare',
  planId: 'center-growth',
  adminEmail: 'Lead@Example.test',
  adminName: 'Lee Lead',
  ...changes,
});

const PASSWORD = 'a long enough password';
const accept = ({ graphql }: TestApp, token: string, name?: string) =>
  graphql(`mutation ($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { status } }`, {
    input: { token, password: PASSWORD, name },
  });

/** Accepts as the owner of the mailbox, and signs in. */
async function accepted(running: TestApp, email: string, name?: string): Promise<string> {
  const { data } = await accept(running, tokenIn(await mailTo(running, email, 'Invitation')), name);
  expect(data.acceptInvitation.status).toBe('PENDING');
  const { body } = await running.call('POST', '/auth/login', { body: { email, password: PASSWORD } });
  return body.data.accessToken;
}

async function stage() {
  const running = await testApp({ worker: true });
  const root = await makeActor(running.app, { platformAdmin: true });
  const token = await makeToken(running.app, root.id, null);
  const onboard = (changes: object = {}) =>
    running.call('POST', '/admin/partners/onboard', { token, body: draft(changes) });
  return { ...running, token, onboard };
}

describe('onboarding a partner', () => {
  test('creates the partner and its center, and invites the person who will run both', async () => {
    const running = await stage();
    const { app, call, onboard, token } = running;
    const { status, body } = await onboard();
    expect(status).toBe(201);
    const { partner, center, admin } = body.data;
    expect(partner).toMatchObject({ id: expect.stringMatching(/^ptn_/), name: 'Lighthouse Group' });
    expect(center).toMatchObject({ centerDomain: 'lighthouse-one', vertical: 'welfare', memberCount: 0 });
    expect(admin).toEqual({
      actorId: null,
      email: 'lead@example.test',
      name: 'Lee Lead',
      role: 'PARTNER_ADMIN',
      membershipId: expect.stringMatching(/^mbr_/),
      status: 'INVITED',
    });
    // Until the owner of that mailbox accepts, nothing changes.
    expect(await app.db.acrossTenants.actor.count({ where: { email: admin.email } })).toBe(0);
    expect(await app.db.acrossTenants.partnerMembership.count()).toBe(0);

    const lead = await accepted(running, admin.email, 'Lee, as I am called');
    expect((await call('GET', '/partner/centers', { token: lead })).body.data).toEqual([center]);
    const { data } = await running.graphql(
      `mutation ($id: ID!) { approveMembership(input: { membershipId: $id }) { status name } }`,
      { id: admin.membershipId },
      token,
    );
    expect(data.approveMembership).toEqual({ status: 'ACTIVE', name: 'Lee, as I am called' });
    const switched = await call('POST', '/auth/switch-center', {
      token: lead,
      body: { centerId: center.id },
    });
    const inside = switched.body.data.accessToken;
    expect((await call('GET', '/center/subscription', { token: inside })).body.data.planId).toBe(
      'center-growth',
    );
    const audit = (await call('GET', '/partner/audit', { token: lead })).body.data;
    const types = new Set(audit.map(({ type }: { type: string }) => type));
    expect([...types].sort()).toEqual([
      'auth.signed_in',
      'center.created',
      'membership.moved',
      'partner.onboarded',
    ]);
  });

  test('a person who works for another partner cannot accept', async () => {
    const running = await stage();
    await running.onboard();
    await accepted(running, 'lead@example.test');
    expect((await running.onboard({ subdomain: 'lighthouse-two' })).body.data.admin.status).toBe('INVITED');
    const mail = await mailTo(running, 'lead@example.test', 'Invitation', 2);
    const { errors } = await accept(running, tokenIn(mail));
    expect(errors![0]!.extensions.code).toBe('CONFLICT');
    expect(await running.app.db.acrossTenants.partnerMembership.count()).toBe(1);
  });

  test('creates nothing if any part is invalid', async () => {
    const { app, onboard } = await stage();
    await makeCenter(app, { domain: 'taken-name' });
    const refusals: [object, number, string][] = [
      [{ subdomain: 'taken-name' }, 409, 'SUBDOMAIN_TAKEN'],
      [{ subdomain: 'www' }, 409, 'SUBDOMAIN_TAKEN'],
      [{ subdomain: 'No Good' }, 400, 'INVALID_SUBDOMAIN'],
      [{ planId: 'gold' }, 400, 'VALIDATION_ERROR'],
      [{ adminEmail: 'nobody' }, 400, 'INVALID_EMAIL'],
      [{ adminName: undefined }, 400, 'MISSING_REQUIRED_FIELD'],
    ];
    for (const [changes, status, code] of refusals) {
      const answer = await onboard(changes);
      expect([changes, answer.status, answer.body.error.code]).toEqual([changes, status, code]);
    }
    expect(await app.db.acrossTenants.partner.count()).toBe(0);
    expect(await app.db.acrossTenants.actor.count({ where: { email: 'lead@example.test' } })).toBe(0);
    expect(await app.db.acrossTenants.mail.count()).toBe(0);
    expect((await onboard()).status).toBe(201);
  });

  test('is restricted to platform administrators', async () => {
    const { app, call } = await stage();
    const partner = await makePartner(app);
    const center = await makeStage(app);
    for (const token of [partner.token, center.token]) {
      const answer = await call('POST', '/admin/partners/onboard', { token, body: draft() });
      expect([answer.status, answer.body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE']);
    }
  });
});

describe('white-label configuration', () => {
  const SET_DOMAIN = `mutation ($id: Int!, $domain: String) {
    updatePartnerCenter(input: { centerId: $id, customDomain: $domain }) { id } }`;

  async function whiteLabel() {
    const running = await testApp();
    const { partner, token } = await makePartner(running.app, 'PARTNER_ADMIN', 0);
    await running.call('PATCH', '/partner/settings', {
      token,
      body: { branding: { color: 'teal', logo: 'partner.svg' }, features: { booking: true }, secret: 'kept' },
    });
    const { body } = await running.call('POST', '/partner/centers', {
      token,
      body: { name: 'Coral', tenantType: 'WHITE_LABEL', vertical: 'commerce', adminEmail: 'c@example.test' },
    });
    const config = (domain: string) => running.call('GET', `/whitelabel/${domain}/config`);
    return { ...running, partner, token, center: body.data, config };
  }

  test('comes from the partner, overridden by the center, by slug or custom domain', async () => {
    const { app, graphql, token, center, config } = await whiteLabel();
    await app.db.acrossTenants.center.update({
      where: { id: center.id },
      data: { settings: { branding: { color: 'coral' }, features: { chat: false } } },
    });
    expect(
      (await graphql(SET_DOMAIN, { id: center.id, domain: 'Shop.Coral.example' }, token)).errors,
    ).toBeUndefined();
    const expected = {
      centerDomain: 'coral',
      name: 'Coral',
      branding: { color: 'coral', logo: 'partner.svg' },
      features: { booking: true, chat: false },
    };
    for (const domain of ['coral', 'shop.coral.example', 'SHOP.coral.example']) {
      const { status, body } = await config(domain);
      expect([status, body]).toEqual([200, { success: true, data: expected }]);
    }
    await graphql(SET_DOMAIN, { id: center.id, domain: null }, token);
    expect((await config('shop.coral.example')).body.error.code).toBe('CENTER_NOT_FOUND');
  });

  test('custom domains require a white-label center and are unique', async () => {
    const { app, graphql, token, partner, center } = await whiteLabel();
    const plain = await makeCenter(app, { partnerId: partner.id });
    const code = async (id: number, domain: string) =>
      (await graphql(SET_DOMAIN, { id, domain }, token)).errors?.[0]?.extensions.code;
    expect(await code(plain.id, 'plain.example')).toBe('VALIDATION_ERROR');
    expect(await code(center.id, 'not a domain')).toBe('VALIDATION_ERROR');
    expect(await code(center.id, 'coral.example')).toBeUndefined();
    const second = await app.db.acrossTenants.center.create({
      data: {
        name: 'S',
        centerDomain: 'second',
        vertical: 'commerce',
        tenantType: 'WHITE_LABEL',
        partnerId: partner.id,
      },
    });
    expect(await code(second.id, 'coral.example')).toBe('CONFLICT');
  });

  test('unknown and ended centers are not found, suspended ones are reported as suspended', async () => {
    const { app, config } = await whiteLabel();
    const suspended = await makeCenter(app, { status: 'SUSPENDED' });
    const ended = await makeCenter(app, { status: 'INACTIVE' });
    const answers = [];
    for (const domain of ['nowhere', 'no.where.example', ended.centerDomain, suspended.centerDomain]) {
      const { status, body } = await config(domain);
      answers.push([status, body.error.code]);
    }
    const missing = [404, 'CENTER_NOT_FOUND'];
    expect(answers).toEqual([missing, missing, missing, [403, 'CENTER_SUSPENDED']]);
  });
});
