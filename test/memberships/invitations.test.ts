import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../src/lib/crypto.ts';
import { startTestApp, type TestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { mailTo, tokenIn } from '../helpers/mail.ts';
import { makeActor, makeMember, makePartner, makeStage, makeToken } from '../helpers/world.ts';

const password = 'correct horse battery';
let house: TestApp;
beforeAll(async () => {
  house = await startTestApp({ worker: true });
});
afterAll(() => house.close());

let counter = 0;
const freshAddress = () => `invited-${Date.now().toString(36)}-${counter++}@example.test`;

/** The value of the only field, or the error code. */
async function ask(document: string, variables: Record<string, unknown>, token?: string, at = house) {
  const { data, errors } = await at.graphql(document, variables, token);
  return errors ? errors[0]!.extensions.code : Object.values(data as object)[0];
}

const MEMBER = 'id actorId name email phone role status invitation { delivery sentAt expiresAt }';
const invite = (email: string, by: string, more: object = {}, at = house) =>
  ask(
    `mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { ${MEMBER} } }`,
    { input: { email, role: 'INSTRUCTOR', ...more } },
    by,
    at,
  );
const accept = (token: string, more: object = { password }, at = house) =>
  ask(
    `mutation ($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { ${MEMBER} } }`,
    { input: { token, ...more } },
    undefined,
    at,
  );
const look = (token: string) =>
  ask(
    `mutation ($token: String!) { readInvitation(input: { token: $token }) {
      centerName centerDomain role email name needsPassword expiresAt } }`,
    { token },
  );
const about = (name: string, membershipId: string, by?: string) =>
  ask(
    `mutation ($id: ID!) { ${name}(input: { membershipId: $id }) { ${MEMBER} } }`,
    { id: membershipId },
    by,
  );
const move = (membershipId: string, to: string, by?: string) =>
  ask(
    `mutation ($id: ID!, $to: MembershipStatus!) { moveMembership(input: { membershipId: $id, to: $to }) { status } }`,
    { id: membershipId, to },
    by,
  );
const members = async (by: string, search?: string) => {
  const { data } = await house.graphql(
    `query ($filter: MemberFilter) { members(filter: $filter) { edges { node { ${MEMBER} } } } }`,
    { filter: { search } },
    by,
  );
  return data.members.edges.map(({ node }: { node: object }) => node);
};
const signIn = (email: string, secret = password) =>
  house.call('POST', '/auth/login', { body: { email, password: secret } });
const linkFor = async (email: string, count = 1) => tokenIn(await mailTo(house, email, 'Invitation', count));

describe('an invitation', () => {
  test('leads from the mailed link into the center', async () => {
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
    const waiting = (await members(token)).find(({ id }: { id: string }) => id === invited.id);
    expect(waiting.invitation).toMatchObject({ delivery: 'SENT' });
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

  test('is shown by no API, page, log or audit entry, and kept as a hash', async () => {
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

  test('sent again has a new link, and the old one is dead', async () => {
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

  test('withdrawn, expired, or of a center that has ended leads nowhere', async () => {
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

  test('withdrawn before it was sent is not sent', async () => {
    const idle = await testApp();
    const { token } = await makeStage(idle.app);
    const email = freshAddress();
    const { id } = await invite(email, token, {}, idle);
    await ask(
      `mutation ($id: ID!) { withdrawInvitation(input: { membershipId: $id }) { id } }`,
      { id },
      token,
      idle,
    );
    const mail = await idle.app.db.acrossTenants.mail.findFirstOrThrow({ where: { membershipId: id } });
    expect(mail.status).toBe('DROPPED');
    expect(await idle.app.db.acrossTenants.linkToken.count()).toBe(0);
  });
});

describe('an address that has an account', () => {
  test('is invited like any other: nothing tells the center that there is one', async () => {
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

  test('can be accepted by its owner signed in, who sees it waiting', async () => {
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

  test('that is declined stays unknown to the center', async () => {
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

describe('accounts cannot be taken over', () => {
  test('a stranger who invites an address that a clinic has invited gets nothing of it', async () => {
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

  test('two centers that invite one new address make one account, also accepted at the same moment', async () => {
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

  test('a typed phone number relates no accounts', async () => {
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
  test('that creates a center asks its admin by mail and learns nothing of any account', async () => {
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

  test('that orders a center for a stranger sends an invitation', async () => {
    const { app, call } = house;
    const partner = await makePartner(app);
    const known = await makeActor(app, { name: 'Nadja Known', password });
    const colleague = await makeMember(app, partner.centers[0]!.id, 'INSTRUCTOR');
    const root = await makeToken(app, (await makeActor(app, { platformAdmin: true })).id, null);
    const order = async (adminActorId: string, by: string) => {
      const name = `order-${counter++}`;
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

describe('bounds', () => {
  test('50 invitations an hour a center', async () => {
    const bounded = await testApp({ env: { RATE_INVITATIONS: '3' } });
    const [{ token }, neighbor] = [await makeStage(bounded.app), await makeStage(bounded.app)];
    for (let i = 0; i < 3; i++)
      expect(await invite(freshAddress(), token, {}, bounded)).toMatchObject({ status: 'INVITED' });
    const refused = await bounded.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        query: `mutation ($email: String!) { inviteMember(input: { email: $email, role: PARENT }) { id } }`,
        variables: { email: freshAddress() },
      }),
    });
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({
      errors: [{ extensions: { code: 'RATE_LIMITED', retryAfter } }],
    });
    expect(retryAfter).toBeGreaterThan(3_500);
    expect(retryAfter).toBeLessThanOrEqual(3_600);
    expect(await bounded.app.db.acrossTenants.membership.count({ where: { status: 'INVITED' } })).toBe(3);
    expect(await invite(freshAddress(), neighbor.token, {}, bounded)).toMatchObject({ status: 'INVITED' });
    // An hour later the quota is free again.
    await bounded.app.db.acrossTenants.mail.updateMany({
      data: { createdAt: new Date(Date.now() - 3_600_001) },
    });
    expect(await invite(freshAddress(), token, {}, bounded)).toMatchObject({ status: 'INVITED' });
  });

  test('each cause has its own quota, and notices have none', async () => {
    const bounded = await testApp({ env: { RATE_MAIL: '2' } });
    const { email } = await makeActor(bounded.app, { password });
    const partner = await makePartner(bounded.app);
    const { token } = await makeStage(bounded.app);
    const forget = (address: string) =>
      ask(
        `mutation ($email: String!) { requestPasswordReset(input: { email: $email }) }`,
        { email: address },
        undefined,
        bounded,
      );
    for (const address of [email!, freshAddress()]) {
      // Ten anonymous requests neither fill a mailbox nor lock its owner out: the first link still works.
      for (let i = 0; i < 10; i++) expect(await forget(address)).toBe(true);
      const resets = { recipient: address, kind: 'password_reset' };
      expect(await bounded.app.db.acrossTenants.mail.count({ where: resets })).toBe(1);
      await bounded.app.db.acrossTenants.mail.updateMany({
        where: resets,
        data: { createdAt: new Date(Date.now() - 1_800_001) },
      });
      expect(await forget(address)).toBe(true);
      expect(await bounded.app.db.acrossTenants.mail.count({ where: resets })).toBe(2);
      for (const by of [token, (await makeStage(bounded.app)).token])
        expect(await invite(address, by, {}, bounded)).toMatchObject({ status: 'INVITED' });
      expect(await invite(address, (await makeStage(bounded.app)).token, {}, bounded)).toBe('RATE_LIMITED');
      const created = await bounded.call('POST', '/partner/centers', {
        token: partner.token,
        body: { name: 'Branch', tenantType: 'CENTER', vertical: 'welfare', adminEmail: address },
      });
      expect([created.status, created.body.error.code]).toEqual([429, 'RATE_LIMITED']);
      expect(Number(created.headers.get('retry-after'))).toBeGreaterThan(3_500);
    }
    expect(await bounded.app.db.acrossTenants.center.count({ where: { name: 'Branch' } })).toBe(0);
    // Changes to one's own account are reported immediately.
    const signedIn = (await bounded.call('POST', '/auth/login', { body: { email, password } })).body.data;
    const changed = await ask(
      `mutation { changePassword(input: { currentPassword: "${password}", newPassword: "a password that is new" }) }`,
      {},
      signedIn.accessToken,
      bounded,
    );
    expect(changed).toBe(true);
    const notice = await bounded.app.db.acrossTenants.mail.findFirstOrThrow({
      where: { kind: 'password_changed' },
    });
    expect(notice.nextAttemptAt!.getTime()).toBeLessThanOrEqual(Date.now());
  });

  test('the figures are 50 and 10 unless they are set', async () => {
    const { config } = await testApp({ env: { RATE_INVITATIONS: '', RATE_MAIL: '' } });
    expect(config.rates).toMatchObject({ invitations: 50, mail: 10 });
  });
});

describe('the role of a member', () => {
  const change = (membershipId: string, role: string, by: string) =>
    ask(
      `mutation ($id: ID!, $role: ActorRole!) { changeMemberRole(input: { membershipId: $id, role: $role }) { role } }`,
      { id: membershipId, role },
      by,
    );

  test('is changed by an ADMIN at once, and not of the last one, not of the invited, not elsewhere', async () => {
    const { app, call } = house;
    const { center, admin, token } = await makeStage(app);
    const { membership, token: member, actor } = await makeMember(app, center.id, 'INSTRUCTOR');
    expect(await change(membership.id, 'ADMIN', member)).toBe('INSUFFICIENT_ROLE');
    expect(await change(membership.id, 'ADMIN', (await makeStage(app)).token)).toBe('NOT_FOUND');
    expect((await call('GET', '/center/subscription', { token: member })).body.error.code).toBe(
      'INSUFFICIENT_ROLE',
    );
    expect(await change(membership.id, 'ADMIN', token)).toEqual({ role: 'ADMIN' });
    expect((await call('GET', '/auth/me', { token: member })).body.data.role).toBe('ADMIN');
    expect(await change(admin.membership.id, 'PARENT', member)).toEqual({ role: 'PARENT' });
    expect(await change(membership.id, 'PARENT', member)).toBe('CONFLICT');
    const { id } = await invite(freshAddress(), member);
    expect(await change(id, 'ADMIN', member)).toBe('CONFLICT');
    const entry = await app.db.forCenter(center.id).auditEntry.findFirstOrThrow({
      where: { target: membership.id },
    });
    expect(entry.detail).toEqual({
      from: 'ACTIVE',
      to: 'ACTIVE',
      move: 'change_role',
      roleBefore: 'INSTRUCTOR',
      role: 'ADMIN',
    });
    expect(actor.id).toBeTruthy();
  });
});

test('an invitation with an undeliverable mail says so', async () => {
  const house = await testApp({
    worker: true,
    env: { MAIL_URL: 'smtp://127.0.0.1:1', MAIL_RETRY_DELAYS: '0.05' },
  });
  const { token } = await makeStage(house.app);
  const { id } = await invite(freshAddress(), token, {}, house);
  const delivery = async () =>
    (
      await ask(
        `query ($id: ID!) { node(id: $id) { ... on Membership { invitation { delivery } } } }`,
        { id },
        token,
        house,
      )
    ).invitation.delivery;
  expect(['WAITING', 'FAILED']).toContain(await delivery());
  await eventually(async () => (await delivery()) === 'FAILED');
});
