import type { Checkpoint } from '../../../db/generated/prisma/client.ts';
import type { App } from '../../app.ts';
import { makeCheckpoint } from './make.ts';
import { latestCheckpoint } from './signed-before.ts';

/** Checkpoints that this process is just making, by chain: callers who come meanwhile wait for the same one. */
const underWay = new WeakMap<App, Map<number, Promise<unknown>>>();

const ATTEMPTS = 3;

/**
 * The newest checkpoint of a chain that covers a record, made now if there is none. Throws HistoryChanged where it
 * cannot be signed.
 */
export async function checkpointCovering(app: App, chainId: number, index: number): Promise<Checkpoint> {
  // The one under way may have begun before the record was there: then the next one has it.
  for (let attempt = 1; ; attempt++) {
    const latest = await latestCheckpoint(app.db.pool, chainId);
    if (latest && latest.size > index) return latest;
    if (attempt > ATTEMPTS) throw new Error(`no checkpoint covers record ${index} of chain ${chainId}`);
    await makeShared(app, chainId);
  }
}

function makeShared(app: App, chainId: number): Promise<unknown> {
  const chains = underWay.get(app) ?? new Map<number, Promise<unknown>>();
  underWay.set(app, chains);
  const running = chains.get(chainId);
  if (running) return running;
  const started = makeCheckpoint(app, chainId).finally(() => chains.delete(chainId));
  chains.set(chainId, started);
  return started;
}
