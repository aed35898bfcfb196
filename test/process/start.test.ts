import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../helpers/database.ts';
import { eventually } from '../helpers/eventually.ts';
import { spawnServer, startServer } from '../helpers/process.ts';

describe('a fault in the configuration is one clear line and exit code 1', () => {
  test.each([
    [{ PORT: 'many' }, /^Countersign cannot start: PORT must be a whole number/],
    [{ ROLE: 'boss' }, /^Countersign cannot start: ROLE must be all, api or worker/],
    [{ DATABASE_URL: 'mysql://x' }, /^Countersign cannot start: DATABASE_URL must be a postgres/],
    [{ NODE_ENV: 'production', JWT_SECRET: '' }, /^Countersign cannot start: JWT_SECRET must be set/],
    [{ PUBLIC_URL: 'nonsense' }, /^Countersign cannot start: PUBLIC_URL must be an http/],
    [{ DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' }, /^Countersign cannot start: DATABASE_URL/],
  ])('%o', async (env, line) => {
    const server = spawnServer({ env: env as Record<string, string> });
    expect(await server.end('SIGCONT')).toBe(1);
    expect(server.output().trim().split('\n')).toEqual([expect.stringMatching(line)]);
  });

  test('a port that is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void blocker.close());
    await once(blocker, 'listening');
    const { port } = blocker.address() as AddressInfo;
    const { url } = await testDatabase();
    const server = spawnServer({ env: { PORT: String(port), DATABASE_URL: url, LOG_LEVEL: 'silent' } });
    expect(await server.end('SIGCONT')).toBe(1);
    expect(server.output()).toMatch(new RegExp(`^Countersign cannot start: PORT .*${port}`));
  });
});

describe('with the embedded database', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'countersign-start-'));
    chmodSync(dataDir, 0o711); // PostgreSQL must get in where it runs as a user of its own
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const secretOf = () => readFileSync(join(dataDir, 'jwt-secret'), 'utf8');

  test('npm start serves, ends cleanly on SIGTERM, and keeps its data', async () => {
    const env = { DATA_DIR: dataDir, JWT_SECRET: '' };
    const first = await startServer({ env, throughNpm: true });
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
    const secret = secretOf();
    expect(await first.end('SIGTERM')).toBe(0);
    expect(postgresRuns(dataDir)).toBe(false);

    const second = await startServer({ env, throughNpm: true });
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
    expect(secretOf()).toBe(secret);
    expect(await second.end('SIGINT')).toBe(0);
  });

  test('after kill -9 nothing is left running and the next start works', async () => {
    const env = { DATA_DIR: dataDir };
    const killed = await startServer({ env });
    expect(postgresRuns(dataDir)).toBe(true);
    await killed.end('SIGKILL');
    await eventually(() => !postgresRuns(dataDir));
    const next = await startServer({ env });
    expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
    expect(await next.end()).toBe(0);
  });
});

test('API and worker can be processes of their own on one database', async () => {
  const { url } = await testDatabase();
  const env = { DATABASE_URL: url };
  const api = await startServer({ env: { ...env, ROLE: 'api' } });
  const worker = await startServer({ env: { ...env, ROLE: 'worker' } });
  const ready = (await (await fetch(`${api.url}/readyz`)).json()) as { checks: object };
  expect(ready.checks).not.toHaveProperty('worker');
  expect(worker.url).toBe('');
  expect(await worker.end()).toBe(0);
  expect(await api.end()).toBe(0);
});

/** Whether the PostgreSQL server of this folder runs. */
function postgresRuns(dataDir: string): boolean {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  if (!existsSync(file)) return false;
  try {
    return process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 0);
  } catch {
    return false;
  }
}
