import { serviceName } from '@countersign/proof-kit';
import { clearFinding, clearTableFindings, fileSource, HistoryLost, reportFinding } from '../findings.ts';
import { openKeyring } from '../keys/change.ts';
import type { Keyring } from '../keys/ring.ts';
import type { LedgerApp } from '../ledger-app.ts';
import { lockLog } from '../log/edge.ts';
import { requireHeldLog } from '../log/heads.ts';
import { inTransaction } from '../queryable.ts';
import { syncClosedLogs } from './closed-logs.ts';

/**
 * Compares the head log with this process's file and shares what is missing with every process. Signs nothing and needs only a
 * few reads regardless of the log's size, so it runs on every reconnection. Throws SigningRefused if the result cannot be
 * determined.
 */
export async function checkHistory(app: LedgerApp, ring: Keyring): Promise<void> {
  await app.checkpointFile.refresh();
  await inTransaction(app, async (db) => {
    await lockLog(db);
    await clearTableFindings(db);
    const logs = await syncClosedLogs(app, db, ring);
    try {
      await requireHeldLog(app, db, ring, logs);
      await clearFinding(db, logs.origin, fileSource(app));
    } catch (error) {
      if (!(error instanceof HistoryLost)) throw error;
      await reportFinding(app, error.finding, db);
    }
  });
}

/** The same after a database outage: after a failover, the standby may lack signed history. */
export async function checkHistoryAfterOutage(app: LedgerApp): Promise<void> {
  try {
    await checkHistory(app, await openKeyring(app, serviceName(app.config.publicUrl)));
  } catch (error) {
    // The next signing round meets the same fault and reports it.
    app.log.warn({ reason: (error as Error).message }, 'could not compare the log with its signed heads');
  }
}
