// Checkpoint rounds: a round signs every chain that has grown, or that only a retired or lost key has signed. It adds the signed
// checkpoints to the head log, signs the head of the log, and asks the witnesses to cosign it.
//
// Two callers start rounds. The timer of each worker does so every CHECKPOINT_SECONDS for all chains, unless the newest head is
// recent (src/jobs/checkpoint-timer.ts). A request that needs a proof of a new record does so for its chain (checkpoints.ts);
// such requests of one process share the next round. Rounds of several processes may overlap.
//
// On its way a record passes these states:
//
//   sealed       on its chain, which has grown beyond its newest checkpoint
//   logged       its chain's tree has grown, and a checkpoint of the chain is an entry of the head log (sequence.ts)
//   signed       a head covers that entry (log/heads.ts), and the file outside the database has both. Exports and proofs choose
//                among checkpoints in this state
//   cosigned     witnesses have added their signatures to the head
//
// The steps of a round:
//
//   1. Read the keys; create the first key if there is none.
//   2. Give chains without a name the name that their checkpoints will carry.
//   3. Before the first round of a process, and after each database outage, ask the witnesses which head they have seen: the
//      server that answers now may have lost signed history.
//   4. Compare the log with the file (log/held.ts). What is missing becomes a finding that all processes see.
//   5. Sequence the chains: at most 1,000 chains and 20,000 records in a transaction. Each transaction stops if there is a
//      finding. A chain with more new records grows over several transactions, and is signed in the last.
//   6. Sign the head, in a transaction. Its entries and the head itself are made durable in the file before the commit.
//   7. Report the result: metrics, log, and `signing_state`, which the readiness check of every process reads.
//   8. Submit the head to the witnesses.
//
// Who waits for whom: steps 4, 5 and 6 each hold the lock of the log for the length of a transaction, so processes take turns
// between them. The chains that are due are read under the lock, so a chain that another process has just signed is not due.
// Sealing does not wait for signing: a round reads chain heads without locking them. Only step 2 locks the head rows of chains
// that have no name yet. It skips rows that are locked, unless the chain was requested. Steps 3 and 8 wait for the witnesses for
// at most 2 seconds each, outside of any transaction. Requests still open then continue in the background.
//
// Faults. A chain whose records, tree or checkpoints contradict what was signed about it is not signed, and the others are
// (`findings`). An unknown key, or a head that is not genuine, refuses the whole round (SigningRefused). So does lost history
// (HistoryLost), which becomes a finding and stops the rounds of every process; see recovery/accept-loss.ts.
//
// What a crash leaves behind:
//
//   in step 5           the transactions before it: trees that have grown, and entries of the log that no head covers. Proofs do
//                       not use them. The head of the next round covers them.
//   in step 6, before   the file may have the entries and the head, and the database has no such head. The next round finds that
//   the commit          the log holds the head of the file, and signs the log again as it is then. Signatures are deterministic:
//                       for the same size and keys the head is the same. A torn last line of the file is ignored.
//   after step 6        a signed head without cosignatures. It is published after 2 seconds all the same. The timer of every
//                       worker submits it again each second, with backoff for a witness that fails.
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

/** Signs every chain that differs from its newest checkpoint or whose signer no longer signs, and the head log. */
export const signDueChains = (app: LedgerApp): Promise<Round> => signChains(app, null);

/** The same for given chains, without waiting for the timer; null for all that are due. */
export async function signChains(app: LedgerApp, ids: number[] | null): Promise<Round> {
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
    await patiently(app, submitToWitnesses);
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
