import type { Center } from '../../db/generated/prisma/client.ts';
import { type CenterView, settingsOf } from '../centers/view.ts';
import type { Context } from '../context.ts';
import { readTallies } from '../tallies/tally.ts';
import { tallyKeys } from './tally-keys.ts';

/** Centers with their member counts, read in one go and in the same time however large they are. */
export async function centerViews({ app }: Context, centers: Center[]): Promise<CenterView[]> {
  if (centers.length === 0) return [];
  const counts = await readTallies(
    app.db.pool,
    centers.map(({ id }) => tallyKeys.centerMembers(id)),
  );
  return centers.map((center) => ({
    ...center,
    settings: settingsOf(center),
    memberCount: counts.get(tallyKeys.centerMembers(center.id)) ?? 0,
  }));
}
