import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { EmbeddedPostgresError } from './error.ts';

/** The system user that PostgreSQL runs as; undefined means the current user. */
export type Account = { uid: number; gid: number } | undefined;

/**
 * PostgreSQL refuses to run as root. Root therefore runs it as the owner of the existing cluster; for a new cluster, as the
 * user `postgres` (created if missing) or as `nobody`.
 */
export function chooseAccount(existingCluster: string | undefined): Account {
  if (process.getuid?.() !== 0) return undefined;
  if (existingCluster) {
    const { uid, gid } = statSync(existingCluster);
    if (uid !== 0) return { uid, gid };
  }
  const account = lookUp('postgres') ?? createPostgresUser() ?? lookUp('nobody');
  if (!account) {
    throw new EmbeddedPostgresError(
      'PostgreSQL refuses to run as root and there is no user "postgres" or "nobody" to run it as: ' +
        'start as an ordinary user, or set DATABASE_URL.',
    );
  }
  return account;
}

/** Whether a command succeeds as that user, which shows what the user can access without interpreting file modes. */
export function runsAs(account: Account, command: string, args: string[]): boolean {
  return spawnSync(command, args, { ...account, cwd: '/', stdio: 'ignore' }).status === 0;
}

function lookUp(name: string): Account {
  const uid = spawnSync('id', ['-u', name], { encoding: 'utf8' });
  const gid = spawnSync('id', ['-g', name], { encoding: 'utf8' });
  if (uid.status !== 0 || gid.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

function createPostgresUser(): Account {
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'];
  spawnSync('useradd', [...options, '--shell', '/usr/sbin/nologin', 'postgres'], { stdio: 'ignore' });
  return lookUp('postgres');
}
