import { expect, test } from 'vitest';
import { makeMember, makeStage } from '../helpers/world.ts';
import { CREATE_POLICY } from '../proof/quorum-stage.ts';
import {
  type Directory,
  entraUser,
  GROUP,
  makeDirectory,
  makeScimToken,
  patch,
  scimStage,
} from './scim-stage.ts';

async function makeUsers(scim: Directory, count: number): Promise<string[]> {
  const ids = [];
  for (let at = 0; at < count; at++) ids.push((await scim('POST', '/Users', entraUser(`user${at}`))).body.id);
  return ids;
}

const member = (value: string) => ({ value });
const membersOf = async (scim: Directory, id: string): Promise<string[]> =>
  (await scim('GET', `/Groups/${id}`)).body.members.map((each: { value: string }) => each.value);

test('Entra ID creates a group, adds and removes members one by one, and deletes it', async () => {
  const { scim, graphql, token } = await scimStage();
  const [ada, bob, eve] = await makeUsers(scim, 3);
  const created = await scim('POST', '/Groups', {
    schemas: [GROUP],
    externalId: 'gid-1',
    displayName: 'Finance',
    members: [],
  });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    displayName: 'Finance',
    externalId: 'gid-1',
    members: [],
    meta: { resourceType: 'Group' },
  });
  const { id } = created.body;
  expect(id).toMatch(/^grp_/);
  const path = `/Groups/${id}`;
  for (const each of [ada, bob, eve]) {
    const { status, body } = await scim(
      'PATCH',
      path,
      patch({ op: 'Add', path: 'members', value: [{ value: each }] }),
    );
    expect([status, body]).toEqual([204, null]);
  }
  // A value with a display name, as Entra ID sends it, removes that member and no others.
  await scim(
    'PATCH',
    path,
    patch({ op: 'Remove', path: 'members', value: [{ value: bob, displayName: 'Bob' }] }),
  );
  expect(await membersOf(scim, id)).toEqual([ada, eve]);
  await scim('PATCH', path, patch({ op: 'remove', path: `members[value eq "${ada}"]` }));
  expect(await membersOf(scim, id)).toEqual([eve]);
  await scim('PATCH', path, patch({ op: 'Remove', path: 'members', value: [] }));
  expect(await membersOf(scim, id)).toEqual([eve]);
  // Okta renames with the id in the value.
  await scim('PATCH', path, patch({ op: 'replace', value: { id, displayName: 'Finance 2' } }));
  const shown = await graphql(
    '{ groups(first: 5) { edges { node { name source members { id } } } } }',
    {},
    token,
  );
  expect(shown.data.groups.edges).toEqual([
    { node: { name: 'Finance 2', source: 'SCIM', members: [{ id: eve }] } },
  ]);
  await scim('PATCH', path, patch({ op: 'remove', path: 'members' }));
  expect(await membersOf(scim, id)).toEqual([]);
  expect((await scim('DELETE', path)).status).toBe(204);
  expect((await scim('GET', path)).status).toBe(404);
});

test('concurrent changes of one group all count, in two processes', async () => {
  const running = await scimStage();
  const { testApp } = await import('../helpers/app.ts');
  const second = await testApp({ database: running.database });
  const { scim } = running;
  const ids = await makeUsers(scim, 12);
  const [first, ...others] = ids;
  const { id } = (await scim('POST', '/Groups', { displayName: 'Finance', members: [member(first!)] })).body;
  const elsewhere = makeDirectory(second.url, running.scimToken);
  const changes = others.map((each, at) =>
    (at % 2 === 0 ? scim : elsewhere)(
      'PATCH',
      `/Groups/${id}`,
      patch({ op: 'add', path: 'members', value: [member(each)] }),
    ),
  );
  const removal = elsewhere(
    'PATCH',
    `/Groups/${id}`,
    patch({ op: 'remove', path: 'members', value: [member(first!)] }),
  );
  for (const { status } of await Promise.all([...changes, removal])) expect(status).toBe(204);
  expect((await membersOf(scim, id)).sort()).toEqual([...others].sort());
});

test('a repeated change changes nothing, and every change is on the journal once', async () => {
  const { app, center, scim } = await scimStage();
  const [ada, bob] = await makeUsers(scim, 2);
  const { id } = (await scim('POST', '/Groups', { displayName: 'Finance' })).body;
  const add = patch({ op: 'add', path: 'members', value: [member(ada!)] });
  for (let at = 0; at < 3; at++) expect((await scim('PATCH', `/Groups/${id}`, add)).status).toBe(204);
  await scim('PATCH', `/Groups/${id}`, patch({ op: 'remove', path: 'members', value: [member(bob!)] }));
  await scim('PUT', `/Groups/${id}`, { displayName: 'Finance', members: [member(ada!)] });
  const db = app.db.forCenter(center.id);
  const audits = await db.auditEntry.findMany({ where: { target: id }, orderBy: { id: 'asc' } });
  expect(audits.map(({ detail }) => (detail as { change: string }).change).sort()).toEqual([
    'group created',
    'group members',
  ]);
  expect(await db.journalPeople.count({ where: { subject: id } })).toBe(2);
  const { body } = await scim('PUT', `/Groups/${id}`, { displayName: 'Finance', members: [member(bob!)] });
  expect(body.members).toMatchObject([{ value: bob, display: 'User1 Contoso' }]);
});

