import { flags, lists, readArguments, texts, UsageError } from '@countersign/auditor/arguments';
import { createApiKeyInput } from '../../domain/api-keys/keys.ts';

export const USAGE = `Manages the API keys of a center. Uses DATABASE_URL, or the embedded database of a running server in DATA_DIR.

  npm run keys -- create <domain> --name <name> --scope proof:write   creates a key and shows it once
      --scope proof:read                                              may be repeated; proof:write includes reading
      --expires 2027-01-31T00:00:00Z                                  when it expires
      --rate 1200                                                     its own limit of requests per minute
  npm run keys -- list <domain>                                       lists the keys
  npm run keys -- revoke <domain> <id>                                revokes a key by its id, or the 8 characters after csk_

  --json                                                              machine-readable output
  --help
`;

export type ParsedCommand =
  | { verb: 'create'; domain: string; input: ReturnType<typeof createApiKeyInput.parse> }
  | { verb: 'list'; domain: string }
  | { verb: 'revoke'; domain: string; key: string };

export interface Options {
  command: ParsedCommand;
  json: boolean;
}

export function readOptions(args: string[]): Options | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [verb, domain, key, ...rest] = positionals;
  const json = values.json ?? false;
  if (!domain || rest.length > 0) throw new UsageError('Say what to do, and for which center.');
  if (verb === 'list' && key === undefined) return { json, command: { verb, domain } };
  if (verb === 'revoke' && key !== undefined) return { json, command: { verb, domain, key } };
  if (verb === 'create' && key === undefined)
    return { json, command: { verb, domain, input: inputOf(values) } };
  throw new UsageError('Say create, list or revoke with what belongs to it.');
}

function parse(args: string[]) {
  return readArguments({
    args,
    allowPositionals: true,
    options: { ...texts('name', 'expires', 'rate'), ...lists('scope'), ...flags('json') },
  });
}

function inputOf({ name, scope, expires, rate }: ReturnType<typeof parse>['values']) {
  const parsed = createApiKeyInput.safeParse({
    name,
    scopes: scope,
    expiresAt: expires === undefined ? null : new Date(expires),
    ratePerMinute: rate === undefined ? null : Number(rate),
  });
  if (parsed.success) return parsed.data;
  const names: Record<string, string> = { scopes: 'scope', expiresAt: 'expires', ratePerMinute: 'rate' };
  const { path, message } = parsed.error.issues[0]!;
  throw new UsageError(`--${names[String(path[0])] ?? String(path[0])}: ${message}`);
}
