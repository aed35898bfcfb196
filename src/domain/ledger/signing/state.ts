// The state of signing: the result of each round, shared through the database, and what operators see of it.
import { type HistoricKey, logOrigin } from '@countersign/proof-kit';
import type { Queryable } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { type PublishedKeys, publishedKeys } from '../keys/published.ts';
import { acrossChains, type LedgerApp } from '../ledger-app.ts';
import type { Head } from '../log/current-log.ts';
import { publishedHead } from '../log/published.ts';
import type { Finding, SigningRefused } from '../notes/faults.ts';
import { tryParse } from '../notes/signatures.ts';
import { type WitnessReport, witnessReports } from '../witnesses/submit.ts';

interface Report {
  findings: ReadonlyMap<number, Finding>;
  sound: number[];
  refused: SigningRefused | null;
  /** Whether every chain was examined. Only then can the state be reset to healthy. */
  everything: boolean;
}

const MOST_FINDINGS = 10_000;
/** The last reported fault of each unsigned chain, so that it is logged once and not every second. */
const lastReported = new WeakMap<LedgerApp, Map<number | 'all', string>>();

const SIGNING_STATE = sql('signing_state')`
  INSERT INTO signing_state (id, refused, at) VALUES (1, $reason, now())
  ON CONFLICT (id) DO UPDATE SET refused = excluded.refused, at = excluded.at
  WHERE signing_state.refused IS DISTINCT FROM excluded.refused`;

/** Reports the result of a signing round to the log, the metrics and the readiness check. */
export async function reportRound(app: LedgerApp, report: Report): Promise<void> {
  const { findings, sound, refused, everything } = report;
  const before = lastReported.get(app) ?? new Map<number | 'all', string>();
  lastReported.set(app, before);
  const reportOnce = (about: number | 'all', message: string, log: () => void) => {
    if (before.get(about) === message) return;
    if (before.size < MOST_FINDINGS) before.set(about, message);
    app.metrics.checkpoints.inc({ result: 'refused' });
    log();
  };
  for (const chainId of sound) before.delete(chainId);
  for (const [chainId, finding] of findings) {
    reportOnce(chainId, finding.message, () =>
      app.log.error({ chainId, finding }, 'no checkpoint signed: the history of a chain changed'),
    );
  }
  if (refused)
    reportOnce('all', refused.message, () =>
      app.log.error({ reason: refused.message }, 'signing has stopped'),
    );
  else before.delete('all');
  const reason = refused?.message ?? before.values().next().value ?? null;
  if (reason === null && !everything) return;
  await SIGNING_STATE.run(acrossChains(app), { reason });
}

const REFUSAL = sql('signing_refusal', { refused: 'text?' })`
  SELECT coalesce((SELECT message FROM history_state ORDER BY kind DESC, noticed_at LIMIT 1),
                  (SELECT refused FROM signing_state)) AS refused`;

/** Why signing is stopped or incomplete, as reported by any process; null if everything is signed. */
export async function readRefusal(db: Queryable): Promise<string | null> {
  const [state] = await REFUSAL.rows(db, {});
  return state!.refused;
}

export function signingRefusal(app: LedgerApp): Promise<string | null> {
  return readRefusal(acrossChains(app));
}

/** The state of the log, for the operator. */
export interface LogState {
  origin: string;
  /** The public head; null before anything was signed. */
  head: Head | null;
  witnesses: WitnessReport[];
  keys: HistoricKey[];
  /** Why signing is stopped or incomplete, and since when; null if everything is signed. */
  refused: { reason: string; since: Date } | null;
}

const INCOMPLETE = sql('log_refusal', { reason: 'text', since: 'timestamptz' })`
  SELECT refused AS reason, at AS since FROM signing_state WHERE refused IS NOT NULL`;

export async function readLogState(app: LedgerApp): Promise<LogState> {
  const [head, witnesses, published, [refused = null]] = await Promise.all([
    publishedHead(app),
    witnessReports(app),
    publishedKeys(app).catch((): PublishedKeys => ({ keys: [], history: [] })),
    INCOMPLETE.rows(acrossChains(app), {}),
  ]);
  const origin = (head && tryParse(head.note)?.origin) ?? logOrigin(app.config.publicUrl);
  return { origin, head, witnesses, keys: published.keys, refused };
}