test('members are users of this center', async () => {
  const running = await scimStage();
  const { app, center, scim } = running;
  const other = await makeStage(app);
  const foreign = await makeMember(app, other.center.id, 'INSTRUCTOR');
  const ended = (await scim('POST', '/Users', entraUser('gone'))).body.id;
  await scim('DELETE', `/Users/${ended}`);
  const account = await makeMember(app, center.id, 'INSTRUCTOR');
  const { id } = (
    await scim('POST', '/Groups', { displayName: 'Finance', members: [member(account.membership.id)] })
  ).body;
  for (const value of [foreign.membership.id, ended, 'mbr_none', '', { x: 1 }, null]) {
    for (const attempt of [
      scim(
        'PATCH',
        `/Groups/${id}`,
        patch(
          { op: 'replace', path: 'displayName', value: 'Lost' },
          { op: 'add', path: 'members', value: [{ value }] },
        ),
      ),
      scim('POST', '/Groups', { displayName: 'Other', members: [{ value }] }),
    ]) {
      const { status, body } = await attempt;
      expect({ status, scimType: body.scimType }, JSON.stringify(value)).toEqual({
        status: 400,
        scimType: 'invalidValue',
      });
    }
  }
  expect((await scim('GET', `/Groups/${id}`)).body).toMatchObject({
    displayName: 'Finance',
    members: [{ value: account.membership.id }],
  });
  const { body } = await scim(
    'GET',
    `/Groups?filter=${encodeURIComponent(`members[value eq "${account.membership.id}"]`)}`,
  );
  expect(body.totalResults).toBe(1);
  const elsewhere = makeDirectory(running.url, await makeScimToken(running, other.center.id));
  for (const [method, sent] of [
    ['GET', undefined],
    ['PUT', { displayName: 'x' }],
    ['PATCH', patch({ op: 'remove', path: 'members' })],
    ['DELETE', undefined],
  ] as const) {
    expect((await elsewhere(method, `/Groups/${id}`, sent)).status).toBe(404);
  }
});

test('groups of the console are not in SCIM, but their names are taken', async () => {
  const { graphql, token, scim } = await scimStage();
  const { data } = await graphql('mutation { createGroup(input: { name: "Finance" }) { id } }', {}, token);
  const { id } = data.createGroup;
  expect((await scim('GET', `/Groups/${id}`)).status).toBe(404);
  expect((await scim('GET', '/Groups')).body.totalResults).toBe(0);
  expect(await scim('POST', '/Groups', { displayName: 'FINANCE' })).toMatchObject({
    status: 409,
    body: { scimType: 'uniqueness' },
  });
  const other = (await scim('POST', '/Groups', { displayName: 'Law' })).body.id;
  expect(
    await scim('PATCH', `/Groups/${other}`, patch({ op: 'replace', path: 'displayName', value: 'finance' })),
  ).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
  await graphql(
    'mutation ($id: ID!) { setGroupSource(input: { id: $id, source: SCIM }) { id } }',
    { id },
    token,
  );
  const { body } = await scim('GET', `/Groups?filter=${encodeURIComponent('displayName eq "finance"')}`);
  expect(body.Resources).toMatchObject([{ id, displayName: 'Finance' }]);
  const both = await Promise.all(
    ['Audit', 'audit'].map((displayName) => scim('POST', '/Groups', { displayName })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
});

test('a group that a policy names stays', async () => {
  const { graphql, token, scim } = await scimStage();
  const { id } = (await scim('POST', '/Groups', { displayName: 'Finance' })).body;
  const guards = { quorum: [{ group: id, count: 1 }] };
  const input = { scope: 'CENTER', name: 'Payments', actionPattern: 'pay.*', guards };
  expect((await graphql(CREATE_POLICY, { input }, token)).errors).toBeUndefined();
  const { status, body } = await scim('DELETE', `/Groups/${id}`);
  expect({ status, detail: body.detail }).toMatchObject({
    status: 409,
    detail: expect.stringContaining('policy'),
  });
});

test('a center has at most 200 groups, a group at most 500 members', async () => {
  const { app, center, scim } = await scimStage();
  const db = app.db.acrossTenants;
  const numbers = Array.from({ length: 501 }, (_, at) => at);
  const actors = numbers.map((at) => ({ name: `P${at}`, homeCenterId: center.id }));
  const created = await db.actor.createManyAndReturn({ data: actors, select: { id: true } });
  const memberships = created.map(({ id }, at) => ({
    id: `mbr_many${String(at).padStart(4, '0')}`,
    actorId: id,
    centerId: center.id,
    role: 'PARENT' as const,
    status: 'ACTIVE' as const,
  }));
  await db.membership.createMany({ data: memberships });
  const ids = memberships.map(({ id }) => id);
  const full = await scim('POST', '/Groups', { displayName: 'Full', members: ids.slice(0, 500).map(member) });
  expect(full.status).toBe(201);
  expect(
    (
      await scim(
        'PATCH',
        `/Groups/${full.body.id}`,
        patch({ op: 'add', path: 'members', value: [member(ids[500]!)] }),
      )
    ).status,
  ).toBe(403);
  expect((await scim('POST', '/Groups', { displayName: 'Over', members: ids.map(member) })).status).toBe(403);
  expect(await membersOf(scim, full.body.id)).toHaveLength(500);
  const groups = numbers
    .slice(0, 199)
    .map((at) => ({ id: `grp_many${at}`, centerId: center.id, name: `G${at}`, source: 'SCIM' as const }));
  await db.approvalGroup.createMany({ data: groups });
  expect((await scim('POST', '/Groups', { displayName: 'One more' })).status).toBe(403);
  const { body } = await scim('GET', '/Groups?excludedAttributes=members&count=500');
  expect(body).toMatchObject({ totalResults: 200, itemsPerPage: 200 });
  expect(body.Resources.every((each: object) => !('members' in each))).toBe(true);
});
