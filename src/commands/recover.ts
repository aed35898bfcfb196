// npm run recover: what an operator does after signed history was lost.

import { UsageError } from '@countersign/auditor/usage-error';
import { ConfigError, loadConfig } from '../config.ts';
import { runningEmbeddedUrl } from '../db/embedded/running.ts';
import { SigningRefused } from '../domain/ledger/checkpoints/keys/refused.ts';
import { DomainError } from '../lib/errors.ts';
import { makeLog } from '../lib/log.ts';
import { openApp } from '../open-app.ts';
import { carryOut, readOrder, USAGE } from './recover/order.ts';

async function main(): Promise<number> {
  const order = readOrder(process.argv.slice(2));
  if (order === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  const config = loadConfig(process.env);
  const url = config.databaseUrl ?? runningEmbeddedUrl(config.dataDir);
  if (!url)
    throw new UsageError('DATABASE_URL must be set, or a server must be running with its data in DATA_DIR.');
  const app = await openApp(config, url, makeLog('silent'));
  try {
    const { text, code } = await carryOut(app, order);
    process.stdout.write(text);
    return code;
  } finally {
    await app.close();
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    const expected = [UsageError, ConfigError, DomainError, SigningRefused].some(
      (kind) => error instanceof kind,
    );
    process.stderr.write(`${expected ? error.message : error.stack}\n`);
    if (error instanceof UsageError) process.stderr.write(`\n${USAGE}`);
    process.exitCode = 2;
  },
);
