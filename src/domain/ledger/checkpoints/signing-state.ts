import { sql } from '../../../db/sql.ts';
import type { LedgerApp } from '../ledger-app.ts';
import type { Finding } from './finding.ts';
import type { SigningRefused } from './keys/refused.ts';
import { acrossChains, type Queryable } from './queryable.ts';

interface Report {
  findings: ReadonlyMap<number, Finding>;
  sound: number[];
  /** The error that stopped the whole round. */
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
