// npm run verify: checks proofs in files, or whole chains. The exit code shows the result; see USAGE.

import { join, resolve } from 'node:path';
import { UsageError } from '@countersign/auditor/arguments';
import { FILES_USAGE, type FindDatabase, readOptions } from '@countersign/auditor/verify/options';
import { type Answer, runVerify } from '@countersign/auditor/verify/run';
import { CannotCheck } from '@countersign/proof-kit/sealed-content';
import type { Trust } from '@countersign/proof-kit/trust';
import { runningEmbeddedUrl } from '../db/embedded/running.ts';
import { type ConditionScope, ExpressionError } from '../domain/expressions/expression.ts';
import { makeSandbox, type Sandbox } from '../domain/expressions/sandbox/sandbox.ts';
import { makeLog } from '../lib/log.ts';
import { verifyDatabase } from './verify/database.ts';

const NO_CENTER = 0;

export interface Conditions {
  evaluate: NonNullable<Trust['evaluateCondition']>;
  close(): Promise<void>;
}

/** Evaluates the conditions of mandates like the service does. Documents are untrusted, so this runs in the sandbox. */
function openConditions(): Conditions {
  let sandbox: Sandbox | undefined;
  return {
    async evaluate(source, scope) {
      sandbox ??= makeSandbox(makeLog('silent', process.stderr));
      const pieces = { holds: { kind: 'condition', source } } as const;
      try {
        return (await sandbox.render(NO_CENTER, pieces, async () => scope as ConditionScope)).holds === true;
      } catch (error) {
        if (error instanceof ExpressionError) return false;
        throw new CannotCheck('the condition');
      }
    },
    close: async () => sandbox?.close(),
  };
}

export const USAGE = `${FILES_USAGE('npm run verify --')}
  npm run verify -- --chain
      every chain of a database, recomputed record by record, and compared with the checkpoints in its table and in
      the file outside it
      --database postgres://…                   which one; else DATABASE_URL, else the one running in DATA_DIR
      --fast                                    let PostgreSQL compute the hashes of the records: faster, but it trusts
                                                the administrator of the database
      --checkpoints <file>                      the file; else CHECKPOINT_FILE, else checkpoints.log in DATA_DIR
  Exit code 0: all is valid. 1: something is not.
`;

export const findDatabase: FindDatabase = (flags, env) => {
  const dataDir = resolve(env['DATA_DIR'] || '.data');
  const url = flags.database ?? (env['DATABASE_URL'] || runningEmbeddedUrl(dataDir));
  if (!url) {
    throw new UsageError(
      `No database: none runs in ${dataDir}. Name one with --database, or a server with --url.`,
    );
  }
  const checkpointFile = flags.checkpoints ?? (env['CHECKPOINT_FILE'] || join(dataDir, 'checkpoints.log'));
  return { kind: 'database', url, checkpointFile, dataDir, fast: flags.fast ?? false };
};

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
