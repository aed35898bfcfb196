import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { TaskList } from 'graphile-worker';
import { isOutOfReach } from '../db/faults.ts';
import type { App } from '../domain/app.ts';
import { makeWebhookSender, type WebhookSender } from '../domain/webhooks/sender.ts';
import { traced } from '../lib/tracing.ts';
import { type TaskName, tasks } from '../queue/tasks.ts';
import { startCheckpointTimer } from './checkpoint-timer.ts';
import { cronItems } from './crontab.ts';
import type { JobRun } from './handlers/handler.ts';
import { handlers } from './handlers/index.ts';
import { beatEveryMs, startHeartbeat } from './heartbeat.ts';
import { openQueuePool } from './queue-pool.ts';
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

/** From one try to the next while the database is away, and how many: more than it takes to notice that a pool must go. */
const AWAY_MS = 1_000;
const TRIES = 30;

interface Helpers {
  job: { id: string; attempts: number };
  abortSignal?: AbortSignal;
}

/** Checks the payload again at run time: a job may have been queued by an older release. */
function taskList(app: App, sender: WebhookSender, names: TaskName[]): TaskList {
  const entries = names.map((name) => {
    const handle = handlers[name] as (payload: unknown, run: JobRun) => Promise<void>;
    return [
      name,
      (payload: unknown, { job, abortSignal }: Helpers) => {
        const run = { app, sender, jobId: job.id, attempt: job.attempts };
        const work = () => whileReachable(() => handle(tasks[name].parse(payload), run), abortSignal);
        const { trace } = (payload ?? {}) as { trace?: string | null };
        const attributes = { 'countersign.job': job.id };
        return traced(
          () => ({ name: `job ${name}`, kind: 'consumer', parent: trace ?? undefined, attributes }),
          work,
        );
      },
    ];
  });
  return Object.fromEntries(entries) as TaskList;
}

/**
 * The queue puts a job that failed off for longer and longer. That the database was away says nothing about the job, so
 * such a failure is waited out here.
 */
async function whileReachable(work: () => Promise<void>, stopping?: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isOutOfReach(error) || tries === TRIES || stopping?.aborted) throw error;
    }
    await sleep(AWAY_MS, undefined, stopping && { signal: stopping }).catch(() => {});
  }
}

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
  const sender = makeWebhookSender(app, pool);
  const heartbeat = startHeartbeat(pool, takeoverSeconds, log);
  const pools = await Promise.all([
    startWorkerPool(pool, heartbeat, log, {
      name: 'deliveries',
      tasks: taskList(app, sender, deliveryTasks),
      concurrency: deliveries,
      atOnce: deliveries,
    }),
    startWorkerPool(pool, heartbeat, log, {
      name: 'mail',
      tasks: taskList(app, sender, mailTasks),
      concurrency: MAILS,
      atOnce: MAILS,
    }),
    startWorkerPool(pool, heartbeat, log, {
      name: 'everything else',
      tasks: taskList(app, sender, otherTasks),
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
