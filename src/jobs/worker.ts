import { setFlagsFromString } from 'node:v8';
import type { App } from '../app.ts';
import { beatEveryMs } from '../db/heartbeat.ts';
import { makeChatSender } from '../domain/notifications/chat-sender.ts';
import { makeWebhookSender } from '../domain/webhooks/sender.ts';
import { type FairShare, makeFairShare } from '../lib/fair-share.ts';
import { makeOutboundSlots } from '../lib/outbound/slots.ts';
import { type PoolName, poolOf, type TaskName } from '../queue/tasks.ts';
import { startCheckpointTimer } from './checkpoint-timer.ts';
import { cronItems } from './crontab.ts';
import { openQueuePool } from './queue-pool.ts';
import { checkEveryMs, startTakeover } from './takeover.ts';
import { taskList } from './task-list.ts';
import { POLL_MS, startWorkerPool, type WorkerPoolOptions } from './worker-pool.ts';

export interface Worker {
  alive(): boolean;
  /** Takes no new jobs, lets the running ones finish, gives the rest back. */
  stop(): Promise<void>;
}

/** Mails under way at once: while the mail server hangs, only mail waits. */
const MAILS = 4;

/** Jobs of the service's own deadlines at once. They wait for nothing but the database. */
const DEADLINES = 8;

/** Calls to the operator's AI endpoint at once. */
const AI_CALLS = 64;

/** Few, because what has been claimed waits here even while another process is idle. */
const CLAIMED_AT_ONCE = 4;

/** Claims for each slot, so that a center with a full share of claims can still fill every slot that is otherwise unused. */
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
  // Sessions with their own settings, and listening ones, do not work through a pooler.
  const pool = openQueuePool(config.databaseDirectUrl ?? db.url, db.watch, log);
  app.metrics.pools.set('queue', pool);
  // A process of short-lived things: let garbage be collected before it has grown to several times what is in use.
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
  /** A pool whose slots the centers share. A job may hold a claim while it waits for one, or for another server. */
  const startShared = (name: PoolName, slots: number, waitingOutside = 0) => {
    const claims = CLAIMS_A_SLOT * slots + waitingOutside;
    return start(name, { concurrency: claims, atOnce: CLAIMED_AT_ONCE }, makeFairShare({ slots, claims }));
  };
  const pools = await Promise.all([
    startShared('deadlines', DEADLINES),
    startShared('workflows', concurrency, outsideCalls + AI_CALLS),
    // As many again may wait for a moment until their endpoint has room.
    start('deliveries', { concurrency: 2 * deliveries, atOnce: deliveries }),
    start('mail', { concurrency: MAILS, atOnce: MAILS }),
  ]);
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
