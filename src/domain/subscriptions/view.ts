import type { Db, Prisma, Tx } from '../../db/database.ts';
import { EvidenceLevel } from '../../db/generated/prisma/enums.ts';
import { requireFound } from '../../lib/errors.ts';
import { centerNotFound } from '../centers/find.ts';
import { type Context, currentCenterId } from '../context.ts';
import { currentActor } from '../identity/me.ts';
import { readTallies, tallyKeys } from '../tallies/tally.ts';

export type SubscriptionRow = Prisma.SubscriptionGetPayload<{ include: { plan: true } }>;

async function readSubscription(db: Db | Tx, centerId: number): Promise<SubscriptionRow> {
  const subscription = await db.subscription.findUnique({ where: { centerId }, include: { plan: true } });
  return requireFound(subscription, 'This center has no subscription.');
}

/** The subscription of the caller's center. */
export async function currentSubscription(ctx: Context): Promise<SubscriptionRow> {
  return readSubscription(ctx.db, currentCenterId(ctx));
}

/** Seats taken by ACTIVE members. */
export async function seatsUsed({ app }: Context, centerId: number): Promise<number> {
  return sum(await readTallies(app.db.pool, [tallyKeys.centerMembers(centerId)]));
}

/** A center's usage of the service. */
export async function usageOf({ app }: Context, centerId: number) {
  const db = app.db.forCenter(centerId);
  const recordKeys = Object.values(EvidenceLevel).map((level) => `dpu:${centerId}:${level}`);
  const [records, apiKeys, webhooks, workflows] = await Promise.all([
    readTallies(app.db.pool, recordKeys),
    db.apiKey.count({ where: { revokedAt: null } }),
    db.webhook.count({ where: { deletedAt: null } }),
    db.workflow.count({ where: { deletedAt: null } }),
  ]);
  return { decisionRecords: sum(records), apiKeys, webhooks, workflows };
}

const sum = (tallies: Map<string, number>) =>
  [...tallies.values()].reduce((total, count) => total + count, 0);

/** The subscription of a center that the caller manages (a partner its own, the platform all), locked until the commit. */
export async function lockSubscription(ctx: Context, tx: Tx, centerId: number): Promise<SubscriptionRow> {
  await requireOwnCenter(ctx, tx, centerId);
  await tx.$queryRaw`SELECT FROM subscription WHERE center_id = ${centerId} FOR UPDATE`;
  return readSubscription(tx, centerId);
}

/** The subscription of a center that the caller manages. */
export async function subscriptionOf(ctx: Context, centerId: number): Promise<SubscriptionRow> {
  const db = ctx.app.db.acrossTenants;
  await requireOwnCenter(ctx, db, centerId);
  return readSubscription(db, centerId);
}

async function requireOwnCenter(ctx: Context, db: Db | Tx, centerId: number): Promise<void> {
  const { platformAdmin, partner } = currentActor(ctx);
  const own = platformAdmin ? {} : { partnerId: partner?.id ?? '' };
  const found = await db.center.findFirst({ where: { id: centerId, ...own }, select: { id: true } });
  if (!found) throw centerNotFound();
}
