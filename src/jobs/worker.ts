import { setFlagsFromString } from 'node:v8';
import type { App } from '../domain/app.ts';
import { makeWebhookSender } from '../domain/webhooks/sender.ts';
import { type TaskName, tasks } from '../queue/tasks.ts';
import { startCheckpointTimer } from './checkpoint-timer.ts';
import { cronItems } from './crontab.ts';
import { beatEveryMs, startHeartbeat } from './heartbeat.ts';
import { openQueuePool } from './queue-pool.ts';
import { taskList } from './task-list.ts';
import { POLL_MS, startWorkerPool } from './worker-pool.ts';

export interface Worker {
  alive(): boolean;
  /** Takes no new jobs, lets the running ones finish, gives the rest back. */
  stop(): Promise<void>;
}

/** Deliveries wait for other people's servers: they get workers of their own, so that nothing else waits with them. */
const deliveryTasks: TaskName[] = ['deliver_webhook'];
/** So does mail: while its server hangs, only mail waits. */
const mailTasks: TaskName[] = ['send_mail'];
const otherTasks = (Object.keys(tasks) as TaskName[]).filter(
  (name) => !deliveryTasks.includes(name) && !mailTasks.includes(name),
);

/** Mails under way at once. */
const MAILS = 4;

/** Few, because what has been claimed waits here even while another process is idle. */
const OTHERS_AT_ONCE = 4;

/**
 * How long the jobs of a killed worker can lie at most while another one is alive: its silence must last, somebody must
 * look, and somebody must find the jobs freed.
 */
export function longestTakeoverMs(takeoverSeconds: number): number {
  return takeoverSeconds * 1_000 + beatEveryMs(takeoverSeconds) + POLL_MS;
}

export async function startWorker(app: App): Promise<Worker> {
  const { config, db, log } = app;
  const { concurrency, deliveries, takeoverSeconds } = config.worker;
  // Sessions with settings of their own, and listening ones, are not for a pooler.
  const pool = openQueuePool(config.databaseDirectUrl ?? db.url, db.watch, log);
  app.metrics.pools.set('queue', pool);
  // A process of short-lived things: let garbage be collected before it has grown to several times what is in use.
  if (!config.runsApi) setFlagsFromString('--heap-growing-percent=40');
  const workplace = { app, pool, sender: makeWebhookSender(app, pool) };
  const heartbeat = startHeartbeat(pool, takeoverSeconds, log);
  const pools = await Promise.all([
    startWorkerPool(pool, heartbeat, log, {
      name: 'deliveries',
      tasks: taskList(workplace, deliveryTasks),
      concurrency: deliveries,
      atOnce: deliveries,
    }),
    startWorkerPool(pool, heartbeat, log, {
      name: 'mail',
      tasks: taskList(workplace, mailTasks),
      concurrency: MAILS,
      atOnce: MAILS,
    }),
    startWorkerPool(pool, heartbeat, log, {
      name: 'everything else',
      tasks: taskList(workplace, otherTasks),
      concurrency,
      atOnce: OTHERS_AT_ONCE,
      cron: cronItems(),
    }),
  ]);
  const checkpoints = startCheckpointTimer(app);
  return {
    alive: () => pools.every((workers) => workers.alive()),
    async stop() {
      await checkpoints.stop();
      await Promise.all(pools.map((workers) => workers.stop()));
      await heartbeat.stop();
      await pool.end();
    },
  };
}
