import { NotOnReplica } from '../../../../db/replica.ts';
import type { ProofApp, ProofContext } from '../../decision-context.ts';

const onReplica = new WeakMap<ProofApp, ProofApp>();

/** The app with the replica as its database. Cached, because keys and sources are cached per app. */
function replicaApp(app: ProofApp): ProofApp {
  const known = onReplica.get(app) ?? { ...app, db: app.db.replica!.reads };
  onReplica.set(app, known);
  return known;
}

/**
 * Runs an export on the replica if the request reads from it. Falls back to the primary for records newer than the replication
 * lag and for those that no checkpoint on the replica covers.
 */
export async function exportFromReplica<T>(
  ctx: ProofContext,
  work: (ctx: ProofContext) => Promise<T>,
): Promise<T> {
  const { app } = ctx;
  if (!ctx.reads.isReplica) return work(ctx);
  try {
    return await work({ ...ctx, app: replicaApp(app) });
  } catch {
    return work({ ...ctx, reads: app.db });
  }
}

/** Refuses to export a record from a replica that may lack some of its data. */
export function requireOldEnough({ app, now }: ProofContext, timestamp: string): void {
  const isOld = now.getTime() - Date.parse(timestamp) > app.config.replicaMaxLagSeconds * 1_000;
  if (app.db.isReplica && !isOld) throw new NotOnReplica();
}
