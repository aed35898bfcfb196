import { setTimeout as sleep } from 'node:timers/promises';
import type { Layout } from './layout.ts';
import { stopOrphanedPostmaster } from './orphaned-postmaster.ts';
import { type Postmaster, type Settings, startPostmaster } from './postmaster.ts';

const firstDelay = 100;
const longestDelay = 5_000;

/** Keeps a server running: if it dies, it is restarted with the same settings and on the same port. */
export class Supervisor {
  #layout: Layout;
  #settings: Settings;
  #onLog: (line: string) => void;
  #current: Postmaster | undefined;
  #stopping = new AbortController();
  #watching: Promise<void> = Promise.resolve();

  constructor(layout: Layout, settings: Settings, onLog: (line: string) => void) {
    this.#layout = layout;
    this.#settings = settings;
    this.#onLog = onLog;
  }

  /** The first start. If it fails, it rejects and leaves nothing running. */
  async start() {
    await this.#launch();
    this.#watching = this.#watch();
  }

  pid(): number | undefined {
    return this.#current?.pid;
  }

  async stop() {
    this.#stopping.abort();
    await this.#current?.stop();
    await this.#watching;
  }

  async #launch() {
    await stopOrphanedPostmaster(this.#layout.cluster, this.#onLog);
    this.#current = await startPostmaster(this.#layout, this.#settings, this.#onLog);
  }

  async #watch() {
    const { signal } = this.#stopping;
    let delay = firstDelay;
    while (!signal.aborted) {
      if (this.#current) {
        await this.#current.ended;
        this.#current = undefined;
        if (signal.aborted) return;
        this.#onLog('PostgreSQL ended unexpectedly; starting it again');
        delay = firstDelay;
      }
      await sleep(delay, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        await this.#launch();
      } catch (error) {
        delay = Math.min(delay * 2, longestDelay);
        this.#onLog(`PostgreSQL did not start: ${(error as Error).message}; next try in ${delay} ms`);
      }
    }
    // A stop was requested while the server was starting.
    await (this.#current as Postmaster | undefined)?.stop();
  }
}
