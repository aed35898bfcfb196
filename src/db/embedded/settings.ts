import { totalmem } from 'node:os';
import type { Settings } from './postmaster.ts';

const MIB = 1_048_576;

/** A quarter of the machine for PostgreSQL's own cache, as its manual advises, within what suits one small server. */
function cacheMegabytes(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.round(Math.min(Math.max(memory / 4 / MIB, 128), 1_024));
}

/** How the embedded server runs; passed on its command line, so an upgrade of the service changes them as well. */
export function serverSettings(port: number): Settings {
  const cache = cacheMegabytes();
  return {
    listen_addresses: '127.0.0.1',
    port,
    // TCP alone: the path of a socket may be too long, or in a folder that other users may write to.
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: `${cache}MB`,
    work_mem: '8MB',
    maintenance_work_mem: '128MB',
    effective_cache_size: `${2 * cache}MB`,
    random_page_cost: 1.1,
    // Compiling short queries takes longer than running them.
    jit: 'off',
    max_wal_size: '2GB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The start-up is followed by reading the log, so its language must be known.
    lc_messages: 'C',
    // Errors of single statements reach the client that caused them; here they would only be noise.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    log_line_prefix: '',
  };
}

/** For databases that need not outlive the test run. */
export const throwawaySettings: Settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  shared_buffers: '64MB',
  // It would look again and again into hundreds of databases that are gone in a moment. Tests that need statistics run ANALYZE.
  autovacuum: 'off',
};
