import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { loginOf } from '../../src/db/logins.ts';
import { eventually } from './eventually.ts';
import { inDatabase, runAs } from './server.ts';

export type TestDatabase = {
  /** Connects as the role of the service, which owns nothing. */
  url: string;
  /** Connects as the role that owns the database, for migrations. */
  ownerUrl: string;
  /** Connects as superuser, for operations that the application must not be able to do. */
  adminUrl: string;
  /** Files outside the database: the history of its signing keys, the checkpoints of its chains. */
  dataDir: string;
  checkpointFile: string;
  /** The folder for its mails. */
  mailFolder: string;
  /** Drops the database; fails if a client is still connected. Called automatically at the end of the test file. */
  drop(): Promise<void>;
};

const open = new Map<string, TestDatabase>();

/** The folder for processes on this database, beside that of the Apps. */
export const processFolder = (name: string) => `${name}.process`;

/** A new, migrated database that no other test uses; optionally an empty one. */
export async function testDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const { url, ownerUrl, adminUrl, template: migrated } = inject('testServer');
  const template = options.empty ? 'template0' : migrated;
  const name = `countersign_test_${randomBytes(6).toString('hex')}`;
  const owner = loginOf(ownerUrl);
  // Copying files takes half the time of logging every page to a write-ahead log that is never read.
  await runAs(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY OWNER "${owner}"`);
  const database = {
    url: inDatabase(url, name),
    ownerUrl: inDatabase(ownerUrl, name),
    adminUrl: inDatabase(adminUrl, name),
    dataDir: join(tmpdir(), name),
    checkpointFile: join(tmpdir(), name, 'checkpoints.log'),
    mailFolder: join(tmpdir(), `${name}.mail`),
    drop: () => drop(adminUrl, name),
  };
  open.set(name, database);
  return database;
}

/**
 * A copy of the current database under another name and with the same folder, like a standby that stops following here. No
 * client may be connected.
 */
export async function copyDatabase({ adminUrl, ownerUrl, ...rest }: TestDatabase): Promise<TestDatabase> {
  const template = new URL(adminUrl).pathname.slice(1);
  const name = `countersign_test_${randomBytes(6).toString('hex')}`;
  const { adminUrl: admin } = inject('testServer');
  await untilNoClient(admin, template);
  await runAs(
    admin,
    `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY OWNER "${loginOf(ownerUrl)}"`,
  );
  const database = {
    ...rest,
    url: inDatabase(rest.url, name),
    ownerUrl: inDatabase(ownerUrl, name),
    adminUrl: inDatabase(adminUrl, name),
    drop: () => drop(admin, name),
  };
  open.set(name, database);
  return database;
}

/** How long closed connections may take to end; the test of leaks sets a shorter time. */
const PATIENCE_MS = Number(process.env['LEAK_PATIENCE_MS'] ?? 30_000);

const CLIENTS = `SELECT pid, application_name, state, query FROM pg_stat_activity
  WHERE datname = $1 AND backend_type = 'client backend'`;

const untilNoClient = (adminUrl: string, name: string) =>
  eventually(async () => (await runAs(adminUrl, CLIENTS, [name])).rows.length === 0, PATIENCE_MS);

export async function dropOpenDatabases() {
  const results = await Promise.allSettled([...open.values()].map((database) => database.drop()));
  const failures = results.filter((result) => result.status === 'rejected').map((result) => result.reason);
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('\n'));
}

async function drop(adminUrl: string, name: string) {
  const database = open.get(name);
  if (!database || !open.delete(name)) return;
  await rm(database.dataDir, { recursive: true, force: true });
  await rm(join(tmpdir(), processFolder(name)), { recursive: true, force: true });
  await rm(database.mailFolder, { force: true, recursive: true });
  try {
    await untilNoClient(adminUrl, name);
    await runAs(adminUrl, `DROP DATABASE ${name}`);
  } catch (error) {
    const sessions = await runAs(adminUrl, CLIENTS, [name]);
    await runAs(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    const left = sessions.rows.map((row) => JSON.stringify(row)).join(', ');
    throw new Error(`Connections to the test database were left open: ${left}`, { cause: error });
  }
}
