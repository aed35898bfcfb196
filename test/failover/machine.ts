import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestDatabase } from '../helpers/database.ts';
import type { FailoverPair } from '../helpers/failover.ts';

/** The database of a process with a separate folder, as on another machine. */
export async function machineOn(urls: FailoverPair['urls']): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-machine-'));
  const checkpointFile = join(dataDir, 'checkpoints.log');
  return { ...urls, dataDir, checkpointFile, mailFolder: join(dataDir, 'mail'), drop: async () => {} };
}
