import { type HistoricKey, readKeyHistory, serviceName } from '@countersign/proof-kit';
import { DomainError } from '../../../lib/errors.ts';
import type { LedgerApp } from '../ledger-app.ts';
import { readLogs } from '../log/closed-logs.ts';
import { SigningRefused } from '../notes/refused.ts';
import { acrossChains, type Queryable } from '../queryable.ts';
import { openKeyring } from './change.ts';
import { historyPath, readLines } from './files.ts';
import { readKeyring } from './ring.ts';
import { readHistoryLines, readStoredKeys } from './store.ts';

export interface PublishedKeys {
  /** Every key that ever signed, newest first, so that old checkpoints stay verifiable. */
  keys: HistoricKey[];
  /** The lines of the key history, each signed by an earlier key. */
  history: string[];
}

/** A head log of this service: the first one, or the successor of a log closed after a loss. */
export interface PublishedLog {
  origin: string;
  /** Its path under the service's address. */
  path: string;
  /** The last known head of its predecessor, and the signed statement that closed it; null for the first log. */
  follows: { origin: string; size: number; head: string | null; statement: string } | null;
}

/** All logs, oldest first. The last one is the current log. */
export async function publishedLogs(app: LedgerApp): Promise<PublishedLog[]> {
  const { closed, origin } = await readLogs(app, acrossChains(app), () => readKeyring(app));
  const first = { origin: closed[0]?.closed.origin ?? origin, follows: null };
  const others = closed.map(({ successor, closed: { origin: before, signedSize, head }, statement }) => ({
    origin: successor,
    follows: { origin: before, size: signedSize, head, statement },
  }));
  const logs = [first, ...others];
  return logs.map((log, i) => ({ ...log, path: i === logs.length - 1 ? '/log' : `/log/${i + 1}` }));
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
