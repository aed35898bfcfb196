import { hash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMigrations as migrateQueue } from 'graphile-worker';
import pg from 'pg';
import { OperatorFault } from '../lib/errors.ts';
import { createSilentEnqueue } from './internals/graphile-worker.ts';
import { APPLICATION_ROLE, admit, grantQueueAccess } from './logins.ts';

const migrationsFolder = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

/** An arbitrary number that nothing else locks: "csmigrat" in ASCII. */
const lockKey = BigInt('0x63736d6967726174');

class MigrationError extends OperatorFault {
  override name = 'MigrationError';
}

interface MigrateOptions {
  /** The login of the service, which is granted access. */
  login?: string;
  folder?: string;
}

/**
 * Applies the pending migrations of prisma/migrations and returns their names in order. Processes that start at the same time
 * wait for one another. `prisma migrate deploy` works on the same database with the same table of applied migrations.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const { login, folder = migrationsFolder } = options;
  const client = new pg.Client(databaseUrl);
  // Statements report a broken connection; this listener covers the time between them.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lockKey]);
    await refuseOlderBeginning(client, databaseUrl, folder);
    const pending = await pendingMigrations(client, folder);
    if (pending.length > 0) await retryFailed(client, folder);
    const applied = pending.length > 0 ? await apply(client, pending, folder) : [];
    // The job queue has its own tables and tracks its own migrations.
    await migrateQueue({ connectionString: databaseUrl });
    await giveRights(client, login);
    return applied;
  } finally {
    // Also releases the lock.
    await client.end();
  }
}

async function giveRights(client: pg.Client, login: string | undefined) {
  await grantQueueAccess(client);
  await createSilentEnqueue(client);
  if (login === undefined) return;
  try {
    await admit(client, login);
  } catch (error) {
    const { message } = error as Error;
    throw new MigrationError(
      `${login} cannot be let work as the role ${APPLICATION_ROLE} (${message}): ` +
        `have an administrator run GRANT ${APPLICATION_ROLE} TO "${login}"`,
      { cause: error },
    );
  }
}

/** Names of the migrations in this release that the database lacks; cheap enough for a health check. */
export async function pendingMigrations(database: Queryable, folder = migrationsFolder): Promise<string[]> {
  const [names, attempts] = await Promise.all([migrationNames(folder), appliedMigrations(database)]);
  const applied = new Set(attempts.filter((row) => row.finished).map((row) => row.name));
  return names.filter((name) => !applied.has(name));
}

type Queryable = Pick<pg.ClientBase, 'query'> | Pick<pg.Pool, 'query'>;

async function migrationNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

interface Applied {
  name: string;
  checksum: string;
  finished: boolean;
}

/** Prisma's table of applied migrations, without attempts that were rolled back. */
async function appliedMigrations(database: Queryable): Promise<Applied[]> {
  const exists = await database.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`);
  if (!exists.rows[0].found) return [];
  const { rows } = await database.query(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  return rows;
}

/**
 * Until the first release, migrations are edited in place, so a database created from earlier texts cannot be upgraded. Names
 * after the newest known one come from a later release and are accepted.
 */
async function refuseOlderBeginning(database: Queryable, databaseUrl: string, folder: string) {
  const names = await migrationNames(folder);
  const texts = await Promise.all(names.map((name) => readMigration(folder, name)));
  const checksums = new Map(names.map((name, n) => [name, hash('sha256', texts[n]!)]));
  const newest = names.at(-1) ?? '';
  const other = (await appliedMigrations(database)).find(
    ({ name, checksum, finished }) => finished && name <= newest && checksums.get(name) !== checksum,
  );
  if (!other) return;
  const { host, pathname } = new URL(databaseUrl);
  throw new MigrationError(
    `The database ${decodeURIComponent(pathname.slice(1))} at ${host} was made by an older Countersign, before its first release ` +
      `(its migration ${other.name} is not the one of now). It was left as it is. Name an empty database in DATABASE_URL, ` +
      'or, with the embedded one, move DATA_DIR away or name another.',
  );
}

/** Statements that end a migration's transaction: if such a migration fails, part of it may have been committed. */
const LEAVES_TRANSACTION = /^\s*(?:COMMIT|END)\s*;|\bCONCURRENTLY\b/im;

/** A migration runs in one transaction, so a failed one left nothing behind and can be retried. */
async function retryFailed(database: Queryable, folder: string) {
  for (const { name, finished } of await appliedMigrations(database)) {
    if (finished) continue;
    const text = await readMigration(folder, name).catch(() => null);
    if (text === null || LEAVES_TRANSACTION.test(text)) {
      throw new MigrationError(
        `Migration ${name} failed earlier, and a part of it may have been kept. Undo that part, then run: ` +
          `UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '${name}' AND finished_at IS NULL`,
      );
    }
    await database.query(
      'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL',
      [name],
    );
  }
}

/** `prisma migrate` creates the same table and takes the same lock, so both can be used on one database. */
const PRISMA_LOCK = 72_707_369;
const APPLIED_MIGRATIONS = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id varchar(36) PRIMARY KEY,
    checksum varchar(64) NOT NULL,
    finished_at timestamptz,
    migration_name varchar(255) NOT NULL,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0)`;

async function apply(client: pg.Client, pending: string[], folder: string): Promise<string[]> {
  await client.query('SELECT pg_advisory_lock($1)', [PRISMA_LOCK]);
  await client.query(APPLIED_MIGRATIONS);
  for (const name of pending) {
    const text = await readMigration(folder, name);
    const id = randomUUID();
    await client.query('INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)', [
      id,
      hash('sha256', text),
      name,
    ]);
    const finish = `UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = '${id}'`;
    try {
      // Several statements in one query form one transaction, unless the text ends it: then the entry is written separately.
      if (LEAVES_TRANSACTION.test(text)) {
        await client.query(text);
        await client.query(finish);
      } else await client.query(`${text}\n;${finish}`);
    } catch (error) {
      const { message } = error as Error;
      // If the migration has its own BEGIN, the transaction is still open.
      await client.query('ROLLBACK').catch(() => {});
      await client
        .query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, message])
        .catch(() => {});
      throw new MigrationError(`Migration ${name} failed: ${message}`, { cause: error });
    }
  }
  return pending;
}

const readMigration = (folder: string, name: string) => readFile(join(folder, name, 'migration.sql'), 'utf8');
