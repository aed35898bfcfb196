import type { JobOptions } from '../../queue/enqueue.ts';
import type { Work } from '../unit-of-work.ts';

/** An execution has one job at a time, found by this key. */
export const runKey = (executionId: string) => `run_workflow:${executionId}`;

/** Queues the job that goes on with an execution, in the transaction of its change. */
export function enqueueRun(
  work: Work,
  { id, centerId }: { id: string; centerId: number },
  options: Omit<JobOptions, 'key'> = {},
): void {
  work.enqueue('run_workflow', { executionId: id, centerId }, { ...options, key: runKey(id) });
}
