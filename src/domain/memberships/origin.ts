import { type Context, currentCenterId } from '../context.ts';

/** Where the person of a membership comes from. */
export interface MemberOrigin {
  /** A person with an account can have a password and other centers; the others exist in this center only. */
  hasAccount: boolean;
  /** What the directory knows the member by; null if it does not keep the membership. */
  directory: { userName: string; externalId: string | null; since: Date } | null;
}

/** The origins of members of the caller's center who have accepted, by membership. */
export async function originsOf(
  ctx: Context,
  membershipIds: readonly string[],
): Promise<Map<string, MemberOrigin>> {
  const rows = await ctx.db.membership.findMany({
    where: { id: { in: [...membershipIds] }, centerId: currentCenterId(ctx) },
    select: {
      id: true,
      actor: { select: { homeCenterId: true } },
      scimUser: { select: { userName: true, externalId: true, createdAt: true, endedAt: true } },
    },
  });
  return new Map(
    rows.map(({ id, actor, scimUser }) => [
      id,
      {
        hasAccount: actor?.homeCenterId === null,
        directory:
          scimUser === null || scimUser.endedAt !== null
            ? null
            : {
                userName: scimUser.userName,
                externalId: scimUser.externalId,
                since: scimUser.createdAt,
              },
      },
    ]),
  );
}
