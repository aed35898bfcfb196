import type { Tx } from '../db/database.ts';
import { type TaskName, type TaskPayload, tasks } from './tasks.ts';

export interface JobOptions {
  runAt?: Date;
  /** Jobs with the same key replace each other while they wait. */
  key?: string;
  /** Jobs of one queue run one after another. */
  queue?: string;
  /** Smaller runs first; 0 when not given. */
  priority?: number;
  maxAttempts?: number;
}

/** Queues a job in the caller's transaction: it exists if and only if that commits. */
export async function enqueue<Name extends TaskName>(
  tx: Tx,
  task: Name,
  payload: TaskPayload<Name>,
  options: JobOptions = {},
): Promise<void> {
  const checked = JSON.stringify(tasks[task].parse(payload));
  await tx.$executeRaw`
    SELECT graphile_worker.add_job(
      ${task}, ${checked}::json, ${options.queue ?? null}, ${options.runAt ?? null}::timestamptz,
      ${options.maxAttempts ?? null}::int, ${options.key ?? null}, ${options.priority ?? null}::int)`;
}
