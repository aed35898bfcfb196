import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { loginOf } from '../../src/db/logins.ts';
import { inDatabase, runAs } from './server.ts';

export type TestDatabase = {
  /** Connects as the application's own role, which owns nothing. */
  url: string;
  /** Connects as the role that owns the database, for migrations. */
  ownerUrl: string;
  /** Connects as superuser, for what the application itself must not be able to do. */
  adminUrl: string;
  /** What belongs to it outside: the history of its signing keys, the checkpoints of its chains. */
  dataDir: string;
  checkpointFile: string;
  /** Where the mails of its people go. */
  mailFolder: string;
  /** Removes it; fails when somebody is still connected. Happens on its own at the end of the test file. */
  drop(): Promise<void>;
};

const open = new Map<string, TestDatabase>();

/** The folder of processes on a database of this name, beside that of the Apps. */
export const processFolder = (name: string) => `${name}.process`;

/** A fresh, migrated database that no other test sees; on demand one without anything in it. */
export async function testDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const { url, ownerUrl, adminUrl, template: migrated } = inject('testServer');
  const template = options.empty ? 'template0' : migrated;
  const name = `countersign_test_${randomBytes(6).toString('hex')}`;
  const owner = loginOf(ownerUrl);
  // Copying files takes half the time of writing every page to the log, which nobody will ever read.
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
 * The database as it is now, under another name and with the same folder: what a standby is that stops following here. Nobody
 * may be connected to it.
 */
export async function copyDatabase({ adminUrl, ownerUrl, ...rest }: TestDatabase): Promise<TestDatabase> {
  const template = new URL(adminUrl).pathname.slice(1);
  const name = `countersign_test_${randomBytes(6).toString('hex')}`;
  const { adminUrl: admin } = inject('testServer');
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
    // The server itself waits a few seconds for sessions that are just ending.
    await runAs(adminUrl, `DROP DATABASE ${name}`);
  } catch (error) {
    const sessions = await runAs(
      adminUrl,
      `SELECT pid, application_name, state, query FROM pg_stat_activity WHERE datname = $1`,
      [name],
    );
    await runAs(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    const left = sessions.rows.map((row) => JSON.stringify(row)).join(', ');
    throw new Error(`Connections to the test database were left open: ${left}`, { cause: error });
  }
}
