// What an administrator of a new center does first. Whether a step is done follows from facts, not from clicks.

import { usableAt } from '../api-keys/keys.ts';
import { settingsOf } from '../centers/view.ts';
import { type Context, currentCenterId } from '../context.ts';
import { decidedPractice, openPractice } from '../decisions/practice/request-practice.ts';
import { currentActor } from '../identity/me.ts';
import { activeAdmin } from '../memberships/seats.ts';

export const firstStepKinds = [
  'TIME_ZONE',
  'PASSKEY',
  'SECOND_ADMIN',
  'POLICY',
  'AGENT_KEY',
  'PRACTICE',
] as const;
export type FirstStepKind = (typeof firstStepKinds)[number];

export interface FirstSteps {
  steps: { kind: FirstStepKind; done: boolean }[];
  dismissedAt: Date | null;
  /** The practice request that waits, or else the newest one that a person decided. */
  practiceEventId: string | null;
}

/** The caller's membership, which is the one of a relative if the caller's rights are. */
function ownMembershipId(ctx: Context): string {
  const { center } = currentActor(ctx);
  if (!center.open) throw new Error('the access rule requires a center');
  return center.membershipId;
}

export async function readFirstSteps(ctx: Context): Promise<FirstSteps> {
  const { db, now, app } = ctx;
  const { actorId, featuresOff } = currentActor(ctx);
  const centerId = currentCenterId(ctx);
  const [center, membership, passkeys, admins, policies, keys, open, decided] = await Promise.all([
    db.center.findUniqueOrThrow({ where: { id: centerId } }),
    db.membership.findUniqueOrThrow({ where: { id: ownMembershipId(ctx) } }),
    app.db.acrossTenants.passkey.count({ where: { actorId, removedAt: null } }),
    db.membership.count({ where: activeAdmin, take: 2 }),
    db.policy.count({ where: { active: true }, take: 1 }),
    db.apiKey.count({
      where: { ...usableAt(now), scopes: { hasSome: ['proof:write', 'proof:request'] } },
      take: 1,
    }),
    openPractice(ctx, db),
    decidedPractice(db),
  ]);
  const done: Record<FirstStepKind, boolean> = {
    TIME_ZONE: 'timezone' in settingsOf(center),
    PASSKEY: passkeys > 0,
    SECOND_ADMIN: admins > 1,
    POLICY: policies > 0,
    AGENT_KEY: keys > 0,
    PRACTICE: decided !== null,
  };
  const offered = firstStepKinds.filter((kind) => kind !== 'AGENT_KEY' || !featuresOff.proofApi);
  return {
    steps: offered.map((kind) => ({ kind, done: done[kind] })),
    dismissedAt: membership.firstStepsDismissedAt,
    practiceEventId: open ?? decided,
  };
}

/** Hides the first steps for the caller in this center. Repeating it has no effect. */
export async function dismissFirstSteps(ctx: Context): Promise<FirstSteps> {
  await ctx.db.membership.updateMany({
    where: { id: ownMembershipId(ctx), firstStepsDismissedAt: null },
    data: { firstStepsDismissedAt: ctx.now },
  });
  return readFirstSteps(ctx);
}
