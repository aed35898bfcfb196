import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemContext } from '../../src/domain/context.ts';
import { previewSignIn } from '../../src/domain/identities/complete-sign-in.ts';
import { providerSettings } from '../../src/domain/identities/settings.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import {
  makeActor,
  makeCenter,
  makeMember,
  makeMembership,
  makePartner,
  makeSubscription,
} from '../helpers/world.ts';
import {
  claimsOf,
  complete,
  directoryPerson,
  invite,
  makeProvider,
  refusalOf,
  signInWith,
} from './helpers/people.ts';

let it: TestApp;
beforeAll(async () => {
  it = await startTestApp();
});
afterAll(() => it.close());

const db = () => it.app.db.acrossTenants;
const membersOf = (centerId: number) =>
  db().membership.findMany({ where: { centerId }, include: { actor: true }, orderBy: { id: 'asc' } });

async function centerWithProvider(settings: Parameters<typeof makeProvider>[2] = {}) {
  const center = await makeCenter(it.app);
  return { center, provider: await makeProvider(it.app, center.id, settings) };
}

describe('a new subject', () => {
  test('five first sign-ins of one subject at once make one person with one seat', async () => {
    const { center, provider } = await centerWithProvider();
    const claims = claimsOf();
    const signedIn = await Promise.all(Array.from({ length: 5 }, () => signInWith(it.app, provider, claims)));
    expect(new Set(signedIn.map(({ actor }) => actor.id)).size).toBe(1);
    expect(await membersOf(center.id)).toMatchObject([
      {
        status: 'ACTIVE',
        role: 'INSTRUCTOR',
        actor: {
          homeCenterId: center.id,
          email: null,
          phone: null,
          passwordHash: null,
          contactEmail: claims.email,
        },
      },
    ]);
    expect(await db().identity.count({ where: { centerId: center.id } })).toBe(1);
  });

  test('of five new subjects at once one takes the last seat', async () => {
    const { center, provider } = await centerWithProvider();
    await makeSubscription(it.app, center.id, { seatLimit: 1 });
    const results = await Promise.all(
      Array.from({ length: 5 }, () => refusalOf(it.app, provider, claimsOf())),
    );
    expect(results.sort()).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', 'CONFLICT', 'signed-in']);
    expect(await membersOf(center.id)).toHaveLength(1);
    expect(await db().identity.count({ where: { centerId: center.id } })).toBe(1);
  });

  test('takes the user of the directory before the member with its address', async () => {
    const { center, provider } = await centerWithProvider();
    const claims = claimsOf();
    const byId = await directoryPerson(it.app, center.id, { externalId: claims.sub });
    await directoryPerson(it.app, center.id, { email: claims.email });
    const { actor } = await signInWith(it.app, provider, claims);
    expect(actor.id).toBe(byId.actor.id);
    // What the directory says of the person stays.
    expect(actor.name).toBe('From the directory');
  });

  test('takes the user of the directory with its verified address, who waits for approval', async () => {
    const { center, provider } = await centerWithProvider();
    const claims = claimsOf();
    const known = await directoryPerson(it.app, center.id, { email: claims.email }, 'PENDING');
    expect((await signInWith(it.app, provider, claims)).actor.id).toBe(known.actor.id);
    expect(await membersOf(center.id)).toMatchObject([{ status: 'ACTIVE', role: 'PARENT' }]);
  });

  test('takes an invitation to its address with the invited role, as a person of the center', async () => {
    const { center, provider } = await centerWithProvider({ createOnSignIn: false });
    const claims = claimsOf();
    // The account is of someone elsewhere; the provider cannot become them.
    const elsewhere = await makeActor(it.app, { email: claims.email, password: 'correct horse battery' });
    const { membership } = await invite(it.app, center.id, claims.email, 'PARENT');
    const { actor } = await signInWith(it.app, provider, claims);
    expect(actor.id).not.toBe(elsewhere.id);
    expect(await membersOf(center.id)).toMatchObject([
      {
        id: membership.id,
        status: 'ACTIVE',
        role: 'PARENT',
        actor: { homeCenterId: center.id, email: null },
      },
    ]);
  });

  test('takes no invitation that gives a role at the partner', async () => {
    const { partner, centers } = await makePartner(it.app);
    const center = centers[0]!;
    const provider = await makeProvider(it.app, center.id);
    const claims = claimsOf();
    const { membership } = await invite(it.app, center.id, claims.email, 'ADMIN');
    await db().membership.update({ where: { id: membership.id }, data: { partnerRole: 'PARTNER_ADMIN' } });
    expect(await refusalOf(it.app, provider, claims)).toBe('NO_MEMBERSHIP');
    expect(
      await db().partnerMembership.count({
        where: { partnerId: partner.id, actor: { homeCenterId: center.id } },
      }),
    ).toBe(0);
  });

  test('is refused if nothing fits and the provider creates no one', async () => {
    const { center, provider } = await centerWithProvider({ createOnSignIn: false });
    expect(await refusalOf(it.app, provider, claimsOf())).toBe('NO_MEMBERSHIP');
    expect(await membersOf(center.id)).toEqual([]);
  });

  test('is refused while the member that fits is suspended, and after the directory has ended it', async () => {
    const { center, provider } = await centerWithProvider();
    const [suspended, ended] = [claimsOf(), claimsOf()];
    await directoryPerson(it.app, center.id, { externalId: suspended.sub }, 'SUSPENDED');
    const gone = await directoryPerson(it.app, center.id, { externalId: ended.sub, endedAt: new Date() });
    await db().membership.update({
      where: { id: gone.membership.id },
      data: { status: 'ENDED', endedAt: new Date() },
    });
    expect(await refusalOf(it.app, provider, suspended)).toBe('MEMBERSHIP_SUSPENDED');
    expect(await refusalOf(it.app, provider, ended)).toBe('MEMBERSHIP_ENDED');
    expect(await db().identity.count({ where: { centerId: center.id } })).toBe(0);
  });
});

