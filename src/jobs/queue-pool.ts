import { openPool, type Pool } from '../db/pool.ts';
import type { DatabaseWatch } from '../db/watch.ts';
import type { Log } from '../lib/log.ts';

const CONNECTIONS = 10;

/**
 * A queue is empty when PostgreSQL looks at it and full when it matters, so what the planner believes of it is wrong at the
 * worst moment: it reads and sorts the whole backlog for every handful of jobs. Everything that runs here takes few
 * rows by an index, so these sessions leave the planner nothing else. Before PostgreSQL 18 that raises the cost of every
 * plan above `jit_above_cost`: it must go with `jit = off`, which all our sessions have.
 */
const BY_INDEX = { enable_seqscan: 'off', enable_bitmapscan: 'off', enable_sort: 'off' };

/**
 * No caller waits for a job to be claimed, recorded or done, so none of it waits for the disk. A database that crashes may
 * forget the last moment of it, in one piece: then jobs are run again and find their work done, or deliver once more.
 */
const WITHOUT_WAITING = { synchronous_commit: 'off' };

/** The connections of a worker's queue and deliveries, so that neither waits for other work of the process. */
export function openQueuePool(url: string, watch: DatabaseWatch, log: Log): Pool {
  return openPool(url, {
    connections: CONNECTIONS,
    watch,
    settings: { ...BY_INDEX, ...WITHOUT_WAITING },
    onBroken: (error) => log.warn({ reason: error.message }, 'an idle connection of the queue broke'),
  });
}
