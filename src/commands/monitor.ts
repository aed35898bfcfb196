// npm run monitor: follows the head log of a service, for cron or for ever.
import { readOptions, usage } from './monitor/options.ts';
import { runMonitor } from './monitor/run.ts';
import { UsageError } from './usage-error.ts';

const USAGE = usage('npm run monitor --');

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options !== 'help') return runMonitor(options);
  process.stdout.write(USAGE);
  return 0;
}

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n${error instanceof UsageError ? `\n${USAGE}` : ''}`);
  return 2;
});
