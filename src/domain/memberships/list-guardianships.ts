import { type Context, currentCenterId } from '../context.ts';

/** Who looks after whom, with the names that the center knows. */
export interface NamedGuardianship {
  guardianId: string;
  guardianName: string;
  childId: string;
  childName: string;
  since: Date;
}

const MOST_SHOWN = 500;

/** The ties that the caller's center has made, by the name of the child. */
export async function listGuardianships(ctx: Context): Promise<NamedGuardianship[]> {
  // People belong to no center, so their names are read past the center's own rows.
  const ties = await ctx.app.db.acrossTenants.guardianship.findMany({
    where: { centerId: currentCenterId(ctx) },
    include: { guardian: { select: { name: true } }, child: { select: { name: true } } },
    orderBy: [{ child: { name: 'asc' } }, { guardian: { name: 'asc' } }],
    take: MOST_SHOWN,
  });
  return ties.map(({ guardianId, childId, guardian, child, createdAt }) => ({
    guardianId,
    guardianName: guardian.name,
    childId,
    childName: child.name,
    since: createdAt,
  }));
}
