import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf } from '../../lib/pid-lock.mjs';

// No system assigns a pid this high, and PostgreSQL requires a positive one.
const UNUSED_PID = 2_147_483_646;

/**
 * Cleans up after a killed process: stops an orphaned postmaster and ignores a pid file that names an unrelated process. Only
 * the owner of the cluster may call it.
 */
export async function stopOrphanedPostmaster(cluster: string, onLog: (line: string) => void) {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return;
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  if (!identityOf(pid)) return;
  if (commandOf(pid).includes(cluster)) {
    onLog(`stopping the PostgreSQL (process ${pid}) that an earlier run left behind`);
    await stopPostmaster(pid);
    return;
  }
  // The pid now belongs to another program. The file stays: PostgreSQL uses its other lines to check whether backends of the
  // dead postmaster are still attached to the shared memory.
  writeFileSync(file, [String(UNUSED_PID), ...lines.slice(1)].join('\n'));
}

/** Fast shutdown first, then stronger signals if it takes too long. */
export async function stopPostmaster(pid: number) {
  const identity = identityOf(pid);
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!identity || identityOf(pid) !== identity) return;
    process.kill(pid, signal);
    for (let waited = 0; waited < 10_000 && identityOf(pid) === identity; waited += 25) await sleep(25);
  }
}

function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
