import { randomUUID } from 'node:crypto';
import type { App } from '../../src/app.ts';
import type {
  ActorRole,
  MembershipStatus,
  PartnerRole,
  SubscriptionStatus,
  Vertical,
} from '../../src/db/generated/prisma/enums.ts';
import { createApiKey } from '../../src/domain/api-keys/keys.ts';
import { systemContext } from '../../src/domain/context.ts';
import { hashPassword } from '../../src/domain/identity/password.ts';
import { signAccessToken } from '../../src/domain/identity/tokens.ts';
import type { KeyScope } from '../../src/domain/principal.ts';
import { newId } from '../../src/lib/ids.ts';

/** Creates the people and centers of a test directly in the database. */
let counter = 0;
const next = () => `${Date.now().toString(36)}${(counter++).toString(36)}`;

export interface CenterOptions {
  name?: string;
  domain?: string;
  vertical?: Vertical;
  status?: 'ACTIVE' | 'SUSPENDED' | 'INACTIVE';
  partnerId?: string;
  settings?: Record<string, string | number | boolean | string[] | Record<string, boolean | string[]>>;
}

export function makeCenter({ db }: App, options: CenterOptions = {}) {
  const domain = options.domain ?? `center-${next()}`;
  return db.acrossTenants.center.create({
    data: {
      name: options.name ?? `Center ${domain}`,
      centerDomain: domain,
      vertical: options.vertical ?? 'rehabilitation',
      status: options.status ?? 'ACTIVE',
      partnerId: options.partnerId ?? null,
      settings: { timezone: 'Europe/Berlin', country: 'DE', region: 'BE', ...options.settings },
    },
  });
}

export interface ActorOptions {
  name?: string;
  email?: string | null;
  phone?: string | null;
  role?: ActorRole;
  platformAdmin?: boolean;
  /** The password; without one the person cannot sign in. */
  password?: string;
  createdAt?: Date;
}

/** Hashing is slow on purpose, so the hashes of the few test passwords are cached. */
const hashes = new Map<string, Promise<string>>();
function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);
  return hash;
}

export async function makeActor({ db }: App, options: ActorOptions = {}) {
  return db.acrossTenants.actor.create({
    data: {
      name: options.name ?? 'Somebody',
      email: options.email === undefined ? `person-${next()}@example.test` : options.email,
      phone: options.phone ?? null,
      baseRole: options.role ?? 'ADMIN',
      platformAdmin: options.platformAdmin ?? false,
      passwordHash: options.password === undefined ? null : await hashOf(options.password),
      createdAt: options.createdAt ?? new Date(),
    },
  });
}

export function makeMembership(
  { db }: App,
  actorId: string,
  centerId: number,
  role: ActorRole = 'ADMIN',
  status: MembershipStatus = 'ACTIVE',
) {
  return db.acrossTenants.membership.create({
    data: {
      id: newId('mbr'),
      actorId,
      centerId,
      role,
      status,
      ...(status === 'ENDED' && { endedAt: new Date() }),
      // A CHILD that accepted an invitation as one.
      ...(role === 'CHILD' && status !== 'INVITED' && { childConsentAt: new Date() }),
    },
  });
}

/** A subject of the center's identity provider that belongs to a person. */
export function makeIdentity(
  { db }: App,
  actorId: string,
  centerId: number,
  { issuer = 'https://login.example', subject = randomUUID() }: { issuer?: string; subject?: string } = {},
) {
  return db.acrossTenants.identity.create({
    data: { id: newId('idn'), centerId, issuer, subject, actorId },
  });
}

/** A session and its access token, without signing in. With an identity, as its provider would open it. */
export async function makeToken(
  app: App,
  actorId: string,
  centerId: number | null,
  identity: { id: string } | null = null,
): Promise<string> {
  const { db, config } = app;
  const now = new Date();
  const session = await db.acrossTenants.session.create({
    data: {
      id: newId('ses'),
      actorId,
      centerId,
      identityId: identity?.id ?? null,
      provenAt: now,
      expiresAt: new Date(now.getTime() + 86_400_000),
    },
    include: { actor: true },
  });
  const center = centerId ? await db.acrossTenants.center.findUnique({ where: { id: centerId } }) : null;
  return signAccessToken(
    {
      actorId,
      email: session.actor.email ?? '',
      centerId,
      centerDomain: center?.centerDomain ?? null,
      role: session.actor.baseRole,
      authorizedDomains: [],
      sessionId: session.id,
    },
    config.jwtSecret,
    now,
  );
}

/** A person with a role in a center, signed in there. */
export async function makeMember(
  app: App,
  centerId: number,
  role: ActorRole = 'ADMIN',
  options: ActorOptions = {},
) {
  const actor = await makeActor(app, { role, ...options });
  const membership = await makeMembership(app, actor.id, centerId, role);
  return { actor, membership, token: await makeToken(app, actor.id, centerId) };
}

export async function makeKey(
  app: App,
  centerId: number,
  scopes: KeyScope[] = ['proof:write'],
): Promise<string> {
  const ctx = systemContext(app, 'test', centerId);
  const { plaintext } = await createApiKey(ctx, { name: 'test key', scopes });
  return plaintext;
}

/** A partner with one account and the given number of centers. */
export async function makePartner(app: App, role: PartnerRole = 'PARTNER_ADMIN', centers = 1) {
  const partner = await app.db.acrossTenants.partner.create({
    data: { id: newId('ptn'), name: `Partner ${randomUUID()}` },
  });
  const actor = await makeActor(app);
  await app.db.acrossTenants.partnerMembership.create({
    data: { partnerId: partner.id, actorId: actor.id, role },
  });
  const owned = [];
  for (let i = 0; i < centers; i++) owned.push(await makeCenter(app, { partnerId: partner.id }));
  return { partner, actor, centers: owned, token: await makeToken(app, actor.id, null) };
}

/** A center with its administrator and an API key: the usual setup. */
export async function makeStage(app: App, options: CenterOptions = {}) {
  const center = await makeCenter(app, options);
  const admin = await makeMember(app, center.id, 'ADMIN');
  const key = await makeKey(app, center.id);
  return { center, admin, token: admin.token, key };
}

/** The subscription of a center, created if there is none. */
export function makeSubscription(
  { db }: App,
  centerId: number,
  options: { status?: SubscriptionStatus; seatLimit?: number; periodEnd?: Date; planId?: string } = {},
) {
  const now = new Date();
  return db.acrossTenants.subscription.upsert({
    where: { centerId },
    update: {},
    create: {
      id: newId('sub'),
      centerId,
      planId: options.planId ?? 'center-starter',
      status: options.status ?? 'TRIAL',
      seatLimit: options.seatLimit ?? 10,
      currentPeriodStart: now,
      currentPeriodEnd: options.periodEnd ?? new Date(now.getTime() + 14 * 86_400_000),
    },
  });
}
