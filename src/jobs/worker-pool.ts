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
import { awaitReturnedJobs } from '../db/internals/graphile-worker.ts';
import type { Log } from '../lib/log.ts';
import type { Takeover } from './takeover.ts';

export interface WorkerPoolOptions {
  name: string;
  tasks: TaskList;
  concurrency: number;
  /** Jobs claimed by one statement, for the next free workers. */
  atOnce: number;
  cron?: ParsedCronItem[];
}

/** Workers of this process that run the same tasks. */
interface WorkerPool {
  /** Whether the pool is running and its polls succeed. */
  alive(): boolean;
  stop(): Promise<void>;
}

/** How often a pool polls for jobs without a notification: jobs that became due or were unlocked. */
export const POLL_MS = 250;
/**
 * Completed jobs are removed from the queue in batches. If the process is killed before, they run again and find their work
 * done.
 */
const COMPLETE_TOGETHER_MS = 20;
/** How long a claimed job may wait for a worker before it is returned. */
const LONGEST_WAIT_MS = 2_000;
const RESTART_MS = 1_000;
/** Longer than a webhook attempt may take. */
const GRACE_MS = 10_000;

/**
 * Keeps a worker pool running. A pool is replaced when the queue gives up on it (the database was unavailable) or when its
 * polls keep failing: after some failures a pool never finds a job again.
 */
export async function startWorkerPool(
  pool: Pool,
  takeover: Takeover,
  log: Log,
  options: WorkerPoolOptions,
): Promise<WorkerPool> {
  let stopping = false;
  let current: RunningPool | null = await startRunner(pool, takeover, log, options);
  let retired: Promise<void> | undefined;

  async function keepRunning(): Promise<void> {
    while (current) {
      const failure = await current.ended;
      if (stopping) return;
      log.error({ err: failure, workers: options.name }, 'the worker pool stopped; restarting it');
      current = await replace(current);
    }
  }

  /** Jobs that the old pool is running may still finish; only then are they unlocked. */
  async function retire(old: RunningPool): Promise<void> {
    void old.runner.stop().catch(() => {});
    await Promise.race([old.finished, sleep(GRACE_MS, null, { ref: false })]);
    await takeover.release(old.poolId);
  }

  async function replace(old: RunningPool): Promise<RunningPool | null> {
    while (!stopping) {
      await sleep(RESTART_MS);
      try {
        const next = await startRunner(pool, takeover, log, options);
        // If this fails, the jobs are unlocked when the old pool's heartbeat expires.
        retired = retire(old).catch((error: unknown) => {
          takeover.forget(old.poolId);
          log.warn({ err: error, workers: options.name }, 'could not release jobs');
        });
        return next;
      } catch (error) {
        log.warn({ err: error, workers: options.name }, 'could not start workers');
      }
    }
    return null;
  }

  const supervised = keepRunning();
  return {
    alive: () => !stopping && current?.hasEnded() === false && !current.isFailing(),
    async stop() {
      stopping = true;
      // Let a starting replacement finish, so that no worker is orphaned.
      if (current?.hasEnded()) await supervised;
      await retired;
      if (!current) return;
      void current.runner.stop().catch(() => {});
      await Promise.race([current.finished, sleep(2 * GRACE_MS, null, { ref: false })]);
      // If this fails, the jobs are unlocked when the pool's heartbeat expires.
      await takeover
        .release(current.poolId)
        .catch((error: unknown) => log.warn({ err: error }, 'could not release jobs'));
    },
  };
}

interface RunningPool {
  runner: Runner;
  poolId: string;
  /** Resolves when the pool has stopped working, with the cause if there is one. */
  ended: Promise<unknown>;
  hasEnded(): boolean;
  /** Whether its polls have failed for some time. */
  isFailing(): boolean;
  /** Resolves when every job is finished or returned. */
  finished: Promise<unknown>;
}

async function startRunner(
  pool: Pool,
  takeover: Takeover,
  log: Log,
  options: WorkerPoolOptions,
): Promise<RunningPool> {
  const { tasks, concurrency, atOnce, cron = [] } = options;
  let poolId = '';
  const events: WorkerEvents = new EventEmitter();
  events.on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id;
    takeover.watch(poolId, jobsInHand(events));
  });
  awaitReturnedJobs(events);
  const looks = supervisePolling(events);
  // A pool that loses the database starts to shut down but may never finish.
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
        // One for the whole pool: without a local queue each worker would poll separately.
        localQueue: { size: atOnce, ttl: LONGEST_WAIT_MS },
        pollInterval: POLL_MS,
        gracefulShutdownAbortTimeout: GRACE_MS,
        // Without a delay, stopping leaves finished jobs locked.
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
  const ended = Promise.race([finished, gaveUp, looks.failed]);
  void ended.then(() => {
    over = true;
    looks.stop();
  });
  return { runner, poolId, ended, hasEnded: () => over, isFailing: looks.areFailing, finished };
}

function queueLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    const { error } = (meta ?? {}) as { error?: unknown };
    if (level === 'error') log.error({ err: error }, message);
    else log.debug(message);
  });
}

// Reacts to the events of a worker pool.

/** A pool that polls this long without success is replaced. */
const LONGEST_FAILING_MS = 4_000;
const SUPERVISE_MS = 500;

/**
 * Watches polls for jobs. A pool with running jobs does not poll; an idle one polls continuously, so if polls fail for some
 * time, the pool is broken. Two checks must agree, because a process that was paused is late with both.
 */
function supervisePolling(events: WorkerEvents) {
  const { promise: failed, resolve } = Promise.withResolvers<Error>();
  let looking = false;
  let since = performance.now();
  let doubts = 0;
  events.on('localQueue:setMode', ({ newMode }) => {
    looking = newMode === 'POLLING';
    since = performance.now();
  });
  events.on('localQueue:getJobs:complete', () => {
    since = performance.now();
  });
  const areFailing = () => looking && performance.now() - since > LONGEST_FAILING_MS / 2;
  const timer = setInterval(() => {
    doubts = looking && performance.now() - since > LONGEST_FAILING_MS ? doubts + 1 : 0;
    if (doubts > 1) resolve(new Error('looking for jobs keeps failing'));
  }, SUPERVISE_MS).unref();
  return { failed, areFailing, stop: () => clearInterval(timer) };
}

/**
 * The jobs that a pool knows it was assigned: waiting for one of its workers, or running. If the answer to a poll is lost, the
 * database has locked jobs that the pool will never start.
 */
function jobsInHand(events: WorkerEvents): ReadonlySet<string> {
  const inHand = new Set<string>();
  events.on('localQueue:getJobs:complete', ({ jobs }) => {
    for (const { id } of jobs) inHand.add(id);
  });
  events.on('localQueue:returnJobs', ({ jobs }) => {
    for (const { id } of jobs) inHand.delete(id);
  });
  events.on('job:complete', ({ job }) => inHand.delete(job.id));
  return inHand;
}
