import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { App } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/index.ts';
import { loginOf } from '../../src/db/logins.ts';
import { migrate } from '../../src/db/migrate.ts';
import { makeLog } from '../../src/lib/log.ts';
import { openApp } from '../../src/open-app.ts';
import { makeStage } from '../../test/helpers/world.ts';
import { type Program, startProgram } from './programs.ts';

/** The environment of every scenario: a durable database, one center with its people, and a way to start programs. */
export interface Stage {
  app: App;
  databaseUrl: string;
  adminUrl: string;
  /** As superuser: to fill tables, for limits without tenants, and for maintenance. */
  admin: pg.Pool;
  centerId: number;
  token: string;
  key: string;
  /** An API process with rate limits off and authentication on. */
  api(env?: Record<string, string>): Promise<Program>;
  worker(env?: Record<string, string>): Promise<Program>;
  /** A program of bench/limits. */
  limit(name: string, env?: Record<string, string>): Promise<Program>;
  /** Runs when the programs end: for servers that a scenario starts beside the stage. */
  atEnd(task: () => Promise<void>): void;
  /** Ends the programs that a scenario started. */
  endPrograms(): Promise<void>;
  close(): Promise<void>;
}

const ratesOff = Object.fromEntries(
  ['STANDARD', 'PARTNER', 'PUBLIC', 'AUTH', 'PROOF', 'ANONYMOUS', 'GRAPHQL', 'CENTER'].map((tier) => [
    `RATE_${tier}`,
    '0',
  ]),
);

export async function openStage(): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  chmodSync(dataDir, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir });
  await migrate(postgres.ownerUrl, { login: loginOf(postgres.url) });
  const env: Record<string, string> = {
    ...ratesOff,
    NODE_ENV: 'development',
    DATABASE_URL: postgres.url,
    DATABASE_OWNER_URL: postgres.ownerUrl,
    DATA_DIR: dataDir,
    JWT_SECRET: 'a-secret-for-benchmarks-of-32-characters',
    PORT: '0',
    SEED_DEMO: '0',
  };
  const app = await openApp(loadConfig(env), postgres.url, makeLog('silent'));
  const { center, token, key } = await makeStage(app);
  const admin = new pg.Pool({ connectionString: postgres.adminUrl, max: 20 });
  const programs: Program[] = [];
  const start = async (file: string, more: Record<string, string>) => {
    const program = await startProgram(file, { ...env, ...more });
    programs.push(program);
    return program;
  };
  const tasks: (() => Promise<void>)[] = [];
  const endPrograms = async () => {
    await Promise.all(programs.splice(0).map((program) => program.end()));
    for (const task of tasks.splice(0).reverse()) await task();
  };
  return {
    app,
    databaseUrl: postgres.url,
    adminUrl: postgres.adminUrl,
    admin,
    centerId: center.id,
    token,
    key,
    api: (more = {}) => start('scripts/launch.sh', { ROLE: 'api', RATE_STORE: 'memory', ...more }),
    worker: (more = {}) => start('scripts/launch.sh', { ROLE: 'worker', ...more }),
    // A bare program knows neither tenants nor privileges.
    limit: (name, more = {}) =>
      start(`bench/limits/${name}.ts`, { DATABASE_URL: postgres.adminUrl, ...more }),
    atEnd: (task) => void tasks.push(task),
    endPrograms,
    async close() {
      await endPrograms();
      await admin.end();
      await app.close();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
