import { expect, test } from 'vitest';
import { makeActor, makeMember, makeMembership, makeStage, makeSubscription } from '../helpers/world.ts';
import {
  entraUser,
  makeDirectory,
  makeScimToken,
  patch,
  scimStage,
  signedInThroughProvider,
} from './scim-stage.ts';

test('a directory creates a person of the center, finds, changes and ends them', async () => {
  const { app, center, scim } = await scimStage();
  const created = await scim('POST', '/Users', entraUser('ada'));
  expect(created.status).toBe(201);
  expect(created.headers.get('content-type')).toContain('application/scim+json');
  const { id } = created.body;
  expect(created.headers.get('location')).toBe(created.body.meta.location);
  expect(created.body).toMatchObject({
    userName: 'ada@contoso.test',
    externalId: 'oid-ada',
    displayName: 'Ada Contoso',
    active: true,
    name: { familyName: 'Contoso' },
    emails: [{ value: 'ada@contoso.test', primary: true }],
  });
  expect(JSON.stringify(created.body)).not.toContain('Sales');

  const membership = await app.db
    .forCenter(center.id)
    .membership.findUniqueOrThrow({ where: { id }, include: { actor: true } });
  // `shown` is what the member list searches.
  const shown = expect.stringContaining('ada contoso');
  expect(membership).toMatchObject({ status: 'ACTIVE', role: 'PARENT', shown });
  expect(membership.actor).toMatchObject({
    name: 'Ada Contoso',
    homeCenterId: center.id,
    contactEmail: 'ada@contoso.test',
    email: null,
    phone: null,
    passwordHash: null,
  });

  for (const filter of [
    'userName eq "ADA@contoso.test"',
    'externalId eq "oid-ada"',
    'emails[value eq "Ada@Contoso.test"]',
    `id eq "${id}"`,
    'displayName eq "ada contoso" and active eq true',
  ]) {
    const { body } = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    expect(
      body.Resources.map((each: { id: string }) => each.id),
      filter,
    ).toEqual([id]);
  }
  const none = await scim('GET', `/Users?filter=${encodeURIComponent('userName eq "eve@contoso.test"')}`);
  expect(none.body).toMatchObject({ totalResults: 0, Resources: [] });

  const renamed = await scim(
    'PATCH',
    `/Users/${id}`,
    patch(
      { op: 'Replace', path: 'displayName', value: 'Ada King' },
      { op: 'Add', path: 'emails[type eq "work"].value', value: 'king@contoso.test' },
    ),
  );
  expect(renamed).toMatchObject({
    status: 200,
    body: { displayName: 'Ada King', emails: [{ value: 'king@contoso.test' }] },
  });
  const actor = await app.db.acrossTenants.actor.findUniqueOrThrow({ where: { id: membership.actorId! } });
  expect(actor).toMatchObject({
    name: 'Ada King',
    contactEmail: 'king@contoso.test',
    earlierName: 'Ada Contoso',
  });

  expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
  expect((await scim('GET', `/Users/${id}`)).status).toBe(404);
  expect((await scim('DELETE', `/Users/${id}`)).status).toBe(404);

  const back = await scim('POST', '/Users', entraUser('ada', { displayName: 'Ada Returned' }));
  expect(back.status).toBe(201);
  const returned = await app.db
    .forCenter(center.id)
    .membership.findUniqueOrThrow({ where: { id: back.body.id }, include: { actor: true } });
  expect(returned.actor).toMatchObject({ id: membership.actorId, name: 'Ada Returned' });
});

test('audit entries name the token', async () => {
  const { app, center, scim } = await scimStage();
  const { id } = (await scim('POST', '/Users', entraUser('ada'))).body;
  const [entry] = await app.db.forCenter(center.id).auditEntry.findMany({ where: { target: id } });
  expect(entry!.actorId).toMatch(/^scm_/);
});

