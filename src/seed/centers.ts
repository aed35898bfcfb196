import type { App } from '../app.ts';
import type { Center } from '../db/generated/prisma/client.ts';
import type { Vertical } from '../db/generated/prisma/enums.ts';
import { type Context, systemContext } from '../domain/context.ts';
import { requireCenterPlan } from '../domain/plans/plans.ts';
import { setUpCenter } from '../domain/provisioning/set-up-center.ts';
import { transact } from '../domain/unit-of-work.ts';

interface DemoCenter {
  domain: string;
  name: string;
  vertical: Vertical;
  planId: string;
  description: string;
  suspended?: true;
}

const demoCenters = [
  {
    domain: 'demo-rehab',
    name: 'Demo Rehabilitation Center',
    vertical: 'rehabilitation',
    planId: 'center-care',
    description: 'Occupational therapy for children, with every decision on the record.',
  },
  {
    domain: 'demo-school',
    name: 'Demo School',
    vertical: 'education',
    planId: 'center-growth',
    description: 'A school whose certificates can be proven.',
  },
  {
    domain: 'demo-closed',
    name: 'Demo Closed Center',
    vertical: 'welfare',
    planId: 'center-starter',
    description: 'Home support. This center is suspended, to show what its members see.',
    suspended: true,
  },
] as const satisfies DemoCenter[];

export const DEMO_TIMEZONE = 'Europe/Berlin';

export type DemoDomain = (typeof demoCenters)[number]['domain'];

/** The demo centers by domain. Missing ones are created like any other center. */
export async function ensureCenters(app: App, partnerId: string): Promise<Map<DemoDomain, Center>> {
  const ctx = systemContext(app, 'seed', null);
  const centers = new Map<DemoDomain, Center>();
  for (const demo of demoCenters) centers.set(demo.domain, await ensureCenter(ctx, demo, partnerId));
  return centers;
}

async function ensureCenter(ctx: Context, demo: DemoCenter, partnerId: string): Promise<Center> {
  const { acrossTenants } = ctx.app.db;
  const known = await acrossTenants.center.findUnique({ where: { centerDomain: demo.domain } });
  if (known) return known;
  return transact.acrossTenants(ctx, async (work) => {
    const { center } = await setUpCenter(
      work,
      {
        name: demo.name,
        subdomains: [demo.domain],
        vertical: demo.vertical,
        tenantType: 'CENTER',
        partnerId,
        plan: await requireCenterPlan(work.db, demo.planId),
        description: demo.description,
        settings: { timezone: DEMO_TIMEZONE, country: 'DE', region: 'BE' },
      },
      ctx.now,
    );
    if (!demo.suspended) return center;
    return work.db.center.update({ where: { id: center.id }, data: { status: 'SUSPENDED' } });
  });
}
