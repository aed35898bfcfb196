import { readSettings, type Settings } from './config.ts';
import { ConfigError, validPrerequisites } from './environment.ts';
import { OperatorFault } from './lib/errors.ts';
import { makeLog } from './lib/log.ts';
import type { Running } from './process.ts';
import { banner } from './seed/banner.ts';
import { acquirePrerequisites, prerequisiteFaults } from './start/prerequisites.ts';

/** With PORT=0 only the running server knows its port. */
const baseAddress = ({ port, publicUrl }: Settings, actual: number) =>
  port === 0 ? `http://localhost:${actual}` : publicUrl;

/** All configuration errors are reported together. */
async function readAll(env: NodeJS.ProcessEnv): Promise<Settings> {
  try {
    return readSettings(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError([...error.faults, ...(await prerequisiteFaults(validPrerequisites(env)))]);
  }
}

/** Binds the port and reports errors before most of the program is loaded. */
async function start(
  settings: Settings,
  log: ReturnType<typeof makeLog>,
  stop: AbortSignal,
): Promise<Running> {
  const onWait = (reason: string) =>
    log.warn(
      { reason, atMostSeconds: settings.prerequisites.databaseWaitSeconds },
      'waiting for the database',
    );
  const port = await acquirePrerequisites(settings.prerequisites, { onWait, stop });
  const { startTracing } = await import('./start/tracing.ts');
  const stopTracing = await startTracing(process.env);
  const { startProcess } = await import('./process.ts');
  return startProcess(settings, port, log, stopTracing);
}

/** The exit code of a failure after the start (EX_SOFTWARE). A supervisor starts the process again, unlike after 1. */
const UNEXPECTED_FAILURE = 70;

const ORPHAN_CHECK_MS = 1_000;

/** Calls back once `scripts/supervise.sh` no longer runs: no signal would reach this process, and it would hold the port. */
function whenOrphaned(callback: () => void): void {
  const { SUPERVISOR_PID } = process.env;
  // Programs that this process starts have another parent.
  delete process.env['SUPERVISOR_PID'];
  if (!SUPERVISOR_PID) return;
  const timer = setInterval(() => {
    if (process.ppid === Number(SUPERVISOR_PID)) return;
    clearInterval(timer);
    callback();
  }, ORPHAN_CHECK_MS);
  timer.unref();
}

async function main(): Promise<void> {
  const settings = await readAll(process.env);
  const log = makeLog(settings.logLevel);
  const stopping = new AbortController();
  const starting = start(settings, log, stopping.signal);
  const stop = async (signal: string) => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    log.info({ signal }, 'stopping');
    // Lets starting parts finish starting, so that all of them can be stopped.
    const running = await starting.catch(() => null);
    await running?.stop();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  whenOrphaned(() => void stop('the supervisor is gone'));
  const running = await starting.catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  if (!running) return;
  process.on('uncaughtException', (err, origin) => {
    log.fatal({ err, origin }, 'unexpected failure, the process ends');
    process.exit(UNEXPECTED_FAILURE);
  });
  const { address, demo } = running;
  if (demo && address) process.stdout.write(banner(baseAddress(settings, address.port), demo));
  // For a listening parent process, such as a test or a benchmark.
  process.send?.({ msg: 'ready', port: address?.port });
}

main().catch((error: unknown) => {
  const lines =
    error instanceof OperatorFault
      ? error.message.split('\n').map((line) => `Countersign cannot start: ${line}`)
      : [error instanceof Error ? error.stack : error];
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exit(1);
});
