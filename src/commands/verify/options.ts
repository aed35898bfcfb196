import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runningEmbeddedUrl } from '../../db/embedded/running.ts';

export const USAGE = `Checks exported proofs and whole chains. Exit code 0: everything holds. 1: something does not.

  npm run verify -- export.json [more.json …]   one or more exported documents, without any network
  npm run verify -- --chain                     every chain of a database, recomputed record by record, and compared
                                                with the checkpoints in its table and in the file outside it
      --database postgres://…                   which one; else DATABASE_URL, else the one running in DATA_DIR
      --checkpoints <file>                      the file; else CHECKPOINT_FILE, else checkpoints.log in DATA_DIR
  npm run verify -- --chain --url https://…     the chains of a center on a running server
      --token <access token>                    of an ADMIN or INSTRUCTOR of the center; else COUNTERSIGN_TOKEN

  --key <verifier key or base64 key>            only signatures of this key count; may be repeated
  --keys-from <address>                         the same for the keys that a service publishes
  --json                                        machine-readable output
  --help
`;

/** A call that makes no sense: the usage is shown with it. */
export class UsageError extends Error {}

export interface DatabaseTarget {
  kind: 'database';
  url: string;
  checkpointFile: string;
  /** Where the history of signing keys lies. */
  dataDir: string;
}

export interface ServerTarget {
  kind: 'server';
  url: string;
  token: string;
}

export interface Options {
  target: { kind: 'files'; files: string[] } | DatabaseTarget | ServerTarget;
  keys: string[];
  keysFrom: string[];
  json: boolean;
}

export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const { key: keys = [], 'keys-from': keysFrom = [], json = false } = values;
  const common = { keys, keysFrom, json };
  if (!values.chain) {
    if (positionals.length === 0) throw new UsageError('Name an exported document, or say --chain.');
    // npm runs scripts in the project's folder; names are meant from where the caller stands.
    const here = env['INIT_CWD'] || process.cwd();
    return { ...common, target: { kind: 'files', files: positionals.map((file) => resolve(here, file)) } };
  }
  if (positionals.length > 0) throw new UsageError('--chain takes no documents.');
  if (values.url !== undefined) {
    const token = values.token ?? env['COUNTERSIGN_TOKEN'];
    if (!token) throw new UsageError('--url needs --token, the access token of a member of the center.');
    return { ...common, target: { kind: 'server', url: values.url.replace(/\/+$/, ''), token } };
  }
  return { ...common, target: databaseTarget(values, env) };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        chain: { type: 'boolean' },
        url: { type: 'string' },
        token: { type: 'string' },
        database: { type: 'string' },
        checkpoints: { type: 'string' },
        key: { type: 'string', multiple: true },
        'keys-from': { type: 'string', multiple: true },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function databaseTarget(
  values: { database?: string | undefined; checkpoints?: string | undefined },
  env: NodeJS.ProcessEnv,
): DatabaseTarget {
  const dataDir = resolve(env['DATA_DIR'] || '.data');
  const url = values.database ?? (env['DATABASE_URL'] || runningEmbeddedUrl(dataDir));
  if (!url) {
    throw new UsageError(
      `No database: none runs in ${dataDir}. Name one with --database, or a server with --url.`,
    );
  }
  const checkpointFile = values.checkpoints ?? (env['CHECKPOINT_FILE'] || join(dataDir, 'checkpoints.log'));
  return { kind: 'database', url, checkpointFile, dataDir };
}
