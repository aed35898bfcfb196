// npm run monitor: follows the head log of a service, once for cron or continuously.

import { UsageError } from '@countersign/auditor/arguments';
import { readOptions, usage } from '@countersign/auditor/monitor/options';
import { runMonitor } from '@countersign/auditor/monitor/run';

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
