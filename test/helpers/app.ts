import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { App } from '../../src/app.ts';
import { type Config, loadConfig } from '../../src/config.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { makeLog } from '../../src/lib/log.ts';
import { openApp } from '../../src/open-app.ts';
import { makeRequestListener, makeServiceEngine } from '../../src/request-listener.ts';
import type { OperationPlugin } from '../../src/schema/plugins.ts';
import { holdPort } from '../../src/start/port.ts';
import { makeClient, type TestClient } from './client.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { emptiedAtTheEnd } from './emptied.ts';
import { reportPlans } from './explained.ts';

/** A separate Countersign for one test: real HTTP on a free port, real PostgreSQL. */
export interface TestApp extends TestClient {
  app: App;
  config: Config;
  database: TestDatabase;
  url: string;
  /** A superuser connection, which bypasses row-level security and all privileges. */
  superuser: pg.Pool;
  /** The log so far, as lines of JSON. */
  logged: string[];
  close(): Promise<void>;
}

export interface TestAppOptions {
  /** Variables in addition to those that make tests independent of each other. */
  env?: Record<string, string>;
  /** Run the worker too. */
  worker?: boolean;
  /** The port; any free one unless it must be known in advance. */
  port?: number;
  /** Use an existing database, as another process would. */
  database?: TestDatabase;
  /** Let statementsOf see the statements of the App. */
  reportsPlans?: boolean;
  /** Additional GraphQL plugins. */
  plugins?: OperationPlugin[];
}

/** Rate limits are off unless a test turns them on. */
const ratesOff = {
  RATE_STANDARD: '0',
  RATE_PARTNER: '0',
  RATE_PUBLIC: '0',
  RATE_AUTH: '0',
  RATE_PROOF: '0',
  RATE_ANONYMOUS: '0',
  RATE_GRAPHQL: '0',
  RATE_CENTER: '0',
  RATE_INVITATIONS: '0',
  RATE_MAIL: '0',
  RATE_SCIM: '0',
};

/** It caches the documents that tests send repeatedly. */
const sharedEngine = makeServiceEngine();

export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await testDatabase());
  if (options.reportsPlans) await reportPlans(database.adminUrl);
  const config = loadConfig({
    NODE_ENV: 'test',
    // For tests of production mode.
    ALLOW_HTTP: '1',
    DATABASE_URL: database.url,
    DATABASE_POOL: '10',
    DATA_DIR: database.dataDir,
    JWT_SECRET: 'Zk8vQ2xW7rT4yN1mB6pL9sD3fG5hJ0cA',
    SEED_DEMO: '0',
    LOG_LEVEL: 'info',
    CHECKPOINT_FILE: database.checkpointFile,
    MAIL_URL: `file:${database.mailFolder}`,
    ...ratesOff,
    ...options.env,
  });
  const logged: string[] = [];
  const log = makeLog(config.logLevel, { write: (line) => void logged.push(line) });
  const app = await openApp(config, database.url, log);
  const worker = options.worker ? await startWorker(app) : null;
  const engine = options.plugins ? makeServiceEngine(options.plugins) : sharedEngine;
  const state = { workerAlive: worker ? () => worker.alive() : null, stopping: () => false };
  const port = await holdPort('127.0.0.1', options.port ?? 0);
  port.serve(makeRequestListener(app, engine, state));
  const url = `http://127.0.0.1:${port.port}`;
  const superuser = new pg.Pool({ connectionString: database.adminUrl, max: 2 });
  superuser.on('error', () => {});
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= (async () => {
      await port.close(0);
      await worker?.stop();
      await app.close();
      await superuser.end();
    })();
    return closed;
  };
  const running = { app, config, database, superuser, url, logged, close, ...makeClient(url) };
  return emptiedAtTheEnd(running);
}

/** The same, closed automatically at the end of the test. */
export async function testApp(options?: TestAppOptions): Promise<TestApp> {
  const running = await startTestApp(options);
  onTestFinished(() => running.close());
  return running;
}