describe('an address', () => {
  test.each([
    ['is not verified', { email_verified: false }],
    ['is verified by a word', { email_verified: 'true' }],
    ['is verified by a list', { email_verified: [true] }],
    ['is verified by null', { email_verified: null }],
    ['has no verification and no verified domain', { email_verified: undefined }],
  ])('that %s finds no one', async (_, verification) => {
    const { center, provider } = await centerWithProvider();
    const claims = claimsOf();
    const known = await directoryPerson(it.app, center.id, { email: claims.email });
    const all = JSON.parse(JSON.stringify({ ...claims, ...verification }));
    expect((await signInWith(it.app, provider, all)).actor.id).not.toBe(known.actor.id);
  });

  test('without a word on its verification counts in a domain that the center has verified', async () => {
    const { center, provider } = await centerWithProvider();
    const domain = `${randomUUID()}.test`;
    const other = await makeCenter(it.app);
    const verifiedAt = new Date();
    await db().emailDomain.create({ data: { centerId: other.id, domain, challenge: 'x', verifiedAt } });
    const known = await directoryPerson(it.app, center.id, { email: `ann@${domain}` });
    const claims = { sub: randomUUID(), email: `Ann@${domain}` };
    // Another center's domain is worth nothing here.
    const first = await signInWith(it.app, provider, { ...claims, sub: randomUUID() });
    expect(first.actor.id).not.toBe(known.actor.id);
    await db().emailDomain.updateMany({ where: { domain }, data: { verifiedAt: null } });
    await db().emailDomain.create({ data: { centerId: center.id, domain, challenge: 'x', verifiedAt } });
    expect((await signInWith(it.app, provider, claims)).actor.id).toBe(known.actor.id);
  });

  test('that a subject claimed without proof does not lead its owner into that subject’s profile', async () => {
    const { center, provider } = await centerWithProvider();
    const claims = claimsOf();
    const intruder = await signInWith(it.app, provider, {
      ...claims,
      sub: randomUUID(),
      email_verified: false,
    });
    const owner = await signInWith(it.app, provider, claims);
    expect(owner.actor.id).not.toBe(intruder.actor.id);
    expect(await membersOf(center.id)).toHaveLength(2);
  });
});

