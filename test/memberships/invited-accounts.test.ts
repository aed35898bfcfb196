/** An invitation discloses nothing about existing accounts and takes none of them over. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { mailTo, tokenIn } from '../helpers/mail.ts';
import { makeActor, makeMember, makePartner, makeStage, makeToken } from '../helpers/world.ts';
import { freshAddress, invitationCalls, password } from './invitation-calls.ts';

let house: TestApp;
beforeAll(async () => {
  house = await startTestApp({ worker: true });
});
afterAll(() => house.close());

const { about, accept, ask, invite, linkFor, look, members, move, signIn } = invitationCalls(() => house);

describe('an address that has an account', () => {
  test('is invited like any other, without revealing that the account exists', async () => {
    const { app } = house;
    const { center, token } = await makeStage(app);
    const known = await makeActor(app, { name: 'Nadja Known', phone: '+4930123', password });
    const unknown = freshAddress();
    const shown = [];
    for (const email of [known.email!, unknown]) {
      const answer = await invite(email, token, { name: 'Somebody' });
      shown.push({ ...answer, id: '', email: '' });
      await mailTo(house, email);
    }
    expect(shown[0]).toEqual(shown[1]);
    expect(shown[0]).toMatchObject({ actorId: null, name: 'Somebody', phone: null });
    const rows = await members(token);
    for (const row of rows.filter(({ status }: { status: string }) => status === 'INVITED')) {
      expect(row).toMatchObject({ actorId: null, name: 'Somebody', phone: null });
    }
    expect(await members(token, 'Nadja')).toEqual([]);
    expect(await members(token, '4930123')).toEqual([]);
    const everything = JSON.stringify(
      await house.graphql(
        `{ members { edges { node { id name email actorId } } } auditEntries(first: 50) { edges { node { actorId actorEmail target detail } } } }`,
        {},
        token,
      ),
    );
    expect(everything).not.toContain(known.id);
    expect(everything).not.toContain('Nadja');
    expect(await app.db.forCenter(center.id).actor.count({ where: { id: known.id } })).toBe(0);
  });

  test('keeps its password and its name, even if another person has the link', async () => {
    const { app } = house;
    const { token } = await makeStage(app);
    const known = await makeActor(app, { name: 'Nadja Known', password });
    await invite(known.email!, token, { name: 'Somebody' });
    const link = await linkFor(known.email!);
    expect(await look(link)).toMatchObject({ needsPassword: false, name: 'Nadja Known' });
    const other = 'another password than before';
    const accepted = await accept(link, { password: other, name: 'Taken Over' });
    expect(accepted).toMatchObject({ status: 'PENDING', actorId: known.id, name: 'Nadja Known' });
    expect((await signIn(known.email!, other)).status).toBe(401);
    expect((await signIn(known.email!)).status).toBe(200);
  });

  test('shows the invitation to its owner, who can accept it while signed in', async () => {
    const { app, call } = house;
    const { center, token } = await makeStage(app);
    const { email } = await makeActor(app, { password });
    const { id } = await invite(email!, token);
    const { accessToken, landing } = (await signIn(email!)).body.data;
    expect(landing.kind).toBe('WAITING');
    const me = (await call('GET', '/auth/me', { token: accessToken })).body.data;
    expect(me.memberships).toMatchObject([{ id, centerId: center.id, status: 'INVITED' }]);
    const stranger = await makeToken(app, (await makeActor(app)).id, null);
    expect(await about('acceptMembership', id, stranger)).toBe('NO_MEMBERSHIP');
    expect(await about('acceptMembership', id, token)).toBe('INSUFFICIENT_ROLE');
    const link = await linkFor(email!);
    expect(await about('acceptMembership', id, accessToken)).toMatchObject({ status: 'PENDING', email });
    expect(await accept(link)).toBe('UNAUTHORIZED');
  });

  test('stays unknown to the center when it declines', async () => {
    const { app } = house;
    const { center, token } = await makeStage(app);
    const known = await makeActor(app, { name: 'Nadja Known', password });
    const { id } = await invite(known.email!, token);
    const { accessToken } = (await signIn(known.email!)).body.data;
    expect(await about('rejectMembership', id, accessToken)).toMatchObject({
      status: 'REJECTED',
      actorId: null,
    });
    const entries = await app.db.forCenter(center.id).auditEntry.findMany({ where: { target: id } });
    expect(entries.map(({ actorId }) => actorId)).not.toContain(known.id);
    const [row] = (await members(token)).filter((each: { id: string }) => each.id === id);
    expect(row).toMatchObject({ actorId: null, name: known.email });
  });
});

describe('taking over accounts is prevented', () => {
  test('inviting an address that another center has invited gives no access to that center', async () => {
    const { app } = house;
    const clinic = await makeStage(app, { name: 'The Clinic' });
    const stranger = await makeStage(app, { name: 'A Center Of My Own' });
    const email = freshAddress();
    const offered = await invite(email, clinic.token, { role: 'ADMIN' });
    const bait = await invite(email, stranger.token, { role: 'PARENT' });
    // Everything the stranger can do with their own invitation and with the clinic's.
    for (const [name, id, code] of [
      ['acceptMembership', bait.id, 'INSUFFICIENT_ROLE'],
      ['acceptMembership', offered.id, 'NOT_FOUND'],
      ['approveMembership', bait.id, 'CONFLICT'],
      ['resendInvitation', offered.id, 'NOT_FOUND'],
      ['withdrawInvitation', offered.id, 'NOT_FOUND'],
    ] as const) {
      expect([name, await about(name, id, stranger.token)]).toEqual([name, code]);
    }
    expect(await move(bait.id, 'PENDING', stranger.token)).toBe('INSUFFICIENT_ROLE');
    expect(await move(bait.id, 'ACTIVE', stranger.token)).toBe('CONFLICT');
    const mails = await app.db.acrossTenants.mail.findMany({ where: { recipient: email } });
    expect(mails).toHaveLength(2);

    // The owner of the mailbox accepts the stranger's invitation, which accepts nothing of the clinic's.
    const link = tokenIn(await mailTo(house, email, 'A Center Of My Own'));
    expect(await accept(link)).toMatchObject({ status: 'PENDING', role: 'PARENT' });
    const clinicView = (await members(clinic.token)).find(({ id }: { id: string }) => id === offered.id);
    expect(clinicView).toMatchObject({ status: 'INVITED', actorId: null });
    expect(await move(bait.id, 'ACTIVE', stranger.token)).toEqual({ status: 'ACTIVE' });
    const { accessToken } = (await signIn(email)).body.data;
    const entered = await house.call('GET', `/centers/${clinic.center.id}`, { token: accessToken });
    expect(entered.body.error.code).toBe('NO_MEMBERSHIP');
    expect(await accept(tokenIn(await mailTo(house, email, 'The Clinic')), {})).toMatchObject({
      status: 'PENDING',
      role: 'ADMIN',
    });
  });

  test('two centers that invite one new address create one account, even if accepted concurrently', async () => {
    const { app } = house;
    const stages = [
      await makeStage(app, { name: 'First Center' }),
      await makeStage(app, { name: 'Second Center' }),
    ];
    const email = freshAddress();
    for (const { token } of stages) await invite(email, token);
    const links = [
      tokenIn(await mailTo(house, email, 'First Center')),
      tokenIn(await mailTo(house, email, 'Second Center')),
    ];
    const accepted = await Promise.all(
      links.map((link, i) => accept(link, { password: `${password} ${i}` })),
    );
    expect(accepted.map(({ status }) => status)).toEqual(['PENDING', 'PENDING']);
    expect(accepted[0].actorId).toBe(accepted[1].actorId);
    expect(await app.db.acrossTenants.actor.count({ where: { email } })).toBe(1);
    const works = await Promise.all(
      [0, 1].map(async (i) => (await signIn(email, `${password} ${i}`)).status),
    );
    expect(works.toSorted()).toEqual([200, 401]);
  });

  test('an unverified phone number does not link accounts', async () => {
    const { app, call } = house;
    const { center } = await makeStage(app);
    const victim = await makeMember(app, center.id, 'ADMIN', { phone: '+49301234567', password });
    const thief = await makeActor(app, { password: `${password} of the thief` });
    const token = await makeToken(app, thief.id, null);
    const changed = await ask(
      `mutation { updateProfile(input: { name: "Theo", phone: "+49 (0)30 123-4567" }) { name phone memberships { id } } }`,
      {},
      token,
    );
    expect(changed).toEqual({ name: 'Theo', phone: '+49301234567', memberships: [] });
    expect((await call('GET', `/centers/${center.id}`, { token })).body.error.code).toBe('NO_MEMBERSHIP');
    const byPhone = (secret: string) =>
      call('POST', '/auth/login', { body: { phone: '+49301234567', password: secret } });
    expect((await byPhone(`${password} of the thief`)).status).toBe(401);
    expect((await byPhone(password)).body.data.actor.id).toBe(victim.actor.id);
    expect(await ask(`mutation { updateProfile(input: { phone: "nonsense" }) { name } }`, {}, token)).toBe(
      'VALIDATION_ERROR',
    );
    expect(await ask(`mutation { updateProfile(input: { phone: null }) { phone } }`, {}, token)).toEqual({
      phone: null,
    });
  });
});

describe('a partner', () => {
  test('that creates a center invites its ADMIN by mail and learns nothing about accounts', async () => {
    const { app, call } = house;
    const { token } = await makePartner(app);
    const known = await makeActor(app, { name: 'Nadja Known', password });
    const create = async (adminEmail: string) =>
      (
        await call('POST', '/partner/centers', {
          token,
          body: { name: 'Branch', tenantType: 'CENTER', vertical: 'welfare', adminEmail },
        })
      ).body.data;
    const unknown = freshAddress();
    for (const email of [known.email!, unknown]) {
      const { admin } = await create(email.toUpperCase());
      expect(admin).toEqual({ email, membershipId: admin.membershipId, status: 'INVITED' });
      expect(await about('acceptMembership', admin.membershipId, token)).toBe('INSUFFICIENT_ROLE');
      expect(await move(admin.membershipId, 'ACTIVE', token)).toBe('CONFLICT');
      const list = (await call('GET', '/partner/members', { token })).body.data;
      const row = list.find(({ id }: { id: string }) => id === admin.membershipId);
      expect(row).toMatchObject({ actorId: null, name: email, email, status: 'INVITED' });
    }
    expect(await accept(await linkFor(unknown))).toMatchObject({ status: 'PENDING', role: 'ADMIN' });
  });

  let orders = 0;
  test('that orders a center for a person outside its centers sends an invitation', async () => {
    const { app, call } = house;
    const partner = await makePartner(app);
    const known = await makeActor(app, { name: 'Nadja Known', password });
    const colleague = await makeMember(app, partner.centers[0]!.id, 'INSTRUCTOR');
    const root = await makeToken(app, (await makeActor(app, { platformAdmin: true })).id, null);
    const order = async (adminActorId: string, by: string) => {
      const name = `order-${orders++}`;
      const { status, body } = await call('POST', '/provisioning/center-tenant', {
        token: by,
        body: {
          centerName: name,
          subdomain: `${name}-${known.id.slice(0, 8)}`,
          planId: 'center-starter',
          orderId: `${name}-${known.id}`,
          adminActorId,
        },
      });
      expect(status).toBe(201);
      return body.data;
    };
    const own = await makeToken(app, known.id, null);
    expect((await order(known.id, own)).membership.status).toBe('ACTIVE');
    expect((await order(colleague.actor.id, partner.token)).membership.status).toBe('ACTIVE');
    expect((await order(partner.actor.id, partner.token)).membership.status).toBe('ACTIVE');
    expect((await order(known.id, root)).membership.status).toBe('ACTIVE');

    const { membership } = await order(known.id, partner.token);
    expect(membership.status).toBe('INVITED');
    expect(await about('acceptMembership', membership.id, partner.token)).toBe('INSUFFICIENT_ROLE');
    const list = (await call('GET', '/partner/members', { token: partner.token })).body.data;
    const row = list.find(({ id }: { id: string }) => id === membership.id);
    expect(row).toMatchObject({ actorId: null, name: '', email: null });
    expect(await accept(await linkFor(known.email!), {})).toMatchObject({
      status: 'PENDING',
      actorId: known.id,
    });
  });
});
