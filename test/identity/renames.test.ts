import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, testApp } from '../helpers/app.ts';
import { mailTo } from '../helpers/mail.ts';
import { makeActor, makeCenter, makeMember, makeMembership, makeToken } from '../helpers/world.ts';
import { proofStage } from '../proof/stage.ts';

let house: TestApp;
beforeAll(async () => {
  house = await startTestApp({ worker: true });
});
afterAll(() => house.close());

async function ask(document: string, variables: Record<string, unknown>, token: string, at = house) {
  const { data, errors } = await at.graphql(document, variables, token);
  return errors ? errors[0]!.extensions.code : Object.values(data as object)[0];
}
const updateProfile = (input: object, token: string, at = house) =>
  ask(
    `mutation ($input: UpdateProfileInput!) {
      updateProfile(input: $input) { name phone approvalName approvalNameUntil } }`,
    { input },
    token,
    at,
  );
const rename = (name: string, token: string) => updateProfile({ name }, token);
const approve = (input: object, token: string) =>
  ask(
    `mutation ($input: ApproveDecisionInput!) { approveDecision(input: $input) { approver { name } } }`,
    { input },
    token,
  );

/** Makes the last change of a person's name older. */
const age = (actorId: string, minutes: number) =>
  house.superuser.query(
    `UPDATE actor SET name = name, earlier_name_until = earlier_name_until - make_interval(mins => $2::int) WHERE id = $1`,
    [actorId, minutes],
  );

/** A center with two ADMINs, of whom the second is the attacker. */
async function makeScene() {
  const stage = await proofStage(house);
  const { actor, token, membership } = await makeMember(house.app, stage.center.id, 'ADMIN', {
    name: 'Mallory',
  });
  /** The name that an approval in a session seals. */
  const sealed = async () => {
    const { id } = await stage.record();
    return ((await approve({ eventId: id, result: 'approved' }, token)) as { approver: { name: string } })
      .approver.name;
  };
  const moves = async (centerId: number | null = stage.center.id) => {
    const entries = await house.app.db.acrossTenants.auditEntry.findMany({
      where: { centerId, actorId: actor.id, type: 'membership.moved' },
      orderBy: { id: 'asc' },
    });
    return entries.map(({ target, detail }) => ({ target, ...(detail as object) }));
  };
  return { stage, actor, token, membership, sealed, moves };
}

describe('a person who takes the name of another', () => {
  test('does not approve under it, and the ADMINs and the audit log learn of it', async () => {
    const { stage, token, membership, sealed, moves } = await makeScene();
    expect(await rename('Alice Admin', token)).toMatchObject({
      name: 'Alice Admin',
      approvalName: 'Mallory',
    });
    expect(await sealed()).toBe('Mallory');
    expect(await rename('Mallory', token)).toMatchObject({
      approvalName: 'Mallory',
      approvalNameUntil: null,
    });
    expect(await sealed()).toBe('Mallory');

    const target = membership.id;
    const same = { target, from: 'ACTIVE', to: 'ACTIVE', move: 'change_profile' };
    expect(await moves()).toEqual([
      { ...same, nameBefore: 'Mallory', name: 'Alice Admin', sealedFrom: expect.stringMatching(/Z$/) },
      { ...same, nameBefore: 'Alice Admin', name: 'Mallory' },
    ]);
    const mail = await mailTo(house, stage.admin.actor.email!, 'Mallory is now called Alice Admin');
    expect(mail.text).toContain('On approvals from');
    await mailTo(house, stage.admin.actor.email!, 'Alice Admin is now called Mallory');
  });

  test('signs with a passkey under the name before, also when it changes while the approval is prepared', async () => {
    const { stage, actor, token } = await makeScene();
    const passkey = await stage.registerPasskey(token);
    await rename('Alice Admin', token);
    const event = await stage.record();
    const said = { eventId: event.id, result: 'approved' };
    const prepared = (await ask(
      `mutation ($input: PrepareApprovalInput!) { prepareApproval(input: $input) { approvalId options } }`,
      { input: said },
      token,
    )) as { approvalId: string; options: { challenge: string; rpId: string } };
    await age(actor.id, 61);
    const { approvalId, options } = prepared;
    const answer = { ...said, approvalId, assertion: passkey.answer(options) };
    expect(await approve(answer, token)).toEqual({ approver: { name: 'Mallory' } });
    const { body } = await stage.get(`/evidence/${event.evidence.id}/export`);
    expect(body.evidence.approval.approver.name).toBe('Mallory');
    expect(await verifyProof(JSON.stringify(body))).toMatchObject({ verdict: 'consistent' });
  });

  test('requests no mandate under it', async () => {
    const { stage, token } = await makeScene();
    await rename('Alice Admin', token);
    const requested = (await ask(
      `mutation ($input: RequestMandateInput!) { requestMandate(input: $input) { eventId } }`,
      {
        input: {
          agent: { id: 'night-agent' },
          keys: [await stage.keyId()],
          actionPattern: 'refund.grant',
          validUntil: new Date(Date.now() + 86_400_000),
          reason: 'Night shift',
        },
      },
      token,
    )) as { eventId: string };
    expect((await stage.get(`/decision-events/${requested.eventId}`)).body.data.actor.name).toBe('Mallory');
  });
});

