// A primary and a standby of the embedded PostgreSQL, and an address that moves from one to the other.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  application,
  ensureCluster,
  owner,
  type Passwords,
  superuser,
} from '../../src/db/embedded/cluster.ts';
import { chooseLayout, findBinaries, type Layout } from '../../src/db/embedded/layout.ts';
import { type Postmaster, type Settings, startPostmaster } from '../../src/db/embedded/postmaster.ts';
import { serverSettings, throwawaySettings } from '../../src/db/embedded/settings.ts';
import { migrate } from '../../src/db/migrate.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { runAs } from './server.ts';

/** An address whose server can be switched, like that of a load balancer. */
export interface MovingAddress {
  port: number;
  /** Sends new connections to another port and breaks the open ones. */
  moveTo(port: number): void;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  close(): void;
}

export async function movingAddress(target: number): Promise<MovingAddress> {
  const sockets = new Set<Socket>();
  let to: number | null = target;
  const server: Server = createServer((inward) => {
    if (to === null) return void inward.destroy();
    const outward = connect(to, '127.0.0.1');
    inward.pipe(outward).pipe(inward);
    for (const [side, other] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      sockets.add(side);
      side
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(side);
          other.destroy();
        });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    moveTo(port) {
      to = port;
      breakAll();
    },
    cut() {
      to = null;
      breakAll();
    },
    close() {
      server.close();
      breakAll();
    },
  };
}

interface Node {
  port: number;
  postmaster: Postmaster;
}

export interface FailoverPair {
  primary: Node;
  standby: Node;
  /** The service's URLs for the login, the owner and the superuser. */
  urls: { url: string; ownerUrl: string; adminUrl: string };
  /** The same logins on one of the servers, wherever the address points. */
  urlsAt(port: number): FailoverPair['urls'];
  address: MovingAddress;
  /** The standby stops receiving: later commits are lost with the primary. */
  stopReplication(): void;
  /** Kills the primary. */
  killPrimary(): Promise<void>;
  /** Promotes the standby; the address does not move. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** A stopped, migrated cluster to copy from, made once for several pairs. */
export interface ClusterTemplate {
  makePair(options: { synchronous: boolean }): Promise<FailoverPair>;
  remove(): void;
}

const temporary = () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-failover-'));
  chmodSync(folder, 0o711);
  return folder;
};

const settingsAt = (port: number): Settings => ({
  ...serverSettings(port),
  ...throwawaySettings,
  synchronous_commit: 'on',
  wal_level: 'replica',
});

const OTHER_CLIENTS = `SELECT FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;

export async function makeClusterTemplate(): Promise<ClusterTemplate> {
  const folder = temporary();
  const layout = chooseLayout(folder, findBinaries());
  const passwords = ensureCluster(layout, join(folder, 'passwords.json'), ['--no-sync']);
  const port = await freePort();
  const server = await startPostmaster(layout, settingsAt(port), () => {});
  const { adminUrl, ownerUrl } = addresses(passwords, port);
  await migrate(ownerUrl, { login: application });
  // The queue's migrations leave a connection that is just ending; a stopping server would send it an error.
  await eventually(async () => (await runAs(adminUrl, OTHER_CLIENTS)).rows.length === 0);
  await server.stop();
  return {
    makePair: ({ synchronous }) => makePair(layout, passwords, synchronous),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function makePair(template: Layout, passwords: Passwords, synchronous: boolean): Promise<FailoverPair> {
  const folders = [temporary(), temporary()] as const;
  const [first, second] = folders.map((folder) => copyCluster(template, join(folder, 'postgres')));
  const primaryPort = await freePort();
  const primary = await startPostmaster(
    first!,
    { ...settingsAt(primaryPort), ...(synchronous && { synchronous_standby_names: 'standby' }) },
    () => {},
  );
  const replication = await movingAddress(primaryPort);
  writeFileSync(join(second!.cluster, 'standby.signal'), '');
  if (template.account)
    chownSync(join(second!.cluster, 'standby.signal'), template.account.uid, template.account.gid);
  const standbyPort = await freePort();
  const conninfo = `host=127.0.0.1 port=${replication.port} user=${superuser} password=${passwords.superuser} application_name=standby`;
  const standby = await startPostmaster(
    second!,
    { ...settingsAt(standbyPort), primary_conninfo: conninfo, wal_retrieve_retry_interval: '100ms' },
    () => {},
  );
  const address = await movingAddress(primaryPort);
  const urlsAt = (port: number) => addresses(passwords, port);
  await untilReplicating(urlsAt(primaryPort).adminUrl);
  return {
    primary: { port: primaryPort, postmaster: primary },
    standby: { port: standbyPort, postmaster: standby },
    urls: urlsAt(address.port),
    urlsAt,
    address,
    stopReplication: () => replication.cut(),
    async killPrimary() {
      process.kill(primary.pid, 'SIGQUIT');
      await primary.ended;
    },
    promote: async () => void (await runAs(urlsAt(standbyPort).adminUrl, 'SELECT pg_promote()')),
    async stop() {
      address.close();
      replication.close();
      await Promise.all([primary, standby].map((server) => server.stop()));
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Run as the account of PostgreSQL, which owns the files. */
function copyCluster(template: Layout, cluster: string): Layout {
  const { account } = template;
  if (account) {
    const copied = spawnSync('cp', ['-a', template.cluster, cluster]);
    if (copied.status !== 0) throw new Error(String(copied.stderr));
  } else cpSync(template.cluster, cluster, { recursive: true });
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
  return { ...template, cluster };
}

function addresses(passwords: Passwords, port: number): FailoverPair['urls'] {
  const at = (login: string, password: string) =>
    `postgresql://${login}:${password}@127.0.0.1:${port}/${owner}`;
  return {
    url: at(application, passwords.application),
    ownerUrl: at(owner, passwords.owner),
    adminUrl: at(superuser, passwords.superuser),
  };
}

async function untilReplicating(adminUrl: string): Promise<void> {
  const client = new pg.Client(adminUrl);
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query("SELECT FROM pg_stat_replication WHERE state = 'streaming'");
      if (rows.length > 0) return;
      await client.query('SELECT pg_sleep(0.05)');
    }
  } finally {
    await client.end();
  }
}
