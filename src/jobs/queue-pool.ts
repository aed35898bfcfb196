import { openPool, type Pool } from '../db/pool.ts';
import type { DatabaseWatch } from '../db/watch.ts';
import type { Log } from '../lib/log.ts';

const CONNECTIONS = 10;

/**
 * A queue is often empty when PostgreSQL collects statistics, and a plan for an empty queue reads and sorts the whole backlog
 * for each batch of jobs. Custom plans know the current size of the table, and with `random_page_cost` at zero they read the
 * jobs in index order. Disabling planner methods instead would raise the cost of every plan above `jit_above_cost` before
 * PostgreSQL 18.
 */
const BY_INDEX = { plan_cache_mode: 'force_custom_plan', random_page_cost: '0' };

/**
 * No caller waits for a job to be claimed, recorded or completed, so these commits are asynchronous. After a database crash
 * the last moment may be lost as a whole: those jobs run again and find their work done, or deliver once more.
 */
const WITHOUT_WAITING = { synchronous_commit: 'off' };

/** The connections of a worker's queue and deliveries, so that they do not wait for other work of the process. */
export function openQueuePool(url: string, watch: DatabaseWatch, log: Log): Pool {
  return openPool(url, {
    connections: CONNECTIONS,
    watch,
    settings: { ...BY_INDEX, ...WITHOUT_WAITING },
    onBroken: (error) => log.warn({ reason: error.message }, 'lost an idle connection of the queue'),
  });
}
