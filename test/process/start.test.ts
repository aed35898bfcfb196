import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { type ServerProcess, spawnServer, startServer } from '../helpers/process.ts';

/** Starts it with invalid settings and returns the lines it printed. */
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

describe('an invalid setting is reported in one line with exit code 1', () => {
  // As many as can be combined, because every start takes time; errors that occur alone are below.
  test.each([
    [
      {
        PORT: 'many',
        ROLE: 'boss',
        CELL: 'l',
        HOST: 'no.such.host',
        DATA_DIR: '/proc/x',
        DATABASE_URL: 'mysql://x',
        PUBLIC_URL: 'nonsense',
      },
      [
        /PORT must be a whole number/,
        /ROLE must be all, api or worker/,
        /CELL must be one lower-case letter other than i, l, o and u/,
        /HOST must be an IP address of this machine/,
        /DATA_DIR must be a folder that can be written to: \/proc\/x/,
        /DATABASE_URL must be a postgres/,
        /PUBLIC_URL must be an http/,
      ],
    ],
    [
      {
        ...production,
        JWT_SECRET: '',
        ENCRYPTION_KEY: '0123456789'.repeat(4),
        PUBLIC_URL: '',
        HOST: '192.0.2.1',
        DATA_DIR: '/etc/hosts/x',
        DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none',
      },
      [
        /JWT_SECRET must be set/,
        /ENCRYPTION_KEY must be random/,
        /PUBLIC_URL must be an https address/,
        /HOST must be an address of this machine: 192.0.2.1 is none/,
        /DATA_DIR must be a folder .*: \/etc\/hosts is not a folder/,
        /DATABASE_URL must lead to a database that can be used: .*127.0.0.1:1/,
      ],
    ],
    [
      { ...production, JWT_SECRET: 'password'.repeat(4), PUBLIC_URL: 'http://proof.example' },
      [/JWT_SECRET must be random/, /PUBLIC_URL must be an https address/],
    ],
    [
      {
        ...production,
        JWT_SECRET: '09D25E094FAA6CA2556C818166B7A9563B93F7099F6F0F4CAA6CF63B88E8D3E7',
        ENCRYPTION_KEY: Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('base64'),
      },
      [/JWT_SECRET must be your own/, /ENCRYPTION_KEY must be random/],
    ],
  ] as [Record<string, string>, RegExp[]][])('%o', async (env, faults) => {
    const printed = await refusal({ JWT_SECRET: secret, ...env });
    const lines = faults.map(({ source }) => `^Countersign cannot start: ${source}`).sort();
    expect(printed.sort()).toEqual(lines.map((line) => expect.stringMatching(line)));
  });

  test('invalid settings and an unusable machine are reported together', async () => {
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
});

/** One folder for all of them, because creating a database takes long; each test can be the first to use it. */
describe('with the embedded database', () => {
  let dataDir: string;
  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'countersign-start-'));
    chmodSync(dataDir, 0o711); // PostgreSQL may run as another user, which needs access
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  const settings = () => ({ DATA_DIR: join(dataDir, 'new'), JWT_SECRET: '' });
  const secretOf = () => readFileSync(join(dataDir, 'new', 'jwt-secret'), 'utf8');
  /** Warnings that a busy machine causes. */
  const SLOW_MACHINE = /it does not answer|looking for jobs keeps failing/;
  /** Nothing that looks like an error, and no runtime warning. */
  const expectClean = ({ output }: ServerProcess) => {
    const lines = output()
      .split('\n')
      .filter((line) => !SLOW_MACHINE.test(line));
    expect(lines.join('\n')).not.toMatch(/FATAL|Warning|"level":"(warn|error|fatal)"/);
  };

  test('a start that fails on its port creates nothing; the next npm start shows the demo key and serves', async () => {
    const env = { ...settings(), SEED_DEMO: '1' };
    expect(await refusal({ ...env, PORT: String(await takenPort()) })).toEqual([
      expect.stringMatching(/^Countersign cannot start: PORT must be free/),
    ]);
    expect(readdirSync(dataDir)).toEqual([]);
    const server = await startServer({ env, throughNpm: true });
    onTestFinished(async () => void (await server.end('SIGTERM')));
    await eventually(() => server.output().includes('shown this once: csk_'));
    // Many at once, so that the process holds many database connections when it is stopped. On a busy machine not all of them
    // are answered before the readiness deadline.
    const ask = async () => (await fetch(`${server.url}/readyz`)).status;
    const answers = await Promise.all(Array.from({ length: 40 }, ask));
    expect([200, 503]).toEqual(expect.arrayContaining(answers));
    await eventually(async () => (await ask()) === 200);
    expect(await server.end('SIGTERM')).toBe(0);
    expectClean(server);
    const [, whileStopping] = server.output().split('"stopping"');
    expect(whileStopping).not.toMatch(/FATAL|ERROR/);
    expect(postgresRuns(settings().DATA_DIR)).toBe(false);
  }, 120_000);

  test('data survives kill -9, no process is left running, and the next start works', async () => {
    const env = settings();
    const known = existsSync(env.DATA_DIR) ? secretOf() : null;
    const killed = await startServer({ env });
    expect(secretOf()).toBe(known ?? secretOf());
    await eventually(async () => (await fetch(`${killed.url}/readyz`)).status === 200);
    expectClean(killed);
    expect(postgresRuns(env.DATA_DIR)).toBe(true);
    const secret = secretOf();
    await killed.end('SIGKILL');
    await eventually(() => !postgresRuns(env.DATA_DIR));

    const next = await startServer({ env, throughNpm: true });
    await eventually(async () => (await fetch(`${next.url}/readyz`)).status === 200);
    expect(secretOf()).toBe(secret);
    expect(await next.end('SIGINT')).toBe(0);
    const [, whileStopping] = next.output().split('"stopping"');
    expect(whileStopping).not.toMatch(/FATAL|ERROR|Warning/);
  }, 120_000);
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
