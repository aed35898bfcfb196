import pg from 'pg';
import { ConfigError } from '../config.ts';
import { APPLICATION_ROLE } from '../db/logins.ts';

/**
 * The service must not be able to pass by the rules that the database holds it to: whoever owns a table, or is above
 * them all, can. Asked of a connection as the service makes it, because a pooler may have dropped the change of role.
 */
export async function refusePrivilegedLogin(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  // A connection that breaks is told by the statement on it; between two statements nobody else would listen.
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; above: boolean; owns: boolean }>(
      `SELECT rolname AS name, rolsuper OR rolbypassrls AS above,
              EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public' AND tableowner = current_user) AS owns
       FROM pg_roles WHERE rolname = current_user`,
    );
    const { name, above, owns } = rows[0]!;
    if (!above && !owns) return;
    const reason = above ? 'is not bound by row-level security' : 'owns the tables';
    throw new ConfigError(
      `DATABASE_URL must be a login that owns nothing, or one that can become ${APPLICATION_ROLE}: ${name} ${reason} ` +
        '(behind a pooler, name the owner in DATABASE_OWNER_URL)',
    );
  } finally {
    await client.end();
  }
}
