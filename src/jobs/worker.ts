import { Logger, type Runner, run, type TaskList } from 'graphile-worker';
import type { App } from '../domain/app.ts';
import { cronItems } from './crontab.ts';
import { handlers, type JobRun } from './handlers/index.ts';
import { type TaskName, tasks } from './tasks.ts';

export interface Worker {
  alive(): boolean;
  /** Takes no new jobs, lets the running ones finish, gives the rest back. */
  stop(): Promise<void>;
}

/** Checks the payload again at run time: a job may have been queued by an older release. */
function taskList(app: App): TaskList {
  const entries = (Object.keys(tasks) as TaskName[]).map((name) => {
    const handle = handlers[name] as (payload: unknown, run: JobRun) => Promise<void>;
    return [
      name,
      async (payload: unknown, helpers: { job: { id: string; attempts: number } }) => {
        await handle(tasks[name].parse(payload), {
          app,
          jobId: helpers.job.id,
          attempt: helpers.job.attempts,
        });
      },
    ];
  });
  return Object.fromEntries(entries) as TaskList;
}

export async function startWorker(app: App): Promise<Worker> {
  const logger = new Logger(() => (level, message, meta) => {
    const { error } = (meta ?? {}) as { error?: unknown };
    if (level === 'error') app.log.error({ err: error }, message);
    else app.log.debug(message);
  });
  let alive = true;
  const runner: Runner = await run({
    pgPool: app.db.pool,
    taskList: taskList(app),
    parsedCronItems: cronItems(),
    concurrency: app.config.worker.concurrency,
    pollInterval: 1_000,
    noHandleSignals: true,
    logger,
  });
  runner.promise.then(
    () => (alive = false),
    (error: unknown) => {
      alive = false;
      app.log.error({ err: error }, 'the worker stopped');
    },
  );
  return {
    alive: () => alive,
    async stop() {
      if (alive) await runner.stop();
      await runner.promise.catch(() => {});
    },
  };
}
