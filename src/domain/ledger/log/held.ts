// Whether the head log in the database still holds every head signed before.
import { consistencyPlan, serviceName, verifyConsistency } from '@countersign/proof-kit';
import type { Queryable } from '../../../db/database.ts';
import { sha256Bytes } from '../../../lib/crypto.ts';
import { clearFinding, clearTableFindings, fileSource, HistoryLost, reportFinding } from '../findings.ts';
import { openKeyring } from '../keys/change.ts';
import type { Keyring } from '../keys/ring.ts';
import { inTransaction, type LedgerApp } from '../ledger-app.ts';
import { HistoryChanged, SigningRefused } from '../notes/faults.ts';
import { isFiled } from '../notes/file.ts';
import { type Commitment, signedBefore } from '../notes/signed-before.ts';
import { type Logs, syncClosedLogs } from './closed-logs.ts';
import { type Head, lockLog, newestHead, readEdge } from './current-log.ts';
import { type LogSize, proveInLog } from './tiles.ts';

/** The current log as the database holds it. */
export interface PresentLog extends LogSize {
  origin: string;
  root: Uint8Array;
}

/**
 * Requires that the log is consistent with the newest heads in the table and in this process's file. Throws HistoryLost if only
 * the file holds a head that the log does not, and SigningRefused for every other fault.
 */
export async function requireHeld(
  app: LedgerApp,
  db: Queryable,
  ring: Keyring,
  newest: Head | null,
  present: PresentLog,
): Promise<void> {
  const { origin } = present;
  const [signedSize, signedRoot, note] = [
    newest?.size ?? null,
    newest?.rootHash ?? null,
    newest?.note ?? null,
  ];
  const heads = await signedBefore({ origin, signedSize, signedRoot, note }, ring, app.checkpointFile).catch(
    (error: unknown) => {
      if (!(error instanceof HistoryChanged)) throw error;
      throw new SigningRefused(`the head log: ${error.message}`, { cause: error });
    },
  );
  for (const head of heads) await requireHeldHead(app, db, head, present);
}

async function requireHeldHead(
  app: LedgerApp,
  db: Queryable,
  { source, size: signedSize, root, note }: Commitment,
  present: PresentLog,
): Promise<void> {
  const { origin: subject, size: presentSize } = present;
  const broken = (message: string) =>
    source === 'table'
      ? new SigningRefused(message)
      : new HistoryLost({
          subject,
          source: fileSource(app),
          kind: 'lost',
          signedSize,
          presentSize,
          note,
          message,
        });
  if (signedSize > presentSize)
    throw broken(
      `a head in the ${source} covers ${signedSize} entries of the head log, which has ${presentSize}`,
    );
  const plan = consistencyPlan(signedSize, presentSize);
  const proof = await proveInLog(app, db, plan, present).catch((error: Error) => {
    throw new SigningRefused(error.message, { cause: error });
  });
  if (!verifyConsistency({ first: { size: signedSize, root }, second: present, proof }, sha256Bytes))
    throw broken(`the head log no longer holds the head of size ${signedSize} in the ${source}`);
}

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
      await requireFiledHeld(app, db, ring, logs);
      await clearFinding(db, logs.origin, fileSource(app));
    } catch (error) {
      if (!(error instanceof HistoryLost)) throw error;
      await reportFinding(app, error.finding, db);
    }
  });
}

/** The caller must hold the log's lock. */
async function requireFiledHeld(app: LedgerApp, db: Queryable, ring: Keyring, logs: Logs): Promise<void> {
  const { origin, number: log } = logs;
  const newest = await newestHead(db);
  const filed = app.checkpointFile.find(origin);
  if (!filed || (newest && isFiled(filed, newest.size, newest.note))) return;
  const edge = await readEdge(db);
  await requireHeld(app, db, ring, newest, { origin, log, size: edge.size, root: edge.root() });
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
