import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './error.ts';
import type { Layout } from './layout.ts';

export const superuser = 'postgres';
/** The role that owns the database and its objects, and the database of the same name. */
export const owner = 'countersign';
/** The role of the service. It owns nothing: migrations grant its privileges. */
export const application = 'countersign_app';

export type Passwords = { superuser: string; owner: string; application: string };

/** Creates the cluster on the first start; later starts only check that this PostgreSQL can run it. */
export function ensureCluster(layout: Layout, passwordFile: string, initdbOptions: string[]): Passwords {
  if (existsSync(layout.cluster)) {
    checkCluster(layout);
    return readPasswords(layout.cluster, passwordFile);
  }
  const passwords = { superuser: newPassword(), owner: newPassword(), application: newPassword() };
  writeFileSync(passwordFile, `${JSON.stringify(passwords)}\n`, { mode: 0o600 });
  // Created under another name and renamed when complete, so an interrupted start leaves no partial cluster.
  const draft = `${layout.cluster}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  own(layout, draft);
  initialise(layout, draft, passwords.superuser, initdbOptions);
  createRoles(layout, draft, passwords);
  renameSync(draft, layout.cluster);
  return passwords;
}

/** The environment of every PostgreSQL program: nothing is inherited, in particular no PG* variables. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
}

function checkCluster({ cluster, binaries }: Layout) {
  let version: string;
  try {
    version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === 'EACCES' ? 'belongs to another user' : 'is not a database';
    throw new EmbeddedPostgresError(`${cluster} ${reason}: set another DATA_DIR, or move it away.`);
  }
  if (Number(version) !== binaries.major) {
    throw new EmbeddedPostgresError(
      `${cluster} was made by PostgreSQL ${version}, but this is PostgreSQL ${binaries.major}: dump it with the release ` +
        'that made it and load it into a new DATA_DIR, or set DATABASE_URL.',
    );
  }
}

function readPasswords(cluster: string, passwordFile: string): Passwords {
  if (!existsSync(passwordFile)) {
    throw new EmbeddedPostgresError(`${passwordFile}, which holds the passwords of ${cluster}, is missing.`);
  }
  const passwords = JSON.parse(readFileSync(passwordFile, 'utf8')) as Partial<Passwords>;
  if (!passwords.owner) {
    throw new EmbeddedPostgresError(
      `${cluster} was made by an older Countersign, before its first release: set another DATA_DIR, or move it away.`,
    );
  }
  return passwords as Passwords;
}

/**
 * Candidates for LC_CTYPE, in order of preference. Trigram search uses it to recognize letters; with plain C it knows only
 * Latin letters, and the name of the UTF-8 locale differs between systems.
 */
const CHARACTER_TYPES = ['C.UTF-8', 'en_US.UTF-8', 'C'];

function initialise(layout: Layout, draft: string, password: string, options: string[]) {
  const file = `${draft}.password`;
  writeFileSync(file, password, { mode: 0o600 });
  own(layout, file);
  const initdb = (characterType: string) =>
    run(layout, layout.binaries.initdb, [
      ...['--pgdata', draft, '--username', superuser, '--pwfile', file, '--auth', 'scram-sha-256'],
      // The built-in provider sorts and compares the same way on every system, whatever its C library.
      ...['--encoding', 'UTF8', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
      ...['--locale', 'C', '--lc-ctype', characterType],
      ...['--no-instructions', ...options],
    ]);
  try {
    withFirstKnown(CHARACTER_TYPES, initdb);
  } finally {
    rmSync(file);
  }
}

/** initdb rejects a locale that the system lacks before it writes anything. */
function withFirstKnown([locale, ...others]: string[], initdb: (locale: string) => void): void {
  try {
    initdb(locale!);
  } catch (error) {
    const unknown = /invalid locale name/.test((error as Error).message);
    if (!unknown || others.length === 0) throw error;
    withFirstKnown(others, initdb);
  }
}

/**
 * Under row-level security an index can serve a condition only if its operator is marked leakproof. This one leaks nothing
 * (enums are compared by number), but only a superuser may mark it. Lists by type or status need it.
 */
const LEAKPROOF = 'enum_eq(anyenum, anyenum)';

// In single-user mode no server listens yet, so the cluster is never reachable while incomplete. Databases created later copy
// template1.
function createRoles(layout: Layout, draft: string, passwords: Passwords) {
  const sql = [
    `ALTER FUNCTION pg_catalog.${LEAKPROOF} LEAKPROOF`,
    `CREATE ROLE ${owner} LOGIN PASSWORD '${passwords.owner}'`,
    `CREATE ROLE ${application} LOGIN PASSWORD '${passwords.application}'`,
    `CREATE DATABASE ${owner} OWNER ${owner}`,
  ];
  const settings = ['-c', 'exit_on_error=on', '-c', 'log_min_messages=fatal'];
  const args = ['--single', '-D', draft, ...settings, 'template1'];
  run(layout, layout.binaries.postgres, args, `${sql.join(';\n')};\n`);
}

function run(layout: Layout, command: string, args: string[], input?: string) {
  const result = spawnSync(command, args, {
    ...layout.account,
    cwd: '/',
    env: postgresEnvironment(),
    encoding: 'utf8',
    input,
  });
  if (result.status === 0) return;
  const reason = result.error?.message ?? `${result.stderr}${result.stdout}`.trim();
  throw new EmbeddedPostgresError(`${command} could not make ${layout.cluster}: ${reason}`);
}

function own({ account }: Layout, path: string) {
  if (account) chownSync(path, account.uid, account.gid);
}

function newPassword() {
  return randomBytes(24).toString('hex');
}
