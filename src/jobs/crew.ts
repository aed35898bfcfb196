import { EventEmitter } from 'node:events';
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

export interface CrewOptions {
  name: string;
  tasks: TaskList;
  concurrency: number;
  /** Claim and complete jobs many at a time: for tasks that are short and plenty. */
  inBulk?: boolean;
  cron?: ParsedCronItem[];
}

/** Some workers of this process that do the same tasks. */
export interface Crew {
  alive(): boolean;
  stop(): Promise<void>;
}

const POLL_MS = 1_000;
const BULK_POLL_MS = 250;
const RESTART_MS = 1_000;
/** Longer than a webhook attempt may take. */
const GRACE_MS = 10_000;

/** Keeps a crew at work: when the queue gives up on it (the database was away too long), another one starts. */
export async function startCrew(
  pool: Pool,
  heartbeat: Heartbeat,
  log: Log,
  options: CrewOptions,
): Promise<Crew> {
  let stopping = false;
  let current: Awaited<ReturnType<typeof hire>> | null = await hire(pool, heartbeat, log, options);

  async function keepAtWork(): Promise<void> {
    while (current) {
      const failure: unknown = await current.runner.promise.then(
        () => null,
        (error: unknown) => error,
      );
      await release(current.poolId);
      if (stopping) return;
      log.error({ err: failure, crew: options.name }, 'workers stopped; starting others');
      current = await hireAgain();
    }
  }

  async function hireAgain() {
    while (!stopping) {
      await sleep(RESTART_MS);
      try {
        const next = await hire(pool, heartbeat, log, options);
        if (stopping) void next.runner.stop();
        return next;
      } catch (error) {
        log.error({ err: error, crew: options.name }, 'could not start workers');
      }
    }
    return null;
  }

  /** Should this fail, the silence of the pool frees its jobs a little later. */
  async function release(poolId: string): Promise<void> {
    await heartbeat
      .release(poolId)
      .catch((error: unknown) => log.warn({ err: error }, 'could not give jobs back'));
  }

  const ended = keepAtWork();
  return {
    alive: () => !stopping,
    async stop() {
      stopping = true;
      await current?.runner.stop().catch(() => {});
      await ended;
    },
  };
}

async function hire(pool: Pool, heartbeat: Heartbeat, log: Log, options: CrewOptions) {
  const { tasks, concurrency, inBulk, cron = [] } = options;
  let poolId = '';
  const events: WorkerEvents = new EventEmitter();
  events.on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id;
    heartbeat.watch(poolId);
  });
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
        pollInterval: inBulk ? BULK_POLL_MS : POLL_MS,
        gracefulShutdownAbortTimeout: GRACE_MS,
        // Without the zero, stopping leaves finished jobs locked.
        ...(inBulk && {
          localQueue: { size: concurrency },
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
        }),
      },
    },
  });
  return { runner, poolId };
}

function queueLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    const { error } = (meta ?? {}) as { error?: unknown };
    if (level === 'error') log.error({ err: error }, message);
    else if (level === 'warning') log.warn(message);
  });
}
