import { readArguments, UsageError } from '@countersign/auditor/usage-error';
import type { z } from 'zod';
import { appointInput } from '../../domain/identity/appoint-admin.ts';
import { approveByEmailInput } from '../../domain/memberships/approve-by-email.ts';
import { firstCenterInput } from '../../domain/provisioning/first-center.ts';
import type { InitInput } from './init.ts';

export const USAGE = `The first steps on a new installation. Uses DATABASE_URL, or the database that a running server keeps in DATA_DIR.

  npm run admin -- create --email <address> --name <name>
      makes a platform administrator and prints a link to set the password; it works once and for an hour
  npm run admin -- center --domain <slug> --name <name> --vertical <vertical> --admin <address>
      makes a center and invites its administrator by mail
      --plan <id>                       the plan it begins with, center-starter unless given
  npm run admin -- approve --email <address>
      approves the membership of a person who has accepted an invitation
      --domain <slug>                   the center, where the person waits in several
  npm run admin -- reencrypt
      encrypts with ENCRYPTION_KEY what ENCRYPTION_KEY_PREVIOUS encrypted; can be interrupted and run again
  npm run admin -- init
      prints the SQL that prepares a PostgreSQL server for a production install, with random passwords
      --url <address>                   a superuser's: runs it there and prints DATABASE_URL and DATABASE_OWNER_URL
      --database, --owner, --login <name>   countersign, countersign_owner and countersign unless given

  --json                                machine-readable output
  --help
`;

export type Order =
  | { verb: 'create'; input: z.infer<typeof appointInput> }
  | { verb: 'center'; input: z.infer<typeof firstCenterInput> }
  | { verb: 'approve'; input: z.infer<typeof approveByEmailInput> }
  | { verb: 'reencrypt' }
  | { verb: 'init'; input: InitInput };

export interface Options {
  order: Order;
  json: boolean;
}

export function readOptions(args: string[]): Options | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const json = values.json ?? false;
  const [verb, ...rest] = positionals;
  if (rest.length === 0 && verb === 'create') {
    return {
      json,
      order: { verb, input: checked(appointInput, { email: values.email, name: values.name }) },
    };
  }
  if (rest.length === 0 && verb === 'center') {
    const { domain, name, vertical, admin, plan } = values;
    return {
      json,
      order: { verb, input: checked(firstCenterInput, { domain, name, vertical, admin, plan }) },
    };
  }
  if (rest.length === 0 && verb === 'approve') {
    const { email, domain } = values;
    return { json, order: { verb, input: checked(approveByEmailInput, { email, domain }) } };
  }
  if (rest.length === 0 && verb === 'init') {
    const { url, database = 'countersign', owner = 'countersign_owner', login = 'countersign' } = values;
    return { json, order: { verb, input: { url, database, owner, login } } };
  }
  if (rest.length === 0 && verb === 'reencrypt') return { json, order: { verb } };
  throw new UsageError('The first argument must be create, center, approve, reencrypt or init.');
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  return readArguments({
    args,
    allowPositionals: true,
    options: {
      email: text,
      name: text,
      domain: text,
      vertical: text,
      admin: text,
      plan: text,
      url: text,
      database: text,
      owner: text,
      login: text,
      json: flag,
      help: { ...flag, short: 'h' },
    },
  });
}

function checked<Schema extends z.ZodType>(schema: Schema, values: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new UsageError(`--${String(path[0])}: ${message}`);
}
