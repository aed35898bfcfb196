import { type HistoricKey, readKeyHistory, serviceName } from '@countersign/proof-kit';
import { DomainError } from '../../../../lib/errors.ts';
import type { LedgerApp } from '../../ledger-app.ts';
import { everyChain, type Queryable } from '../queryable.ts';
import { openKeyring } from './change.ts';
import { historyPath, readLines } from './files.ts';
import { SigningRefused } from './refused.ts';
import { readHistoryLines, readStoredKeys } from './store.ts';

export interface PublishedKeys {
  /** Every key that ever signed, newest first: old checkpoints stay checkable. */
  keys: HistoricKey[];
  /** The lines that say so, each signed by a key before it. */
  history: string[];
}

/**
 * For everybody: there is always at least one key. Where file and database contradict each other, or lines were added that
 * nobody entitled to it signed, it is what the file says, because that is what counts; where that cannot be read either,
 * or is gone, nothing can be said.
 */
export async function publishedKeys(app: LedgerApp): Promise<PublishedKeys> {
  try {
    const { keys } = await openKeyring(app, serviceName(app.config.publicUrl));
    const { lines } = await readStoredKeys(app, everyChain(app));
    return { keys: keys.toReversed(), history: lines };
  } catch (error) {
    if (!(error instanceof SigningRefused)) throw error;
    const history = await readLines(historyPath(app.config.dataDir));
    const keys = await readKeyHistory(history).catch((): HistoricKey[] => []);
    if (keys.length > 0) return { keys: keys.toReversed(), history };
    throw new DomainError(
      'SERVICE_UNAVAILABLE',
      'The history of the signing keys cannot be read at present.',
      {
        cause: error,
      },
    );
  }
}

/** The keys by both copies of their history, for those who only check. Throws SigningRefused where it does not hold. */
export async function historicKeys(dataDir: string, db: Queryable): Promise<HistoricKey[]> {
  const { lines } = await readHistoryLines(dataDir, db);
  return readKeyHistory(lines).catch((error: Error) => {
    throw new SigningRefused(error.message, { cause: error });
  });
}
