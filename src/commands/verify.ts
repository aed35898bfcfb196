// npm run verify: checks an exported proof, or whole chains, and says step by step what it found. Exit code 0 or 1.
import { readFile } from 'node:fs/promises';
import { verifyDatabase } from './verify/database.ts';
import { verifyExportFile } from './verify/export-file.ts';
import { collectKeys } from './verify/keys.ts';
import { type Options, readOptions, USAGE, UsageError } from './verify/options.ts';
import { printReports, type Report } from './verify/report.ts';
import { verifyServer } from './verify/server.ts';

async function run(options: Options): Promise<Report[]> {
  const trustedKeys = await collectKeys(options);
  if (options.target.kind === 'database') return verifyDatabase(options.target, trustedKeys);
  if (options.target.kind === 'server') return verifyServer(options.target, trustedKeys);
  const reports: Report[] = [];
  for (const file of options.target.files) {
    reports.push(await verifyExportFile(file, await readFile(file, 'utf8'), trustedKeys));
  }
  return reports;
}

async function main(): Promise<boolean> {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === 'help') {
    process.stdout.write(USAGE);
    return true;
  }
  const reports = await run(options);
  process.stdout.write(printReports(reports, options.json));
  return reports.every(({ ok }) => ok);
}

main().then(
  (ok) => {
    process.exitCode = ok ? 0 : 1;
  },
  (error: Error) => {
    process.stderr.write(`${error.message}\n${error instanceof UsageError ? `\n${USAGE}` : ''}`);
    process.exitCode = 1;
  },
);
