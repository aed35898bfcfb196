import { UsageError } from '@countersign/auditor/arguments';
import type { App } from '../app.ts';
import { loadConfig } from '../config.ts';
import { DomainError, OperatorFault } from '../lib/errors.ts';
import { makeLog } from '../lib/log.ts';
import { openApp } from '../open-app.ts';
import { installationUrl } from './installation.ts';

/** A command that works on the database of an installation and prints its result as text or JSON. */
interface Command<Order> {
  usage: string;
  readOptions(args: string[]): { order: Order; json: boolean } | 'help';
  /** The output of a subcommand that needs no database; null for any other. */
  beforeDatabase?(order: Order): Promise<string | null>;
  /** The result, and how it is printed. */
  carryOut(app: App, order: Order): Promise<{ made: object; words: string }>;
}

async function run<Order>({ usage, readOptions, beforeDatabase, carryOut }: Command<Order>): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(usage);
    return;
  }
  const output = await beforeDatabase?.(options.order);
  if (output != null) {
    process.stdout.write(output);
    return;
  }
  const config = loadConfig(process.env);
  const url = await installationUrl(config);
  const app = await openApp(config, url, makeLog('silent'));
  try {
    const { made, words } = await carryOut(app, options.order);
    process.stdout.write(options.json ? `${JSON.stringify(made, null, 2)}\n` : words);
  } finally {
    await app.close();
  }
}

export function runCommand<Order>(command: Command<Order>): void {
  run(command).catch((error: Error) => {
    const expected = [UsageError, OperatorFault, DomainError].some((kind) => error instanceof kind);
    process.stderr.write(`${expected ? error.message : error.stack}\n`);
    if (error instanceof UsageError) process.stderr.write(`\n${command.usage}`);
    process.exitCode = 1;
  });
}
