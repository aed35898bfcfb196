import { resolve } from 'node:path';
import { readArguments, repeatFlags, UsageError } from '../arguments.ts';

export const FILES_USAGE = (program: string) => `Verifies proofs in files, and whole chains.

  ${program} FILE…
      one or more proofs, without any network; they are compared with each other
      --key VKEY…                               keys of services that you trust
      --keys-from URL                           trust the keys that a service publishes
      --witness VKEY…                           witnesses that you trust
      --quorum N                                how many of them must have cosigned (default: all)
      --people FILE                             {"<id>": ["sha256:…"]}: the only passkeys you accept for these people
      --state FILE                              remembers verified proofs and compares later ones with them
  It prints FILE: verdict: reason. Exit code 0: all proven. 1: something is refuted. 2: usage, network, or something
  unreadable. 3: something is consistent or partial.

  ${program} --chain --url https://…
      the chains of a center on a running server
      --token <access token>                    of an ADMIN or INSTRUCTOR of the center; else COUNTERSIGN_TOKEN
  Exit code 0: all is valid. 1: something is not. --key and --keys-from as above.

  ${program} --receipt FILE… --url https://…
      checks whether the records that receipts promise are in the log
      --event ID                                the event that the receipts must be about
      --key, --keys-from, --witness, --quorum as above; default: the keys that the service publishes
  It prints FILE: kept | pending | broken | lost: reason. Exit code 0: all kept. 1: one is broken, or lost as the service
  declared. 2: usage, network, or not a receipt of a trusted key. 3: one is pending, too recent to be in the log for
  certain.

  --json                                        machine-readable output
  --help
`;

export interface DatabaseTarget {
  kind: 'database';
  url: string;
  checkpointFile: string;
  /** The path of the signing key history. */
  dataDir: string;
  /** Let the database compute the hashes. */
  fast?: boolean;
}

export interface ServerTarget {
  kind: 'server';
  url: string;
  token: string;
}

export interface ReceiptsTarget {
  kind: 'receipts';
  /** As given by the caller. */
  files: string[];
  folder: string;
  /** The service that provided them. */
  url: string;
  /** The event that they must be about. */
  eventId: string | undefined;
  witnesses: string[];
  quorum: string | undefined;
}

interface FilesTarget {
  kind: 'files';
  /** As given by the caller. */
  files: string[];
  /** The folder that relative names refer to. */
  folder: string;
  witnesses: string[];
  quorum: string | undefined;
  /** The file that pins passkeys to people. */
  peoplePath: string | undefined;
  statePath: string | undefined;
}

export interface Options {
  target: FilesTarget | ReceiptsTarget | DatabaseTarget | ServerTarget;
  keys: string[];
  keysFrom: string[];
  json: boolean;
}

/** The raw flags, for callers that need a database. */
interface DatabaseFlags {
  database?: string | undefined;
  checkpoints?: string | undefined;
  fast?: boolean | undefined;
}

/** How to find the chains of a database, which only the service knows. */
export type FindDatabase = (flags: DatabaseFlags, env: NodeJS.ProcessEnv) => DatabaseTarget;

export function readOptions(
  args: string[],
  env: NodeJS.ProcessEnv,
  findDatabase?: FindDatabase,
): Options | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const { key: keys = [], 'keys-from': keysFrom = [], json = false } = values;
  const common = { keys, keysFrom, json };
  if (values.receipt) return { ...common, target: receiptsTarget(values.receipt, positionals, values, env) };
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
  if (!findDatabase) throw new UsageError('--chain needs --url, the address of a service.');
  return { ...common, target: findDatabase(values, env) };
}

interface Named {
  witness?: string[] | undefined;
  quorum?: string | undefined;
  people?: string | undefined;
  state?: string | undefined;
  url?: string | undefined;
  event?: string | undefined;
}

/** npm runs scripts in the project's folder; paths are relative to the caller's folder. */
const folderOf = (env: NodeJS.ProcessEnv) => env['INIT_CWD'] || process.cwd();

function filesTarget(files: string[], values: Named, env: NodeJS.ProcessEnv): FilesTarget {
  const folder = folderOf(env);
  const { witness: witnesses = [], quorum, people, state } = values;
  const path = (name: string | undefined) => (name === undefined ? undefined : resolve(folder, name));
  return {
    kind: 'files',
    files,
    folder,
    witnesses,
    quorum,
    peoplePath: path(people),
    statePath: path(state),
  };
}

function receiptsTarget(
  receipts: string[],
  more: string[],
  { url, event: eventId, witness: witnesses = [], quorum }: Named,
  env: NodeJS.ProcessEnv,
): ReceiptsTarget {
  if (!/^https?:\/\//.test(url ?? '') || !URL.canParse(url!))
    throw new UsageError('--receipt needs --url, the address of the service.');
  const files = [...receipts, ...more];
  const folder = folderOf(env);
  return { kind: 'receipts', files, folder, url: url!.replace(/\/+$/, ''), eventId, witnesses, quorum };
}

/** What may follow a key; anything else is a document. */
const VKEY = /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*$/;

function parse(args: string[]) {
  return readArguments({
    args: repeatFlags(args, ['--key', '--witness'], (arg) => VKEY.test(arg)),
    allowPositionals: true,
    options: {
      chain: { type: 'boolean' },
      url: { type: 'string' },
      token: { type: 'string' },
      database: { type: 'string' },
      checkpoints: { type: 'string' },
      fast: { type: 'boolean' },
      key: { type: 'string', multiple: true },
      'keys-from': { type: 'string', multiple: true },
      witness: { type: 'string', multiple: true },
      quorum: { type: 'string' },
      people: { type: 'string' },
      receipt: { type: 'string', multiple: true },
      event: { type: 'string' },
      state: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
}
