import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeActor, makeMember, makeMembership, makeStage, makeToken } from '../helpers/world.ts';

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

const INVITE = /* GraphQL */ `
  mutation ($input: InviteMemberInput!) {
    inviteMember(input: $input) { id centerId role status actorId name email specialties invitedAt endedAt }
  }`;
const MEMBERS = /* GraphQL */ `
  query ($filter: MemberFilter, $first: Int, $after: String, $last: Int, $before: String) {
    members(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
      edges { cursor node { id name } }
      pageInfo { hasNextPage hasPreviousPage endCursor startCursor }
    }
  }`;

const invite = (input: Record<string, unknown>, token: string) => running.graphql(INVITE, { input }, token);

describe('an invitation', () => {
  test('returns only the given input, discloses no account, and is audited', async () => {
    const { center, token, admin } = await makeStage(running.app);
    const input = {
      email: ' New.Person@Example.test ',
      name: 'New Person',
      role: 'INSTRUCTOR',
      specialties: ['gait'],
    };
    const { data } = await invite(input, token);
    expect(data.inviteMember).toMatchObject({
      centerId: center.id,
      role: 'INSTRUCTOR',
      status: 'INVITED',
      actorId: null,
      name: 'New Person',
      email: 'new.person@example.test',
      specialties: ['gait'],
      endedAt: null,
    });
    const known = await running.app.db.acrossTenants.actor.count({
      where: { email: 'new.person@example.test' },
    });
    expect(known).toBe(0);
    const [entry] = await running.app.db.forCenter(center.id).auditEntry.findMany({
      where: { target: data.inviteMember.id },
    });
    expect(entry).toMatchObject({
      type: 'membership.moved',
      actorId: admin.actor.id,
      detail: { from: null, to: 'INVITED', move: 'invite', role: 'INSTRUCTOR' },
    });
  });

  test('of a known person reveals only the address to the center', async () => {
    const { token } = await makeStage(running.app);
    const known = await makeActor(running.app, { name: 'Secret Name' });
    const { data } = await invite({ email: known.email!, role: 'PARENT' }, token);
    expect(data.inviteMember).toMatchObject({ actorId: null, name: known.email, email: known.email });
    const found = await running.graphql(MEMBERS, { filter: { search: 'Secret' } }, token);
    expect(found.data.members.edges).toEqual([]);
  });

  test('is rejected while another one is open, even concurrently, and possible again later', async () => {
    const { center, token } = await makeStage(running.app);
    const input = { email: `twice-${center.id}@example.test`, role: 'PARENT' };
    const answers = await Promise.all([invite(input, token), invite(input, token)]);
    const codes = answers.map(({ data, errors }) => errors?.[0]?.extensions.code ?? data.inviteMember.status);
    expect(codes.toSorted()).toEqual(['CONFLICT', 'INVITED']);
    const { id } = answers.find(({ data }) => data?.inviteMember)!.data.inviteMember;
    await running.graphql(
      `mutation ($id: ID!) { rejectMembership(input: { membershipId: $id }) { id } }`,
      { id },
      token,
    );
    expect((await invite(input, token)).data.inviteMember.status).toBe('INVITED');
  });

  test('with invalid input is rejected', async () => {
    const { center, token } = await makeStage(running.app);
    const code = async (input: Record<string, unknown>, by = token) =>
      (await invite(input, by)).errors?.[0]?.extensions.code;
    expect(await code({ email: 'nobody', role: 'PARENT' })).toBe('INVALID_EMAIL');
    expect(await code({ email: 'a@example.test', role: 'KING' })).toBe('VALIDATION_ERROR');
    expect(await code({ email: 'a@example.test', role: 'PARENT', name: '' })).toBe('VALIDATION_ERROR');
    expect(await code({ email: 'a\0@example.test', role: 'PARENT' })).toBe('VALIDATION_ERROR');
    const { token: instructor } = await makeMember(running.app, center.id, 'INSTRUCTOR');
    expect(await code({ email: 'a@example.test', role: 'ADMIN' }, instructor)).toBe('INSUFFICIENT_ROLE');
  });
});

