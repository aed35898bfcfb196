// npm run verify: checks proofs in files, or whole chains. The exit code says what was found; see USAGE.

import { UsageError } from '@countersign/auditor/usage-error';
import { readOptions } from '@countersign/auditor/verify/options';
import { type Answer, runVerify } from '@countersign/auditor/verify/run';
import { verifyDatabase } from './verify/database.ts';
import { findDatabase, USAGE } from './verify/database-target.ts';

const TROUBLE = 2;

async function main(): Promise<Answer> {
  const options = readOptions(process.argv.slice(2), process.env, findDatabase);
  return options === 'help' ? { text: USAGE, code: 0 } : runVerify(options, verifyDatabase);
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
