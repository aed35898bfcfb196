import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf } from '../../lib/pid-lock.mjs';
import { application, owner, type Passwords } from './cluster.ts';

/** Lines of postmaster.pid, as PostgreSQL writes them. */
const PID_LINE = 0;
const PORT_LINE = 3;

/** Where commands reach the embedded server that another process of ours runs in a DATA_DIR; null when none runs. */
export function runningEmbeddedUrl(dataDir: string): string | null {
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  const passwordFile = join(dataDir, 'postgres.passwords.json');
  if (!existsSync(pidFile) || !existsSync(passwordFile)) return null;
  const lines = readFileSync(pidFile, 'utf8').split('\n');
  if (!identityOf(Number(lines[PID_LINE]))) return null;
  const { application: password } = JSON.parse(readFileSync(passwordFile, 'utf8')) as Passwords;
  return `postgresql://${application}:${password}@127.0.0.1:${Number(lines[PORT_LINE])}/${owner}`;
}
