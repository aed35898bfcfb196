// npm run keys: makes, lists and ends the API keys of a center.
import { ConfigError, loadConfig } from '../config.ts';
import { runningEmbeddedUrl } from '../db/embedded/running.ts';
import { DomainError } from '../lib/errors.ts';
import { makeLog } from '../lib/log.ts';
import { openApp } from '../open-app.ts';
import { readOptions, USAGE, UsageError } from './keys/options.ts';
import { carryOut, type Outcome } from './keys/run.ts';

function databaseUrl(config: ReturnType<typeof loadConfig>): string {
  const url = config.databaseUrl ?? runningEmbeddedUrl(config.dataDir);
  if (url) return url;
  throw new ConfigError('DATABASE_URL must be set, or a server must be running with its data in DATA_DIR');
}

const day = (date: Date | null, none: string) => date?.toISOString() ?? none;

function printed({ plaintext, keys }: Outcome): string {
  const lines = keys.map((key) =>
    [
      key.id,
      `csk_${key.publicId}_…`,
      key.scopes.join(','),
      key.revokedAt ? `revoked ${day(key.revokedAt, '')}` : `expires ${day(key.expiresAt, 'never')}`,
      `last used ${day(key.lastUsedAt, 'never')}`,
      key.name,
    ].join('  '),
  );
  const secret = plaintext ? [`${plaintext}`, 'Keep it now: it is not shown again.'] : [];
  return `${[...secret, ...lines].join('\n') || 'There are no keys.'}\n`;
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
    const outcome = await carryOut(app, options.order);
    process.stdout.write(options.json ? `${JSON.stringify(outcome, null, 2)}\n` : printed(outcome));
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
