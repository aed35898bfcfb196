// npm run verify: checks proofs in files, or whole chains. The exit code says what was found; see USAGE.
import { verifyDatabase } from './verify/database.ts';
import { exitCodeOf, printFiles, verifyFiles } from './verify/files.ts';
import { asText, collectKeys } from './verify/keys.ts';
import { type Options, readOptions, USAGE, UsageError } from './verify/options.ts';
import { printReports } from './verify/report.ts';
import { verifyServer } from './verify/server.ts';
import { trustOf } from './verify/trust.ts';

const TROUBLE = 2;

interface Answer {
  text: string;
  code: number;
}

async function run({ target, json, ...named }: Options): Promise<Answer> {
  const keys = await collectKeys(named);
  if (target.kind === 'files') {
    const verdicts = await verifyFiles(target.files, trustOf(keys, target), target);
    return { text: printFiles(verdicts, json), code: exitCodeOf(verdicts) };
  }
  const trusted = keys?.map(asText);
  const reports =
    target.kind === 'database' ? await verifyDatabase(target, trusted) : await verifyServer(target, trusted);
  return { text: printReports(reports, json), code: reports.every(({ ok }) => ok) ? 0 : 1 };
}

async function main(): Promise<Answer> {
  const options = readOptions(process.argv.slice(2), process.env);
  return options === 'help' ? { text: USAGE, code: 0 } : run(options);
}

main().then(
  ({ text, code }) => {
    process.stdout.write(text);
    process.exitCode = code;
  },
  (error: Error) => {
    process.stderr.write(`${error.message}\n${error instanceof UsageError ? `\n${USAGE}` : ''}`);
    process.exitCode = TROUBLE;
  },
);
