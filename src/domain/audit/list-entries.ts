import { z } from 'zod';
import type { AuditEntry } from '../../db/generated/prisma/client.ts';
import { type CursorWindow, MOST_COUNTED, newestFirst } from '../../lib/paging.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { auditTypes } from './entry.ts';

export const auditFilter = z.object({
  types: z
    .array(z.enum(auditTypes))
    .max(auditTypes.length)
    .nullish()
    .describe('Only entries of these types; all types if omitted.'),
  actorId: plainText(256)
    .nullish()
    .describe('Only entries that this person (a UUID), API key or service caused.'),
  target: plainText(256).nullish().describe('Only entries about the object with this id, such as `evt_…`.'),
  from: z.date().nullish().describe('Only entries from this time on.'),
  to: z.date().nullish().describe('Only entries before this time.'),
});

export type AuditFilter = z.infer<typeof auditFilter>;

/** The audit entries of the caller's center, newest first. */
export function listAuditEntries(
  ctx: Context,
  filter: AuditFilter,
  window: CursorWindow,
): Promise<AuditEntry[]> {
  return ctx.db.auditEntry.findMany(newestFirst(window, chosenEntries(filter)));
}

/** The number of entries, counted up to a limit. */
export function countAuditEntries(ctx: Context, filter: AuditFilter): Promise<number> {
  return ctx.db.auditEntry.count({ where: chosenEntries(filter), take: MOST_COUNTED });
}

export const chosenEntries = ({ types, actorId, target, from, to }: AuditFilter) => ({
  ...(types?.length && { type: { in: types } }),
  ...(actorId != null && { actorId }),
  ...(target != null && { target }),
  occurredAt: { ...(from && { gte: from }), ...(to && { lt: to }) },
});
