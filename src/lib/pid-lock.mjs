// A lock between processes, kept as a file that names its holder. Plain JavaScript, because scripts/prepare.mjs uses
// it on whatever Node came with npm, before the one this project installs is there.
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import process from 'node:process';

/**
 * Identifies a running process beyond its pid, which the system reuses; undefined if none runs.
 * @param {number} pid
 * @returns {string | undefined}
 */
export function identityOf(pid) {
  if (process.platform === 'linux') {
    const stat = readIfThere(`/proc/${pid}/stat`);
    // The command name (in parentheses) may contain spaces; state and start time come after it.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (!fields || fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${pid} ${fields[19]} ${readIfThere('/proc/sys/kernel/random/boot_id')?.trim()}`;
  }
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return `${pid} ${String(started).trim()}`;
  } catch {
    return undefined;
  }
}

/**
 * The living process that holds the lock, or undefined.
 * @param {string} path
 * @returns {number | undefined}
 */
export function holderOf(path) {
  const content = readIfThere(path);
  return content !== undefined && isAlive(content) ? Number.parseInt(content, 10) : undefined;
}

/**
 * Takes the lock, or returns the process that holds it. A lock whose holder has died counts as free.
 * @param {string} path
 * @returns {{ lock: { release(): void }, holder?: undefined } | { lock?: undefined, holder: number }}
 */
export function tryLock(path) {
  const own = identityOf(process.pid);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, own);
  try {
    for (;;) {
      try {
        // Linking is atomic and the file is complete from the start, so no reader sees a partial name.
        linkSync(draft, path);
        return { lock: { release: () => unlinkSync(path) } };
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      const content = readIfThere(path);
      if (content === undefined) continue;
      if (isAlive(content)) return { holder: Number.parseInt(content, 10) };
      clearDead(path, content);
    }
  } finally {
    unlinkSync(draft);
  }
}

// Only one of several processes that see the same dead holder may remove its file. Without the claim, a slow process could
// remove the lock that a faster one has just taken.
function clearDead(path, content) {
  const claim = `${path}.claim`;
  try {
    mkdirSync(claim);
  } catch (error) {
    if (error.code === 'EEXIST') return pause(5);
    throw error;
  }
  try {
    if (readIfThere(path) === content) unlinkSync(path);
  } finally {
    rmdirSync(claim);
  }
}

function isAlive(identity) {
  return identityOf(Number.parseInt(identity, 10)) === identity;
}

function pause(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // ESRCH: the process ended while its entry in /proc was being read.
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined;
    throw error;
  }
}
