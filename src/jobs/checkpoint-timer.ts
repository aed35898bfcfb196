import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app.ts';
import { SigningRefused } from '../domain/ledger/checkpoints/keys/refused.ts';
import { newestHead } from '../domain/ledger/checkpoints/log/heads.ts';
import { signDueChains } from '../domain/ledger/checkpoints/round.ts';
import { submitToWitnesses } from '../domain/ledger/checkpoints/witnesses/submit.ts';

interface CheckpointTimer {
  /** Lets the round under way finish. */
  stop(): Promise<void>;
}

/** How often witnesses that lack the newest head are looked for. */
const RETRY_MS = 1_000;
/** How long signing waits after the database came back. */
const OBJECTION_MS = 5_000;
/** Part of the interval that must have passed since the newest head: clocks and rounds are never quite on time. */
const NEARLY = 0.8;

/**
 * Signs what has grown, every CHECKPOINT_SECONDS and once at the start. Of several workers, the first one does it:
 * the others see a head that is young enough.
 */
export function startCheckpointTimer(app: App): CheckpointTimer {
  const stopping = new AbortController();
  const every = app.config.checkpoints.everySeconds * 1_000;
  let lastFault = '';

  async function round(): Promise<void> {
    // A standby that took over may lack what another process has signed: its file must have the time to object.
    const returned = app.db.watch.returnedAt();
    if (returned !== null && Date.now() - returned < OBJECTION_MS) return;
    try {
      const head = await newestHead(app.db.declared('acrossTenants'));
      if (head && Date.now() - head.createdAt.getTime() < every * NEARLY) return;
      await signDueChains(app);
      lastFault = '';
    } catch (error) {
      // A refusal has been told already, and what goes on for hours is told once.
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

  /** Witnesses that were away are tried again between the rounds: they need not wait for the next head. */
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
