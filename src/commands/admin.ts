// npm run admin: the first administrator of an installation, and its first center.
import { ConfigError, loadConfig } from '../config.ts';
import { runningEmbeddedUrl } from '../db/embedded/running.ts';
import type { App } from '../domain/app.ts';
import { systemContext } from '../domain/context.ts';
import { appointPlatformAdmin } from '../domain/identity/appoint.ts';
import { createFirstCenter } from '../domain/provisioning/first-center.ts';
import { DomainError } from '../lib/errors.ts';
import { makeLog } from '../lib/log.ts';
import { openApp } from '../open-app.ts';
import { type Order, readOptions, USAGE, UsageError } from './admin/options.ts';

function databaseUrl(config: ReturnType<typeof loadConfig>): string {
  const url = config.databaseUrl ?? runningEmbeddedUrl(config.dataDir);
  if (url) return url;
  throw new ConfigError('DATABASE_URL must be set, or a server must be running with its data in DATA_DIR');
}

/** What was made, and how it is said. */
async function carryOut(app: App, order: Order): Promise<{ made: object; words: string }> {
  const ctx = systemContext(app, 'admin command', null);
  if (order.verb === 'create') {
    const made = await appointPlatformAdmin(ctx, order.input);
    const next = made.link
      ? `Set the password here, once and within an hour:\n${made.link}`
      : 'They have a password already and keep it.';
    return { made, words: `${made.email} is a platform administrator.\n${next}\n` };
  }
  const made = await createFirstCenter(ctx, order.input);
  const { center, admin } = made;
  const words = `${center.name} is there: ${center.centerDomain}, number ${center.id}.\n${admin.email} is invited by mail to administer it.\n`;
  return { made, words };
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(USAGE);
    return;
  }
  const config = loadConfig(process.env);
  const app = await openApp(config, databaseUrl(config), makeLog('silent'));
  try {
    const { made, words } = await carryOut(app, options.order);
    process.stdout.write(options.json ? `${JSON.stringify(made, null, 2)}\n` : words);
  } finally {
    await app.close();
  }
}

main().catch((error: Error) => {
  const expected = [UsageError, ConfigError, DomainError].some((kind) => error instanceof kind);
  process.stderr.write(`${expected ? error.message : error.stack}\n`);
  if (error instanceof UsageError) process.stderr.write(`\n${USAGE}`);
  process.exitCode = 1;
});
