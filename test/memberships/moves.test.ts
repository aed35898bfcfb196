import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActorRole, MembershipStatus } from '../../src/db/generated/prisma/enums.ts';
import { newId } from '../../src/lib/ids.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import {
  type ActorOptions,
  makeActor,
  makeCenter,
  makeMember,
  makeMembership,
  makePartner,
  makeStage,
  makeToken,
} from '../helpers/world.ts';

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

/** Only the existence of a password matters here. */
const withAccount = { password: 'correct horse battery' };
const STATUSES: MembershipStatus[] = ['INVITED', 'PENDING', 'ACTIVE', 'SUSPENDED', 'REJECTED', 'ENDED'];
const MOVE = /* GraphQL */ `
  mutation ($membershipId: ID!, $to: MembershipStatus!) {
    moveMembership(input: { membershipId: $membershipId, to: $to }) { id status activatedAt endedAt }
  }`;

/** The resulting status, or the error code. */
async function move(token: string | undefined, membershipId: string, to: MembershipStatus): Promise<string> {
  const { data, errors } = await running.graphql(MOVE, { membershipId, to }, token);
  return errors?.[0]?.extensions.code ?? data.moveMembership.status;
}

async function named(name: string, token: string, membershipId: string): Promise<string> {
  const { data, errors } = await running.graphql(
    `mutation ($id: ID!) { ${name}Membership(input: { membershipId: $id }) { status } }`,
    { id: membershipId },
    token,
  );
  return errors?.[0]?.extensions.code ?? data[`${name}Membership`].status;
}

async function memberIn(
  centerId: number,
  status: MembershipStatus,
  role: ActorRole = 'PARENT',
  options: ActorOptions = {},
) {
  const actor = await makeActor(running.app, { role, ...options });
  const membership = await makeMembership(running.app, actor.id, centerId, role, status);
  return { actor, id: membership.id, token: await makeToken(running.app, actor.id, centerId) };
}

async function subscribe(centerId: number, seatLimit: number) {
  const { acrossTenants: db } = running.app.db;
  await db.plan.upsert({
    where: { id: 'test' },
    create: {
      id: 'test',
      kind: 'CENTER',
      name: 'Test',
      priceMonthly: 1,
      currency: 'EUR',
      seatLimit,
      features: [],
    },
    update: {},
  });
  const period = { currentPeriodStart: new Date(), currentPeriodEnd: new Date(Date.now() + 86_400_000) };
  await db.subscription.create({
    data: { id: newId('sub'), centerId, planId: 'test', status: 'ACTIVE', seatLimit, ...period },
  });
}

const activeCount = (centerId: number) =>
  running.app.db.forCenter(centerId).membership.count({ where: { status: 'ACTIVE' } });

describe('membership transitions', () => {
  test('take an invited person in and out again, each with its audit entry', async () => {
    const { center, token } = await makeStage(running.app);
    const member = await memberIn(center.id, 'INVITED');
    const path: [string, string][] = [
      ['accept', 'PENDING'],
      ['approve', 'ACTIVE'],
      ['suspend', 'SUSPENDED'],
      ['reinstate', 'ACTIVE'],
      ['end', 'ENDED'],
    ];
    for (const [name, status] of path) {
      expect(await named(name, name === 'accept' ? member.token : token, member.id), name).toBe(status);
    }
    const row = await running.app.db.acrossTenants.membership.findUniqueOrThrow({ where: { id: member.id } });
    expect(row.activatedAt).toBeInstanceOf(Date);
    expect(row.endedAt).toBeInstanceOf(Date);
    const audits = await running.app.db.forCenter(center.id).auditEntry.findMany({
      where: { target: member.id, type: 'membership.moved' },
      orderBy: { index: 'asc' },
    });
    expect(
      audits.map(({ detail, actorId }) => ({
        ...(detail as object),
        byInvitee: actorId === member.actor.id,
      })),
    ).toEqual([
      { from: 'INVITED', to: 'PENDING', move: 'accept', byInvitee: true },
      { from: 'PENDING', to: 'ACTIVE', move: 'approve', byInvitee: false },
      { from: 'ACTIVE', to: 'SUSPENDED', move: 'suspend', byInvitee: false },
      { from: 'SUSPENDED', to: 'ACTIVE', move: 'reinstate', byInvitee: false },
      { from: 'ACTIVE', to: 'ENDED', move: 'end', byInvitee: false },
    ]);
  });

  test('that are not allowed are rejected and leave no audit entry', async () => {
    const { center, token } = await makeStage(running.app);
    const legal = new Set([
      'PENDING ACTIVE',
      'INVITED REJECTED',
      'PENDING REJECTED',
      'ACTIVE SUSPENDED',
      'SUSPENDED ACTIVE',
      'ACTIVE ENDED',
      'SUSPENDED ENDED',
    ]);
    for (const from of STATUSES) {
      for (const to of STATUSES) {
        const { id } = await memberIn(center.id, from, 'PARENT', withAccount);
        const entered = `${from} ${to}`;
        // Accepting is a legal transition, but an ADMIN cannot do it for the person.
        const expected = legal.has(entered)
          ? to
          : entered === 'INVITED PENDING'
            ? 'INSUFFICIENT_ROLE'
            : 'CONFLICT';
        expect(await move(token, id, to), entered).toBe(expected);
        const { status } = await running.app.db.acrossTenants.membership.findUniqueOrThrow({ where: { id } });
        expect(status).toBe(expected === to ? to : from);
        const audits = await running.app.db.forCenter(center.id).auditEntry.count({ where: { target: id } });
        expect(audits).toBe(expected === to ? 1 : 0);
      }
    }
  });

  test('revoke access immediately', async () => {
    const { center, token } = await makeStage(running.app);
    const member = await memberIn(center.id, 'ACTIVE');
    const visit = async () =>
      (await running.call('GET', `/centers/${center.id}`, { token: member.token })).body.error?.code;
    expect(await visit()).toBeUndefined();
    await move(token, member.id, 'SUSPENDED');
    expect(await visit()).toBe('MEMBERSHIP_SUSPENDED');
    await move(token, member.id, 'ENDED');
    expect(await visit()).toBe('MEMBERSHIP_ENDED');
  });
});