describe('the list of members', () => {
  test('can be filtered, searched and paged in both directions by an ADMIN', async () => {
    const { app, graphql } = running;
    const { center, token } = await makeStage(app);
    const names: string[] = [];
    let fourth = '';
    for (let i = 0; i < 5; i++) {
      const { membership, token: own } = await makeMember(app, center.id, 'PARENT', { name: `Parent ${i}` });
      if (i === 4) fourth = own;
      names.unshift(`Parent ${i}`);
      if (i === 0) {
        await app.db.acrossTenants.membership.update({
          where: { id: membership.id },
          data: { status: 'SUSPENDED' },
        });
      }
    }
    const list = async (variables: Record<string, unknown>) => {
      const { data } = await graphql(MEMBERS, variables, token);
      return data.members as {
        edges: { node: { name: string } }[];
        pageInfo: { hasNextPage: boolean; endCursor: string; startCursor: string };
      };
    };
    const namesOf = ({ edges }: { edges: { node: { name: string } }[] }) =>
      edges.map(({ node }) => node.name);

    const first = await list({ filter: { role: 'PARENT' }, first: 2 });
    expect(namesOf(first)).toEqual(names.slice(0, 2));
    expect(first.pageInfo.hasNextPage).toBe(true);
    const rest = await list({ filter: { role: 'PARENT' }, first: 10, after: first.pageInfo.endCursor });
    expect(namesOf(rest)).toEqual(names.slice(2));
    expect(rest.pageInfo.hasNextPage).toBe(false);
    const back = await list({ filter: { role: 'PARENT' }, last: 2, before: rest.pageInfo.startCursor });
    expect(namesOf(back)).toEqual(names.slice(0, 2));

    expect(namesOf(await list({ filter: { status: 'SUSPENDED' } }))).toEqual(['Parent 0']);
    expect(namesOf(await list({ filter: { search: 'pArEnT 3' } }))).toEqual(['Parent 3']);
    expect(namesOf(await list({ filter: { search: '%' } }))).toEqual([]);
    expect((await list({})).edges).toHaveLength(6);

    // After a change of name, only the new one is found.
    await graphql('mutation { updateProfile(input: { name: "Renata ΟΔΟΣ" }) { name } }', {}, fourth);
    for (const search of ['renata', 'ΟΔΟΣ', 'RENATA οδοσ'])
      expect(namesOf(await list({ filter: { search } }))).toEqual(['Renata ΟΔΟΣ']);
    expect(namesOf(await list({ filter: { search: 'Parent 4' } }))).toEqual([]);
  });

  test('is available only to the ADMIN of the center', async () => {
    const { app, graphql } = running;
    const { center, token } = await makeStage(app);
    const other = await makeStage(app);
    const { membership, token: parent } = await makeMember(app, center.id, 'PARENT');
    const code = async (by?: string, variables = {}) =>
      (await graphql(MEMBERS, variables, by)).errors?.[0]?.extensions.code;
    expect(await code(parent)).toBe('INSUFFICIENT_ROLE');
    expect(await code()).toBe('UNAUTHORIZED');
    expect(await code(token, { after: 'a\0b' })).toBe('VALIDATION_ERROR');
    const { data } = await graphql(MEMBERS, {}, other.token);
    expect(data.members.edges).toHaveLength(1);

    const node = async (id: string, by: string) =>
      (await graphql(`query ($id: ID!) { node(id: $id) { id } }`, { id }, by)).data.node?.id ?? null;
    expect(await node(membership.id, token)).toBe(membership.id);
    expect(await node(membership.id, parent)).toBe(membership.id);
    expect(await node(membership.id, other.token)).toBeNull();
    const { token: sibling } = await makeMember(app, center.id, 'INSTRUCTOR');
    expect(await node(membership.id, sibling)).toBeNull();
    const pending = await makeActor(app);
    const waiting = await makeMembership(app, pending.id, center.id, 'PARENT', 'PENDING');
    expect(await node(waiting.id, await makeToken(app, pending.id, center.id))).toBeNull();
  });
});

describe('the role of a member', () => {
  const CHANGE = /* GraphQL */ `
    mutation ($id: ID!, $role: ActorRole!) {
      changeMemberRole(input: { membershipId: $id, role: $role }) { role }
    }`;
  /** The new role, or the error code. */
  const change = async (id: string, role: string, by: string): Promise<string> => {
    const { data, errors } = await running.graphql(CHANGE, { id, role }, by);
    return errors?.[0]?.extensions.code ?? data.changeMemberRole.role;
  };

  test('is changed by an ADMIN immediately, except the last ADMIN, invited people and other centers', async () => {
    const { app, call } = running;
    const { center, admin, token } = await makeStage(app);
    const { membership, token: member } = await makeMember(app, center.id, 'INSTRUCTOR');
    expect(await change(membership.id, 'ADMIN', member)).toBe('INSUFFICIENT_ROLE');
    expect(await change(membership.id, 'ADMIN', (await makeStage(app)).token)).toBe('NOT_FOUND');
    expect((await call('GET', '/center/subscription', { token: member })).body.error.code).toBe(
      'INSUFFICIENT_ROLE',
    );
    expect(await change(membership.id, 'ADMIN', token)).toBe('ADMIN');
    expect((await call('GET', '/auth/me', { token: member })).body.data.role).toBe('ADMIN');
    expect(await change(admin.membership.id, 'PARENT', member)).toBe('PARENT');
    expect(await change(membership.id, 'PARENT', member)).toBe('CONFLICT');
    const { data } = await invite({ email: 'invited@example.test', role: 'INSTRUCTOR' }, member);
    expect(await change(data.inviteMember.id, 'ADMIN', member)).toBe('CONFLICT');
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
  });
});
