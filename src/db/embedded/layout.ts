import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../lib/folders.ts';
import { type Account, chooseAccount, runsAs } from './account.ts';
import { type Binaries, binariesIn } from './binaries.ts';
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
