import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf } from '../../lib/pid-lock.mjs';
import { application, owner, type Passwords } from './cluster.ts';

/** Lines of postmaster.pid, as PostgreSQL writes them. */
const PID_LINE = 0;
const PORT_LINE = 3;

/**
 * The URL of the embedded server that another Countersign process runs in a DATA_DIR, or null if none is running. Connects as
 * the application, or as the owner of the tables for commands that need more privileges.
 */
export function runningEmbeddedUrl(
  dataDir: string,
  as: 'application' | 'owner' = 'application',
): string | null {
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  const passwordFile = join(dataDir, 'postgres.passwords.json');
  if (!existsSync(pidFile) || !existsSync(passwordFile)) return null;
  const lines = readFileSync(pidFile, 'utf8').split('\n');
  if (!identityOf(Number(lines[PID_LINE]))) return null;
  const passwords = JSON.parse(readFileSync(passwordFile, 'utf8')) as Passwords;
  const login = { application, owner }[as];
  return `postgresql://${login}:${passwords[as]}@127.0.0.1:${Number(lines[PORT_LINE])}/${owner}`;
}
