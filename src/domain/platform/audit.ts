import type { AuditEntry } from '../../db/generated/prisma/client.ts';
import { type CursorWindow, newestFirst } from '../../lib/paging.ts';
import { type AuditFilter, chosenEntries } from '../audit/list-entries.ts';
import type { Context } from '../context.ts';

interface PlatformAuditFilter extends Pick<AuditFilter, 'types' | 'from' | 'to'> {
  centerId?: number | null | undefined;
}

/** The audit entries of the whole installation, newest first. */
export function sliceOfPlatformAudit(
  { app }: Context,
  { centerId, ...filter }: PlatformAuditFilter,
  window: CursorWindow,
): Promise<AuditEntry[]> {
  const where = { ...chosenEntries(filter), ...(centerId != null && { centerId }) };
  return app.db.acrossTenants.auditEntry.findMany(newestFirst(window, where));
}
