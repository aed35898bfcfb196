import type { Config } from '../config.ts';
import type { Bus } from '../db/bus.ts';
import type { Database } from '../db/database.ts';
import type { Presence } from '../db/presence.ts';
import type { Coalesce } from '../lib/coalesce.ts';
import type { Vault } from '../lib/crypto.ts';
import type { Log } from '../lib/log.ts';
import type { Transport } from '../lib/mail/message.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { OutboundClient } from '../lib/outbound/client.ts';
import type { NoteUse } from './api-keys/last-use.ts';
import type { CenterReader } from './centers/reader.ts';
import type { DpuFinder } from './dpus/find-dpu.ts';
import type { PrincipalCache } from './identity/principal-cache.ts';
import type { NoteSessionUse } from './identity/session-use.ts';
import type { CheckpointFile } from './ledger/checkpoints/file.ts';
import type { Sealer } from './ledger/sealer/sealer.ts';
import type { Limiter } from './limits/limiter.ts';
import type { StorageMeter } from './limits/storage.ts';
import type { Recorder } from './proof/recorder.ts';
import type { ListedRow } from './proof/row.ts';
import type { Sandbox } from './workflows/sandbox/sandbox.ts';

/** What lives as long as the process and every domain function may use. */
export interface App {
  /** Where checkpoints are kept outside the database. */
  checkpointFile: CheckpointFile;
  config: Config;
  log: Log;
  db: Database;
  bus: Bus;
  /** The heartbeat of this process. */
  presence: Presence;
  vault: Vault;
  metrics: Metrics;
  limiter: Limiter;
  /** Holds centers to their storage quota. */
  storage: StorageMeter;
  noteKeyUse: NoteUse;
  noteSessionUse: NoteSessionUse;
  /** Who stands behind the tokens and keys seen lately. */
  principals: PrincipalCache;
  /** Writes to the hash chains, many callers at a time. */
  sealer: Sealer;
  /** Writes decision events with their journal entries, many callers at a time. */
  recorder: Recorder;
  /** Reads pages of decision events, once for all who ask for the same one. */
  coalesceEventPages: Coalesce<ListedRow[]>;
  /** Reads centers as their members see them, many callers at a time. */
  readCenter: CenterReader;
  /** Reads decision proof units, many callers at a time. */
  findDpu: DpuFinder;
  /** The way to addresses that tenants supply. */
  outbound: OutboundClient;
  /** The way out for mail; null where none is set up. */
  transport: Transport | null;
  /** Works out the expressions that tenants write. */
  sandbox: Sandbox;
  close(): Promise<void>;
}
