// What mandates do at present: which approvals they replace, and why an active one approves nothing.
import type { Policy } from '@countersign/proof-kit/effective-policy';
import { usableKeys } from '../../api-keys/keys.ts';
import { type Context, currentCenterId } from '../../context.ts';
import { policiesInForce } from '../../policies/in-force.ts';
import { namedLifts, obstacleFor } from './lifts.ts';
import type { MandateView } from './mandates.ts';
import { NOT_USED, type NotUsed } from './not-used.ts';

export interface MandateEffect {
  lifts: string[];
  notUsed: string | null;
}

/** Only pending and active mandates have an effect. */
export async function effectsOf(
  ctx: Context,
  mandates: readonly MandateView[],
): Promise<Map<MandateView, MandateEffect>> {
  const living = mandates.filter(({ status }) => status === 'pending' || status === 'active');
  if (living.length === 0) return new Map();
  const [policies, keys] = await Promise.all([
    policiesInForce(ctx.reads, currentCenterId(ctx)),
    usableKeys(
      ctx,
      living.flatMap((mandate) => mandate.keys),
    ),
  ]);
  const patterns = living.map(({ terms }) => terms!.actionPattern);
  const lifts = await namedLifts(ctx, policies, [...new Set(patterns)]);
  return new Map(
    living.map((mandate) => {
      const reason = mandate.status === 'active' ? reasonOf(mandate, policies, keys, ctx.now) : null;
      const notUsed = reason === null ? null : NOT_USED[reason];
      return [mandate, { lifts: lifts.get(mandate.terms!.actionPattern)!, notUsed }];
    }),
  );
}

function reasonOf(
  { terms, keys }: MandateView,
  policies: readonly Policy[],
  usable: ReadonlySet<string>,
  now: Date,
): NotUsed | null {
  if (!keys.some((id) => usable.has(id))) return 'no_keys';
  const { actionPattern, validFrom } = terms!;
  const obstacle = obstacleFor(policies, actionPattern);
  if (obstacle !== null) return obstacle;
  return validFrom !== undefined && now.toISOString() < validFrom ? 'not_yet_valid' : null;
}