test('operations of Entra ID and Okta change a user, all or nothing', async () => {
  const { scim } = await scimStage();
  const { id } = (await scim('POST', '/Users', entraUser('ada'))).body;
  const changed = await scim(
    'PATCH',
    `/Users/${id}`,
    patch(
      { op: 'Replace', path: 'active', value: 'False' },
      {
        op: 'Add',
        value: {
          'name.familyName': 'Byron',
          'urn:ietf:params:scim:schemas:core:2.0:User:displayName': 'A. Byron',
          nickName: 'x',
        },
      },
      {
        op: 'replace',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'IT',
      },
      { op: 'remove', path: 'name.givenName' },
      { op: 'ADD', path: 'phoneNumbers[type eq "work"].value', value: '1' },
    ),
  );
  expect(changed.body).toMatchObject({
    active: false,
    displayName: 'A. Byron',
    name: { familyName: 'Byron' },
  });
  expect(changed.body.name).not.toHaveProperty('givenName');
  const okta = await scim('PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active: true } }));
  expect(okta.body.active).toBe(true);

  const failures: [object, string][] = [
    [{ op: 'replace', path: 'displayName[', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: '__proto__.polluted', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'userName', value: '' }, 'invalidValue'],
    [{ op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
    [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'no address' }, 'invalidValue'],
    [{ op: 'replace', path: 'displayName', value: 'a\u0000b' }, 'invalidSyntax'],
    [{ op: 'replace', path: 'displayName', value: 'a\u0007b' }, 'invalidValue'],
    [{ op: 'move', path: 'displayName', value: 'x' }, 'invalidSyntax'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'replace', path: 'x'.repeat(1_001), value: 'x' }, 'invalidPath'],
  ];
  for (const [operation, scimType] of failures) {
    const { status, body } = await scim(
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'replace', path: 'displayName', value: 'Lost' }, operation),
    );
    expect({ status, scimType: body.scimType }, JSON.stringify(operation)).toEqual({ status: 400, scimType });
    expect(body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '400' });
  }
  const polluting = `{"Operations":[{"op":"add","value":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}]}`;
  expect((await scim('PATCH', `/Users/${id}`, polluting)).status).toBe(200);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect((await scim('GET', `/Users/${id}`)).body.displayName).toBe('A. Byron');
});

test('PUT replaces what the directory said, and keeps the status without `active`', async () => {
  const { scim } = await scimStage();
  const { id } = (await scim('POST', '/Users', entraUser('ada', { active: false }))).body;
  const { status, body } = await scim('PUT', `/Users/${id}`, { USERNAME: 'ada', emails: null });
  expect(status).toBe(200);
  expect(body).toMatchObject({ userName: 'ada', active: false, emails: [] });
  expect(body).not.toHaveProperty('displayName');
  expect(body).not.toHaveProperty('externalId');
  expect((await scim('PUT', `/Users/${id}`, {})).body).toMatchObject({
    status: '400',
    scimType: 'invalidValue',
  });
});

