import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweep } from '../../src/domain/housekeeping/sweep.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeActor, makeCenter, makeMember, makeStage } from '../helpers/world.ts';

let running: TestApp;
beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

async function makeProvider(centerId: number, required = false) {
  await running.app.db.acrossTenants.identityProvider.create({
    data: {
      centerId,
      name: 'Company Login',
      issuer: 'https://login.example',
      clientId: 'countersign',
      clientSecret: 'sealed',
      required,
    },
  });
}

const verifyDomain = (centerId: number, domain: string, verifiedAt: Date | null = new Date()) =>
  running.app.db.acrossTenants.emailDomain.create({
    data: { centerId, domain, challenge: 'challenge', verifiedAt },
  });

const OPTIONS = /* GraphQL */ `
  query ($center: String, $email: String) {
    signInOptions(center: $center, email: $email) { password oidc { name startUrl } }
  }`;

/** What a visitor without a session is told, or the error code. */
async function optionsOf(variables: { center?: string; email?: string }) {
  const { data, errors } = await running.graphql(OPTIONS, variables);
  return errors ? errors[0]!.extensions.code : data.signInOptions;
}

const PASSWORD = { password: true, oidc: null };

test('a center shows visitors its provider, and whether passwords open it', async () => {
  const plain = await makeCenter(running.app);
  const offered = await makeStage(running.app);
  const required = await makeStage(running.app);
  await makeProvider(offered.center.id);
  await makeProvider(required.center.id, true);
  expect(await optionsOf({ center: plain.centerDomain })).toEqual(PASSWORD);
  expect(await optionsOf({ center: offered.center.centerDomain })).toEqual({
    password: true,
    oidc: {
      name: 'Company Login',
      startUrl: `${running.config.publicUrl}/auth/oidc/start?center=${offered.center.centerDomain}`,
    },
  });
  expect(await optionsOf({ center: required.center.centerDomain })).toMatchObject({ password: false });
  expect(await optionsOf({ center: 'no-such-center' })).toBe('CENTER_NOT_FOUND');
  expect(await optionsOf({})).toEqual(PASSWORD);

  const signIn = { password: true, oidc: { name: 'Company Login' } };
  const { centerDomain } = offered.center;
  const info = await running.call('GET', `/centers/${centerDomain}/info`);
  expect(info.body.data.signIn).toEqual(signIn);
  const own = await running.call('GET', `/centers/${centerDomain}`, { token: offered.token });
  expect(own.body.data.signIn).toEqual(signIn);
  expect((await running.call('GET', `/centers/${plain.centerDomain}/info`)).body.data.signIn).toEqual(
    PASSWORD,
  );
});

test('an address leads to the center that has verified its domain, whether or not an account has it', async () => {
  const { center } = await makeStage(running.app);
  await makeProvider(center.id);
  await makeMember(running.app, center.id, 'PARENT', { email: 'known@other.example' });
  await verifyDomain(center.id, 'works.example');
  await verifyDomain(center.id, 'claimed.example', null);
  const offered = { password: true, oidc: { name: 'Company Login' } };
  await makeActor(running.app, { email: 'known@works.example' });
  expect(await optionsOf({ email: 'known@works.example' })).toMatchObject(offered);
  expect(await optionsOf({ email: 'Unknown@WORKS.example' })).toMatchObject(offered);
  // A member with an address elsewhere, a subdomain and an unverified domain say nothing.
  for (const email of ['known@other.example', 'a@sub.works.example', 'a@claimed.example', 'works.example'])
    expect(await optionsOf({ email })).toEqual(PASSWORD);
  await running.app.db.acrossTenants.center.update({
    where: { id: center.id },
    data: { status: 'SUSPENDED' },
  });
  expect(await optionsOf({ email: 'known@works.example' })).toEqual(PASSWORD);
});

test('notices reach a person of a center only at a domain that the center has verified', async () => {
  const { db } = running.app;
  const { center, token } = await makeStage(running.app);
  await verifyDomain(center.id, 'staff.example');
  const approve = async (contactEmail: string) => {
    const actor = await db.acrossTenants.actor.create({
      data: { name: 'Sam Person', contactEmail, homeCenterId: center.id, baseRole: 'PARENT' },
    });
    const membership = await db.acrossTenants.membership.create({
      data: {
        id: `mbr_${actor.id}`,
        actorId: actor.id,
        centerId: center.id,
        role: 'PARENT',
        status: 'PENDING',
        acceptedAt: new Date(),
      },
    });
    const { errors } = await running.graphql(
      'mutation ($id: ID!) { approveMembership(input: { membershipId: $id }) { status } }',
      { id: membership.id },
      token,
    );
    expect(errors).toBeUndefined();
  };
  await approve('sam@staff.example');
  await approve('stranger@elsewhere.example');
  await approve('stranger@sub.staff.example');
  const mails = await db.acrossTenants.mail.findMany({ where: { kind: 'membership_approved' } });
  expect(mails.map(({ recipient }) => recipient)).toEqual(['sam@staff.example']);
});

test('expired sign-ins, tickets, tests and used logout tokens are deleted', async () => {
  const { db } = running.app;
  const { center, admin } = await makeStage(running.app);
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  const [centerId, actorId] = [center.id, admin.actor.id];
  for (const [name, expiresAt] of [
    ['expired', at(-1)],
    ['open', at(5)],
  ] as const) {
    const issuer = 'https://login.example';
    const flow = { browserHash: name, purpose: 'SIGN_IN', clientId: 'c', secrets: 's' } as const;
    await db.acrossTenants.signInFlow.create({
      data: { ...flow, stateHash: name, centerId, issuer, expiresAt },
    });
    await db.acrossTenants.signInTicket.create({
      data: { tokenHash: name, purpose: 'TEST', centerId, sessionId: 'ses_1', expiresAt },
    });
    const claimed = { issuer, subject: name, claims: {}, membershipId: admin.membership.id };
    await db.acrossTenants.waitingIdentity.create({
      data: { browserHash: name, centerId, actorId, ...claimed, expiresAt },
    });
    await db.acrossTenants.providerTest.create({
      data: { id: `ptt_${name}`, centerId, actorId, issuer, settings: 's', expiresAt },
    });
    await db.acrossTenants.usedLogoutToken.create({ data: { tokenHash: name, expiresAt } });
  }
  await sweep(running.app);
  expect(await db.acrossTenants.signInFlow.findMany({ select: { stateHash: true } })).toEqual([
    { stateHash: 'open' },
  ]);
  for (const rest of [
    await db.acrossTenants.signInTicket.count(),
    await db.acrossTenants.waitingIdentity.count(),
    await db.acrossTenants.providerTest.count(),
    await db.acrossTenants.usedLogoutToken.count(),
  ])
    expect(rest).toBe(1);
});
