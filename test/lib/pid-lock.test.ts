import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holderOf, identityOf, tryLock } from '../../src/lib/pid-lock.mjs';

const module = new URL('../../src/lib/pid-lock.mjs', import.meta.url).href;
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-lock-'));
  path = join(folder, 'lock');
});

afterEach(() => rmSync(folder, { recursive: true }));

function runNode(script: string) {
  const source = `import { tryLock } from '${module}'; const path = '${path}'; ${script}`;
  return spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

test('returns its holder to the next process, and is free again after release', () => {
  const { lock } = tryLock(path);
  expect(tryLock(path)).toEqual({ holder: process.pid });
  expect(holderOf(path)).toBe(process.pid);
  lock!.release();
  expect(holderOf(path)).toBeUndefined();
  tryLock(path).lock!.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('is free when its holder was killed', async () => {
  const holder = runNode(`tryLock(path); process.stdout.write('held'); setInterval(() => {}, 1000);`);
  await once(holder.stdout, 'data');
  expect(tryLock(path)).toEqual({ holder: holder.pid });
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  expect(tryLock(path).lock).toBeDefined();
});

test('is free when the pid of its dead holder was reused', () => {
  writeFileSync(path, `${process.pid} another start`);
  expect(tryLock(path).lock).toBeDefined();
});

test('is acquired by one of several processes that concurrently find a dead holder', async () => {
  writeFileSync(path, `${process.pid} another start`);
  const contenders = Array.from({ length: 8 }, () =>
    runNode(`process.stdout.write('ready');
             process.stdin.once('data', () => process.stdout.write(tryLock(path).lock ? 'won' : 'lost'));`),
  );
  await Promise.all(contenders.map((contender) => once(contender.stdout, 'data')));
  for (const contender of contenders) contender.stdin.write('go');
  const answers = await Promise.all(
    contenders.map(async ({ stdout }) => String((await once(stdout, 'data'))[0])),
  );
  // They may end only now: the lock of an ended process would be free for the next one.
  for (const contender of contenders) contender.stdin.end();
  await Promise.all(contenders.map((contender) => once(contender, 'exit')));
  expect(answers.filter((answer) => answer === 'won')).toHaveLength(1);
});

test('identityOf distinguishes a running process from a missing one', () => {
  expect(identityOf(process.pid)).toMatch(new RegExp(`^${process.pid} `));
  expect(identityOf(2_147_483_600)).toBeUndefined();
});
