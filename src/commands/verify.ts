// npm run verify: checks proofs in files, or whole chains. The exit code shows the result; see USAGE.

import { UsageError } from '@countersign/auditor/usage-error';
import { readOptions } from '@countersign/auditor/verify/options';
import { type Answer, runVerify } from '@countersign/auditor/verify/run';
import { openConditions } from './verify/conditions.ts';
import { verifyDatabase } from './verify/database.ts';
import { findDatabase, USAGE } from './verify/database-target.ts';

const TROUBLE = 2;

async function main(): Promise<Answer> {
  const options = readOptions(process.argv.slice(2), process.env, findDatabase);
  if (options === 'help') return { text: USAGE, code: 0 };
  const conditions = openConditions();
  try {
    return await runVerify(options, {
      walkDatabase: verifyDatabase,
      evaluateCondition: conditions.evaluate,
    });
  } finally {
    await conditions.close();
  }
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
