import type { App } from '../app.ts';
import type { Actor } from '../db/generated/prisma/client.ts';
import type { ActorRole, MembershipStatus, PartnerRole } from '../db/generated/prisma/enums.ts';
import { hashPassword } from '../domain/identity/password.ts';
import type { DemoDomain } from './centers.ts';

export const DEMO_PASSWORD = 'demo-Passw0rd!';

interface Account {
  email: string;
  name: string;
  baseRole: ActorRole;
  memberships?: { center: DemoDomain; role: ActorRole; status: MembershipStatus }[];
  specialties?: string[];
  partnerRole?: PartnerRole;
  platformAdmin?: boolean;
  /** How long ago the memberships began. */
  sinceDays?: number;
  /** A short description for the banner. */
  shows: string;
}

const inRehab = (role: ActorRole, status: MembershipStatus = 'ACTIVE') => [
  { center: 'demo-rehab' as const, role, status },
];

/** One account for each state of a membership, partner role and platform role. */
export const accounts: Account[] = [
  {
    email: 'admin@demo.test',
    name: 'Alex Berger',
    baseRole: 'ADMIN',
    memberships: [
      { center: 'demo-rehab', role: 'ADMIN', status: 'ACTIVE' },
      { center: 'demo-school', role: 'ADMIN', status: 'ACTIVE' },
      { center: 'demo-closed', role: 'ADMIN', status: 'ACTIVE' },
    ],
    sinceDays: 400,
    shows: 'ADMIN of demo-rehab and demo-school',
  },
  {
    email: 'instructor@demo.test',
    name: 'Iris Lang',
    baseRole: 'INSTRUCTOR',
    memberships: inRehab('INSTRUCTOR'),
    specialties: ['occupational therapy', 'early childhood'],
    sinceDays: 300,
    shows: 'INSTRUCTOR of demo-rehab, with weekly hours',
  },
  {
    email: 'parent@demo.test',
    name: 'Paula Weber',
    baseRole: 'PARENT',
    memberships: inRehab('PARENT'),
    sinceDays: 60,
    shows: 'PARENT of child@demo.test',
  },
  {
    email: 'child@demo.test',
    name: 'Charlie Weber',
    baseRole: 'CHILD',
    memberships: inRehab('CHILD'),
    sinceDays: 60,
    shows: 'CHILD in demo-rehab',
  },
  {
    email: 'pending@demo.test',
    name: 'Penny Koch',
    baseRole: 'PARENT',
    memberships: inRehab('PARENT', 'PENDING'),
    shows: 'membership PENDING',
  },
  {
    email: 'suspended@demo.test',
    name: 'Sam Richter',
    baseRole: 'PARENT',
    memberships: inRehab('PARENT', 'SUSPENDED'),
    sinceDays: 200,
    shows: 'membership SUSPENDED',
  },
  {
    email: 'ended@demo.test',
    name: 'Emil Vogt',
    baseRole: 'INSTRUCTOR',
    memberships: inRehab('INSTRUCTOR', 'ENDED'),
    sinceDays: 350,
    shows: 'membership ENDED',
  },
  { email: 'new@demo.test', name: 'Nora Klein', baseRole: 'PARENT', shows: 'no membership at all' },
  {
    email: 'partner@demo.test',
    name: 'Pat Hoffmann',
    baseRole: 'ADMIN',
    partnerRole: 'PARTNER_ADMIN',
    shows: 'PARTNER_ADMIN of the partner that owns the centers',
  },
  {
    email: 'operator@demo.test',
    name: 'Otto Brandt',
    baseRole: 'ADMIN',
    partnerRole: 'PARTNER_OPERATOR',
    shows: 'PARTNER_OPERATOR of the same partner',
  },
  {
    email: 'root@demo.test',
    name: 'Robin Schuster',
    baseRole: 'ADMIN',
    platformAdmin: true,
    shows: 'platform administrator',
  },
];

/** The actors of the accounts by email. Missing ones are created, existing ones stay unchanged. */
export async function ensureActors({ db }: App): Promise<Map<string, Actor>> {
  const emails = accounts.map(({ email }) => email);
  const load = async () => {
    const rows = await db.acrossTenants.actor.findMany({
      where: { email: { in: emails } },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });
    // Several actors can share an address: the oldest comes last and wins.
    return new Map(rows.map((actor) => [actor.email!, actor]));
  };
  const known = await load();
  const missing = accounts.filter(({ email }) => !known.has(email));
  if (missing.length === 0) return known;
  // One hash for all: they share the password, and hashing is meant to be slow.
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  await db.acrossTenants.actor.createMany({
    data: missing.map(({ email, name, baseRole, platformAdmin = false }) => ({
      email,
      name,
      baseRole,
      platformAdmin,
      passwordHash,
    })),
  });
  return load();
}
