import { setFlagsFromString } from 'node:v8';
import type { App } from '../app.ts';
import { beatEveryMs } from '../db/heartbeat.ts';
import { openPool, type Pool } from '../db/pool.ts';
import type { DatabaseWatch } from '../db/watch.ts';
import { makeChatSender } from '../domain/notifications/chat-sender.ts';
import { makeWebhookSender } from '../domain/webhooks/sender.ts';
import { type FairShare, makeFairShare } from '../lib/fair-share.ts';
import type { Log } from '../lib/log.ts';
import { makeOutboundSlots } from '../lib/outbound/slots.ts';
import { type PoolName, poolOf, type TaskName } from '../queue/tasks.ts';
import { startCheckpointTimer } from './checkpoint-timer.ts';
import { cronItems, startPasses } from './handlers.ts';
import { checkEveryMs, startTakeover } from './takeover.ts';
import { taskList } from './task-list.ts';
import { POLL_MS, startWorkerPool, type WorkerPoolOptions } from './worker-pool.ts';

export interface Worker {
  alive(): boolean;
  /** Takes no new jobs, lets running ones finish and returns the rest. */
  stop(): Promise<void>;
}

/** Concurrent mails: while the mail server hangs, only mail waits. */
const MAILS = 4;

/** Concurrent jobs for the service's own deadlines. They wait only for the database. */
const DEADLINES = 8;

/** Concurrent calls to the operator's AI endpoint. */
const AI_CALLS = 64;

/** Few, because claimed jobs wait here even while another process is idle. */
const CLAIMED_AT_ONCE = 4;

/** Claims per slot, so that a center with a full share of claims can still fill every otherwise unused slot. */
const CLAIMS_A_SLOT = 4;

/**
 * The longest time that jobs of a killed worker wait while another worker is alive: its heartbeat expires, a check follows with
 * a heartbeat of the other worker, and a pool polls for the unlocked jobs.
 */
export function longestTakeoverMs(takeoverSeconds: number): number {
  return takeoverSeconds * 1_000 + checkEveryMs(takeoverSeconds) + beatEveryMs(takeoverSeconds) + POLL_MS;
}

const tasksOf = (pool: PoolName) =>
  (Object.keys(poolOf) as TaskName[]).filter((task) => poolOf[task] === pool);

export async function startWorker(app: App): Promise<Worker> {
  const { config, db, log } = app;
  const { concurrency, deliveries, outsideCalls, takeoverSeconds } = config.worker;
  // Session settings and LISTEN do not work through a pooler.
  const pool = openQueuePool(config.databaseDirectUrl ?? db.url, db.watch, log);
  app.metrics.pools.set('queue', pool);
  // Most objects are short-lived: collect garbage before the heap grows to several times the live size.
  if (!config.runsApi) setFlagsFromString('--heap-growing-percent=40');
  const calls = { tenants: makeOutboundSlots(outsideCalls), operator: makeOutboundSlots(AI_CALLS) };
  const slots = makeOutboundSlots(deliveries);
  const workplace = {
    app,
    pool,
    sender: makeWebhookSender(app, pool, slots),
    chats: makeChatSender(app, pool, slots),
    calls,
  };
  const takeover = startTakeover(app.heartbeat, pool, takeoverSeconds, log);
  const start = (
    name: PoolName,
    options: Pick<WorkerPoolOptions, 'concurrency' | 'atOnce'>,
    share?: FairShare,
  ) =>
    startWorkerPool(pool, takeover, log, {
      name,
      tasks: taskList(workplace, tasksOf(name), share),
      ...(name === 'deadlines' && { cron: cronItems() }),
      ...options,
    });
  /** A pool whose slots are shared among centers. A job may hold a claim while it waits for a slot or for another server. */
  const startShared = (name: PoolName, slots: number, waitingOutside = 0) => {
    const claims = CLAIMS_A_SLOT * slots + waitingOutside;
    return start(name, { concurrency: claims, atOnce: CLAIMED_AT_ONCE }, makeFairShare({ slots, claims }));
  };
  const pools = await Promise.all([
    startShared('deadlines', DEADLINES),
    startShared('workflows', concurrency, outsideCalls + AI_CALLS),
    // The same number may wait briefly until their endpoint has capacity.
    start('deliveries', { concurrency: 2 * deliveries, atOnce: deliveries }),
    start('mail', { concurrency: MAILS, atOnce: MAILS }),
  ]);
  // If it fails, the crontab begins them within a minute.
  await startPasses(app).catch((error: unknown) => log.warn({ err: error }, 'could not begin the passes'));
  const checkpoints = startCheckpointTimer(app);
  return {
    alive: () => pools.every((workers) => workers.alive()),
    async stop() {
      await checkpoints.stop();
      await Promise.all(pools.map((workers) => workers.stop()));
      await takeover.stop();
      await pool.end();
    },
  };
}

const CONNECTIONS = 10;

/**
 * A queue is often empty when PostgreSQL collects statistics, and a plan for an empty queue reads and sorts the whole backlog
 * for each batch of jobs. Custom plans know the current size of the table, and with `random_page_cost` at zero and without
 * bitmaps they read the jobs in index order. Disabling sequential scans or sorts instead would raise the cost of every plan
 * above `jit_above_cost` before PostgreSQL 18; a bitmap always has an index scan in its place.
 */
const BY_INDEX = { plan_cache_mode: 'force_custom_plan', random_page_cost: '0', enable_bitmapscan: 'off' };

/**
 * No caller waits for a job to be claimed, recorded or completed, so these commits are asynchronous. After a database crash
 * the last moment may be lost as a whole: those jobs run again and find their work done, or deliver once more.
 */
const WITHOUT_WAITING = { synchronous_commit: 'off' };

/** The connections of a worker's queue and deliveries, so that they do not wait for other work of the process. */
export function openQueuePool(url: string, watch: DatabaseWatch, log: Log): Pool {
  return openPool(url, {
    connections: CONNECTIONS,
    watch,
    settings: { ...BY_INDEX, ...WITHOUT_WAITING },
    onBroken: (error) => log.warn({ reason: error.message }, 'lost an idle connection of the queue'),
  });
}
