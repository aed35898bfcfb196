// npm run keys: creates, lists and revokes the API keys of a center.
import { readOptions, USAGE } from './keys/options.ts';
import { carryOut, type Outcome } from './keys/run.ts';
import { runCommand } from './with-app.ts';

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

runCommand({
  usage: USAGE,
  readOptions,
  carryOut: async (app, order: Parameters<typeof carryOut>[1]) => {
    const made = await carryOut(app, order);
    return { made, words: printed(made) };
  },
});
