import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Logger,
  type ParsedCronItem,
  type Runner,
  run,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import type { Pool } from '../db/database.ts';
import type { Log } from '../lib/log.ts';
import type { Heartbeat } from './heartbeat.ts';

export interface WorkerPoolOptions {
  name: string;
  tasks: TaskList;
  concurrency: number;
  /** Jobs claimed by one statement, for whichever of the workers is free next. */
  atOnce: number;
  cron?: ParsedCronItem[];
}

/** Some workers of this process that do the same tasks. */
export interface WorkerPool {
  alive(): boolean;
  stop(): Promise<void>;
}

/** How often a pool looks for jobs that nobody announced: those whose time has come, and those taken over. */
export const POLL_MS = 250;
/** Jobs done are taken from the queue together. Killed before that, they are run again and find their work done. */
const COMPLETE_TOGETHER_MS = 20;
/** So long may a job that was claimed wait for a worker before others may have it. */
const LONGEST_WAIT_MS = 2_000;
const RESTART_MS = 1_000;
/** Longer than a webhook attempt may take. */
const GRACE_MS = 10_000;

/** Keeps a pool of workers running: when the queue gives up on it (the database was away), another one starts. */
export async function startWorkerPool(
  pool: Pool,
  heartbeat: Heartbeat,
  log: Log,
  options: WorkerPoolOptions,
): Promise<WorkerPool> {
  let stopping = false;
  let current: RunningPool | null = await startRunner(pool, heartbeat, log, options);

  async function keepRunning(): Promise<void> {
    while (current) {
      const failure = await current.ended;
      if (stopping) return;
      log.error({ err: failure, workers: options.name }, 'workers stopped; starting others');
      current = await replace(current);
    }
  }

  async function replace(old: RunningPool): Promise<RunningPool | null> {
    while (!stopping) {
      await sleep(RESTART_MS);
      try {
        await heartbeat.release(old.poolId);
        return await startRunner(pool, heartbeat, log, options);
      } catch (error) {
        log.warn({ err: error, workers: options.name }, 'could not start workers');
      }
    }
    return null;
  }

  const supervised = keepRunning();
  return {
    alive: () => !stopping && current?.hasEnded() === false,
    async stop() {
      stopping = true;
      // Let a replacement that is under way finish, so that nobody is left behind.
      if (current?.hasEnded()) await supervised;
      if (!current) return;
      void current.runner.stop().catch(() => {});
      await Promise.race([current.finished, sleep(2 * GRACE_MS, null, { ref: false })]);
      // Should this fail, the silence of the pool frees its jobs a little later.
      await heartbeat
        .release(current.poolId)
        .catch((error: unknown) => log.warn({ err: error }, 'could not give jobs back'));
    },
  };
}

interface RunningPool {
  runner: Runner;
  poolId: string;
  /** Resolves, with the cause if there is one, when no more work is to be expected. */
  ended: Promise<unknown>;
  hasEnded(): boolean;
  /** Resolves when every job is finished or given back. */
  finished: Promise<unknown>;
}

async function startRunner(
  pool: Pool,
  heartbeat: Heartbeat,
  log: Log,
  options: WorkerPoolOptions,
): Promise<RunningPool> {
  const { tasks, concurrency, atOnce, cron = [] } = options;
  let poolId = '';
  const events: WorkerEvents = new EventEmitter();
  events.on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id;
    heartbeat.watch(poolId);
  });
  keepReturnsAwaited(events);
  // A pool that loses the database begins to shut down but may never get to the end of it.
  const gaveUp = once(events, 'pool:gracefulShutdown');
  const runner: Runner = await run({
    pgPool: pool,
    taskList: tasks,
    parsedCronItems: cron,
    noHandleSignals: true,
    events,
    logger: queueLogger(log),
    preset: {
      worker: {
        concurrentJobs: concurrency,
        // One for the whole pool: without a local queue each worker would look for itself.
        localQueue: { size: atOnce, ttl: LONGEST_WAIT_MS },
        pollInterval: POLL_MS,
        gracefulShutdownAbortTimeout: GRACE_MS,
        // Unless a time is given, stopping leaves finished jobs locked.
        completeJobBatchDelay: COMPLETE_TOGETHER_MS,
        failJobBatchDelay: 0,
      },
    },
  });
  let over = false;
  const finished = runner.promise.then(
    () => null,
    (error: unknown) => error,
  );
  const ended = Promise.race([finished, gaveUp]);
  void ended.then(() => {
    over = true;
  });
  return { runner, poolId, ended, hasEnded: () => over, finished };
}

/**
 * A local queue that is released while it holds jobs gives them back, but takes itself for idle at that moment and
 * awaits nothing: a failure then ends the process, and even a clean stop counts as failed. Something under way in the
 * background until the next turn keeps it from that mistake.
 */
function keepReturnsAwaited(events: WorkerEvents): void {
  events.on('localQueue:init', ({ localQueue }) => {
    const occupy = () => localQueue['background'](new Promise((resolve) => setImmediate(resolve)));
    events.once('pool:gracefulShutdown', occupy);
  });
}

function queueLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    const { error } = (meta ?? {}) as { error?: unknown };
    if (level === 'error') log.error({ err: error }, message);
    else log.debug(message);
  });
}
