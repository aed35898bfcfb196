import { type HistoricKey, readKeyHistory, serviceName } from '@countersign/proof-kit';
import { DomainError } from '../../../../lib/errors.ts';
import type { LedgerApp } from '../../ledger-app.ts';
import { readLogs } from '../history/closed-logs.ts';
import { everyChain, type Queryable } from '../queryable.ts';
import { openKeyring } from './change.ts';
import { historyPath, readLines } from './files.ts';
import { SigningRefused } from './refused.ts';
import { readKeyring } from './ring.ts';
import { readHistoryLines, readStoredKeys } from './store.ts';

export interface PublishedKeys {
  /** Every key that ever signed, newest first: old checkpoints stay checkable. */
  keys: HistoricKey[];
  /** The lines that say so, each signed by a key before it. */
  history: string[];
}

/** A head log of this service: the first, or one that follows a log that was closed after a loss. */
export interface PublishedLog {
  origin: string;
  /** Where it is served, under the address of the service. */
  path: string;
  /** The last known head of the log before it, and the signed statement that closed that log; null for the first log. */
  follows: { origin: string; size: number; head: string | null; statement: string } | null;
}

/** All logs, the first one first: the last of them is the current one. */
export async function publishedLogs(app: LedgerApp): Promise<PublishedLog[]> {
  const { closed, origin } = await readLogs(app, everyChain(app), () => readKeyring(app));
  const first = { origin: closed[0]?.closed.origin ?? origin, follows: null };
  const others = closed.map(({ successor, closed: { origin: before, signedSize, head }, statement }) => ({
    origin: successor,
    follows: { origin: before, size: signedSize, head, statement },
  }));
  const logs = [first, ...others];
  return logs.map((log, i) => ({ ...log, path: i === logs.length - 1 ? '/log' : `/log/${i + 1}` }));
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
