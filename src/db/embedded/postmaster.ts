import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { postgresEnvironment } from './cluster.ts';
import type { Layout } from './layout.ts';
import { stopPostmaster } from './orphaned-postmaster.ts';

/**
 * Runs PostgreSQL and waits until it exits or until the pipe on standard input closes, which happens whenever our process
 * ends. In that case PostgreSQL gets the signal for a fast shutdown.
 */
const watchdog = `
exec 3<&0
"$@" </dev/null >&2 3<&- &
postgres=$!
echo "$postgres"
( read -r _ <&3; kill -INT "$postgres" ) >/dev/null 2>&1 &
reader=$!
exec 1>&- 2>&-
wait "$postgres"
status=$?
kill "$reader" 2>/dev/null
exit "$status"
`;

/** A standby accepts read-only connections. */
const READY = /database system is ready to accept (?:read-only )?connections/;

export type Postmaster = {
  pid: number;
  /** Settles when the process has ended. */
  ended: Promise<void>;
  stop(): Promise<void>;
};

export type Settings = Record<string, string | number | boolean>;

/** The server's last log lines before it exited. */
export class PostmasterFailed extends Error {
  override name = 'PostmasterFailed';
  portIsTaken: boolean;

  constructor(lines: string[]) {
    super(lines.join('; ') || 'it ended without a word');
    this.portIsTaken = lines.some((line) => line.includes('Address already in use'));
  }
}

/** Starts the server on a port and resolves when it accepts connections. */
export async function startPostmaster(
  layout: Layout,
  settings: Settings,
  onLog: (line: string) => void,
): Promise<Postmaster> {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [layout.binaries.postgres, '-D', layout.cluster, ...options];
  const child = spawn('/bin/sh', ['-c', watchdog, 'countersign-postgres', ...command], {
    ...layout.account,
    cwd: '/',
    env: postgresEnvironment(),
    // A separate session: Ctrl-C in the terminal must reach only this process, which then stops the server.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    // Not 'exit', which may fire before the last log lines were read.
    child.once('close', () => resolve());
  });
  // A broken pipe is also reported by 'close'.
  child.stdin.on('error', () => {});

  const pid = new Promise<number>((resolve) =>
    createInterface(child.stdout).once('line', (line) => resolve(Number(line))),
  );
  const lines: string[] = [];
  const ready = new Promise<void>((resolve) => {
    createInterface(child.stderr).on('line', (line) => {
      onLog(line);
      if (lines.length < 50) lines.push(line);
      if (READY.test(line)) resolve();
    });
  });
  const failed = ended.then(() => {
    throw new PostmasterFailed(lines);
  });
  await Promise.race([Promise.all([pid, ready]), failed]);
  failed.catch(() => {});

  return {
    pid: await pid,
    ended,
    async stop() {
      child.stdin.end();
      const patience = setTimeout(async () => stopPostmaster(await pid), 10_000);
      await ended;
      clearTimeout(patience);
    },
  };
}
