import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../helpers/database.ts';
import { eventually } from '../helpers/eventually.ts';
import { spawnServer, startServer } from '../helpers/process.ts';

/** Starts it with what must be refused, and gives the lines that it printed. */
async function refusal(env: Record<string, string>): Promise<string[]> {
  const server = spawnServer({ env: { DATABASE_WAIT_SECONDS: '0', ...env } });
  expect(await server.end('SIGCONT')).toBe(1);
  return server.output().trim().split('\n');
}

async function takenPort(): Promise<number> {
  const blocker = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void blocker.close());
  await once(blocker, 'listening');
  return (blocker.address() as AddressInfo).port;
}

const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://proof.example' };
const secret = 'wq3GdVYbzT0kS5vE8mRjN1xH7uLpCfA2';

describe('a fault in the configuration is one clear line and exit code 1', () => {
  test.each([
    [{ PORT: 'many' }, /PORT must be a whole number/],
    [{ ROLE: 'boss' }, /ROLE must be all, api or worker/],
    [{ HOST: 'no.such.host' }, /HOST must be an IP address of this machine/],
    [{ HOST: '192.0.2.1' }, /HOST must be an address of this machine: 192.0.2.1 is none/],
    [{ DATA_DIR: '/proc/x' }, /DATA_DIR must be a folder that can be written to: \/proc\/x/],
    [{ DATA_DIR: '/etc/hosts/x' }, /DATA_DIR must be a folder .*: \/etc\/hosts is no folder/],
    [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL must be a postgres/],
    [{ PUBLIC_URL: 'nonsense' }, /PUBLIC_URL must be an http/],
    [
      { DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' },
      /DATABASE_URL must lead to a database that can be used: .*127.0.0.1:1/,
    ],
    [{ ...production, JWT_SECRET: '' }, /JWT_SECRET must be set/],
    [{ ...production, JWT_SECRET: 'password'.repeat(4) }, /JWT_SECRET must be random/],
    [{ ...production, ENCRYPTION_KEY: '0123456789'.repeat(4) }, /ENCRYPTION_KEY must be random/],
    [{ ...production, PUBLIC_URL: '' }, /PUBLIC_URL must be an https address/],
    [{ ...production, PUBLIC_URL: 'http://proof.example' }, /PUBLIC_URL must be an https address/],
  ] as [Record<string, string>, RegExp][])('%o', async (env, line) => {
    const printed = await refusal({ JWT_SECRET: secret, ...env });
    expect(printed).toEqual([expect.stringMatching(`^Countersign cannot start: ${line.source}`)]);
  });

  test('several faults are told together, of the text and of the machine', async () => {
    const port = await takenPort();
    const printed = await refusal({
      ROLE: 'all',
      PORT: String(port),
      RATE_AUTH: '-1',
      DATA_DIR: '/proc/x',
      DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none',
    });
    expect(printed).toEqual([
      expect.stringMatching(/^Countersign cannot start: RATE_AUTH must be/),
      expect.stringMatching(`^Countersign cannot start: PORT must be free: 127.0.0.1:${port} is in use`),
      expect.stringMatching(/^Countersign cannot start: DATA_DIR/),
      expect.stringMatching(/^Countersign cannot start: DATABASE_URL/),
    ]);
  });

  test('a start that fails for its port makes nothing, so the next one shows the demo key', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'countersign-start-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const env = { DATA_DIR: join(dataDir, 'new'), JWT_SECRET: '', SEED_DEMO: '1' };
    expect(await refusal({ ...env, PORT: String(await takenPort()) })).toEqual([
      expect.stringMatching(/^Countersign cannot start: PORT must be free/),
    ]);
    expect(readdirSync(dataDir)).toEqual([]);
    chmodSync(dataDir, 0o711);
    const next = await startServer({ env });
    await eventually(() => next.output().includes('shown this once: csk_'));
    expect(await next.end()).toBe(0);
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
    // Many at once, so that the process holds many connections to the database when it is told to stop.
    const answers = await Promise.all(Array.from({ length: 40 }, () => fetch(`${first.url}/readyz`)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const secret = secretOf();
    expect(await first.end('SIGTERM')).toBe(0);
    const [, whileStopping] = first.output().split('"stopping"');
    expect(whileStopping).not.toMatch(/FATAL|ERROR/);
    expect(postgresRuns(dataDir)).toBe(false);

    const second = await startServer({ env, throughNpm: true });
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
    expect(secretOf()).toBe(secret);
    expect(await second.end('SIGINT')).toBe(0);
    // Nothing that looks like a fault, and no warning of the runtime.
    expect(first.output() + second.output()).not.toMatch(/FATAL|Warning|"level":"(warn|error|fatal)"/);
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
