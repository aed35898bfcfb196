import type { App } from './app.ts';
import type { Config } from './config.ts';
import { openBus } from './db/bus.ts';
import { openDatabase } from './db/database.ts';
import { startHeartbeat } from './db/heartbeat.ts';
import { makeNoteUse } from './domain/api-keys/authenticate.ts';
import { makeCenterReader } from './domain/centers/read-centers.ts';
import { makeRecorder } from './domain/decisions/record/recorder.ts';
import { makeDpuFinder } from './domain/dpus/dpu.ts';
import { makeSandbox } from './domain/expressions/sandbox/sandbox.ts';
import { makeNoteSessionUse } from './domain/identity/authenticate.ts';
import { makePrincipalCache } from './domain/identity/principal-cache.ts';
import type { TokenVerifier } from './domain/identity/tokens.ts';
import { checkHistoryAfterOutage } from './domain/ledger/log/held.ts';
import { openCheckpointFile } from './domain/ledger/notes/file.ts';
import { makeSealer } from './domain/ledger/sealer/sealer.ts';
import { makeLimiter } from './domain/limits/limiter.ts';
import { makeStorageMeter } from './domain/limits/storage.ts';
import { makeCoalesce } from './lib/coalesce.ts';
import { makeContentBudget } from './lib/content-budget.ts';
import { makeVault } from './lib/crypto.ts';
import { makeIdsOf } from './lib/ids.ts';
import type { Log } from './lib/log.ts';
import { openTransport } from './lib/mail/transport.ts';
import { type Metrics, makeMetrics } from './lib/metrics.ts';
import { makeOutboundClient } from './lib/outbound/client.ts';
import { publicDns } from './lib/outbound/targets.ts';

/** As many as concurrent requests to one endpoint, or they would wait for each other. */
const CONNECTIONS_PER_ORIGIN = 64;

/** Loaded with the first token: a worker verifies none and loads no GraphQL server. */
function lazyTokenVerifier(secret: string): TokenVerifier {
  let verifier: Promise<TokenVerifier> | undefined;
  return async (token) => {
    verifier ??= import('./schema/token-verifier.ts').then((module) => module.makeTokenVerifier(secret));
    return (await verifier)(token);
  };
}

const REPORT_EVERY_MS = 10_000;

/** Counts what finds no room for content, and logs from time to time which center holds how much. */
function makeFullReport(metrics: Metrics, log: Log) {
  let next = 0;
  return ({ centerId, held }: { centerId: number | null; held: number }) => {
    metrics.contentRefused.inc({ reason: 'no_room' });
    const now = performance.now();
    if (now < next) return;
    next = now + REPORT_EVERY_MS;
    const heapBytes = process.memoryUsage().heapUsed;
    log.warn({ centerId, heldBytes: held, heapBytes }, 'reads wait: too much content is in flight');
  };
}

/** Opens everything that lives as long as the process, for commands, tests and the process itself. */
export async function openApp(config: Config, databaseUrl: string, log: Log): Promise<App> {
  makeIdsOf(config.cell);
  const { databasePool: connections, databaseReplicaUrl: replicaUrl } = config;
  const db = openDatabase(databaseUrl, {
    connections,
    replica:
      replicaUrl && config.runsApi ? { url: replicaUrl, maxLagSeconds: config.replicaMaxLagSeconds } : null,
    onError: (error) => log.warn({ reason: error.message }, 'an idle database connection broke'),
  });
  const directUrl = config.databaseDirectUrl ?? databaseUrl;
  const bus = await openBus(directUrl, db.pool, log);
  const heartbeat = await startHeartbeat(directUrl, config.worker.takeoverSeconds, log);
  const vault = makeVault(config.encryptionKey, config.previousEncryptionKey);
  const metrics = makeMetrics();
  metrics.pools.set('service', db.pool);
  if (db.replica) metrics.pools.set('replica', db.replica.pool);
  const sealer = makeSealer({ db, bus, metrics }, config.databasePool);
  const recorder = makeRecorder(db, bus);
  const { allowHttp, allowPrivate, nameServers } = config.outbound;
  const outbound = makeOutboundClient({
    allowHttp,
    allowPrivate,
    // Where private hosts are refused, accepting unresolvable ones would tell the two apart.
    acceptUnresolvable: allowPrivate && !config.production,
    connectionsPerOrigin: CONNECTIONS_PER_ORIGIN,
    ...(nameServers && { resolve: publicDns(nameServers) }),
  });
  const sandbox = makeSandbox(log);
  const { target, timeoutSeconds } = config.mail;
  const transport = target && openTransport(target, timeoutSeconds);
  const app: App = {
    checkpointFile: openCheckpointFile(config.checkpoints.file),
    config,
    log,
    db,
    bus,
    heartbeat,
    vault,
    metrics,
    limiter: makeLimiter(config, db.pool, vault.fingerprint),
    storage: makeStorageMeter(config, db.pool),
    contentBudget: makeContentBudget(config.contentInFlightMb, {
      tooLarge: () => metrics.contentRefused.inc({ reason: 'too_large' }),
      full: makeFullReport(metrics, log),
    }),
    noteKeyUse: makeNoteUse(db, log),
    noteSessionUse: makeNoteSessionUse(db, log),
    verifyToken: lazyTokenVerifier(config.jwtSecret),
    principals: makePrincipalCache(bus),
    sealer,
    recorder,
    coalesceEventPages: makeCoalesce(),
    readCenter: makeCenterReader(db),
    findDpu: makeDpuFinder(db),
    outbound,
    sandbox,
    transport,
    async close() {
      transport?.close();
      await sandbox.close();
      await outbound.close();
      await recorder.close();
      await sealer.close();
      await heartbeat.close();
      await bus.close();
      await checking;
      await db.close();
    },
  };
  let checking: Promise<void> = Promise.resolve();
  db.watch.onReturn(() => {
    checking = checking.then(() => checkHistoryAfterOutage(app));
  });
  return app;
}
