import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/db/embedded/index.ts';
import { identityOf } from '../../src/lib/pid-lock.mjs';
import { eventually } from '../helpers/eventually.ts';
import { freePort } from '../helpers/free-port.ts';
import { runAs } from '../helpers/server.ts';
import { startOwner } from './fixtures/owner.ts';

let folder: string;
/** One for all tests except those about its creation, which takes longest. The first test creates it. */
let dataDir: string;
let running: EmbeddedPostgres[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-embedded-'));
  chmodSync(folder, 0o755);
  dataDir = join(folder, 'data');
});
afterAll(() => rmSync(folder, { recursive: true }));

afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()));
  running = [];
});

/** Recreates a table, to check later whether it was kept. */
const keep = (ownerUrl: string) =>
  runAs(ownerUrl, 'DROP TABLE IF EXISTS kept; CREATE TABLE kept AS SELECT 42 AS answer');

async function start(options: Partial<EmbeddedOptions> = {}) {
  const server = await startEmbeddedPostgres({ dataDir, initdbOptions: ['--no-sync'], ...options });
  running.push(server);
  return server;
}

async function value(url: string, sql: string): Promise<unknown> {
  const { rows } = await runAs(url, sql);
  return Object.values(rows[0])[0];
}

/** Kills a process and everything that would notice, so that its PostgreSQL is orphaned. */
function orphan(owner: { pid: number; postgres: number }) {
  const parentOf = (pid: number) =>
    Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1]);
  const watchdog = parentOf(owner.postgres);
  const children = readFileSync(`/proc/${watchdog}/task/${watchdog}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number);
  // Stopped first: otherwise it would restart PostgreSQL when its watchdog ends.
  process.kill(owner.pid, 'SIGSTOP');
  for (const pid of [...children.filter((child) => child !== owner.postgres), watchdog, owner.pid]) {
    process.kill(pid, 'SIGKILL');
  }
}

describe('an embedded server', () => {
  test('gives the application a separate role without superuser rights, and stores passwords privately', async () => {
    const server = await start();
    expect(await value(server.url, 'SELECT current_user')).toBe('countersign_app');
    expect(await value(server.ownerUrl, 'SELECT current_user')).toBe('countersign');
    expect(
      await value(
        server.url,
        `SELECT rolsuper OR rolcreatedb OR rolcreaterole FROM pg_roles WHERE rolname = current_user`,
      ),
    ).toBe(false);
    expect(
      await value(
        server.url,
        `SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database()`,
      ),
    ).toBe('countersign');
    expect(await value(server.adminUrl, `SELECT rolsuper FROM pg_roles WHERE rolname = current_user`)).toBe(
      true,
    );
    expect(statSync(join(dataDir, 'postgres.passwords.json')).mode & 0o777).toBe(0o600);
    const wrong = new URL(server.url);
    wrong.password = 'guess';
    await expect(runAs(wrong.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
  });

  test('is durable, uses UTF-8 and listens only on the loopback address', async () => {
    const server = await start();
    const setting = (name: string) => value(server.adminUrl, `SELECT current_setting('${name}')`);
    expect(await setting('fsync')).toBe('on');
    expect(await setting('synchronous_commit')).toBe('on');
    expect(await setting('server_encoding')).toBe('UTF8');
    expect(await setting('listen_addresses')).toBe('127.0.0.1');
    expect(await setting('unix_socket_directories')).toBe('');
    expect(await value(server.url, `SELECT upper('é')`)).toBe('É');
  });

  test('keeps its data across restarts and leaves no process behind', async () => {
    const first = await start();
    const pid = first.pid()!;
    await keep(first.ownerUrl);
    await first.stop();
    expect(identityOf(pid)).toBeUndefined();
    const second = await start();
    expect(await value(second.ownerUrl, 'SELECT answer FROM kept')).toBe(42);
  });

  test('retries with another port if the first one is taken', async () => {
    const rival = createServer();
    await new Promise<void>((resolve) => rival.listen(0, '127.0.0.1', resolve));
    const taken = (rival.address() as { port: number }).port;
    const offers = [taken, await freePort()];
    try {
      const server = await start({ findPort: async () => offers.shift()! });
      expect(server.port).not.toBe(taken);
      expect(await value(server.url, 'SELECT 1')).toBe(1);
    } finally {
      rival.close();
    }
  });

  test('runs beside another one, and repeats an interrupted initdb', async () => {
    const other = join(folder, 'other');
    mkdirSync(join(other, 'postgres.new'), { recursive: true });
    chmodSync(other, 0o711);
    writeFileSync(join(other, 'postgres.new', 'PG_VERSION'), '18\n');
    const [one, two] = await Promise.all([start(), start({ dataDir: other })]);
    expect(existsSync(join(other, 'postgres.new'))).toBe(false);
    expect(one.port).not.toBe(two.port);
    expect(await value(one.url, 'SELECT 1')).toBe(1);
    expect(await value(two.url, 'SELECT 1')).toBe(1);
  });

  test('is restarted on the same port when it is killed', async () => {
    const log: string[] = [];
    const server = await start({ onLog: (line) => log.push(line) });
    await keep(server.ownerUrl);
    const killed = server.pid()!;
    process.kill(killed, 'SIGKILL');
    await eventually(() => server.pid() !== undefined && server.pid() !== killed);
    expect(await value(server.ownerUrl, 'SELECT answer FROM kept')).toBe(42);
    expect(log).toContain('PostgreSQL ended unexpectedly; starting it again');
  });

  test('stays down when it is stopped during a restart', async () => {
    const server = await start();
    const killed = server.pid()!;
    process.kill(killed, 'SIGKILL');
    await eventually(() => server.pid() === undefined);
    await server.stop();
    await (await start()).stop();
  });
});

describe('the data directory', () => {
  test('is rejected while another process uses it', async () => {
    const owner = await startOwner(dataDir);
    try {
      await expect(start()).rejects.toThrow(`is in use by process ${owner.pid}`);
      expect(await value(owner.url, 'SELECT 1')).toBe(1);
    } finally {
      process.kill(owner.pid, 'SIGTERM');
      await owner.exited;
    }
  });

  test('is acquired by one of several processes that start concurrently', async () => {
    const fresh = join(folder, 'fresh');
    const owners = await Promise.allSettled([startOwner(fresh), startOwner(fresh), startOwner(fresh)]);
    const [winner, ...others] = owners.flatMap((owner) =>
      owner.status === 'fulfilled' ? [owner.value] : [],
    );
    process.kill(winner!.pid, 'SIGTERM');
    await winner!.exited;
    expect(others).toEqual([]);
    const reasons = owners.flatMap((owner) => (owner.status === 'rejected' ? [String(owner.reason)] : []));
    for (const reason of reasons) expect(reason).toContain(`is in use by process ${winner!.pid}`);
  });

  test('of another major version is rejected with instructions', async () => {
    await (await start()).stop();
    const file = join(dataDir, 'postgres', 'PG_VERSION');
    const version = readFileSync(file, 'utf8');
    writeFileSync(file, '17\n');
    try {
      await expect(start()).rejects.toThrow(/was made by PostgreSQL 17, but this is PostgreSQL 18: dump it/);
    } finally {
      writeFileSync(file, version);
    }
  });

  test.each([
    ['no process', () => 2_147_483_600],
    ['another process', () => process.pid],
  ])('may contain a stale pid file that names %s', async (_, pid) => {
    const server = await start();
    const file = join(server.cluster, 'postmaster.pid');
    const lines = readFileSync(file, 'utf8').split('\n');
    await server.stop();
    writeFileSync(file, [pid(), ...lines.slice(1)].join('\n'), { mode: 0o600 });
    const { uid, gid } = statSync(server.cluster);
    chownSync(file, uid, gid);
    expect(await value((await start()).url, 'SELECT 1')).toBe(1);
  });
});

describe('the process that owns a server', () => {
  test('takes the server down when it is killed', async () => {
    const owner = await startOwner(dataDir);
    process.kill(owner.pid, 'SIGKILL');
    await eventually(() => identityOf(owner.postgres) === undefined);
    expect(await value((await start()).url, 'SELECT 1')).toBe(1);
  });

  test('does not stop the server on SIGINT to the process group', async () => {
    const owner = await startOwner(dataDir);
    process.kill(-owner.pid, 'SIGINT');
    expect(await value(owner.url, 'SELECT 1')).toBe(1);
    process.kill(-owner.pid, 'SIGTERM');
    expect(await owner.exited).toEqual([0, null]);
    expect(identityOf(owner.postgres)).toBeUndefined();
  });

  test.runIf(process.platform === 'linux')(
    'leaves an orphaned server when it dies, which the next start stops and replaces',
    async () => {
      const owner = await startOwner(dataDir);
      await keep(owner.ownerUrl);
      orphan(owner);
      await eventually(() => identityOf(owner.pid) === undefined);
      expect(identityOf(owner.postgres)).toBeDefined();

      const log: string[] = [];
      const server = await start({ onLog: (line) => log.push(line) });
      expect(identityOf(owner.postgres)).toBeUndefined();
      expect(log[0]).toBe(
        `stopping the PostgreSQL (process ${owner.postgres}) that an earlier run left behind`,
      );
      expect(await value(server.ownerUrl, 'SELECT answer FROM kept')).toBe(42);
    },
  );
});
