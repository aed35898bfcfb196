import type { Checkpoint } from '../../../db/generated/prisma/client.ts';
import { NotOnReplica } from '../../../db/replica.ts';
import type { LedgerApp } from '../ledger-app.ts';
import { type Finding, HistoryChanged } from './finding.ts';
import { latestCheckpoint } from './make.ts';
import { acrossChains } from './queryable.ts';
import { type Round, signChains } from './round.ts';

/** A signing round requested by callers in this process. Callers that arrive during a round share the next one. */
interface Waiting {
  ids: Set<number>;
  round: Promise<Round>;
}

interface Rounds {
  running: Promise<unknown>;
  next: Waiting | null;
}

const rounds = new WeakMap<LedgerApp, Rounds>();
const ATTEMPTS = 3;

/**
 * The newest checkpoint of a chain that covers a record. If there is none, signs one now. Throws HistoryChanged if it cannot
 * be signed.
 */
export async function ensureCheckpoint(app: LedgerApp, chainId: number, index: number): Promise<Checkpoint> {
  for (let attempt = 1; ; attempt++) {
    const latest = await latestCheckpoint(acrossChains(app), chainId);
    if (latest && latest.size > index) return latest;
    if (app.db.isReplica) throw new NotOnReplica();
    if (attempt > ATTEMPTS) throw new Error(`no checkpoint covers record ${index} of chain ${chainId}`);
    const finding = await signTogether(app, chainId);
    if (finding) throw new HistoryChanged(finding.kind, finding.index, finding.message);
  }
}

/** Concurrent callers share one round, which starts when the previous one ends. */
async function signTogether(app: LedgerApp, chainId: number): Promise<Finding | undefined> {
  const state = rounds.get(app) ?? { running: Promise.resolve(), next: null };
  rounds.set(app, state);
  state.next ??= begin(app, state);
  state.next.ids.add(chainId);
  const { findings } = await state.next.round;
  return findings.get(chainId);
}

function begin(app: LedgerApp, state: Rounds): Waiting {
  const ids = new Set<number>();
  const round = state.running.then(() => {
    state.next = null;
    return signChains(app, [...ids]);
  });
  state.running = round.catch(() => {});
  return { ids, round };
}
