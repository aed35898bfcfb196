import { randomUUID } from 'node:crypto';
import type { App } from '../../../src/app.ts';
import type { Prisma } from '../../../src/db/database.ts';
import type { IdentityProvider } from '../../../src/db/generated/prisma/client.ts';
import type { ActorRole } from '../../../src/db/generated/prisma/enums.ts';
import { makeContext, systemContext } from '../../../src/domain/context.ts';
import { signInWithIdentity } from '../../../src/domain/identities/complete-sign-in.ts';
import { createPersonOfCenter } from '../../../src/domain/identities/create-person.ts';
import { makeLinkToken } from '../../../src/domain/mail/link-token.ts';
import { inviteTo } from '../../../src/domain/memberships/invitation.ts';
import { transact } from '../../../src/domain/unit-of-work.ts';
import { newId } from '../../../src/lib/ids.ts';

/** A provider of a center whose claims a test makes up: what `signInWithIdentity` gets are those of a verified ID token. */
export function makeProvider(
  { db }: App,
  centerId: number,
  settings: Partial<Prisma.IdentityProviderUncheckedCreateInput> = {},
): Promise<IdentityProvider> {
  return db.acrossTenants.identityProvider.create({
    data: {
      centerId,
      name: 'Company Login',
      issuer: `https://login-${centerId}.test`,
      clientId: 'countersign',
      clientSecret: 'sealed',
      scopes: ['openid', 'email', 'profile'],
      defaultRole: 'INSTRUCTOR',
      ...settings,
    },
  });
}

/** A sign-in with these claims, as the callback completes it. */
export function complete(
  app: App,
  provider: IdentityProvider,
  all: Record<string, unknown>,
  { sid = null, authTime = null }: { sid?: string | null; authTime?: Date | null } = {},
) {
  const ctx = makeContext({ app, principal: { kind: 'anonymous' }, requestId: 'test', ip: '192.0.2.1' });
  const subject = String(all['sub'] ?? randomUUID());
  return signInWithIdentity(ctx, provider, { issuer: provider.issuer, subject, sid, authTime, all }, null);
}

/** The same, expecting a session. */
export async function signInWith(
  app: App,
  provider: IdentityProvider,
  all: Record<string, unknown>,
  options?: { sid?: string | null; authTime?: Date | null },
) {
  const result = await complete(app, provider, all, options);
  if (result.kind !== 'signed-in') throw new Error('a proof was asked for');
  return result.signedIn;
}

/** The same, expecting that the person must prove the profile. Returns the cookie. */
export async function waitWith(app: App, provider: IdentityProvider, all: Record<string, unknown>) {
  const result = await complete(app, provider, all);
  if (result.kind !== 'connect') throw new Error('no proof was asked for');
  return `connect=${result.secret}`;
}

/** The code of the error that a sign-in with these claims gives. */
export const refusalOf = (app: App, provider: IdentityProvider, all: Record<string, unknown>) =>
  complete(app, provider, all).then(
    ({ kind }) => kind,
    (error: { code?: string }) => error.code,
  );

/** A user of the directory, as SCIM writes one. */
export async function makeScimUser(
  { db }: App,
  { centerId, membershipId }: { centerId: number; membershipId: string },
  user: { externalId?: string; email?: string; displayName?: string; endedAt?: Date } = {},
) {
  const userName = user.email ?? membershipId;
  return db.acrossTenants.scimUser.create({
    data: { membershipId, centerId, userName, userNameKey: userName.toLowerCase(), ...user },
  });
}

/** Claims of a person whose address the provider has verified. */
export const claimsOf = (more: Record<string, unknown> = {}) => ({
  sub: randomUUID() as string,
  email: `ann-${randomUUID()}@corp.test`,
  email_verified: true,
  name: 'Ann Example',
  ...more,
});

/** A person of the center as the directory creates one. */
export async function directoryPerson(
  app: App,
  centerId: number,
  user: Parameters<typeof makeScimUser>[2] = {},
  status: 'ACTIVE' | 'SUSPENDED' | 'PENDING' = 'ACTIVE',
) {
  const person = {
    centerId,
    name: 'From the directory',
    contactEmail: user.email ?? null,
    role: 'PARENT' as const,
    now: new Date(),
  };
  const ctx = systemContext(app, 'test', centerId);
  const { membershipId } = await transact.acrossTenants(ctx, (work) =>
    createPersonOfCenter(work, person, { status, suspendedByDirectory: false }),
  );
  await makeScimUser(app, { centerId, membershipId }, user);
  const created = await app.db.acrossTenants.membership.findUniqueOrThrow({
    where: { id: membershipId },
    include: { actor: true },
  });
  const { actor, ...membership } = created;
  return { actor: actor!, membership };
}

/** An invitation as an ADMIN sends it, with the token of its link. */
export async function invite(app: App, centerId: number, email: string, role: ActorRole) {
  const ctx = systemContext(app, 'test', centerId);
  const db = app.db.acrossTenants;
  const membership = await transact.acrossTenants(ctx, (work) =>
    inviteTo(ctx, work, { centerId, invitee: { email, name: null }, role }),
  );
  const link = { purpose: 'INVITATION', membershipId: membership.id } as const;
  return { membership, token: await db.$transaction((tx) => makeLinkToken(tx, link, new Date())) };
}

/** An identity that a person has connected earlier. */
export const linked = (app: App, { centerId, issuer }: IdentityProvider, actorId: string, subject: string) =>
  app.db.acrossTenants.identity.create({ data: { id: newId('idn'), centerId, issuer, subject, actorId } });
