import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runningEmbeddedUrl } from '../../db/embedded/running.ts';

export const USAGE = `Checks proofs in files, and whole chains.

  npm run verify -- FILE…                       one or more proofs, without any network; they are compared with each other
      --key VKEY…                               keys of services that you trust
      --keys-from URL                           trust the keys that a service publishes
      --witness VKEY…                           witnesses that you trust
      --quorum N                                how many of them must have cosigned; else all of them
      --state FILE                              remembers what was proven, and compares the next proofs with it
  It prints FILE: verdict: reason. Exit code 0: all proven. 1: something is refuted. 2: usage, network, or something
  unreadable. 3: something is consistent or partial.

  npm run verify -- --chain                     every chain of a database, recomputed record by record, and compared
                                                with the checkpoints in its table and in the file outside it
      --database postgres://…                   which one; else DATABASE_URL, else the one running in DATA_DIR
      --checkpoints <file>                      the file; else CHECKPOINT_FILE, else checkpoints.log in DATA_DIR
  npm run verify -- --chain --url https://…     the chains of a center on a running server
      --token <access token>                    of an ADMIN or INSTRUCTOR of the center; else COUNTERSIGN_TOKEN
  Exit code 0: all is valid. 1: something is not. --key and --keys-from as above.

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

export interface FilesTarget {
  kind: 'files';
  /** As the caller named them. */
  files: string[];
  /** From where they are named. */
  folder: string;
  witnesses: string[];
  quorum: string | undefined;
  statePath: string | undefined;
}

export interface Options {
  target: FilesTarget | DatabaseTarget | ServerTarget;
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
    if (positionals.length === 0) throw new UsageError('Name a proof, or say --chain.');
    return { ...common, target: filesTarget(positionals, values, env) };
  }
  if (positionals.length > 0) throw new UsageError('--chain takes no documents.');
  if (values.url !== undefined) {
    const token = values.token ?? env['COUNTERSIGN_TOKEN'];
    if (!token) throw new UsageError('--url needs --token, the access token of a member of the center.');
    return { ...common, target: { kind: 'server', url: values.url.replace(/\/+$/, ''), token } };
  }
  return { ...common, target: databaseTarget(values, env) };
}

function filesTarget(
  files: string[],
  values: { witness?: string[] | undefined; quorum?: string | undefined; state?: string | undefined },
  env: NodeJS.ProcessEnv,
): FilesTarget {
  // npm runs scripts in the project's folder; names are meant from where the caller stands.
  const folder = env['INIT_CWD'] || process.cwd();
  const { witness: witnesses = [], quorum, state } = values;
  const statePath = state === undefined ? undefined : resolve(folder, state);
  return { kind: 'files', files, folder, witnesses, quorum, statePath };
}

const VKEY = /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*$/;

/** Several keys may follow one flag: each gets the flag before it. */
function spread(args: string[]): string[] {
  let flag: string | null = null;
  return args.flatMap((arg, i) => {
    const before = args[i - 1];
    if (before === '--key' || before === '--witness') flag = before;
    else if (arg.startsWith('-') || !VKEY.test(arg)) flag = null;
    else if (flag !== null) return [flag, arg];
    return [arg];
  });
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args: spread(args),
      allowPositionals: true,
      options: {
        chain: { type: 'boolean' },
        url: { type: 'string' },
        token: { type: 'string' },
        database: { type: 'string' },
        checkpoints: { type: 'string' },
        key: { type: 'string', multiple: true },
        'keys-from': { type: 'string', multiple: true },
        witness: { type: 'string', multiple: true },
        quorum: { type: 'string' },
        state: { type: 'string' },
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
