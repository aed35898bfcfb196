import type { Config } from '../config.ts';
import { type Bus, openBus } from '../db/bus.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { makeVault, type Vault } from '../lib/crypto.ts';
import type { Log } from '../lib/log.ts';
import { type Metrics, makeMetrics } from '../lib/metrics.ts';
import { makeOutboundClient, type OutboundClient } from '../lib/outbound/client.ts';
import { publicDns } from '../lib/outbound/resolve.ts';
import { makeShare, type Share } from '../lib/share.ts';
import { makeNoteUse, type NoteUse } from './api-keys/last-use.ts';
import { type CenterReader, makeCenterReader } from './centers/own.ts';
import { makePrincipalCache, type PrincipalCache } from './identity/principal-cache.ts';
import { type CheckpointFile, openCheckpointFile } from './ledger/checkpoints/file.ts';
import { type DpuFinder, makeDpuFinder } from './ledger/find-dpu.ts';
import { makeSealer, type Sealer } from './ledger/sealer.ts';
import { type Limiter, makeLimiter } from './limits/limiter.ts';
import type { ListedRow } from './proof/read.ts';
import { makeRecorder, type Recorder } from './proof/recorder.ts';

/** What lives as long as the process and every domain function may use. */
export interface App {
  /** Where checkpoints are kept outside the database. */
  checkpointFile: CheckpointFile;
  config: Config;
  log: Log;
  db: Database;
  bus: Bus;
  vault: Vault;
  metrics: Metrics;
  limiter: Limiter;
  noteKeyUse: NoteUse;
  /** Who stands behind the tokens and keys seen lately. */
  principals: PrincipalCache;
  /** Writes to the hash chains, many callers at a time. */
  sealer: Sealer;
  recorder: Recorder;
  /** Reads pages of decision events, once for all who ask for the same one. */
  shareEventPages: Share<ListedRow[]>;
  /** Reads centers as their members see them, many callers at a time. */
  readCenter: CenterReader;
  /** Reads decision proof units, many callers at a time. */
  findDpu: DpuFinder;
  /** The way to addresses that tenants supply. */
  outbound: OutboundClient;
  close(): Promise<void>;
}

/** As many as requests can be under way to one endpoint, or they would wait for each other. */
const CONNECTIONS_PER_ORIGIN = 64;

export async function openApp(config: Config, databaseUrl: string, log: Log): Promise<App> {
  const db = openDatabase(databaseUrl, config.databasePool, (error) =>
    log.warn({ reason: error.message }, 'an idle database connection broke'),
  );
  const bus = await openBus(config.databaseDirectUrl ?? databaseUrl, db.pool, log);
  const metrics = makeMetrics();
  const sealer = makeSealer({ config, db, bus, metrics });
  const { allowHttp, allowPrivate, nameServers } = config.outbound;
  const outbound = makeOutboundClient({
    allowHttp,
    allowPrivate,
    acceptUnresolvable: !config.production,
    connectionsPerOrigin: CONNECTIONS_PER_ORIGIN,
    ...(nameServers && { resolve: publicDns(nameServers) }),
  });
  return {
    checkpointFile: openCheckpointFile(config.checkpoints.file),
    config,
    log,
    db,
    bus,
    vault: makeVault(config.encryptionKey),
    metrics,
    limiter: makeLimiter(config, db.pool),
    noteKeyUse: makeNoteUse(db.pool, log),
    principals: makePrincipalCache(bus),
    sealer,
    recorder: makeRecorder(db.pool, bus),
    shareEventPages: makeShare(),
    readCenter: makeCenterReader(db),
    findDpu: makeDpuFinder(db.pool),
    outbound,
    async close() {
      await outbound.close();
      await sealer.close();
      await bus.close();
      await db.close();
    },
  };
}
