import { type Context, currentCenterId } from '../context.ts';

/** How a member signs in at the provider of the center. */
export interface MemberIdentity {
  issuer: string;
  subject: string;
  lastSignInAt: Date | null;
}

/** The identity that members of the caller's center used last, by person. */
export async function identitiesOfMembers(
  ctx: Context,
  actorIds: readonly string[],
): Promise<Map<string, MemberIdentity>> {
  const rows = await ctx.db.identity.findMany({
    where: { actorId: { in: [...actorIds] }, centerId: currentCenterId(ctx) },
    orderBy: [{ lastSignInAt: { sort: 'asc', nulls: 'first' } }, { linkedAt: 'asc' }, { id: 'asc' }],
  });
  return new Map(
    rows.map(({ actorId, issuer, subject, lastSignInAt }) => [actorId, { issuer, subject, lastSignInAt }]),
  );
}
