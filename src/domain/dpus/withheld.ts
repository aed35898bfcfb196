import type { Context } from '../context.ts';
import type { DpuView } from './dpu-row.ts';

/**
 * Whether the caller may read every decision of the center: ADMINs, and the API keys that may read its records. Other staff
 * reads the records of the platform.
 */
export function readsDecisions({ principal }: Context): boolean {
  if (principal.kind !== 'actor') return principal.kind !== 'anonymous';
  return principal.center.open && principal.center.role === 'ADMIN';
}

/**
 * The columns of a record that are copies of its decision. Its content withholds these members, so callers who may not read
 * the decision must not get them from the columns either.
 */
export function withheldColumns(ctx: Context, dpu: DpuView): Pick<DpuView, 'actorId' | 'tags' | 'metadata'> {
  if (dpu.domain !== 'proof' || readsDecisions(ctx)) return dpu;
  const { eventId, evidenceId } = dpu.metadata;
  return { actorId: null, tags: [], metadata: { eventId, evidenceId } };
}
