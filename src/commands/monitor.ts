// npm run monitor: follows the head log of a service, for cron or for ever.
import { runMonitor } from './monitor/run.ts';

process.exitCode = await runMonitor(process.argv.slice(2), process.env, 'npm run monitor --');
