import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app.ts';
import { newestHead } from '../domain/ledger/log/current-log.ts';
import { SigningRefused } from '../domain/ledger/notes/faults.ts';
import { signDueChains } from '../domain/ledger/signing/round.ts';
import { submitToWitnesses } from '../domain/ledger/witnesses/submit.ts';

interface CheckpointTimer {
  /** Lets the current round finish. */
  stop(): Promise<void>;
}

/** The interval between checks for witnesses that lack the newest head. */
const RETRY_MS = 1_000;
/** How long signing waits after the database came back. */
const OBJECTION_MS = 5_000;
/** The fraction of the interval that must have passed since the newest head, to tolerate small clock and timer differences. */
const NEARLY = 0.8;

/**
 * Signs chains that have grown, every CHECKPOINT_SECONDS and once at start. With several workers the first one signs; the
 * others see a recent head.
 */
export function startCheckpointTimer(app: App): CheckpointTimer {
  const stopping = new AbortController();
  const every = app.config.checkpoints.everySeconds * 1_000;
  let lastFault = '';

  async function round(): Promise<void> {
    // A promoted standby may lack what another process has signed: wait until that process's file can reveal it.
    const returned = app.db.watch.returnedAt();
    if (returned !== null && Date.now() - returned < OBJECTION_MS) return;
    try {
      const head = await newestHead(app.db.declared('acrossTenants'));
      if (head && Date.now() - head.createdAt.getTime() < every * NEARLY) return;
      await signDueChains(app);
      lastFault = '';
    } catch (error) {
      // Refusals have already been logged, and a lasting failure is logged once.
      const fault = (error as Error).message;
      if (!(error instanceof SigningRefused) && fault !== lastFault)
        app.log.error({ err: error }, 'could not sign checkpoints');
      lastFault = fault;
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const began = Date.now();
      await round();
      const rest = Math.max(0, began + every - Date.now());
      await sleep(rest, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /** Unavailable witnesses are retried between rounds instead of waiting for the next head. */
  async function retry(): Promise<void> {
    while (!stopping.signal.aborted && app.config.witnesses.length > 0) {
      await submitToWitnesses(app).catch(() => {});
      await sleep(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = Promise.all([run(), retry()]).then(() => {});
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}