describe('who can change a membership', () => {
  test('a membership of another center is not found', async () => {
    const { center } = await makeStage(running.app);
    const other = await makeStage(running.app);
    const { id } = await memberIn(center.id, 'PENDING');
    expect(await move(other.token, id, 'ACTIVE')).toBe('NOT_FOUND');
    expect(await move(other.token, 'mbr_none', 'ACTIVE')).toBe('NOT_FOUND');
    expect(await move(other.token, 'a\0b', 'ACTIVE')).toBe('VALIDATION_ERROR');
    expect(await move(undefined, id, 'ACTIVE')).toBe('UNAUTHORIZED');
  });

  test('other roles of the center are rejected', async () => {
    const { center } = await makeStage(running.app);
    const { id } = await memberIn(center.id, 'PENDING');
    for (const role of ['INSTRUCTOR', 'PARENT', 'CHILD'] as const) {
      const { token } = await makeMember(running.app, center.id, role);
      expect(await move(token, id, 'ACTIVE'), role).toBe('INSUFFICIENT_ROLE');
    }
  });

  test('the invited person can accept or decline, and nothing else', async () => {
    const { center } = await makeStage(running.app);
    const willing = await memberIn(center.id, 'INVITED');
    expect(await move(willing.token, willing.id, 'PENDING')).toBe('PENDING');
    expect(await move(willing.token, willing.id, 'ACTIVE')).toBe('INSUFFICIENT_ROLE');
    const unwilling = await memberIn(center.id, 'INVITED');
    expect(await move(unwilling.token, unwilling.id, 'REJECTED')).toBe('REJECTED');
    const stranger = await makeToken(running.app, (await makeActor(running.app)).id, null);
    expect(await move(stranger, willing.id, 'REJECTED')).toBe('NO_MEMBERSHIP');
  });

  test('the owning partner and platform admins approve the first ADMIN', async () => {
    const owner = await makePartner(running.app);
    const rival = await makePartner(running.app);
    const root = await makeActor(running.app, { platformAdmin: true });
    const rootToken = await makeToken(running.app, root.id, null);
    const first = await memberIn(owner.centers[0]!.id, 'PENDING', 'ADMIN');
    expect(await move(rival.token, first.id, 'ACTIVE')).toBe('NOT_FOUND');
    expect(await move(owner.token, first.id, 'ACTIVE')).toBe('ACTIVE');
    const second = await memberIn(rival.centers[0]!.id, 'PENDING', 'ADMIN');
    expect(await move(rootToken, second.id, 'ACTIVE')).toBe('ACTIVE');
  });

  test('the owning partner admits no further ADMIN to a center that has one, by no move', async () => {
    const owner = await makePartner(running.app);
    const { id } = owner.centers[0]!;
    const own = await makeMember(running.app, id, 'ADMIN');
    for (const status of ['PENDING', 'SUSPENDED'] as const) {
      const puppet = await memberIn(id, status, 'ADMIN');
      const name = status === 'PENDING' ? 'approve' : 'reinstate';
      expect(await move(owner.token, puppet.id, 'ACTIVE'), status).toBe('INSUFFICIENT_ROLE');
      expect(await named(name, owner.token, puppet.id), status).toBe('INSUFFICIENT_ROLE');
      const parent = await memberIn(id, status, 'PARENT');
      expect(await named(name, owner.token, parent.id), status).toBe('ACTIVE');
    }
    // Its ADMIN stays the last one, so the partner cannot make way for another.
    expect(await move(owner.token, own.membership.id, 'SUSPENDED')).toBe('CONFLICT');
  });

  test('only the invited person can accept, whatever the role or relation of others', async () => {
    const { app } = running;
    const owner = await makePartner(app);
    const center = owner.centers[0]!;
    const admin = await makeMember(app, center.id, 'ADMIN');
    const root = await makeActor(app, { platformAdmin: true });
    const newcomer = await memberIn(center.id, 'INVITED');
    const relative = await makeActor(app, { ...withAccount, email: newcomer.actor.email });
    const callers = {
      'an ADMIN': admin.token,
      'the partner': owner.token,
      'a platform admin': await makeToken(app, root.id, null),
    };
    for (const [who, token] of Object.entries(callers)) {
      expect(await move(token, newcomer.id, 'PENDING'), who).toBe('INSUFFICIENT_ROLE');
      expect(await named('accept', token, newcomer.id), who).toBe('INSUFFICIENT_ROLE');
    }
    const family = await makeToken(app, relative.id, null);
    expect(await move(family, newcomer.id, 'PENDING'), 'a relative').toBe('NO_MEMBERSHIP');
    expect(await move(newcomer.token, newcomer.id, 'PENDING')).toBe('PENDING');
  });

  test('a suspended ADMIN cannot change memberships', async () => {
    const center = await makeCenter(running.app);
    const admin = await memberIn(center.id, 'SUSPENDED', 'ADMIN');
    const { id } = await memberIn(center.id, 'PENDING');
    expect(await move(admin.token, id, 'ACTIVE')).toBe('MEMBERSHIP_SUSPENDED');
    expect(await move(admin.token, admin.id, 'ACTIVE')).toBe('INSUFFICIENT_ROLE');
  });
});

