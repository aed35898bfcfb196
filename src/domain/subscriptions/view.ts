import type { Prisma } from '../../db/database.ts';
import { EvidenceLevel } from '../../db/generated/prisma/enums.ts';
import { DomainError } from '../../lib/errors.ts';
import { type Context, currentCenterId } from '../context.ts';
import { readTallies } from '../tallies/tally.ts';
import { tallyKeys } from '../tallies/tally-keys.ts';

export type SubscriptionRow = Prisma.SubscriptionGetPayload<{ include: { plan: true } }>;

/** The subscription of the caller's center. */
export async function currentSubscription(ctx: Context): Promise<SubscriptionRow> {
  const subscription = await ctx.db.subscription.findUnique({
    where: { centerId: currentCenterId(ctx) },
    include: { plan: true },
  });
  if (!subscription) throw new DomainError('NOT_FOUND', 'This center has no subscription.');
  return subscription;
}

/** Seats that ACTIVE members take. */
export async function seatsUsed({ app }: Context, centerId: number): Promise<number> {
  return sum(await readTallies(app.db.pool, [tallyKeys.centerMembers(centerId)]));
}

/** How much of the service a center uses. */
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
