import { flags, readArguments, texts, UsageError } from '@countersign/auditor/arguments';
import type { z } from 'zod';
import { endRequirementInput } from '../../domain/identities/end-requirement.ts';
import { appointInput } from '../../domain/identity/appoint-admin.ts';
import { approveByEmailInput } from '../../domain/memberships/approve-by-email.ts';
import { firstCenterInput } from '../../domain/provisioning/first-center.ts';
import type { InitInput } from './init.ts';

export const USAGE = `Sets up and administers an installation. Uses DATABASE_URL, or the embedded database of a running server in DATA_DIR.

  npm run admin -- create --email <address> --name <name>
      creates a platform administrator and prints a link to set the password, valid once and for one hour
  npm run admin -- center --domain <slug> --name <name> --vertical <vertical> --admin <address>
      creates a center and invites its administrator by mail
      --plan <id>                       the initial plan (default: center-starter)
  npm run admin -- approve --email <address>
      approves the membership of a person who has accepted an invitation
      --domain <slug>                   the center, if the person waits in several
  npm run admin -- provider --domain <slug> --optional
      lets passwords and passkeys open a center again that requires its identity provider
  npm run admin -- reencrypt
      re-encrypts data of ENCRYPTION_KEY_PREVIOUS with ENCRYPTION_KEY; safe to interrupt and repeat
  npm run admin -- init
      prints the SQL that prepares a PostgreSQL server for a production install, with random passwords
      --url <address>                   run it as this superuser and print DATABASE_URL and DATABASE_OWNER_URL
      --database, --owner, --login <name>   defaults: countersign, countersign_owner, countersign

  --json                                machine-readable output
  --help
`;

export type ParsedCommand =
  | { verb: 'create'; input: z.infer<typeof appointInput> }
  | { verb: 'center'; input: z.infer<typeof firstCenterInput> }
  | { verb: 'approve'; input: z.infer<typeof approveByEmailInput> }
  | { verb: 'provider'; input: z.infer<typeof endRequirementInput> }
  | { verb: 'reencrypt' }
  | { verb: 'init'; input: InitInput };

export interface Options {
  command: ParsedCommand;
  json: boolean;
}

export function readOptions(args: string[]): Options | 'help' {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: {
      ...texts('email', 'name', 'domain', 'vertical', 'admin', 'plan', 'url', 'database', 'owner', 'login'),
      ...flags('json', 'optional'),
    },
  });
  if (values.help) return 'help';
  const { email, name, domain, vertical, admin, plan, url } = values;
  const { json = false, optional = false } = values;
  const { database = 'countersign', owner = 'countersign_owner', login = 'countersign' } = values;
  const commands: Record<ParsedCommand['verb'], () => ParsedCommand> = {
    create: () => ({ verb: 'create', input: checked(appointInput, { email, name }) }),
    center: () => {
      const input = checked(firstCenterInput, { domain, name, vertical, admin, plan });
      return { verb: 'center', input };
    },
    approve: () => ({ verb: 'approve', input: checked(approveByEmailInput, { email, domain }) }),
    provider: () => {
      if (!optional) throw new UsageError('--optional: is required');
      return { verb: 'provider', input: checked(endRequirementInput, { domain }) };
    },
    init: () => ({ verb: 'init', input: { url, database, owner, login } }),
    reencrypt: () => ({ verb: 'reencrypt' }),
  };
  const [verb = '', ...rest] = positionals;
  if (rest.length > 0 || !Object.hasOwn(commands, verb))
    throw new UsageError('The first argument must be create, center, approve, provider, reencrypt or init.');
  return { json, command: commands[verb as ParsedCommand['verb']]() };
}

function checked<Schema extends z.ZodType>(schema: Schema, values: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new UsageError(`--${String(path[0])}: ${message}`);
}
