import { namesOf } from '../../audit/names.ts';
import type { Context } from '../../context.ts';
import type { Author } from '../../principal.ts';
import { onlyRequestsOf } from '../requester.ts';

/**
 * The present names of the center's people and API keys that its decisions mention, by id. A key that may only request decisions
 * learns no name but its own.
 */
export async function partyNamesOf(ctx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const own = onlyRequestsOf(ctx);
  return namesOf(ctx, own === null ? ids : ids.filter((id) => id === own));
}

/** Who reported the outcome of each decision. */
export async function reportersOf(ctx: Context, eventIds: readonly string[]): Promise<Map<string, Author>> {
  const rows = await ctx.db.journalBy.findMany({
    where: { subject: { in: [...eventIds] }, kind: 'outcome' },
    select: { subject: true, byKind: true, byId: true },
  });
  return new Map(
    rows.map(({ subject, byKind: kind, byId: id }) => [subject, { kind, ...(id !== null && { id }) }]),
  );
}
