import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { ExpressionScope } from '../../src/domain/expressions/expression.ts';
import { SANDBOX_FLAGS } from '../../src/domain/expressions/sandbox/child.ts';
import { expression, text } from '../../src/domain/expressions/sandbox/pieces.ts';
import { makeSandbox, type Sandbox } from '../../src/domain/expressions/sandbox/sandbox.ts';
import { makeLog } from '../../src/lib/log.ts';
import { testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { startServer } from '../helpers/process.ts';
import { makeStage } from '../helpers/world.ts';
import { execute, makeWorkflow, reaches } from './steps.ts';

const scopeWith = (parameters: Record<string, unknown>): ExpressionScope => ({
  parameters,
  steps: {},
  event: {},
  workflow: {},
  execution: {},
  center: {},
  facts: {},
  now: '2026-03-01T10:00:00.000Z',
});

const ENDLESS = 'parameters.l.map(x, parameters.l.map(y, parameters.l.map(z, z))).size()';
const SQUARE = 'parameters.l.map(x, parameters.l.map(y, y)).size()';
const list = (length: number) => Array.from({ length }, (_, i) => i);

function openSandbox(): Sandbox {
  const sandbox = makeSandbox(makeLog('silent'));
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const run = (sandbox: Sandbox, center: number, source: string, parameters: Record<string, unknown> = {}) =>
  sandbox.render(center, { value: expression(source) }, async () => scopeWith(parameters));

/** The sandbox processes of a process. */
function sandboxesOf(pid: number): number[] {
  try {
    const found = execFileSync('pgrep', ['-P', String(pid), '-f', 'sandbox/process.ts'], {
      encoding: 'utf8',
    });
    return found.trim().split('\n').map(Number);
  } catch {
    return [];
  }
}

const EXPRESSION = new URL('../../src/domain/expressions/expression.ts', import.meta.url).href;

/**
 * The list length for which SQUARE takes this much processor time on this machine, in a process as new as a sandbox: a
 * warmed-up process would be many times faster.
 */
function lengthFor(milliseconds: number): number {
  const source = `
    const { evaluate } = await import('${EXPRESSION}');
    for (let length = 100; ; length = Math.ceil(length * 1.3)) {
      const l = Array.from({ length }, (_, i) => i);
      const scope = { ...${JSON.stringify(scopeWith({}))}, parameters: { l } };
      const before = process.threadCpuUsage();
      evaluate('${SQUARE}', scope);
      if (process.threadCpuUsage(before).user / 1_000 > ${milliseconds}) {
        console.log(length);
        break;
      }
    }`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' }));
}

test('literal values need no sandbox; expressions are evaluated in one call', async () => {
  const sandbox = openSandbox();
  const never = async () => {
    throw new Error('nobody asked for it');
  };
  expect(await sandbox.render(1, { a: text('plain { text }') }, never)).toEqual({ a: 'plain { text }' });
  expect(sandboxesOf(process.pid)).toEqual([]);
  const scope = async () => scopeWith({ n: 2, who: 'Ann' });
  const pieces = {
    sum: expression('parameters.n + 1'),
    words: text('for {{ parameters.who }}'),
    json: { kind: 'json' as const, source: { list: ['{{ parameters.n }}', 'x'] } },
  };
  expect(await sandbox.render(1, pieces, scope)).toEqual({
    sum: 3,
    words: 'for Ann',
    json: { list: [2, 'x'] },
  });
  expect(sandboxesOf(process.pid)).toHaveLength(1);
});

test.each([
  ['an endless loop', ENDLESS, { l: list(3_000) }, 'ms of processor time'],
  [
    'a search that cannot be interrupted',
    'parameters.l.map(x, (parameters.s + parameters.s).indexOf(parameters.t)).size()',
    { l: list(3_000), s: 'a'.repeat(60_000), t: `${'a'.repeat(30_000)}b` },
    'ms of processor time',
  ],
  [
    'an expression over the memory limit',
    'parameters.l.map(x, parameters.s.split("")).size()',
    { l: list(3_000), s: 'ab'.repeat(60_000) },
    // Filling the memory takes processor time too: the limit reached first ends it.
    /ms of processor time|MB of memory/,
  ],
])('%s fails alone, and the next evaluation works', async (_, source, parameters, reason) => {
  const sandbox = openSandbox();
  await expect(run(sandbox, 1, source, parameters)).rejects.toThrow(reason);
  expect(await run(sandbox, 1, '1 + 1')).toEqual({ value: 2 });
});

test('all expressions of a step share one second', async () => {
  const sandbox = openSandbox();
  const parameters = { l: list(lengthFor(30)) };
  const pieces = { value: text(`{{ ${SQUARE} }}`.repeat(60)) };
  await expect(sandbox.render(1, pieces, async () => scopeWith(parameters))).rejects.toThrow(
    'the step takes more than 1000 ms of processor time',
  );
});

test('a sandbox whose heap overflowed fails its work; one that was killed is replaced', async () => {
  const sandbox = openSandbox();
  const endedAtWork = async (signal: NodeJS.Signals) => {
    expect(await run(sandbox, 1, '1 + 1')).toEqual({ value: 2 });
    const [pid] = sandboxesOf(process.pid);
    process.kill(pid!, 'SIGSTOP');
    const work = run(sandbox, 1, '2 + 2');
    // By then the work was sent.
    await setImmediate();
    process.kill(pid!, signal);
    process.kill(pid!, 'SIGCONT');
    return work;
  };
  await expect(endedAtWork('SIGABRT')).rejects.toThrow('takes more than 128 MB of memory');
  expect(await endedAtWork('SIGKILL')).toEqual({ value: 4 });
});

test('centers take turns: a full queue delays only its own center', async () => {
  const sandbox = openSandbox();
  // Starts all processes, so that only the evaluations take time.
  await Promise.all(list(4).map((n) => run(sandbox, 2 + n, '1 + 1')));
  expect(sandboxesOf(process.pid)).toHaveLength(4);
  const done: string[] = [];
  const flood = list(5).map((n) =>
    run(sandbox, 1, ENDLESS, { l: list(3_000) }).catch(() => void done.push(`endless ${n}`)),
  );
  const others = list(8).map(async (n) => {
    await run(sandbox, 2 + n, '1 + 1');
    done.push(`other ${n}`);
  });
  await Promise.all([...flood, ...others]);
  // At most two of the flood can have run before the last of the others, which had three processes to themselves.
  const before = done.slice(0, done.lastIndexOf(done.filter((name) => name.startsWith('other')).at(-1)!));
  expect(before.filter((name) => name.startsWith('endless')).length).toBeLessThanOrEqual(3);
});

test('one expensive workflow of 10 KB fails alone, while all other requests are answered', async () => {
  const running = await testApp({ worker: true });
  const hostile = await makeStage(running.app);
  const other = await makeStage(running.app);
  // Each expression stays within its own limit; together they would keep a processor busy for five seconds.
  const expensive = `{{ ${SQUARE} }}`;
  const steps = [
    { name: 'busy', kind: 'template', text: expensive.repeat(Math.floor(10_000 / expensive.length)) },
  ];
  const workflow = await makeWorkflow(running, hostile.token, steps);
  const quick = await makeWorkflow(running, other.token, [
    { name: 'sum', kind: 'template', text: 'makes {{ parameters.a + 1 }}' },
  ]);
  const id = await execute(running, hostile.token, workflow, { l: list(lengthFor(30)) });
  const otherId = await execute(running, other.token, quick, { a: 1 });
  const { error } = await reaches(running, hostile.token, id, 'FAILED');
  expect(error).toMatch(/busy: the step takes more than 1000 ms/);
  // The work was done in a sandbox, and not in this process.
  expect(running.logged.join('')).toContain('ended a sandbox that exceeded its limits');
  const { steps: shown } = await reaches(running, other.token, otherId, 'COMPLETED');
  expect(shown[0]!.output).toEqual({ text: 'makes 2' });
});

test('a worker that is repeatedly paused fails no healthy run', { timeout: 180_000 }, async () => {
  const running = await testApp();
  const { token } = await makeStage(running.app);
  // Many small ones: together they last through all pauses, and each is far below the limit of an expression.
  const steps = list(16).map((n) => ({ name: `s${n}`, kind: 'template', text: `{{ ${SQUARE} }}` }));
  const workflow = await makeWorkflow(running, token, steps);
  const worker = await startServer({
    env: { ROLE: 'worker', NODE_ENV: 'test', DATABASE_URL: running.database.url, DATABASE_POOL: '5' },
  });
  onTestFinished(async () => void (await worker.end('SIGKILL')));
  const length = lengthFor(15);
  const id = await execute(running, token, workflow, { l: list(length) });
  const { pid } = worker.child;
  await eventually(() => sandboxesOf(pid!).length > 0, 60_000);
  for (let pause = 0; pause < 4; pause++) {
    const stopped = [pid!, ...sandboxesOf(pid!)];
    for (const each of stopped) process.kill(each, 'SIGSTOP');
    // Longer than an expression may take: by wall clock it would look like a runaway.
    await sleep(400);
    for (const each of stopped.reverse()) process.kill(each, 'SIGCONT');
    await sleep(50);
  }
  const { steps: shown } = await reaches(running, token, id, 'COMPLETED', 90_000);
  expect(shown.map(({ output }) => output)).toEqual(steps.map(() => ({ text: String(length) })));
});

test('code that escaped an expression can read neither the JWT secret nor the configuration', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-secret-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const secret = join(folder, 'jwt-secret');
  writeFileSync(secret, 'a-secret-of-the-service');
  const config = fileURLToPath(new URL('../../src/config.ts', import.meta.url));
  for (const file of [secret, config, '/etc/hostname']) {
    const escaped = `try { require('fs').readFileSync(${JSON.stringify(file)}); console.log('read'); }
      catch (error) { console.log(error.code); }`;
    const said = execFileSync(process.execPath, [...SANDBOX_FLAGS, '-e', escaped], { env: {} });
    expect(said.toString().trim(), file).toBe('ERR_ACCESS_DENIED');
  }
});

test('code that escaped an expression cannot connect to any server', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on('error', () => {});
    socket.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const closer = new URL('../../src/domain/expressions/sandbox/close-network.ts', import.meta.url);
  const ways = {
    fetch: `await fetch('http://127.0.0.1:${port}/')`,
    webSocket: `new WebSocket('ws://127.0.0.1:${port}/')`,
    net: `(await import('node:net')).connect(${port}, '127.0.0.1')`,
    http: `(await import('node:http')).get('http://127.0.0.1:${port}/')`,
    dns: `await (await import('node:dns/promises')).lookup('localhost')`,
    dgram: `(await import('node:dgram')).createSocket('udp4')`,
    builtin: `process.getBuiltinModule('net').connect(${port}, '127.0.0.1')`,
    binding: `process.binding('tcp_wrap')`,
    linkedBinding: `process._linkedBinding('tcp_wrap')`,
    require: `require('net').connect(${port}, '127.0.0.1')`,
    createRequire: `(await import('node:module')).createRequire(import.meta.url)('net')`,
    worker: `new (await import('node:worker_threads')).Worker('', { eval: true })`,
    evaluated: `new Function('return 1')()`,
    throughConstructor: `(() => {}).constructor('return process')()`,
  };
  const attack = (closed: boolean) => {
    const tries = Object.entries(ways).map(
      ([name, way]) => `try { ${way}; open.push('${name}'); } catch { }`,
    );
    const program = `${closed ? `import { closeNetwork } from '${closer.href}'; closeNetwork();` : ''}
      process.on('uncaughtException', () => {}); const open = []; ${tries.join('\n')}
      console.log(JSON.stringify(open)); setTimeout(() => process.exit(0), 200);`;
    const flags = [...SANDBOX_FLAGS, '--input-type=module', '-e', program];
    return new Promise<string[]>((resolve, reject) =>
      execFile(process.execPath, flags, { env: {} }, (error, said) =>
        error ? reject(error) : resolve(JSON.parse(said)),
      ),
    );
  };
  expect(await attack(true)).toEqual([]);
  expect(connections).toBe(0);
  // The same program without the sandbox does escape: the attack is real.
  expect(await attack(false)).toEqual(expect.arrayContaining(['net', 'builtin', 'dns', 'http']));
  expect(connections).toBeGreaterThan(0);
});
