import type { AuditEntry } from '../../db/generated/prisma/client.ts';
import { type CursorWindow, newestFirst } from '../../lib/paging.ts';
import type { AuditFilter } from '../audit/list-entries.ts';
import type { Context } from '../context.ts';

interface PlatformAuditFilter extends Pick<AuditFilter, 'types' | 'from' | 'to'> {
  centerId?: number | null | undefined;
}

/** The audit entries of the whole installation, newest first. */
export function sliceOfPlatformAudit(
  { app }: Context,
  { types, from, to, centerId }: PlatformAuditFilter,
  window: CursorWindow,
): Promise<AuditEntry[]> {
  const { where, ...page } = newestFirst(window);
  return app.db.acrossTenants.auditEntry.findMany({
    ...page,
    where: {
      ...where,
      ...(types?.length && { type: { in: types } }),
      ...(centerId != null && { centerId }),
      occurredAt: { ...(from && { gte: from }), ...(to && { lt: to }) },
    },
  });
}
