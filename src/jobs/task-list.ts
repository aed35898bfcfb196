import { setTimeout as sleep } from 'node:timers/promises';
import type { JobHelpers, Task, TaskList } from 'graphile-worker';
import type { Pool } from '../db/database.ts';
import { isOutOfReach } from '../db/faults.ts';
import type { App } from '../domain/app.ts';
import type { WebhookSender } from '../domain/webhooks/sender.ts';
import { traced } from '../lib/tracing.ts';
import { type TaskName, tasks } from '../queue/tasks.ts';
import { giveBackInterrupted } from './give-back.ts';
import type { JobRun } from './handlers/handler.ts';
import { handlers } from './handlers/index.ts';

/** From one try to the next while the database is away. */
const AWAY_MS = 1_000;

/** What the workers of a process share. */
export interface Workplace {
  app: App;
  /** The connections of the queue. */
  pool: Pool;
  sender: WebhookSender;
}

/** The tasks of these names as the queue runs them. */
export function taskList(workplace: Workplace, names: TaskName[]): TaskList {
  return Object.fromEntries(names.map((name) => [name, taskOf(workplace, name)]));
}

/** Checks the payload again at run time: a job may have been queued by an older release. */
function taskOf({ app, pool, sender }: Workplace, name: TaskName): Task {
  const handle = handlers[name] as (payload: unknown, run: JobRun) => Promise<void>;
  return (payload, helpers) => {
    const { job } = helpers;
    const run = { app, sender, jobId: job.id, attempt: job.attempts };
    const work = () => handle(tasks[name].parse(payload), run);
    const { trace } = (payload ?? {}) as { trace?: string | null };
    const attributes = { 'countersign.job': job.id };
    return traced(
      () => ({ name: `job ${name}`, kind: 'consumer', parent: trace ?? undefined, attributes }),
      () => whileReachable(work, helpers, pool, app.config.worker.takeoverSeconds),
    );
  };
}

/**
 * The queue puts a job that failed off for longer and longer, and gives up on it in the end. That the database was away
 * says nothing about the job: such a failure is waited out here, so that a database which stays away, read-only or full is
 * not asked for the next job at once; and if it lasts, or the worker has to stop, the job is given back as it was.
 */
async function whileReachable(
  work: () => Promise<void>,
  { job, abortSignal: stopping }: JobHelpers,
  pool: Pool,
  seconds: number,
): Promise<void> {
  for (const until = performance.now() + seconds * 1_000; ; ) {
    try {
      return await work();
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
      if (performance.now() > until || stopping?.aborted) {
        // Should this fail, so does what the queue would do; then the pool is replaced, and its jobs are given back.
        await giveBackInterrupted(pool, job, error as Error).catch(() => {});
        throw error;
      }
    }
    await sleep(AWAY_MS, undefined, stopping && { signal: stopping }).catch(() => {});
  }
}
