/** npm start: which ends of the service are followed by another start, and that nothing is left behind. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { makeClient, type TestClient } from '../helpers/client.ts';
import { eventually } from '../helpers/eventually.ts';
import { freePort } from '../helpers/free-port.ts';
import { type ServerProcess, spawnServer } from '../helpers/process.ts';
import { decision } from '../proof/decisions.ts';

const A_MINUTE = 60_000;

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'countersign-supervision-'));
  chmodSync(dataDir, 0o711); // PostgreSQL may run as another user, which needs access
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

interface Started extends ServerProcess {
  client: TestClient;
  isReady(): Promise<boolean>;
}

async function start(more: Record<string, string> = {}): Promise<Started> {
  const port = await freePort();
  const env = {
    PORT: String(port),
    DATA_DIR: join(dataDir, 'data'),
    SEED_DEMO: '1',
    JWT_SECRET: '',
    ...more,
  };
  const server = spawnServer({ throughNpm: true, env });
  const everything = new Set<number>();
  onTestFinished(() => {
    for (const { pid } of [...below(server.child.pid!), ...everything].map(asProcess)) killQuietly(pid);
    server.child.kill('SIGKILL');
  });
  const client = makeClient(`http://127.0.0.1:${port}`);
  const isReady = () =>
    client.fetch('/readyz').then(
      ({ status }) => status === 200,
      () => false,
    );
  await eventually(isReady, 2 * A_MINUTE);
  for (const { pid } of below(server.child.pid!)) everything.add(pid);
  return { ...server, client, isReady };
}

interface Running {
  pid: number;
  parent: number;
  command: string;
}

const asProcess = (process: Running | number): Running =>
  typeof process === 'number' ? { pid: process, parent: 0, command: '' } : process;

/** The processes that a process has started, and those that they have started. */
function below(ancestor: number): Running[] {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line): Running => {
      const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)!;
      return { pid: Number(pid), parent: Number(parent), command: command! };
    });
  const found = [ancestor];
  for (const pid of found) found.push(...all.filter(({ parent }) => parent === pid).map((each) => each.pid));
  return all.filter(({ pid }) => pid !== ancestor && found.includes(pid));
}

const serverBelow = ({ child }: ServerProcess) =>
  below(child.pid!).find(({ command }) => command.includes('src/main.ts'))?.pid;
const supervisorBelow = ({ child }: ServerProcess) =>
  below(child.pid!).find(({ command }) => /^\S*sh \S*supervise\.sh/.test(command))!.pid;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
}

const restarts = ({ output }: ServerProcess) => output().match(/^Countersign .* starts again in .*$/gm) ?? [];

test('after kill -9 and an uncaught exception, it answers on the same port with its data; SIGTERM ends all', async () => {
  const bomb = join(dataDir, 'bomb.mjs');
  writeFileSync(bomb, `process.on('SIGUSR2', () => { throw new Error('boom'); });`);
  const server = await start({ NODE_OPTIONS: `--import=${bomb}` });
  const { client, isReady } = server;
  await eventually(() => /csk_\S+/.test(server.output()));
  const [token] = /csk_[0-9A-Za-z_]+/.exec(server.output())!;
  const recorded = await client.call('POST', '/v1/decision-events', { token, body: decision });
  expect(recorded.status).toBe(201);

  const ends = [
    ['SIGKILL', /^Countersign was killed by SIGKILL after \d+ s and starts again in 1 s$/],
    ['SIGUSR2', /^Countersign ended with exit code 70 after \d+ s and starts again in [12] s$/],
  ] as const;
  for (const [index, [signal, line]] of ends.entries()) {
    const before = serverBelow(server)!;
    process.kill(before, signal);
    await eventually(() => restarts(server).length === index + 1, A_MINUTE);
    expect(restarts(server)[index]).toMatch(line);
    await eventually(isReady, A_MINUTE);
    expect(serverBelow(server)).not.toBe(before);
    const read = await client.call('GET', `/v1/decision-events/${recorded.body.data.id}`, { token });
    expect([read.status, read.body.data.id]).toEqual([200, recorded.body.data.id]);
  }
  expect(server.output()).toContain('unexpected failure, the process ends');

  const all = below(server.child.pid!).map(({ pid }) => pid);
  expect(await server.end('SIGTERM')).toBe(0);
  await eventually(() => !all.some(isAlive));
  expect(await isReady()).toBe(false);
  expect(restarts(server)).toHaveLength(2);
}, 300_000);

test('if the supervisor itself is killed, the server stops and frees its port', async () => {
  const server = await start();
  const pid = serverBelow(server)!;
  const all = below(server.child.pid!).map((each) => each.pid);
  process.kill(supervisorBelow(server), 'SIGKILL');
  await eventually(() => !isAlive(pid), A_MINUTE);
  expect(await server.isReady()).toBe(false);
  await eventually(() => !all.some(isAlive));
  expect(server.output()).toContain('the supervisor is gone');
  // The next start works at once.
  const next = await start();
  process.kill(supervisorBelow(next), 'SIGHUP');
  expect(await next.end('SIGCONT')).toBe(0);
}, 300_000);

test('a signal ends the pause before a restart', async () => {
  const server = await start();
  // The second end within a minute is followed by a longer pause.
  for (const count of [1, 2, 3]) {
    await eventually(() => serverBelow(server) !== undefined, A_MINUTE);
    process.kill(serverBelow(server)!, 'SIGSEGV');
    await eventually(() => restarts(server).length === count, A_MINUTE);
  }
  expect(restarts(server).map((line) => /in (\d+) s$/.exec(line)![1])).toEqual(['1', '2', '4']);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(below(server.child.pid!)).toEqual([]);
}, 300_000);

test.each([
  ['a bad setting', { PORT: 'many' }, /^Countersign cannot start: PORT must be a whole number/gm],
  [
    'an unreachable database',
    { DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none', DATABASE_WAIT_SECONDS: '0' },
    /^Countersign cannot start: DATABASE_URL must lead to/gm,
  ],
])(
  '%s ends it with 1, once',
  async (_, env, line) => {
    const server = spawnServer({ throughNpm: true, env });
    expect(await server.end('SIGCONT')).toBe(1);
    expect(server.output().match(line)).toHaveLength(1);
    expect(restarts(server)).toEqual([]);
  },
  A_MINUTE,
);
