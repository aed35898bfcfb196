import { randomUUID } from 'node:crypto';
import type { Tx } from '../../db/database.ts';
import type { Center, Plan } from '../../db/generated/prisma/client.ts';
import type { ActorRole, TenantType, Vertical } from '../../db/generated/prisma/enums.ts';
import { sql } from '../../db/sql.ts';
import { doc } from '../../lib/doc.ts';
import { DomainError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { timeZoneField } from '../centers/settings.ts';
import { roleLabels } from '../role-labels.ts';
import type { Work } from '../unit-of-work.ts';
import { createStarterWorkflows } from '../workflows/starters.ts';
import { isReserved } from './subdomain.ts';

const TRIAL_DAYS = 14;
const DAY_MS = 86_400_000;

export const newCenterZone = timeZoneField
  .nullish()
  .meta(
    doc(
      'The IANA time zone of the calendar. Default: UTC, until an administrator of the center chooses one.',
      'Europe/Berlin',
    ),
  );

interface CenterDraft {
  name: string;
  /** Slugs in order of preference. The first free one is used. */
  subdomains: Iterable<string>;
  vertical: Vertical;
  tenantType: TenantType;
  partnerId: string | null;
  plan: Plan;
  description?: string;
  /** The first administrator chooses one if it is missing. */
  timezone?: string | null | undefined;
  settings?: Record<string, string>;
}

/** Creates a center and everything it needs, except for its people, in the caller's transaction. */
export async function setUpCenter(work: Work, draft: CenterDraft, now: Date) {
  const center = await insertCenter(work.db, draft, now);
  const { name, centerDomain, tenantType, vertical } = center;
  const subscription = await work.db.subscription.create({
    data: {
      id: newId('sub'),
      centerId: center.id,
      planId: draft.plan.id,
      status: 'TRIAL',
      seatLimit: draft.plan.seatLimit,
      currentPeriodStart: now,
      currentPeriodEnd: new Date(now.getTime() + TRIAL_DAYS * DAY_MS),
      createdAt: now,
    },
    include: { plan: true },
  });
  const tenantMapping = await work.db.tenantMapping.create({
    data: { centerId: center.id, lmsTenantId: randomUUID(), createdAt: now },
  });
  // The heads of the center's hash chains, for its first records.
  await OPEN_CHAINS.run(work.db, { centerId: center.id });
  await createStarterWorkflows(work.db, center.id, vertical, now);
  work.audit({
    type: 'center.created',
    centerId: center.id,
    target: String(center.id),
    detail: { name, centerDomain, tenantType, vertical, planId: draft.plan.id },
  });
  return { center, subscription, tenantMapping };
}

const COUNTRY_OF_PARTNER = sql('country_of_partner', { country: 'text?' })`
  SELECT settings->>'country' AS country FROM partner WHERE id = $partnerId FOR SHARE`;

/** The lock ensures that a change of the partner's country does not miss a center that is being created. */
async function partnerCountry(tx: Tx, partnerId: string | null): Promise<Record<string, string>> {
  if (partnerId === null) return {};
  const [partner] = await COUNTRY_OF_PARTNER.rows(tx, { partnerId });
  return partner?.country ? { partnerCountry: partner.country } : {};
}

/** Takes the first free slug. A slug taken concurrently is skipped and causes no database error. */
async function insertCenter(tx: Tx, draft: CenterDraft, now: Date): Promise<Center> {
  const inherited = await partnerCountry(tx, draft.partnerId);
  for (const centerDomain of draft.subdomains) {
    if (isReserved(centerDomain)) continue;
    const data = {
      partnerId: draft.partnerId,
      name: draft.name,
      centerDomain,
      tenantType: draft.tenantType,
      vertical: draft.vertical,
      description: draft.description ?? '',
      settings: initialSettings(draft.vertical, {
        ...draft.settings,
        ...inherited,
        ...(draft.timezone && { timezone: draft.timezone }),
      }),
      createdAt: now,
    };
    const [center] = await tx.center.createManyAndReturn({ data, skipDuplicates: true });
    if (center) return center;
  }
  throw new DomainError('SUBDOMAIN_TAKEN', 'This subdomain is taken or reserved; choose another one.');
}

const OPEN_CHAINS = sql('open_chains')`
  SELECT ledger_chain_for($centerId::int, domain) FROM unnest(enum_range(NULL::chain_domain)) AS domain`;

/** The usual length of a booked session, and what a center of the vertical offers. */
const verticals: Record<Vertical, { sessionMinutes: number; features: string[] }> = {
  rehabilitation: { sessionMinutes: 50, features: ['therapy plans', 'progress notes', 'booking'] },
  welfare: { sessionMinutes: 60, features: ['case files', 'support plans', 'booking'] },
  education: { sessionMinutes: 45, features: ['courses', 'attendance', 'certificates'] },
  pharmacy: { sessionMinutes: 15, features: ['dispensing records', 'consultations', 'stock reviews'] },
  commerce: { sessionMinutes: 30, features: ['orders', 'refund decisions', 'price reviews'] },
  mentoring: { sessionMinutes: 60, features: ['goals', 'session notes', 'booking'] },
  interior: { sessionMinutes: 90, features: ['projects', 'design approvals', 'site visits'] },
};

const permissions: Record<ActorRole, string[]> = {
  ADMIN: [
    'members',
    'decisions',
    'workflows',
    'api keys',
    'webhooks',
    'policies',
    'subscription',
    'settings',
  ],
  INSTRUCTOR: ['decisions', 'workflows', 'own availability', 'bookings'],
  PARENT: ['bookings', 'children'],
  CHILD: ['bookings'],
};

/** The initial settings of a center: its roles and those of its line of business. */
function initialSettings(vertical: Vertical, given: Record<string, string>) {
  return {
    roles: Object.entries(roleLabels[vertical]).map(([role, label]) => ({
      role,
      label,
      permissions: permissions[role as ActorRole],
    })),
    vertical: verticals[vertical],
    ...given,
  };
}
