// Fails a test file that leaves a child process running or a connection to one of its databases open. Hooks of a setup file run
// last, after all cleanup of the tests.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll } from 'vitest';
import { identityOf } from '../../src/lib/pid-lock.mjs';
import { dropOpenDatabases } from './database.ts';
import { emptyAll } from './emptied.ts';
import { eventually } from './eventually.ts';

/** How long a stopping child may take; this file's own test sets a shorter time. */
const PATIENCE_MS = Number(process.env['LEAK_PATIENCE_MS'] ?? 10_000);

const before = new Set(childProcesses());

afterAll(async () => {
  emptyAll();
  await dropOpenDatabases();
  const leaked = () => childProcesses().filter((pid) => !before.has(pid));
  await eventually(() => leaked().length === 0, PATIENCE_MS).catch(() => {
    const commands = leaked().map((pid) => `${pid} ${commandOf(pid)}`);
    for (const pid of leaked()) process.kill(pid, 'SIGKILL');
    throw new Error(`Child processes were left running: ${commands.join(', ')}`);
  });
});

/** Reads /proc, where children appear however they were started; other systems are not checked. */
function childProcesses(): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync(`/proc/${process.pid}/task`)
    .flatMap((thread) => readFileSync(`/proc/${process.pid}/task/${thread}/children`, 'utf8').split(' '))
    .filter((pid) => pid !== '')
    .map(Number)
    .filter((pid) => identityOf(pid) !== undefined);
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
}
