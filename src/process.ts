import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from './app.ts';
import { type Settings, withSecrets } from './config.ts';
import { bindCenterIds } from './db/cell.ts';
import { startEmbeddedPostgres } from './db/embedded/index.ts';
import { isDatabaseDown } from './db/faults.ts';
import { APPLICATION_ROLE, loginOf } from './db/logins.ts';
import { migrate } from './db/migrate.ts';
import { checkHistoryAfterOutage } from './domain/ledger/log/held.ts';
import type { Worker } from './jobs/worker.ts';
import type { Log } from './lib/log.ts';
import { openApp } from './open-app.ts';
import type { DemoSeed } from './seed/demo.ts';
import { checkServerVersion, refusePrivilegedLogin } from './start/check-database.ts';
import type { HeldPort } from './start/port.ts';
import type { Running as Health } from './web/operations/health.ts';

/** A running Countersign process: database if embedded, API and worker by role. */
export interface Running {
  app: App;
  /** The URL of the API; null for a worker. */
  address: { host: string; port: number } | null;
  /** The demo data that was created; null without demo data. */
  demo: DemoSeed | null;
  /** Finishes running work within limits, and ends everything this process started. */
  stop(): Promise<void>;
}

interface Steps {
  name: string;
  stop(): Promise<unknown>;
}

/** Takes over the port, if there is one, and releases it if the start fails. */
export async function startProcess(
  settings: Settings,
  port: HeldPort | null,
  log: Log,
  stopTracing: (() => Promise<void>) | null = null,
): Promise<Running> {
  // A little less than the available time, so that it finishes in time.
  const held = port && { name: 'api', stop: () => port.close(settings.shutdownSeconds * 900) };
  const tracing = stopTracing && { name: 'traces', stop: stopTracing };
  const started: Steps[] = [tracing, held].filter((step) => step !== null);
  let stopping = false;
  /** In reverse order of the start; a hanging part does not prevent the others from ending. */
  const stop = async () => {
    stopping = true;
    for (const step of started.splice(0).reverse()) {
      await within(settings.shutdownSeconds, step.stop()).catch((error: unknown) =>
        log.error({ err: error }, `could not stop ${step.name} cleanly`),
      );
    }
  };
  try {
    // Loaded before anything waits for a response: on a slow machine, loading blocks the process long enough for timers to
    // expire.
    const makeListener = port && (await loadSurfaces());
    const health = await holdHealthPort(settings);
    if (health) started.push({ name: 'health checks', stop: () => health.close() });
    const config = withSecrets(settings);
    const given = { url: config.databaseUrl!, ownerUrl: config.databaseOwnerUrl! };
    const database = config.databaseUrl ? given : await embedded(settings, log, started, () => stopping);
    await unlessCutOff(() => checkServerVersion(database.ownerUrl), log);
    await unlessCutOff(() => migrate(database.ownerUrl, { login: loginOf(database.url) }), log);
    await unlessCutOff(() => bindCenterIds(database.ownerUrl, config.cell), log);
    await unlessCutOff(() => refusePrivilegedLogin(database.url), log);
    if (config.oneLogin) {
      log.warn(
        `DATABASE_OWNER_URL is not set: one database login migrates and serves. It works as the role ${APPLICATION_ROLE}, but an ` +
          "injected statement could take the owner's rights back (SET ROLE NONE). A second login closes that: docs/operations.md",
      );
    }
    const databaseUrl = database.url;
    const app = await openApp(config, databaseUrl, log);
    // A worker checks this in its first signing round.
    if (config.role === 'api') void checkHistoryAfterOutage(app);
    started.push({ name: 'database connections', stop: () => app.close() });
    if (!config.mail.target) {
      log.warn(
        'MAIL_URL is not set: invitations, password resets and whatever else needs a mail are refused',
      );
    }
    const worker = config.runsWorker ? await work(app) : null;
    if (worker) started.push({ name: 'worker', stop: () => worker.stop() });
    const state = { workerAlive: worker ? () => worker.alive() : null, stopping: () => stopping };
    const listener = makeListener?.(app, state);
    health?.serve(await healthPages(app, state));
    // Late, because the secrets it creates are shown only once, so nothing may fail in between. Before requests are answered,
    // so that a ready service has its demo accounts.
    const demo = config.seedDemo && config.runsApi ? await seed(app) : null;
    if (port && held && listener) {
      port.serve(listener);
      // Requests need everything else, so from here on they are the first to end.
      started.splice(started.indexOf(held), 1);
      started.push(held);
    }
    const address = port && { host: port.host, port: port.port };
    log.info({ role: config.role, ...address }, 'ready');
    return { app, address, demo, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const ATTEMPTS = 5;
const PAUSE_MS = 500;

/** Retries a few times what a restarting server interrupts during the start; every step can be repeated. */
async function unlessCutOff(step: () => Promise<unknown>, log: Log): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await step();
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !isDatabaseDown(error)) throw error;
      log.warn({ reason: (error as Error).message }, 'lost the connection to the database; retrying');
      await sleep(PAUSE_MS);
    }
  }
}

async function embedded(
  settings: Settings,
  log: Log,
  started: Steps[],
  stopping: () => boolean,
): Promise<{ url: string; ownerUrl: string }> {
  const postgres = await startEmbeddedPostgres({
    dataDir: settings.dataDir,
    onLog: (line) => log[levelOf(line, stopping())]({ source: 'postgres' }, line),
  });
  started.push({ name: 'embedded database', stop: () => postgres.stop() });
  return postgres;
}

/** PostgreSQL's severity. Connections ended by a stop are FATAL for PostgreSQL but expected here. */
function levelOf(line: string, stopping: boolean): 'debug' | 'info' | 'error' {
  if (/^(LOG|DETAIL|HINT|STATEMENT|CONTEXT):/.test(line)) return 'debug';
  if (!/^(FATAL|PANIC|ERROR):/.test(line)) return 'info';
  return stopping ? 'debug' : 'error';
}

// A process loads only what its role needs: a worker without the API takes a third less memory.

async function seed(app: App): Promise<DemoSeed> {
  const { seedDemo } = await import('./seed/demo.ts');
  return seedDemo(app);
}

async function work(app: App): Promise<Worker> {
  const { startWorker } = await import('./jobs/worker.ts');
  return startWorker(app);
}

async function holdHealthPort({ host, healthPort }: Settings): Promise<HeldPort | null> {
  if (healthPort === undefined) return null;
  const { holdPort } = await import('./start/port.ts');
  return holdPort(host, healthPort, 'HEALTH_PORT');
}

/** /healthz, /readyz and /metrics, without the API. */
async function healthPages(app: App, running: Health) {
  const [{ default: Koa }, { operationsPages }] = await Promise.all([
    import('koa'),
    import('./web/operations/health.ts'),
  ]);
  return new Koa().use(operationsPages(app, running)).callback();
}

async function loadSurfaces() {
  const { makeRequestListener, makeServiceEngine } = await import('./request-listener.ts');
  const engine = makeServiceEngine();
  return (app: App, running: Health) => makeRequestListener(app, engine, running);
}

async function within<T>(seconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${seconds} seconds`)), seconds * 1_000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
