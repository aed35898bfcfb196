import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, JobHelpers, Task, TaskList } from 'graphile-worker';
import type { App } from '../app.ts';
import type { Pool } from '../db/database.ts';
import { isDatabaseDown } from '../db/faults.ts';
import { unlockInterrupted } from '../db/internals/graphile-worker.ts';
import type { ChatSender } from '../domain/notifications/chat-sender.ts';
import type { WebhookSender } from '../domain/webhooks/sender.ts';
import type { CallOutside } from '../domain/workflows/engine/outcome.ts';
import type { FairShare, Seat } from '../lib/fair-share.ts';
import type { OutboundSlots } from '../lib/outbound/slots.ts';
import { traced } from '../lib/tracing.ts';
import { enqueue, POSTPONED_PRIORITY } from '../queue/enqueue.ts';
import { type TaskName, tasks } from '../queue/tasks.ts';
import { handlers, type JobRun } from './handlers.ts';

/** The interval between attempts while the database is unavailable. */
const AWAY_MS = 1_000;

/** State shared by the workers of a process. */
interface Workplace {
  app: App;
  /** The connections of the queue. */
  pool: Pool;
  sender: WebhookSender;
  chats: ChatSender;
  /** Calls of workflows to tenants' servers, and to the operator's AI endpoint. */
  calls: Record<'tenants' | 'operator', OutboundSlots>;
}

/** The handlers of these tasks for the queue; in a pool with a share, centers take turns. */
export function taskList(workplace: Workplace, names: TaskName[], share?: FairShare): TaskList {
  return Object.fromEntries(names.map((name) => [name, taskOf(workplace, name, share)]));
}

/** Checks the payload again at run time: a job may have been queued by an older release. */
function taskOf(workplace: Workplace, name: TaskName, share?: FairShare): Task {
  const { app, pool, sender, chats } = workplace;
  const handle = handlers[name] as (payload: unknown, run: JobRun) => Promise<void>;
  return async (payload, helpers) => {
    const { job } = helpers;
    const { trace, centerId } = (payload ?? {}) as { trace?: string | null; centerId?: number };
    const seat = share?.enter(centerId);
    if (typeof seat === 'number') return postpone(workplace, job, seat);
    const callOutside = outsideOf(workplace, seat);
    const run = { app, sender, chats, jobId: job.id, attempt: job.attempts, callOutside };
    const work = () => handle(tasks[name].parse(payload), run);
    const attributes = { 'countersign.job': job.id };
    try {
      await seat?.resume();
      return await traced(
        () => ({ name: `job ${name}`, kind: 'consumer', parent: trace ?? undefined, attributes }),
        () => whileReachable(work, helpers, pool, app.config.worker.takeoverSeconds),
      );
    } finally {
      seat?.leave();
    }
  };
}

/** Queues a copy of the job for later and completes the job itself. */
async function postpone({ pool }: Workplace, { task_identifier, payload, key }: Job, delayMs: number) {
  await enqueue(pool, task_identifier as TaskName, payload as never, {
    runAt: new Date(Date.now() + delayMs),
    priority: POSTPONED_PRIORITY,
    ...(key && { key }),
  });
}

/** A workflow's call to another server, which releases the slot of its pool and obeys the limits for such calls. */
function outsideOf({ calls }: Workplace, seat: Seat | undefined): CallOutside {
  return async ({ centerId, host }, call) => {
    const slots = host === null ? calls.operator : calls.tenants;
    const slot = slots.enter({ centerId, host, endpoint: `${centerId} ${host}` });
    if (typeof slot === 'number') return { kind: 'busy', retryAfterMs: slot };
    const startedAt = performance.now();
    seat?.pause();
    try {
      return await call();
    } finally {
      slot.leave(performance.now() - startedAt);
      await seat?.resume();
    }
  };
}

/**
 * The queue retries failed jobs with growing backoff and finally gives up. An unavailable database says nothing about the job,
 * so the failure is waited out here; this also avoids claiming the next job immediately while the database is unavailable,
 * read-only or full. If it lasts, or the worker has to stop, the job is returned unchanged.
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
      if (!isDatabaseDown(error)) throw error;
      if (performance.now() > until || stopping?.aborted) {
        // If this fails, so does the queue's own update; then the pool is replaced and its jobs are unlocked.
        await unlockInterrupted(pool, job, error as Error).catch(() => {});
        throw error;
      }
    }
    await sleep(AWAY_MS, undefined, stopping && { signal: stopping }).catch(() => {});
  }
}
