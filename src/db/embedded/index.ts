import { createServer } from 'node:net';
import { join } from 'node:path';
import { tryLock } from '../../lib/pid-lock.mjs';
import { application, ensureCluster, owner, type Passwords, superuser } from './cluster.ts';
import { EmbeddedPostgresError } from './error.ts';
import { chooseLayout, findBinaries, type Layout, type SystemFolders } from './layout.ts';
import { PostmasterFailed, type Settings } from './postmaster.ts';
import { serverSettings } from './settings.ts';
import { Supervisor } from './supervisor.ts';

export { EmbeddedPostgresError } from './error.ts';

export type EmbeddedOptions = {
  /** The folder of the cluster and its passwords; created if missing. */
  dataDir: string;
  /** Server settings that add to or override the defaults. */
  settings?: Settings;
  initdbOptions?: string[];
  /** Where root puts files that PostgreSQL cannot access inside the checkout. */
  systemFolders?: SystemFolders;
  /** Returns the port for the next attempt to start. */
  findPort?: () => Promise<number>;
  onLog?: (line: string) => void;
};

export type EmbeddedPostgres = {
  /** Connects as the role of the service, which owns nothing. */
  url: string;
  /** Connects as the role that owns the database, for migrations. */
  ownerUrl: string;
  /** Connects to the same database as superuser. */
  adminUrl: string;
  port: number;
  cluster: string;
  /** The process id of the server, or undefined while it is restarting. */
  pid(): number | undefined;
  stop(): Promise<void>;
};

/** Starts the bundled PostgreSQL; resolves when it accepts connections. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, initdbOptions = [], systemFolders } = options;
  const layout = chooseLayout(dataDir, findBinaries(), systemFolders);
  const { lock, holder } = tryLock(`${layout.cluster}.owner`);
  if (!lock) throw new EmbeddedPostgresError(`DATA_DIR ${dataDir} is in use by process ${holder}.`);
  try {
    const passwords = ensureCluster(layout, join(dataDir, 'postgres.passwords.json'), initdbOptions);
    const { supervisor, port } = await startOnFreePort(layout, options);
    let stopped: Promise<void> | undefined;
    return {
      ...addresses(passwords, port),
      port,
      cluster: layout.cluster,
      pid: () => supervisor.pid(),
      stop() {
        stopped ??= supervisor.stop().finally(() => lock.release());
        return stopped;
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startOnFreePort(layout: Layout, options: EmbeddedOptions) {
  const { settings, findPort = findFreePort, onLog = () => {} } = options;
  for (let attemptsLeft = 10; ; attemptsLeft--) {
    const port = await findPort();
    const supervisor = new Supervisor(layout, { ...serverSettings(port), ...settings }, onLog);
    try {
      await supervisor.start();
      return { supervisor, port };
    } catch (error) {
      if (!(error instanceof PostmasterFailed)) throw error;
      // Another process may have taken the port in the meantime.
      if (error.portIsTaken && attemptsLeft > 0) continue;
      throw new EmbeddedPostgresError(`The embedded PostgreSQL did not start: ${error.message}`);
    }
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function addresses(passwords: Passwords, port: number) {
  const place = `127.0.0.1:${port}/${owner}`;
  return {
    ownerUrl: `postgresql://${owner}:${passwords.owner}@${place}`,
    url: `postgresql://${application}:${passwords.application}@${place}`,
    adminUrl: `postgresql://${superuser}:${passwords.superuser}@${place}`,
  };
}
