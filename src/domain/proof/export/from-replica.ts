import { NotOnReplica } from '../../../db/replica.ts';
import type { ProofApp, ProofContext } from '../proof-context.ts';

const onReplica = new WeakMap<ProofApp, ProofApp>();

/** The app with the replica as its database. Kept: what was read of keys and sources is kept by app. */
function replicaApp(app: ProofApp): ProofApp {
  const known = onReplica.get(app) ?? { ...app, db: app.db.replica!.reads };
  onReplica.set(app, known);
  return known;
}

/**
 * Runs an export on the replica if the call reads from it. Whatever the replica cannot export as a whole is exported from the
 * primary: records that are not older than the lag, and those that no checkpoint on the replica covers.
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

/** Refuses to export a record on the replica that the replica may not have with everything that belongs to it. */
export function requireOldEnough({ app, now }: ProofContext, timestamp: string): void {
  const isOld = now.getTime() - Date.parse(timestamp) > app.config.replicaMaxLagSeconds * 1_000;
  if (app.db.isReplica && !isOld) throw new NotOnReplica();
}
