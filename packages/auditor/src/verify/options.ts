import { resolve } from 'node:path';
import { flags, isAddress, lists, readArguments, repeatFlags, texts, UsageError } from '../arguments.ts';

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

interface NamedFiles {
  /** As given by the caller. */
  files: string[];
  /** The folder that relative names refer to. */
  folder: string;
  witnesses: string[];
  quorum: string | undefined;
}

export interface ReceiptsTarget extends NamedFiles {
  kind: 'receipts';
  /** The service that provided them. */
  url: string;
  /** The event that they must be about. */
  eventId: string | undefined;
}

interface FilesTarget extends NamedFiles {
  kind: 'files';
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

type Flags = ReturnType<typeof parse>['values'];

/** How to find the chains of a database, which only the service knows. */
export type FindDatabase = (flags: Flags, env: NodeJS.ProcessEnv) => DatabaseTarget;

export function readOptions(
  args: string[],
  env: NodeJS.ProcessEnv,
  findDatabase?: FindDatabase,
): Options | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const { key: keys = [], 'keys-from': keysFrom = [], json = false } = values;
  const common = { keys, keysFrom, json };
  const { receipt: receipts = [], witness: witnesses = [], quorum } = values;
  // npm runs scripts in the project's folder; paths are relative to the caller's folder.
  const folder = env['INIT_CWD'] || process.cwd();
  const named = { files: [...receipts, ...positionals], folder, witnesses, quorum };
  if (receipts.length > 0) return { ...common, target: receiptsTarget(named, values) };
  if (!values.chain) {
    if (positionals.length === 0) throw new UsageError('Name a proof, or say --chain.');
    return { ...common, target: filesTarget(named, values) };
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

function filesTarget(named: NamedFiles, { people, state }: Flags): FilesTarget {
  const path = (name: string | undefined) => (name === undefined ? undefined : resolve(named.folder, name));
  return { kind: 'files', ...named, peoplePath: path(people), statePath: path(state) };
}

function receiptsTarget(named: NamedFiles, { url, event: eventId }: Flags): ReceiptsTarget {
  if (!isAddress(url)) throw new UsageError('--receipt needs --url, the address of the service.');
  return { kind: 'receipts', ...named, url: url.replace(/\/+$/, ''), eventId };
}

/** What may follow a key; anything else is a document. */
const VKEY = /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*$/;

function parse(args: string[]) {
  return readArguments({
    args: repeatFlags(args, ['--key', '--witness'], (arg) => VKEY.test(arg)),
    allowPositionals: true,
    options: {
      ...texts('url', 'token', 'database', 'checkpoints', 'quorum', 'people', 'event', 'state'),
      ...lists('key', 'keys-from', 'witness', 'receipt'),
      ...flags('chain', 'fast', 'json'),
    },
  });
}