describe('a provider that lies', () => {
  test('about addresses and phone numbers of people elsewhere reaches none of them', async () => {
    const { center, provider } = await centerWithProvider();
    const { partner } = await makePartner(it.app);
    const neighbor = await makeCenter(it.app);
    const phone = `+49301${Math.floor(Math.random() * 1e7)}`;
    const victims = [
      await makeActor(it.app, { platformAdmin: true, password: 'correct horse battery' }),
      (await makeMember(it.app, neighbor.id, 'ADMIN', { phone })).actor,
      await db().actor.findFirstOrThrow({
        where: { partnerMemberships: { some: { partnerId: partner.id } } },
      }),
    ];
    for (const victim of victims) {
      const signedIn = await signInWith(it.app, provider, {
        ...claimsOf(),
        email: victim.email,
        phone_number: phone,
        phone_number_verified: true,
        actorId: victim.id,
        id: victim.id,
        platformAdmin: true,
      });
      expect(signedIn.actor.id).not.toBe(victim.id);
      const { body } = await it.call('GET', '/auth/me', { token: signedIn.accessToken });
      expect(body.data).toMatchObject({ memberships: [{ centerId: center.id }] });
      expect((await it.call('GET', '/centers', { token: signedIn.accessToken })).body.data).toHaveLength(1);
      const moved = await it.call('POST', '/auth/switch-center', {
        token: signedIn.accessToken,
        body: { centerId: neighbor.id },
      });
      expect([moved.status, moved.body.error.code]).toEqual([403, 'NO_MEMBERSHIP']);
    }
  });

  test('about an address that is invited elsewhere later leaves that invitation alone', async () => {
    const { provider } = await centerWithProvider();
    const claims = claimsOf();
    const liar = await signInWith(it.app, provider, claims);
    const neighbor = await makeCenter(it.app);
    const { membership, token } = await invite(it.app, neighbor.id, claims.email, 'ADMIN');
    const { body } = await it.call('GET', '/auth/me', { token: liar.accessToken });
    expect(JSON.stringify(body)).not.toContain(membership.id);
    const accepted = await it.graphql(
      'mutation ($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { actorId status } }',
      { input: { token, password: 'correct horse battery', name: 'The real Ann' } },
    );
    expect(accepted.data.acceptInvitation.status).toBe('PENDING');
    expect(accepted.data.acceptInvitation.actorId).not.toBe(liar.actor.id);
  });

  test('with the subject of another center’s provider becomes someone else', async () => {
    const [one, two] = [await centerWithProvider(), await centerWithProvider()];
    const shared = { issuer: 'https://shared.test' };
    for (const { provider } of [one, two]) {
      await db().identityProvider.update({ where: { centerId: provider.centerId }, data: shared });
      Object.assign(provider, shared);
    }
    const claims = claimsOf();
    const first = await signInWith(it.app, one.provider, claims);
    const second = await signInWith(it.app, two.provider, claims);
    expect(second.actor.id).not.toBe(first.actor.id);
    expect(second.center!.id).toBe(two.center.id);
  });

  test.each<[string, Record<string, unknown>, { name: string; contactEmail: string | null }]>([
    [
      'a name with control characters',
      { name: 'Ann\u0000\u202E\u0007 <b>Example</b>\n' },
      { name: 'Ann <b>Example</b>', contactEmail: null },
    ],
    ['a name of a megabyte', { name: 'x'.repeat(1_000_000) }, { name: 'x'.repeat(256), contactEmail: null }],
    ['half a character', { name: 'Ann\uD800' }, { name: 'Ann\uFFFD', contactEmail: null }],
    [
      'parts of a name',
      { name: 7, given_name: 'Ann', family_name: 'Example' },
      { name: 'Ann Example', contactEmail: null },
    ],
    ['no name', { name: {}, email: 'ann@corp.test' }, { name: 'ann', contactEmail: 'ann@corp.test' }],
    [
      'an address that is none',
      { name: 'Ann', email: 'ann\r\nBcc: all@corp.test' },
      { name: 'Ann', contactEmail: null },
    ],
    ['an address in a list', { name: 'Ann', email: ['ann@corp.test'] }, { name: 'Ann', contactEmail: null }],
    ['nothing at all', {}, { name: 'Unnamed person', contactEmail: null }],
    [
      'inherited names',
      JSON.parse('{"__proto__": {"name": "Evil"}, "name": "Ann"}'),
      { name: 'Ann', contactEmail: null },
    ],
  ])('with %s is displayed as plain text', async (_, all, expected) => {
    const { center, provider } = await centerWithProvider();
    await signInWith(it.app, provider, { sub: randomUUID(), ...all });
    expect(await membersOf(center.id)).toMatchObject([{ actor: expected }]);
  });

  test('with a subject of 255 characters signs in; longer, empty or unstorable ones are refused', async () => {
    const { provider } = await centerWithProvider();
    const longest = { sub: 'ß'.repeat(255) };
    const first = await signInWith(it.app, provider, longest);
    expect((await signInWith(it.app, provider, longest)).actor.id).toBe(first.actor.id);
    for (const sub of ['x'.repeat(256), '', 'a\u0000b', '\uD800']) {
      expect(await refusalOf(it.app, provider, { sub })).toBe('UNAUTHORIZED');
    }
  });

  test('whose issuer or client was replaced during the sign-in is refused', async () => {
    const { center, provider } = await centerWithProvider();
    for (const data of [{ issuer: 'https://other.test' }, { clientId: 'other' }]) {
      await db().identityProvider.update({ where: { centerId: center.id }, data });
      expect(await refusalOf(it.app, provider, claimsOf())).toBe('UNAUTHORIZED');
      const { issuer, clientId } = provider;
      await db().identityProvider.update({ where: { centerId: center.id }, data: { issuer, clientId } });
    }
    await db().identityProvider.delete({ where: { centerId: center.id } });
    expect(await refusalOf(it.app, provider, claimsOf())).toBe('CENTER_NOT_FOUND');
  });
});

