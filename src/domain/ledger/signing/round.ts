import { setTimeout as sleep } from 'node:timers/promises';
import { serviceName } from '@countersign/proof-kit';
import { HistoryLost, reportFinding } from '../findings.ts';
import { openKeyring } from '../keys/change.ts';
import { acrossChains, type LedgerApp } from '../ledger-app.ts';
import type { Head } from '../log/current-log.ts';
import { signHead } from '../log/heads.ts';
import { checkHistory } from '../log/held.ts';
import { type Finding, SigningRefused } from '../notes/faults.ts';
import { checkWitnesses, submitToWitnesses } from '../witnesses/submit.ts';
import { assignOrigins } from './read-chains.ts';
import { type Selection, sequence } from './sequence.ts';
import { reportRound } from './state.ts';

export interface Round {
  made: number;
  head: Head;
  findings: Map<number, Finding>;
}

/** Signs every chain that differs from its newest checkpoint, and the head log. */
export function signDueChains(app: LedgerApp): Promise<Round> {
  return sign(app, null);
}

/** The same for given chains, without waiting for the timer. */
export function signChains(app: LedgerApp, ids: number[]): Promise<Round> {
  return sign(app, ids);
}

async function sign(app: LedgerApp, ids: number[] | null): Promise<Round> {
  const findings = new Map<number, Finding>();
  const sound: number[] = [];
  let made = 0;
  try {
    const service = serviceName(app.config.publicUrl);
    const ring = await openKeyring(app, service);
    await assignOrigins(acrossChains(app), service, ids);
    await askWitnessesAnew(app);
    await checkHistory(app, ring);
    for (let selection: Selection | null = ids ? { ids } : { after: 0 }; selection; ) {
      const step = await sequence(app, ring, selection);
      made += step.made;
      for (const [chainId, finding] of step.findings) findings.set(chainId, finding);
      for (const chainId of step.sound) sound.push(chainId);
      if (step.unfinished) continue;
      selection = ids || step.last === null ? null : { after: step.last };
    }
    const head = await signHead(app, ring);
    app.metrics.checkpoints.inc({ result: 'made' }, made);
    await reportRound(app, { findings, sound, refused: null, everything: ids === null });
    await cosignedSoon(app);
    return { made, head, findings };
  } catch (error) {
    if (error instanceof HistoryLost) await reportFinding(app, error.finding);
    if (error instanceof SigningRefused)
      await reportRound(app, { findings, sound, refused: error, everything: false });
    throw error;
  }
}

/** How long a round waits for the witnesses. Requests still open then continue in the background. */
const PATIENCE_MS = 2_000;

async function cosignedSoon(app: LedgerApp): Promise<void> {
  await patiently(app, submitToWitnesses);
}

/** The last database outage after which witnesses were asked what they have seen. */
const askedAfter = new WeakMap<LedgerApp, number>();

/** Runs before the first round and after each database outage, because a failover may have switched to another server. */
async function askWitnessesAnew(app: LedgerApp): Promise<void> {
  const outage = app.db.watch.returnedAt() ?? 0;
  if (askedAfter.get(app) === outage) return;
  await patiently(app, checkWitnesses);
  askedAfter.set(app, outage);
}

async function patiently(app: LedgerApp, ask: (app: LedgerApp) => Promise<void>): Promise<void> {
  if (app.config.witnesses.length === 0) return;
  const patience = new AbortController();
  await Promise.race([ask(app), sleep(PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => {})]);
  patience.abort();
}