test('names and addresses are unique in any case, also those of accounts', async () => {
  const { app, center, scim } = await scimStage();
  await makeMember(app, center.id, 'INSTRUCTOR', { email: 'grace@contoso.test' });
  await scim('POST', '/Users', entraUser('ada'));
  const taken = [
    entraUser('ada', { userName: 'ADA@contoso.test', externalId: 'other', emails: [] }),
    entraUser('eve', { emails: [{ value: 'Ada@Contoso.test' }] }),
    entraUser('eve', { externalId: 'oid-ada' }),
    entraUser('grace'),
    entraUser('eve', { emails: [{ value: 'GRACE@contoso.test' }] }),
  ];
  for (const user of taken) {
    const { status, body } = await scim('POST', '/Users', user);
    expect({ status, scimType: body.scimType }).toEqual({ status: 409, scimType: 'uniqueness' });
  }
  const created = await Promise.all([1, 2, 3].map(() => scim('POST', '/Users', entraUser('zoe'))));
  expect(created.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
});

test('members with accounts are users: they are described, and their accounts never change', async () => {
  const { app, center, scim } = await scimStage();
  const grace = await makeMember(app, center.id, 'INSTRUCTOR', {
    email: 'grace@contoso.test',
    name: 'Grace',
    password: 'correct horse battery',
  });
  const found = await scim('GET', `/Users?filter=${encodeURIComponent('userName eq "grace@contoso.test"')}`);
  expect(found.body.Resources).toMatchObject([
    { id: grace.membership.id, displayName: 'Grace', active: true },
  ]);
  const { status, body } = await scim(
    'PATCH',
    `/Users/${grace.membership.id}`,
    patch(
      { op: 'add', path: 'externalId', value: 'oid-grace' },
      { op: 'replace', path: 'displayName', value: 'Someone Else' },
      { op: 'replace', path: 'emails', value: [{ value: 'attacker@evil.test', primary: true }] },
      { op: 'replace', path: 'password', value: 'taken over' },
    ),
  );
  expect(status).toBe(200);
  expect(body).toMatchObject({
    externalId: 'oid-grace',
    displayName: 'Someone Else',
    userName: 'grace@contoso.test',
  });
  const account = await app.db.acrossTenants.actor.findUniqueOrThrow({ where: { id: grace.actor.id } });
  expect(account).toEqual(grace.actor);
});

test('an account that left is brought back only if it is linked', async () => {
  const running = await scimStage();
  const { app, center, scim } = running;
  const [linked, other] = [
    await makeMember(app, center.id, 'INSTRUCTOR'),
    await makeMember(app, center.id, 'INSTRUCTOR'),
  ];
  await signedInThroughProvider(running, center.id, linked.actor.id);
  const back = [];
  for (const [name, member] of [
    ['linked', linked],
    ['other', other],
  ] as const) {
    const path = `/Users/${member.membership.id}`;
    await scim('PATCH', path, patch({ op: 'add', path: 'externalId', value: `oid-${name}` }));
    expect((await scim('DELETE', path)).status).toBe(204);
    const { body } = await scim('POST', '/Users', entraUser(name));
    const { actorId } = await app.db
      .forCenter(center.id)
      .membership.findUniqueOrThrow({ where: { id: body.id } });
    back.push(actorId === member.actor.id);
  }
  expect(back).toEqual([true, false]);
});

test('users of another center are not found', async () => {
  const running = await scimStage();
  const { app, scim } = running;
  const other = await makeStage(app);
  const foreign = await makeMember(app, other.center.id, 'INSTRUCTOR', { email: 'far@contoso.test' });
  const path = `/Users/${foreign.membership.id}`;
  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', entraUser('x')],
    ['PATCH', patch({ op: 'replace', path: 'active', value: false })],
    ['DELETE', undefined],
  ] as const) {
    expect((await scim(method, path, body)).status).toBe(404);
  }
  const elsewhere = makeDirectory(running.url, await makeScimToken(running, other.center.id));
  const { id } = (await elsewhere('POST', '/Users', entraUser('ada'))).body;
  expect((await scim('GET', `/Users/${id}`)).status).toBe(404);
  const { body } = await scim('GET', `/Users?filter=${encodeURIComponent('userName eq "far@contoso.test"')}`);
  expect(body.totalResults).toBe(0);
  // The same address and id in another center are no conflict.
  expect((await scim('POST', '/Users', entraUser('ada'))).status).toBe(201);
  expect(
    (
      await app.db
        .forCenter(other.center.id)
        .membership.findUniqueOrThrow({ where: { id: foreign.membership.id } })
    ).status,
  ).toBe('ACTIVE');
});

test('whom an ADMIN suspended, the directory does not reinstate', async () => {
  const { graphql, token, scim } = await scimStage();
  const { id } = (await scim('POST', '/Users', entraUser('ada'))).body;
  const path = `/Users/${id}`;
  const active = async (value: boolean) =>
    (await scim('PATCH', path, patch({ op: 'replace', path: 'active', value }))).body.active;
  const move = (to: string) =>
    graphql(
      `mutation ($id: ID!, $to: MembershipStatus!) { moveMembership(input: { membershipId: $id, to: $to }) { status } }`,
      { id, to },
      token,
    );
  expect(await active(false)).toBe(false);
  expect(await active(true)).toBe(true);
  expect((await move('SUSPENDED')).errors).toBeUndefined();
  expect(await active(true)).toBe(false);
  expect(await active(false)).toBe(false);
  expect(await active(true)).toBe(false);
  await move('ACTIVE');
  expect((await scim('GET', path)).body.active).toBe(true);
  expect((await move('ENDED')).errors).toBeUndefined();
  expect((await scim('GET', path)).status).toBe(404);
  expect((await scim('POST', '/Users', entraUser('ada'))).status).toBe(201);
});

