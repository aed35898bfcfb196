// The limit of deliveries: graphile-worker at its fastest, posting a prepared body with undici and storing nothing.
import { Logger, run } from 'graphile-worker';
import pg from 'pg';
import { Pool } from 'undici';

const target = new URL(process.env['BENCH_TARGET']!);
const pgPool = new pg.Pool({ connectionString: process.env['DATABASE_URL']!, max: 20 });
pgPool.on('error', () => {});
pgPool.on('connect', (client) => client.on('error', () => {}));
const endpoint = new Pool(target.origin, { connections: 64 });
const headers = { 'content-type': 'application/json' };

const runner = await run({
  pgPool,
  noHandleSignals: true,
  parsedCronItems: [],
  logger: new Logger(() => () => {}),
  taskList: {
    bare_post: async (payload) => {
      const body = JSON.stringify(payload);
      const response = await endpoint.request({ method: 'POST', path: target.pathname, headers, body });
      await response.body.text();
    },
  },
  preset: {
    worker: {
      concurrentJobs: 24,
      pollInterval: 1_000,
      localQueue: { size: 500 },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    },
  },
});
process.on('SIGTERM', () => {
  runner
    .stop()
    .catch(() => {})
    .finally(() => process.exit(0));
});
process.send?.({});
