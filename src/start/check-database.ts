import pg from 'pg';
import { APPLICATION_ROLE } from '../db/logins.ts';
import { sql } from '../db/sql.ts';
import { ConfigError } from '../environment.ts';

/** The oldest PostgreSQL on which every feature works. */
const OLDEST_MAJOR = 15;

const SERVER_VERSION = sql(null, { number: 'int', version: 'text' })`
  SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`;

/** Rejects a server that is too old before any migration runs. */
export async function checkServerVersion(ownerUrl: string): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    const [server] = await SERVER_VERSION.rows(client, {});
    const { number, version } = server!;
    if (number >= OLDEST_MAJOR * 10_000) return;
    throw new ConfigError(
      `DATABASE_URL must name a server with PostgreSQL ${OLDEST_MAJOR} or later: this one has ${version}`,
    );
  });
}

const LOGIN = sql(null, { name: 'text', above: 'boolean', owns: 'boolean' })`
  SELECT rolname::text AS name, rolsuper OR rolbypassrls AS above,
         EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public' AND tableowner = current_user) AS owns
  FROM pg_roles WHERE rolname = current_user`;

/**
 * The service must not be able to bypass the rules that the database enforces, as table owners and superusers can. The check
 * uses a connection like the service's own, because a pooler may have dropped the change of role.
 */
export async function refusePrivilegedLogin(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const [login] = await LOGIN.rows(client, {});
    const { name, above, owns } = login!;
    if (!above && !owns) return;
    const reason = above ? 'is not bound by row-level security' : 'owns the tables';
    throw new ConfigError(
      `DATABASE_URL must be a login that owns nothing, or one that can become ${APPLICATION_ROLE}: ${name} ${reason} ` +
        '(behind a pooler, name the owner in DATABASE_OWNER_URL)',
    );
  });
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  // Statements report a broken connection; this listener covers the time between them.
  client.on('error', () => {});
  try {
    await client.connect();
    return await use(client);
  } catch (error) {
    // PgBouncer supports only some startup parameters, and a single login needs `options` to switch to its role.
    if (error instanceof Error && /unsupported startup parameter/.test(error.message))
      throw new ConfigError(
        `DATABASE_URL must be a login that owns nothing when a pooler stands in front of the server: set DATABASE_OWNER_URL ` +
          `to the owner, or DATABASE_URL to the server itself (the pooler says: ${error.message})`,
      );
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}