test('PENDING members are approved, and a seat is needed', async () => {
  const { app, center, scim } = await scimStage();
  const actor = await makeActor(app, { email: 'pending@contoso.test' });
  const pending = await makeMembership(app, actor.id, center.id, 'INSTRUCTOR', 'PENDING');
  await makeSubscription(app, center.id, { seatLimit: 2 });
  expect((await scim('GET', `/Users/${pending.id}`)).body.active).toBe(false);
  const approve = patch({ op: 'replace', path: 'active', value: true });
  expect((await scim('PATCH', `/Users/${pending.id}`, approve)).body.active).toBe(true);
  expect(await scim('POST', '/Users', entraUser('ada'))).toMatchObject({
    status: 403,
    body: { status: '403' },
  });
  const { status, body } = await scim('POST', '/Users', entraUser('ada', { active: false }));
  expect(status).toBe(201);
  expect((await scim('PATCH', `/Users/${body.id}`, approve)).status).toBe(403);
  expect((await scim('GET', `/Users/${body.id}`)).body.active).toBe(false);
});

test('an invitation to the address is withdrawn', async () => {
  const { app, center, graphql, token, scim } = await scimStage();
  await graphql(
    `mutation { inviteMember(input: { email: "ada@contoso.test", role: ADMIN }) { id } }`,
    {},
    token,
  );
  expect((await scim('POST', '/Users', entraUser('ada'))).status).toBe(201);
  const rows = await app.db
    .forCenter(center.id)
    .membership.findMany({ where: { invitedEmail: 'ada@contoso.test' } });
  expect(rows.map(({ status }) => status)).toEqual(['REJECTED']);
});

test('the last ADMIN and ADMINs with emergency access stay', async () => {
  const { app, center, admin, scim } = await scimStage();
  const off = patch({ op: 'replace', path: 'active', value: false });
  const attempts = async (id: string) => [
    (await scim('PATCH', `/Users/${id}`, off)).status,
    (await scim('DELETE', `/Users/${id}`)).status,
  ];
  expect(await attempts(admin.membership.id)).toEqual([409, 409]);
  const second = await makeMember(app, center.id, 'ADMIN', { password: 'correct horse battery' });
  await app.db
    .forCenter(center.id)
    .membership.update({ where: { id: second.membership.id }, data: { emergencyAccess: true } });
  expect(await attempts(second.membership.id)).toEqual([409, 409]);
  expect((await scim('PATCH', `/Users/${admin.membership.id}`, off)).status).toBe(200);
});

test('a deactivated user loses the console in every process, and sessions of the provider end', async () => {
  const running = await scimStage();
  const { app, center, scim } = running;
  const { testApp } = await import('../helpers/app.ts');
  const second = await testApp({ database: running.database });
  const grace = await makeMember(app, center.id, 'ADMIN', { email: 'grace@contoso.test' });
  const { sessionId } = await signedInThroughProvider(running, center.id, grace.actor.id);
  const reads = () =>
    Promise.all(
      [running, second].map(
        async (each) =>
          (await each.graphql('{ groups(first: 1) { edges { node { id } } } }', {}, grace.token)).errors?.[0]
            ?.extensions.code ?? 'open',
      ),
    );
  expect(await reads()).toEqual(['open', 'open']);
  const off = patch({ op: 'Replace', path: 'active', value: 'False' });
  const results = await Promise.all([
    scim('PATCH', `/Users/${grace.membership.id}`, off),
    makeDirectory(second.url, running.scimToken)('PATCH', `/Users/${grace.membership.id}`, off),
  ]);
  expect(results.map(({ status, body }) => [status, body.active])).toEqual([
    [200, false],
    [200, false],
  ]);
  expect(await reads()).toEqual(['MEMBERSHIP_SUSPENDED', 'MEMBERSHIP_SUSPENDED']);
  const session = await app.db.acrossTenants.session.findUniqueOrThrow({ where: { id: sessionId } });
  expect(session.revokedReason).toBe('suspended by the directory');
  const audits = await app.db
    .forCenter(center.id)
    .auditEntry.findMany({ where: { target: grace.membership.id } });
  expect(audits.filter(({ detail }) => (detail as { move?: string }).move === 'suspend')).toHaveLength(1);
});
