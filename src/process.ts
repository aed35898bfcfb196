import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DemoSeed } from '../prisma/seed/demo.ts';
import { type Config, ConfigError } from './config.ts';
import { startEmbeddedPostgres } from './db/embedded/index.ts';
import { isOutOfReach, isRefusedLogin } from './db/faults.ts';
import { migrate } from './db/migrate.ts';
import type { App } from './domain/app.ts';
import type { Worker } from './jobs/worker.ts';
import type { Log } from './lib/log.ts';
import { openApp } from './open-app.ts';

/** A running Countersign process: database if embedded, API and worker by role. */
export interface Running {
  app: App;
  /** Where the API listens; null for a worker. */
  address: { host: string; port: number } | null;
  /** What was laid out for a first look; null without demo data. */
  demo: DemoSeed | null;
  /** Finishes what is under way, within bounds, and ends everything this process started. */
  stop(): Promise<void>;
}

interface Steps {
  name: string;
  stop(): Promise<unknown>;
}

export async function startProcess(config: Config, log: Log): Promise<Running> {
  const started: Steps[] = [];
  let stopping = false;
  /** In reverse order of the start; one that hangs does not keep the others from ending. */
  const stop = async () => {
    stopping = true;
    for (const step of started.splice(0).reverse()) {
      await within(config.shutdownSeconds, step.stop()).catch((error: unknown) =>
        log.error({ err: error }, `could not stop ${step.name} cleanly`),
      );
    }
  };
  try {
    const databaseUrl = config.databaseUrl ?? (await embedded(config, log, started));
    await migrate(config.databaseDirectUrl ?? databaseUrl).catch((error: unknown) => {
      throw isOutOfReach(error) || isRefusedLogin(error) ? unreachable(error as Error) : error;
    });
    const app = await openApp(config, databaseUrl, log);
    started.push({ name: 'database connections', stop: () => app.close() });
    if (!config.mail.target) {
      log.warn(
        'MAIL_URL is not set: invitations, password resets and whatever else needs a mail are refused',
      );
    }
    const demo = config.seedDemo && config.runsApi ? await seed(app) : null;
    const worker = config.runsWorker ? await work(app) : null;
    if (worker) started.push({ name: 'worker', stop: () => worker.stop() });
    const address = config.runsApi ? await listen(app, worker, started, () => stopping) : null;
    log.info({ role: config.role, ...address }, 'ready');
    return { app, address, demo, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const unreachable = (error: Error) =>
  new ConfigError(`DATABASE_URL must lead to a database that can be used: ${error.message}`);

async function embedded(config: Config, log: Log, started: Steps[]): Promise<string> {
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    onLog: (line) => log.info({ source: 'postgres' }, line),
  });
  started.push({ name: 'embedded database', stop: () => postgres.stop() });
  return postgres.url;
}

// A process loads only what its role needs: a worker without the API takes a third less memory.

async function seed(app: App): Promise<DemoSeed> {
  const { seedDemo } = await import('../prisma/seed/demo.ts');
  return seedDemo(app);
}

async function work(app: App): Promise<Worker> {
  const { startWorker } = await import('./jobs/worker.ts');
  return startWorker(app);
}

async function listen(app: App, worker: Worker | null, started: Steps[], stopping: () => boolean) {
  const { host, port } = app.config;
  const [{ makeHttpApp }, { schema }, { pages }] = await Promise.all([
    import('./rest/app.ts'),
    import('./schema/index.ts'),
    import('./web/index.ts'),
  ]);
  const running = { workerAlive: worker ? () => worker.alive() : null, stopping };
  const koa = makeHttpApp(app, schema, pages(app, running));
  const server = createServer(koa.callback());
  server.requestTimeout = 60_000;
  server.headersTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(taken ? new ConfigError(`PORT must be free: ${host}:${port} is in use`) : error);
    });
    server.listen(port, host, resolve);
  });
  started.push({ name: 'api', stop: () => close(server) });
  const { port: actual } = server.address() as AddressInfo;
  return { host, port: actual };
}

/** Stops accepting, lets requests under way finish, and ends connections that only wait. */
async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const hurry = setTimeout(() => server.closeAllConnections(), 5_000);
  await closed;
  clearTimeout(hurry);
}

async function within<T>(seconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${seconds} seconds`)), seconds * 1_000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
