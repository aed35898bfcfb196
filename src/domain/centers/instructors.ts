import type { Context } from '../context.ts';
import { enterCenter } from './find.ts';

const MOST_INSTRUCTORS = 1_000;

export interface Instructor {
  /** The actor's id. */
  id: string;
  name: string;
  role: 'INSTRUCTOR';
  specialties: string[];
}

/** Who teaches or treats in a center right now, by name; for its members. */
export async function listInstructors(ctx: Context, domain: string): Promise<Instructor[]> {
  const { center } = await enterCenter(ctx, { domain });
  return activeInstructors(ctx, center.id);
}

/** The same, for callers who have made sure that the center may be entered. */
export async function activeInstructors(
  { app }: Context,
  centerId: number,
  instructorId?: string | null,
): Promise<Instructor[]> {
  const rows = await app.db.forCenter(centerId).membership.findMany({
    where: { role: 'INSTRUCTOR', status: 'ACTIVE', ...(instructorId && { actorId: instructorId }) },
    select: { specialties: true, actor: { select: { id: true, name: true } } },
    orderBy: [{ actor: { name: 'asc' } }, { id: 'asc' }],
    take: MOST_INSTRUCTORS,
  });
  return rows.map(({ actor, specialties }) => ({ ...actor!, role: 'INSTRUCTOR', specialties }));
}
