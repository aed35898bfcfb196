import type { App } from '../../app.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '../../domain/api-keys/keys.ts';
import { type Context, systemContext } from '../../domain/context.ts';
import { DomainError } from '../../lib/errors.ts';
import type { ParsedCommand } from './options.ts';

type ApiKey = Awaited<ReturnType<typeof revokeApiKey>>;

/** The visible part of a key, never its hash. */
function shown({ secretHash: _, centerId: __, ...key }: ApiKey) {
  return key;
}

export type Outcome = { plaintext?: string; keys: ReturnType<typeof shown>[] };

export async function execute(app: App, command: ParsedCommand): Promise<Outcome> {
  const ctx = await contextOf(app, command.domain);
  switch (command.verb) {
    case 'create': {
      const { apiKey, plaintext } = await createApiKey(ctx, command.input);
      return { plaintext, keys: [shown(apiKey)] };
    }
    case 'list':
      return { keys: (await listApiKeys(ctx)).map(shown) };
    case 'revoke':
      return { keys: [shown(await revokeApiKey(ctx, await idOf(ctx, command.key)))] };
  }
}

async function contextOf(app: App, domain: string): Promise<Context> {
  const center = await app.db.acrossTenants.center.findUnique({ where: { centerDomain: domain } });
  if (!center) throw new DomainError('CENTER_NOT_FOUND', `There is no center ${domain}.`);
  return systemContext(app, 'keys command', center.id);
}

/** A key can also be identified by its public prefix. */
async function idOf(ctx: Context, name: string): Promise<string> {
  if (name.startsWith('key_')) return name;
  const publicId = name.replace(/^csk_/, '').slice(0, 8);
  return (await ctx.db.apiKey.findFirst({ where: { publicId } }))?.id ?? name;
}