describe('a known subject', () => {
  test('without an open membership takes a new invitation, and is never created again', async () => {
    const { center, provider } = await centerWithProvider();
    const claims = claimsOf();
    const { actor } = await signInWith(it.app, provider, claims);
    const end = (status: 'ENDED' | 'REJECTED' | 'SUSPENDED') =>
      db().membership.updateMany({ where: { centerId: center.id }, data: { status, endedAt: new Date() } });
    await end('SUSPENDED');
    expect(await refusalOf(it.app, provider, claims)).toBe('MEMBERSHIP_SUSPENDED');
    await end('REJECTED');
    expect(await refusalOf(it.app, provider, claims)).toBe('NO_MEMBERSHIP');
    await end('ENDED');
    expect(await refusalOf(it.app, provider, claims)).toBe('MEMBERSHIP_ENDED');
    await invite(it.app, center.id, claims.email, 'PARENT');
    expect((await signInWith(it.app, provider, claims)).actor.id).toBe(actor.id);
    expect((await membersOf(center.id)).map(({ status }) => status).sort()).toEqual(['ACTIVE', 'ENDED']);
  });

  test('of the center gets the name and address that the provider has now', async () => {
    const { center, provider } = await centerWithProvider();
    const claims = claimsOf();
    await signInWith(it.app, provider, claims);
    await signInWith(it.app, provider, { ...claims, name: 'Ann Married', email: 'married@corp.test' });
    expect(await membersOf(center.id)).toMatchObject([
      { actor: { name: 'Ann Married', earlierName: 'Ann Example', contactEmail: 'married@corp.test' } },
    ]);
  });

  test('is refused in a suspended or ended center', async () => {
    const { center, provider } = await centerWithProvider();
    const claims = claimsOf();
    await signInWith(it.app, provider, claims);
    await db().center.update({ where: { id: center.id }, data: { status: 'SUSPENDED' } });
    expect(await refusalOf(it.app, provider, claims)).toBe('CENTER_SUSPENDED');
    await db().center.update({ where: { id: center.id }, data: { status: 'INACTIVE' } });
    expect(await refusalOf(it.app, provider, claims)).toBe('CENTER_NOT_FOUND');
  });
});

test('moving a center to a provider makes no second person for anyone', async () => {
  const { center, provider } = await centerWithProvider();
  const email = `mia-${randomUUID()}@corp.test`;
  const { actor } = await makeMember(it.app, center.id, 'INSTRUCTOR', {
    email,
    password: 'correct horse battery',
  });
  const pending = await makeActor(it.app, { email: `pat-${randomUUID()}@corp.test` });
  await makeMembership(it.app, pending.id, center.id, 'PARENT', 'PENDING');
  for (const person of [actor, pending]) {
    const claims = claimsOf({ email: person.email!.toUpperCase() });
    expect((await complete(it.app, provider, claims)).kind).toBe('connect');
    expect((await complete(it.app, provider, claims)).kind).toBe('connect');
  }
  expect(await membersOf(center.id)).toHaveLength(2);
  expect(await db().identity.count({ where: { centerId: center.id } })).toBe(0);
});

test('a preview says what a sign-in would lead to, and writes nothing', async () => {
  const { center, provider } = await centerWithProvider();
  const email = `mia-${randomUUID()}@corp.test`;
  const { membership } = await makeMember(it.app, center.id, 'INSTRUCTOR', { email, name: 'Mia' });
  const ctx = systemContext(it.app, 'test', center.id);
  const preview = (all: { sub: string }) => {
    const claims = { issuer: provider.issuer, subject: all.sub, sid: null, authTime: null, all: { ...all } };
    return previewSignIn(ctx, providerSettings(provider), claims);
  };
  const person = { membershipId: membership.id, name: 'Mia', action: 'CONNECT' };
  expect(await preview(claimsOf({ email }))).toMatchObject({ code: null, role: 'INSTRUCTOR', person });
  expect(await preview(claimsOf())).toMatchObject({
    code: null,
    role: 'INSTRUCTOR',
    person: { membershipId: null, name: 'Ann Example', action: 'CREATE' },
  });
  await makeSubscription(it.app, center.id, { seatLimit: 1 });
  expect(await preview(claimsOf())).toMatchObject({ code: 'CONFLICT', role: null, person: null });
  expect(await membersOf(center.id)).toHaveLength(1);
  expect(await db().identity.count({ where: { centerId: center.id } })).toBe(0);
  expect(await db().waitingIdentity.count({ where: { centerId: center.id } })).toBe(0);
  expect(await db().actor.count({ where: { homeCenterId: center.id } })).toBe(0);
});
