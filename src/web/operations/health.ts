import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import type { Middleware } from 'koa';
import type { App } from '../../app.ts';
import { pendingMigrations } from '../../db/migrate.ts';
import { loginSeparation } from '../../domain/installation/state.ts';
import { type HistoryFinding, readHistoryFindings } from '../../domain/ledger/findings.ts';
import { signingRefusal } from '../../domain/ledger/signing/state.ts';
import { witnessReports } from '../../domain/ledger/witnesses/submit.ts';
import { safeEqual } from '../../lib/crypto.ts';
import { readMetrics } from './metrics.ts';

/** The parts of this process besides the API that readiness depends on. */
export interface Running {
  workerAlive: (() => boolean) | null;
  /** Set once shutdown has begun, so that load balancers send no new traffic. */
  stopping: () => boolean;
}

/** /healthz: the process is up. /readyz: it can serve. /metrics: metrics for Prometheus. */
export function operationsPages(app: App, running: Running): Middleware {
  const pages: Record<string, Middleware> = {
    '/healthz': (koa) => {
      koa.body = { status: 'ok' };
    },
    '/readyz': async (koa) => {
      const needed = await readiness(app, running);
      const ready = Object.values(needed).every((check) => check === 'ok');
      const checks = {
        ...needed,
        ...(needed['database'] === 'ok' && (await signing(app))),
        // Without a replica everything is read from the primary, so it does not make a process unready.
        ...(app.db.replica && { replica: app.db.replica.state() }),
      };
      koa.status = ready ? 200 : 503;
      koa.body = {
        status: ready ? 'ready' : 'not ready',
        checks,
        wall: loginSeparation(app.config),
        memory: memoryOf(app),
      };
    },
    '/metrics': async (koa) => {
      const { metricsToken, production } = app.config;
      const open = !metricsToken && !production;
      // In production, metrics require a configured token.
      if (!open && !(metricsToken && safeEqual(koa.get('Authorization'), `Bearer ${metricsToken}`))) {
        koa.status = 401;
        koa.body = { status: 'the metrics token is needed' };
        return;
      }
      await readMetrics(app, running.workerAlive).catch(() => {});
      koa.type = app.metrics.registry.contentType;
      koa.body = await app.metrics.registry.metrics();
    },
  };
  return (koa, next) => {
    const page = Object.hasOwn(pages, koa.path) && (koa.method === 'GET' || koa.method === 'HEAD');
    if (!page) return next();
    koa.state['route'] = koa.path;
    return pages[koa.path]!(koa, next);
  };
}

/** Health checks answer within two seconds, whatever the state of the database. */
const LONGEST_LOOK_MS = 1_000;

async function readiness(app: App, running: Running): Promise<Record<string, string>> {
  const late = new AbortController();
  const migrations = await Promise.race([
    pendingMigrations(app.db.pool).then(
      (pending) => (pending.length === 0 ? 'ok' : `${pending.length} migrations are missing`),
      () => 'unknown',
    ),
    sleep(LONGEST_LOOK_MS, 'unknown', { signal: late.signal }).catch(() => 'unknown'),
  ]);
  late.abort();
  const state = app.db.watch.state();
  const silent = migrations === 'unknown' ? 'does not answer' : null;
  const hanging = app.heartbeat.commits() ? null : 'does not commit';
  return {
    database: state === 'ok' ? (silent ?? hanging ?? 'ok') : state,
    migrations,
    notifications: app.bus.connected() ? 'ok' : 'reconnecting',
    ...(running.workerAlive && { worker: running.workerAlive() ? 'ok' : 'finds no jobs' }),
    ...(running.stopping() && { process: 'shutting down' }),
  };
}

const MEBIBYTE = 1_048_576;
const inMebibytes = (bytes: number) => Math.round(bytes / MEBIBYTE);

/** In MiB. The process ends when its heap reaches the limit. */
function memoryOf({ contentBudget }: App) {
  const { held, limit, waiting } = contentBudget.figures();
  return {
    heap: inMebibytes(process.memoryUsage().heapUsed),
    heapLimit: inMebibytes(getHeapStatistics().heap_size_limit),
    content: inMebibytes(held),
    contentLimit: inMebibytes(limit),
    contentWaiting: waiting,
  };
}

const isLoss = ({ kind }: HistoryFinding) => kind === 'lost';

/** A signing failure concerns the operator and does not prevent serving requests, so the process stays ready. */
async function signing(app: App): Promise<Record<string, string>> {
  const refused = await signingRefusal(app).catch(() => undefined);
  if (refused === undefined) return {};
  const findings = await readHistoryFindings(app.db.pool);
  const witnesses = await witnessReports(app);
  const current = witnesses.filter((witness) => witness.current).length;
  return {
    signing: refused === null ? 'ok' : 'refused',
    ...(findings.length > 0 && { history: findings.some(isLoss) ? 'lost' : 'contradicted' }),
    ...(witnesses.length > 0 && {
      witnesses: current === witnesses.length ? 'ok' : `${current} of ${witnesses.length} cosign`,
    }),
  };
}
