// npm run recover: for operators, after signed history was lost.

import { UsageError } from '@countersign/auditor/arguments';
import { loadConfig } from '../config.ts';
import { SigningRefused } from '../domain/ledger/checkpoints/keys/refused.ts';
import { DomainError, OperatorFault } from '../lib/errors.ts';
import { makeLog } from '../lib/log.ts';
import { openApp } from '../open-app.ts';
import { installationUrl } from './installation.ts';
import { carryOut, readOrder, USAGE } from './recover/order.ts';

async function main(): Promise<number> {
  const order = readOrder(process.argv.slice(2));
  if (order === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  const config = loadConfig(process.env);
  const url = await installationUrl(config);
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
    const expected = [UsageError, OperatorFault, DomainError, SigningRefused].some(
      (kind) => error instanceof kind,
    );
    process.stderr.write(`${expected ? error.message : error.stack}\n`);
    if (error instanceof UsageError) process.stderr.write(`\n${USAGE}`);
    process.exitCode = 2;
  },
);
