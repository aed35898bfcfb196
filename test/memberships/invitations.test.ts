import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../src/lib/crypto.ts';
import { startTestApp, type TestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { mailTo, tokenIn } from '../helpers/mail.ts';
import { makeActor, makeStage, makeToken } from '../helpers/world.ts';
import { freshAddress, invitationCalls, password } from './invitation-calls.ts';

let house: TestApp;
beforeAll(async () => {
  house = await startTestApp({ worker: true });
});
afterAll(() => house.close());

const { about, accept, ask, invite, linkFor, look, members, move, signIn } = invitationCalls(() => house);

describe('an invitation', () => {
  test('leads from the mailed link to an active membership', async () => {
    const { app, call } = house;
    const { center, admin, token } = await makeStage(app, { name: 'Harbour Clinic' });
    const email = freshAddress();
    const invited = await invite(email, token, { name: 'Ivy' });
    expect(invited).toMatchObject({ actorId: null, name: 'Ivy', email, phone: null, status: 'INVITED' });

    const mail = await mailTo(house, email);
    expect(mail.subject).toBe('Invitation to Harbour Clinic');
    for (const word of ['Harbour Clinic', 'Therapist', admin.actor.email!, 'once and for 7 days']) {
      expect(mail.text).toContain(word);
    }
    expect(mail.links).toEqual([expect.stringMatching(/^http:\/\/localhost:4000\/invitation#[\w-]{43}$/)]);
    const link = tokenIn(mail);
    expect(await look(link)).toMatchObject({
      centerName: 'Harbour Clinic',
      centerDomain: center.centerDomain,
      role: 'INSTRUCTOR',
      email,
      name: 'Ivy',
      needsPassword: true,
    });
    const member = async () => (await members(token)).find(({ id }: { id: string }) => id === invited.id);
    // The mail is in the folder before its row is marked as sent.
    await eventually(async () => (await member()).invitation.delivery === 'SENT');
    const waiting = await member();
    const days =
      (Date.parse(waiting.invitation.expiresAt) - Date.parse(waiting.invitation.sentAt)) / 86_400_000;
    expect(days).toBe(7);

    expect(await accept(link, { name: 'Ivy Ink' })).toBe('VALIDATION_ERROR');
    expect(await accept(link, { password: 'too short' })).toBe('VALIDATION_ERROR');
    const person = await accept(link, { password, name: 'Ivy Ink' });
    expect(person).toMatchObject({ name: 'Ivy Ink', email, status: 'PENDING', invitation: null });
    expect(person.actorId).not.toBeNull();
    expect(await accept(link)).toBe('UNAUTHORIZED');
    expect((await signIn(email)).body.data).toMatchObject({ center: null, landing: { kind: 'WAITING' } });
    expect(await move(invited.id, 'ACTIVE', token)).toEqual({ status: 'ACTIVE' });
    const { accessToken } = (await signIn(email)).body.data;
    expect((await call('GET', `/centers/${center.id}`, { token: accessToken })).status).toBe(200);
    const audits = await app.db.forCenter(center.id).auditEntry.findMany({
      where: { target: invited.id },
      orderBy: { index: 'asc' },
    });
    expect(audits.map(({ detail, actorId }) => [(detail as { move: string }).move, actorId])).toEqual([
      ['invite', admin.actor.id],
      ['accept', person.actorId],
      ['approve', admin.actor.id],
    ]);
  });

  test('has a token that is stored as a hash, and never in API, log or audit log', async () => {
    const { token } = await makeStage(house.app);
    const email = freshAddress();
    const { id } = await invite(email, token);
    const link = await linkFor(email);
    const kept = await house.app.db.acrossTenants.linkToken.findMany({ where: { membershipId: id } });
    expect(kept.map(({ tokenHash }) => tokenHash)).toEqual([sha256Hex(link)]);
    await accept(link);
    expect(house.logged.join('')).not.toContain(link);
    const { rows } = await house.app.db.pool.query('SELECT 1 FROM ledger_record WHERE content LIKE $1', [
      `%${link}%`,
    ]);
    expect(rows).toEqual([]);
    const { data } = await house.graphql(`{ __schema { mutationType { fields { name } } } }`);
    const names = data.__schema.mutationType.fields.map(({ name }: { name: string }) => name);
    expect(names).not.toContain('createInvitationToken');
    expect(names).not.toContain('setPassword');
  });

  test('works once, even for concurrent callers', async () => {
    const { token } = await makeStage(house.app);
    const email = freshAddress();
    await invite(email, token);
    const link = await linkFor(email);
    const secrets = Array.from({ length: 5 }, (_, i) => `${password} ${i}`);
    const answers = await Promise.all(secrets.map((secret) => accept(link, { password: secret })));
    expect(answers.filter((answer) => answer === 'UNAUTHORIZED')).toHaveLength(4);
    const winner = answers.findIndex((answer) => answer !== 'UNAUTHORIZED');
    expect((await signIn(email, secrets[winner]!)).status).toBe(200);
    expect(await house.app.db.acrossTenants.actor.count({ where: { email } })).toBe(1);
  });

  test('sent again has a new link, and the old one is invalid', async () => {
    const { token } = await makeStage(house.app);
    const stranger = await makeStage(house.app);
    const email = freshAddress();
    const { id } = await invite(email, token);
    const old = await linkFor(email);
    expect(await about('resendInvitation', id, stranger.token)).toBe('NOT_FOUND');
    expect(await about('resendInvitation', id)).toBe('UNAUTHORIZED');
    expect(await about('resendInvitation', id, token)).toMatchObject({ status: 'INVITED' });
    const fresh = await linkFor(email, 2);
    expect(fresh).not.toBe(old);
    expect(await accept(old)).toBe('UNAUTHORIZED');
    expect(await look(old)).toBe('UNAUTHORIZED');
    expect(await accept(fresh)).toMatchObject({ status: 'PENDING' });
    expect(await about('resendInvitation', id, token)).toBe('CONFLICT');
  });

  test('is invalid after withdrawal, expiry or the end of its center', async () => {
    const { app } = house;
    const { center, token } = await makeStage(app);
    const root = await makeToken(app, (await makeActor(app, { platformAdmin: true })).id, null);
    const open = async () => {
      const email = freshAddress();
      const { id } = await invite(email, token);
      return { id, link: await linkFor(email) };
    };
    const withdrawn = await open();
    expect(await about('withdrawInvitation', withdrawn.id, token)).toMatchObject({
      status: 'REJECTED',
      actorId: null,
    });
    expect(await accept(withdrawn.link)).toBe('UNAUTHORIZED');
    expect(await about('withdrawInvitation', withdrawn.id, token)).toBe('CONFLICT');
    const expired = await open();
    await app.db.acrossTenants.linkToken.updateMany({
      where: { membershipId: expired.id },
      data: { expiresAt: new Date() },
    });
    expect(await accept(expired.link)).toBe('UNAUTHORIZED');
    const orphaned = await open();
    await ask(
      `mutation ($id: ID!) { endCenter(input: { id: $id }) { status } }`,
      { id: String(center.id) },
      root,
    );
    expect(await accept(orphaned.link)).toBe('UNAUTHORIZED');
    expect(
      await app.db.acrossTenants.actor.count({ where: { memberships: { some: { centerId: center.id } } } }),
    ).toBe(1);
  });

  test('withdrawn before sending is not sent', async () => {
    const idle = await testApp();
    const { token } = await makeStage(idle.app);
    const email = freshAddress();
    const { about, invite } = invitationCalls(() => idle);
    const { id } = await invite(email, token);
    await about('withdrawInvitation', id, token);
    const mail = await idle.app.db.acrossTenants.mail.findFirstOrThrow({ where: { membershipId: id } });
    expect(mail.status).toBe('DROPPED');
    expect(await idle.app.db.acrossTenants.linkToken.count()).toBe(0);
  });
});

test('an undeliverable mail is shown at its invitation', async () => {
  const unreachable = await testApp({
    worker: true,
    env: { MAIL_URL: 'smtp://127.0.0.1:1', MAIL_RETRY_DELAYS: '0.05' },
  });
  const { token } = await makeStage(unreachable.app);
  const { ask, invite } = invitationCalls(() => unreachable);
  const { id } = await invite(freshAddress(), token);
  const delivery = async () =>
    (
      await ask(
        `query ($id: ID!) { node(id: $id) { ... on Membership { invitation { delivery } } } }`,
        { id },
        token,
      )
    ).invitation.delivery;
  expect(['WAITING', 'FAILED']).toContain(await delivery());
  await eventually(async () => (await delivery()) === 'FAILED');
});
