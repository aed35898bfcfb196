import type { Queryable } from '../../db/database.ts';
import type { Center } from '../../db/generated/prisma/client.ts';
import { objectOf } from '../../lib/json.ts';
import { readTallies, tallyKeys } from '../tallies/tally.ts';

/** A center as its members see it. Only ACTIVE memberships count as members. */
export type CenterView = Omit<Center, 'settings'> & {
  memberCount: number;
  settings: Record<string, unknown>;
};

/** Centers with their member counts, read in one query whose cost does not depend on their size. */
export async function centerViews(pool: Queryable, centers: Center[]): Promise<CenterView[]> {
  if (centers.length === 0) return [];
  const counts = await readTallies(
    pool,
    centers.map(({ id }) => tallyKeys.centerMembers(id)),
  );
  return centers.map((center) => ({
    ...center,
    settings: { timezone: 'UTC', ...settingsOf(center) },
    memberCount: counts.get(tallyKeys.centerMembers(center.id)) ?? 0,
  }));
}

export async function centerView(pool: Queryable, center: Center): Promise<CenterView> {
  return (await centerViews(pool, [center]))[0]!;
}

/** Settings should be a JSON object. Anything else that may be stored is treated as empty. */
export const settingsOf = ({ settings }: { settings: unknown }) => objectOf(settings);
