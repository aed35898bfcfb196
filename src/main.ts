import { banner } from '../prisma/seed/banner.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { EmbeddedPostgresError } from './db/embedded/error.ts';
import { MigrationError } from './db/migrate.ts';
import { makeLog } from './lib/log.ts';
import { startProcess } from './process.ts';

/** Faults that the operator can put right: one clear line is all they need. */
function isOperatorFault(error: unknown): error is Error {
  return (
    error instanceof ConfigError || error instanceof EmbeddedPostgresError || error instanceof MigrationError
  );
}

/** With PORT=0 only the running server knows where it is. */
const baseAddress = ({ port, publicUrl }: Config, actual: number) =>
  port === 0 ? `http://localhost:${actual}` : publicUrl;

async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const log = makeLog(config.logLevel);
  const starting = startProcess(config, log);
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    // What is still starting is let start, so that all of it can be stopped.
    const running = await starting.catch(() => null);
    await running?.stop();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const { address, demo } = await starting;
  if (demo && address) process.stdout.write(banner(baseAddress(config, address.port), demo));
  // For a parent that listens, such as a test or a benchmark.
  process.send?.({ msg: 'ready', port: address?.port });
}

main().catch((error: unknown) => {
  const line = isOperatorFault(error) ? `Countersign cannot start: ${error.message}` : error;
  process.stderr.write(`${line instanceof Error ? line.stack : line}\n`);
  process.exit(1);
});
