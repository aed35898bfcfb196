import type { Bus } from '../../db/bus.ts';
import type { Database } from '../../db/database.ts';
import type { Metrics } from '../../lib/metrics.ts';

/** What sealing needs of the process. */
export interface SealResources {
  db: Database;
  bus: Bus;
  metrics: Metrics;
}
