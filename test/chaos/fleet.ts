import { setTimeout as sleep } from 'node:timers/promises';
import { type ServerProcess, spawnServer } from '../helpers/process.ts';

type Role = 'api' | 'worker';

/** A slot for a process: whenever it is killed, another one starts in its place. */
interface Berth {
  role: Role;
  current: ServerProcess | null;
  starting: Promise<void>;
}

/** Two APIs and two workers on one database. */
export interface Fleet {
  /** The URL of a running API, or null while there is none. */
  api(which: number): string | null;
  kill(role: Role, which: number): Promise<void>;
  /** Pauses a process and lets it continue. */
  pause(role: Role, which: number, ms: number): Promise<void>;
  /** Resolves when all of them run. */
  whole(): Promise<void>;
  /** Stops all of them as an operator does; returns their exit codes. */
  end(): Promise<(number | NodeJS.Signals)[]>;
  /** Kills what is left. */
  destroy(): void;
}

export const EACH = 2;

/** A machine that is busy with other things takes its time. */
const START_MS = 120_000;

/** Waits until it serves; says what it printed if it does not. */
async function ready(server: ServerProcess): Promise<ServerProcess> {
  const until = Date.now() + START_MS;
  for (;;) {
    const line = /^\{.*"msg":"ready"\}$/m.exec(server.output())?.[0];
    if (line) {
      const { port } = JSON.parse(line) as { port?: number };
      return { ...server, url: port ? `http://127.0.0.1:${port}` : '' };
    }
    if (server.child.exitCode !== null || Date.now() > until)
      throw new Error(`it did not start: ${server.output().slice(-2_000)}`);
    await sleep(50);
  }
}

export async function startFleet(env: Record<string, string>): Promise<Fleet> {
  /** All processes ever started, so that none is orphaned. */
  const running = new Set<ServerProcess>();
  const berth = (role: Role): Berth => {
    const made: Berth = { role, current: null, starting: Promise.resolve() };
    made.starting = launch(made);
    return made;
  };
  async function launch(place: Berth): Promise<void> {
    const server = spawnServer({ env: { ...env, ROLE: place.role } });
    running.add(server);
    place.current = await ready(server);
  }
  const berths: Berth[] = [];
  // Two at a time: a busy machine cannot start four within a minute.
  for (const role of ['api', 'worker'] as const) {
    const both = Array.from({ length: EACH }, () => berth(role));
    berths.push(...both);
    await Promise.all(both.map(({ starting }) => starting));
  }
  const at = (role: Role, which: number) => berths.filter((each) => each.role === role)[which % EACH]!;

  return {
    api: (which) => at('api', which).current?.url ?? null,
    async kill(role, which) {
      const place = at(role, which);
      const victim = place.current;
      if (!victim) return;
      place.current = null;
      await victim.end('SIGKILL');
      place.starting = launch(place);
      place.starting.catch(() => {});
    },
    async pause(role, which, ms) {
      const victim = at(role, which).current;
      victim?.child.kill('SIGSTOP');
      await sleep(ms);
      victim?.child.kill('SIGCONT');
    },
    async whole() {
      await Promise.all(berths.map(({ starting }) => starting));
    },
    async end() {
      return Promise.all(berths.map(({ current }) => current!.end('SIGTERM')));
    },
    destroy() {
      for (const { child } of running) {
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      }
    },
  };
}