describe('the last active ADMIN', () => {
  test('can be neither suspended nor ended, not even by themself', async () => {
    const { center, token, admin } = await makeStage(running.app);
    expect(await move(token, admin.membership.id, 'SUSPENDED')).toBe('CONFLICT');
    expect(await move(token, admin.membership.id, 'ENDED')).toBe('CONFLICT');
    const deputy = await makeMember(running.app, center.id, 'ADMIN');
    expect(await move(deputy.token, admin.membership.id, 'ENDED')).toBe('ENDED');
    expect(await move(deputy.token, deputy.membership.id, 'ENDED')).toBe('CONFLICT');
  });

  test('remains when two ADMINs suspend each other concurrently', async () => {
    const duels = Array.from({ length: 5 }, async () => {
      const { center, token, admin } = await makeStage(running.app);
      const rival = await makeMember(running.app, center.id, 'ADMIN');
      await Promise.all([
        move(token, rival.membership.id, 'SUSPENDED'),
        move(rival.token, admin.membership.id, 'SUSPENDED'),
      ]);
      return activeCount(center.id);
    });
    expect(await Promise.all(duels)).toEqual([1, 1, 1, 1, 1]);
  });
});

describe('seats', () => {
  test('are limited by the subscription, for approval and reinstatement', async () => {
    const { center, token } = await makeStage(running.app);
    await subscribe(center.id, 2);
    const [pending, suspended] = [
      await memberIn(center.id, 'PENDING'),
      await memberIn(center.id, 'SUSPENDED'),
    ];
    expect(await move(token, pending.id, 'ACTIVE')).toBe('ACTIVE');
    const { errors } = await running.graphql(MOVE, { membershipId: suspended.id, to: 'ACTIVE' }, token);
    expect(errors![0]!.extensions).toMatchObject({
      code: 'CONFLICT',
      details: { seatLimit: 2, seatUsed: 2 },
    });
    expect(await move(token, pending.id, 'SUSPENDED')).toBe('SUSPENDED');
    expect(await move(token, suspended.id, 'ACTIVE')).toBe('ACTIVE');
  });

  test('the last free one is taken by exactly one of concurrent approvals', async () => {
    const { center, token } = await makeStage(running.app);
    await subscribe(center.id, 2);
    const waiting = await Promise.all(Array.from({ length: 8 }, () => memberIn(center.id, 'PENDING')));
    const results = await Promise.all(waiting.map(({ id }) => move(token, id, 'ACTIVE')));
    expect(results.toSorted()).toEqual(['ACTIVE', ...Array.from({ length: 7 }, () => 'CONFLICT')]);
    expect(await activeCount(center.id)).toBe(2);
  });

  test('are unlimited without a subscription', async () => {
    const { center, token } = await makeStage(running.app);
    for (let i = 0; i < 3; i++) {
      expect(await move(token, (await memberIn(center.id, 'PENDING')).id, 'ACTIVE')).toBe('ACTIVE');
    }
  });
});
