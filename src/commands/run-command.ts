import { UsageError } from '@countersign/auditor/arguments';
import type { App } from '../app.ts';
import { loadConfig } from '../config.ts';
import { SigningRefused } from '../domain/ledger/notes/faults.ts';
import { DomainError, OperatorFault } from '../lib/errors.ts';
import { makeLog } from '../lib/log.ts';
import { openApp } from '../open-app.ts';
import { installationUrl } from './installation.ts';

const EXPECTED = [UsageError, OperatorFault, DomainError, SigningRefused];

interface Command<Options> {
  usage: string;
  /** The exit code if the command fails. */
  failureCode?: number;
  readOptions(args: string[]): Options | 'help';
  /** Prints the result. */
  run(options: Options): Promise<void>;
}

/** Runs a command of the operator. An expected failure prints its message, and wrong arguments also the usage. */
export async function runCommand<Options>({
  usage,
  failureCode = 1,
  readOptions,
  run,
}: Command<Options>): Promise<void> {
  try {
    const options = readOptions(process.argv.slice(2));
    if (options === 'help') process.stdout.write(usage);
    else await run(options as Options);
  } catch (error) {
    const { message, stack } = error as Error;
    const isExpected = EXPECTED.some((kind) => error instanceof kind);
    process.stderr.write(`${isExpected ? message : stack}\n`);
    if (error instanceof UsageError) process.stderr.write(`\n${usage}`);
    process.exitCode = failureCode;
  }
}

/** Opens the installation of the environment while the work runs. */
export async function withApp<Result>(work: (app: App) => Promise<Result>): Promise<Result> {
  const config = loadConfig(process.env);
  const url = await installationUrl(config);
  const app = await openApp(config, url, makeLog('silent'));
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
