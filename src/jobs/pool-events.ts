// What the queue's events tell of a pool of workers, and what has to be done about it.
import type { WorkerEvents } from 'graphile-worker';

/** A pool that looks for jobs so long without success is replaced. */
const LONGEST_FAILING_MS = 4_000;
const SUPERVISE_MS = 500;

/**
 * Watches the looks for jobs. A pool with jobs in hand does not look for more; one without looks again and again, so if
 * nothing comes of it for some time, nothing will. Two checks must agree: a process that was paused is late with both.
 */
export function superviseLooks(events: WorkerEvents) {
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
 * The jobs that a pool knows it has been given: waiting for one of its workers, or under way. When the answer to a look is
 * lost, the database has locked jobs for a pool that will never begin them.
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
