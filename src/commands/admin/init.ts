import { UsageError } from '@countersign/auditor/arguments';
import pg from 'pg';
import { setupStatements } from '../../db/logins.ts';
import { randomToken } from '../../lib/crypto.ts';

export interface InitInput {
  /** The URL of a superuser, who runs the statements. Without it they are printed. */
  url: string | undefined;
  database: string;
  owner: string;
  login: string;
}

interface Plan {
  statements: string[];
  /** The service settings for the server with this host. */
  settings: (host: string) => string[];
}

/**
 * What a superuser does once before the first start: creates the role of the service, a login for it that owns nothing, an
 * owner that applies migrations, and an empty database.
 */
function planOf({ database, owner, login }: InitInput): Plan {
  const [ownerPassword, loginPassword] = [randomToken(24), randomToken(24)];
  const address = (user: string, password: string, host: string) =>
    `postgres://${encodeURIComponent(user)}:${password}@${host}/${encodeURIComponent(database)}`;
  return {
    statements: setupStatements({ database, owner, ownerPassword, login, loginPassword }),
    settings: (host) => [
      `DATABASE_OWNER_URL=${address(owner, ownerPassword, host)}`,
      `DATABASE_URL=${address(login, loginPassword, host)}`,
    ],
  };
}

/** Prepares a PostgreSQL server for a production install, or prints the SQL that does. */
export async function initialize(input: InitInput): Promise<string> {
  const { statements, settings } = planOf(input);
  if (!input.url) {
    return [
      '-- Run as a superuser, once.',
      ...statements.map((statement) => `${statement};`),
      '-- Then start the service with:',
      ...settings('HOST:5432').map((line) => `--   ${line}`),
      '',
    ].join('\n');
  }
  const client = new pg.Client(input.url);
  try {
    await client.connect();
    for (const statement of statements) await client.query(statement);
  } catch (error) {
    throw new UsageError(`--url: ${(error as Error).message}`);
  } finally {
    await client.end().catch(() => {});
  }
  return [...settings(new URL(input.url).host), ''].join('\n');
}
