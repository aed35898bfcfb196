import type { Queryable } from './sql.ts';

/** The role with the privileges of the service (migration access). Its logins own nothing. */
export const APPLICATION_ROLE = 'countersign_app';

/**
 * The same URL, working as that role: the server switches to it when a connection starts. For installations with a single
 * login, which owns the tables and gives up its own privileges this way.
 */
export function asApplication(url: string): string {
  const address = new URL(url);
  const given = address.searchParams.get('options');
  address.searchParams.set('options', [given, `-c role=${APPLICATION_ROLE}`].filter(Boolean).join(' '));
  return address.href;
}

export const loginOf = (url: string) => decodeURIComponent(new URL(url).username);

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

type Setup = Record<'database' | 'owner' | 'ownerPassword' | 'login' | 'loginPassword', string>;

/** Creates the application's role, the owner of the tables, a login for the service, and an empty database. */
export const setupStatements = ({ database, owner, ownerPassword, login, loginPassword }: Setup) => [
  `DO $$ BEGIN CREATE ROLE ${APPLICATION_ROLE} NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
  `CREATE ROLE ${quoted(owner)} LOGIN PASSWORD ${literal(ownerPassword)}`,
  `CREATE ROLE ${quoted(login)} LOGIN PASSWORD ${literal(loginPassword)}`,
  `GRANT ${APPLICATION_ROLE} TO ${quoted(owner)} WITH ADMIN OPTION`,
  `GRANT ${APPLICATION_ROLE} TO ${quoted(login)}`,
  `CREATE DATABASE ${quoted(database)} OWNER ${quoted(owner)} ENCODING 'UTF8' TEMPLATE template0`,
];

/** Lets a login work as the application's role. */
export async function admit(database: Queryable, login: string): Promise<void> {
  // The creator of a role is a member of it, but since PostgreSQL 16 needs an explicit grant to switch to it.
  const { rows } = await database.query<{ admitted: boolean }>(
    `SELECT pg_has_role(r.oid, $2,
       CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END) AS admitted
     FROM pg_roles r WHERE rolname = $1`,
    [login, APPLICATION_ROLE],
  );
  if (rows[0]?.admitted === false) await database.query(`GRANT ${APPLICATION_ROLE} TO ${quoted(login)}`);
}

/**
 * The job queue creates its own tables and revokes access from everyone but their owner. Granted only if something is missing,
 * since a queue migration may add tables.
 */
export async function grantQueueAccess(database: Queryable): Promise<void> {
  const { rows } = await database.query<{ name: string; open: boolean; secured: boolean }>(
    `SELECT c.relname AS name, c.relrowsecurity AS secured,
            has_table_privilege($1, c.oid, 'DELETE')
              AND (NOT c.relrowsecurity OR EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = $1)) AS open
     FROM pg_class c WHERE c.relnamespace = 'graphile_worker'::regnamespace AND c.relkind IN ('r', 'v')`,
    [APPLICATION_ROLE],
  );
  const closed = rows.filter(({ open }) => !open);
  if (closed.length === 0) return;
  const policies = closed
    .filter(({ secured }) => secured)
    .map(
      ({ name }) =>
        `CREATE POLICY ${APPLICATION_ROLE} ON graphile_worker.${name} TO ${APPLICATION_ROLE} USING (true)`,
    );
  await database.query(
    [
      `GRANT USAGE ON SCHEMA graphile_worker TO ${APPLICATION_ROLE}`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA graphile_worker TO ${APPLICATION_ROLE}`,
      `GRANT USAGE ON ALL SEQUENCES IN SCHEMA graphile_worker TO ${APPLICATION_ROLE}`,
      ...policies,
    ].join(';'),
  );
}
