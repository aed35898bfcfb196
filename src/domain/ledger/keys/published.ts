import { type HistoricKey, readKeyHistory, serviceName } from '@countersign/proof-kit';
import type { Queryable } from '../../../db/database.ts';
import { DomainError } from '../../../lib/errors.ts';
import { acrossChains, type LedgerApp } from '../ledger-app.ts';
import { SigningRefused } from '../notes/faults.ts';
import { openKeyring } from './change.ts';
import { historyPath, readHistoryLines, readLines, readStoredKeys } from './store.ts';

export interface PublishedKeys {
  /** Every key that ever signed, newest first, so that old checkpoints stay verifiable. */
  keys: HistoricKey[];
  /** The lines of the key history, each signed by an earlier key. */
  history: string[];
}

/**
 * The public key list, with at least one key. If file and database contradict each other, or contain lines without a valid
 * signature, the file alone is used, because it is authoritative. If the file is unreadable or missing too, throws
 * SERVICE_UNAVAILABLE.
 */
export async function publishedKeys(app: LedgerApp): Promise<PublishedKeys> {
  try {
    const { keys } = await openKeyring(app, serviceName(app.config.publicUrl));
    const { lines } = await readStoredKeys(app, acrossChains(app));
    return { keys: keys.toReversed(), history: lines };
  } catch (error) {
    if (!(error instanceof SigningRefused)) throw error;
    const history = await readLines(historyPath(app.config.dataDir));
    const keys = await readKeyHistory(history).catch((): HistoricKey[] => []);
    if (keys.length > 0) return { keys: keys.toReversed(), history };
    throw new DomainError('SERVICE_UNAVAILABLE', 'The signing key history is temporarily unavailable.', {
      cause: error,
    });
  }
}

/** The keys in both copies of the history, for verification only. Throws SigningRefused if the history is invalid. */
export async function historicKeys(dataDir: string, db: Queryable): Promise<HistoricKey[]> {
  const { lines } = await readHistoryLines(dataDir, db);
  return readKeyHistory(lines).catch((error: Error) => {
    throw new SigningRefused(error.message, { cause: error });
  });
}
