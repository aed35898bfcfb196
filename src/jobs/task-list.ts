import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, JobHelpers, Task, TaskList } from 'graphile-worker';
import type { App } from '../app.ts';
import type { Pool } from '../db/database.ts';
import { isOutOfReach } from '../db/faults.ts';
import { unlockInterrupted } from '../db/internals/graphile-worker.ts';
import type { ChatSender } from '../domain/notifications/chat-sender.ts';
import type { WebhookSender } from '../domain/webhooks/sender.ts';
import type { CallOutside } from '../domain/workflows/engine/outcome.ts';
import type { FairShare, Seat } from '../lib/fair-share.ts';
import type { OutboundSlots } from '../lib/outbound/slots.ts';
import { traced } from '../lib/tracing.ts';
import { enqueue, PUT_OFF } from '../queue/enqueue.ts';
import { type TaskName, tasks } from '../queue/tasks.ts';
import { handlers, type JobRun } from './handlers.ts';

/** From one try to the next while the database is away. */
const AWAY_MS = 1_000;

/** What the workers of a process share. */
interface Workplace {
  app: App;
  /** The connections of the queue. */
  pool: Pool;
  sender: WebhookSender;
  chats: ChatSender;
  /** Calls of workflows to tenants' servers, and to the operator's AI endpoint. */
  calls: Record<'tenants' | 'operator', OutboundSlots>;
}

/** The tasks of these names as the queue runs them; those of a pool with a share take turns by center. */
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
    if (typeof seat === 'number') return putOff(workplace, job, seat);
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

/** Queues a copy of the job for later; the job itself is then done. */
async function putOff({ pool }: Workplace, { task_identifier, payload, key }: Job, delayMs: number) {
  await enqueue(pool, task_identifier as TaskName, payload as never, {
    runAt: new Date(Date.now() + delayMs),
    priority: PUT_OFF,
    ...(key && { key }),
  });
}

/** A workflow's call to another server: without the slot of its pool, and within the limits for such calls. */
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
        await unlockInterrupted(pool, job, error as Error).catch(() => {});
        throw error;
      }
    }
    await sleep(AWAY_MS, undefined, stopping && { signal: stopping }).catch(() => {});
  }
}
