// npm run keys: creates, lists and revokes the API keys of a center.
import { readOptions, USAGE } from './keys/options.ts';
import { execute, type Outcome } from './keys/run.ts';
import { runCommand, withApp } from './run-command.ts';

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

await runCommand({
  usage: USAGE,
  readOptions,
  run: async ({ command, json }) => {
    const made = await withApp((app) => execute(app, command));
    process.stdout.write(json ? `${JSON.stringify(made, null, 2)}\n` : printed(made));
  },
});
