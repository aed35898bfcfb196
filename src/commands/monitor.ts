// npm run monitor: follows the head log of a service, for cron or for ever.
import { setTimeout as sleep } from 'node:timers/promises';
import { look } from './monitor/look.ts';
import { type Options, readOptions, USAGE, UsageError } from './monitor/options.ts';

/** The exit code of one look. */
async function lookAndTell(options: Options): Promise<number> {
  const { code, text } = await look(options);
  (code === 0 ? process.stdout : process.stderr).write(text);
  return code;
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  for (;;) {
    const code = await lookAndTell(options).catch((error: Error) => {
      if (options.watchSeconds === null) throw error;
      const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
      process.stderr.write(`could not look: ${error.message}${cause}\n`);
      return 0;
    });
    if (code === 1 || options.watchSeconds === null) return code;
    await sleep(options.watchSeconds * 1_000);
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    process.stderr.write(`${error.message}${cause}\n${error instanceof UsageError ? `\n${USAGE}` : ''}`);
    process.exitCode = 2;
  },
);
