import { totalmem } from 'node:os';
import type { Settings } from './postmaster.ts';

const MIB = 1_048_576;

/**
 * A quarter of the machine's memory for shared_buffers, as PostgreSQL's manual advises, within the bounds of a small server.
 */
function cacheMegabytes(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.round(Math.min(Math.max(memory / 4 / MIB, 128), 1_024));
}

/** Settings of the embedded server. They are passed on its command line, so upgrading the service updates them too. */
export function serverSettings(port: number): Settings {
  const cache = cacheMegabytes();
  return {
    listen_addresses: '127.0.0.1',
    port,
    // TCP only: a socket path may be too long, or be in a folder that other users can write to.
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
    // New tables get statistics soon: until then, plans are made as if they were empty.
    autovacuum_naptime: '15s',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The log is parsed during startup, so its language must be known.
    lc_messages: 'C',
    // Statement errors are reported to the client that caused them; in the log they would be noise.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    log_line_prefix: '',
  };
}

/** For databases that last only for a test run. */
export const throwawaySettings: Settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  shared_buffers: '64MB',
  // Autovacuum would keep scanning hundreds of short-lived databases. Tests that need statistics run ANALYZE.
  autovacuum: 'off',
};
