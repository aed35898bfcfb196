// Reacts to the events of a worker pool.
import type { WorkerEvents } from 'graphile-worker';

/** A pool that polls this long without success is replaced. */
const LONGEST_FAILING_MS = 4_000;
const SUPERVISE_MS = 500;

/**
 * Watches polls for jobs. A pool with running jobs does not poll; an idle one polls continuously, so if polls fail for some
 * time, the pool is broken. Two checks must agree, because a process that was paused is late with both.
 */
export function supervisePolling(events: WorkerEvents) {
  const { promise: failed, resolve } = Promise.withResolvers<Error>();
  let looking = false;
  let since = performance.now();
  let doubts = 0;
  events.on('localQueue:setMode', ({ newMode }) => {
    looking = newMode === 'POLLING';
    since = performance.now();
  });
  events.on('localQueue:getJobs:complete', () => {
    since = performance.now();
  });
  const areFailing = () => looking && performance.now() - since > LONGEST_FAILING_MS / 2;
  const timer = setInterval(() => {
    doubts = looking && performance.now() - since > LONGEST_FAILING_MS ? doubts + 1 : 0;
    if (doubts > 1) resolve(new Error('looking for jobs keeps failing'));
  }, SUPERVISE_MS).unref();
  return { failed, areFailing, stop: () => clearInterval(timer) };
}

/**
 * The jobs that a pool knows it was assigned: waiting for one of its workers, or running. If the answer to a poll is lost, the
 * database has locked jobs that the pool will never start.
 */
export function jobsInHand(events: WorkerEvents): ReadonlySet<string> {
  const inHand = new Set<string>();
  events.on('localQueue:getJobs:complete', ({ jobs }) => {
    for (const { id } of jobs) inHand.add(id);
  });
  events.on('localQueue:returnJobs', ({ jobs }) => {
    for (const { id } of jobs) inHand.delete(id);
  });
  events.on('job:complete', ({ job }) => inHand.delete(job.id));
  return inHand;
}
