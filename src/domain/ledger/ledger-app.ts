import type { Context, Infrastructure } from '../context.ts';
import type { CheckpointFile } from './notes/file.ts';
import type { Sealer } from './sealer/sealer.ts';

export interface LedgerServices {
  checkpointFile: CheckpointFile;
  sealer: Sealer;
}

export type LedgerContext = Context<LedgerServices>;

/** Dependencies for signing and verifying chains. */
export type LedgerApp = Pick<Infrastructure, 'config' | 'db' | 'log' | 'metrics' | 'outbound' | 'vault'> &
  Pick<LedgerServices, 'checkpointFile'>;