describe('a new name', () => {
  test('is sealed an hour after the change; a second change within the hour skips the first', async () => {
    const { actor, token, sealed } = await makeScene();
    await rename('Ada', token);
    await age(actor.id, 59);
    expect(await sealed()).toBe('Mallory');
    await rename('Berta', token);
    await age(actor.id, 59);
    expect(await sealed()).toBe('Mallory');
    await age(actor.id, 2);
    expect(await sealed()).toBe('Berta');

    // Berta was in use for longer than an hour, so it remains for another hour.
    await rename('Carla', token);
    expect(await sealed()).toBe('Berta');
    await age(actor.id, 61);
    expect(await sealed()).toBe('Carla');
  });

  test('is settled by concurrent changes in their order, none of which is lost', async () => {
    const { token, sealed, moves } = await makeScene();
    await Promise.all(['Ada', 'Berta', 'Carla', 'Dora'].map((name) => rename(name, token)));
    expect(await sealed()).toBe('Mallory');
    const chain = (await moves()) as { nameBefore?: string; name?: string }[];
    expect(chain).toHaveLength(4);
    expect(chain.slice(1).map(({ nameBefore }) => nameBefore)).toEqual(
      chain.slice(0, -1).map(({ name }) => name),
    );
  });

  test('counts from its change, not from a membership that began within the hour', async () => {
    const stage = await proofStage(house);
    const { id: actorId } = await makeActor(house.app, { name: 'Mallory' });
    await rename('Alice Admin', await makeToken(house.app, actorId, null));
    await makeMembership(house.app, actorId, stage.center.id, 'ADMIN');
    const { id } = await stage.record();
    const token = await makeToken(house.app, actorId, stage.center.id);
    expect(await approve({ eventId: id, result: 'approved' }, token)).toEqual({
      approver: { name: 'Mallory' },
    });
  });

  test('that equals the old one changes and tells nothing', async () => {
    const { stage, token, moves } = await makeScene();
    await updateProfile({ name: ' Mallory ', phone: null }, token);
    expect(await moves()).toEqual([]);
    expect(
      await house.app.db.acrossTenants.mail.count({ where: { recipient: stage.admin.actor.email! } }),
    ).toBe(0);
  });
});

test('a change is told to every center of the person, and to no other', async () => {
  const { app } = house;
  const { stage, actor, token, moves } = await makeScene();
  const statuses = ['PENDING', 'SUSPENDED', 'INVITED', 'REJECTED', 'ENDED'] as const;
  const centers = new Map<string, { id: number; email: string }>();
  for (const status of statuses) {
    const { id } = await makeCenter(app);
    const admin = await makeMember(app, id, 'ADMIN');
    await makeMember(app, id, 'INSTRUCTOR');
    await makeMembership(app, actor.id, id, 'INSTRUCTOR', status);
    centers.set(status, { id, email: admin.actor.email! });
  }
  expect(await updateProfile({ name: 'Ada', phone: '030 1234567' }, token)).toMatchObject({
    phone: '0301234567',
  });
  for (const status of statuses) {
    const { id, email } = centers.get(status)!;
    const knows = status === 'PENDING' || status === 'SUSPENDED';
    expect([status, (await moves(id)).length]).toEqual([status, knows ? 1 : 0]);
    expect([status, await app.db.acrossTenants.mail.count({ where: { centerId: id } })]).toEqual([
      status,
      knows ? 1 : 0,
    ]);
    if (knows) expect((await mailTo(house, email)).text).toContain('Phone number');
  }
  expect(await moves()).toEqual([expect.objectContaining({ phone: 'changed', nameBefore: 'Mallory' })]);
  expect(JSON.stringify(await moves())).not.toContain('1234567');
  expect(await moves(null)).toEqual([]);
  await mailTo(house, stage.admin.actor.email!);
});

test('a related account without a membership is told where it can act', async () => {
  const { stage, actor } = await makeScene();
  const relative = await makeActor(house.app, { name: 'Mallory’s second account', email: actor.email });
  const token = await makeToken(house.app, relative.id, stage.center.id);
  await rename('Alice Admin', token);
  const { id } = await stage.record();
  expect(await approve({ eventId: id, result: 'approved' }, token)).toEqual({
    approver: { name: 'Mallory’s second account' },
  });
  const entries = await stage.audits('membership.moved');
  expect(entries.map(({ actorId }) => actorId)).toEqual([relative.id]);
});

test('a person outside of all centers leaves an entry on the chain of the platform', async () => {
  const { id } = await makeActor(house.app, { name: 'Mallory' });
  await rename('Ada', await makeToken(house.app, id, null));
  const entries = await house.app.db.acrossTenants.auditEntry.findMany({ where: { actorId: id } });
  expect(entries.map(({ centerId, target, detail }) => ({ centerId, target, detail }))).toEqual([
    { centerId: null, target: id, detail: expect.objectContaining({ nameBefore: 'Mallory', name: 'Ada' }) },
  ]);
});

test('changes of profile are limited, so that they cannot flood the ADMINs with mail', async () => {
  const limited = await testApp({ env: { RATE_MAIL: '2' } });
  const { id } = await makeActor(limited.app);
  const token = await makeToken(limited.app, id, null);
  for (const name of ['Ada', 'Berta'])
    expect(await updateProfile({ name }, token, limited)).toMatchObject({ name });
  expect(await updateProfile({ name: 'Carla' }, token, limited)).toBe('RATE_LIMITED');
});
