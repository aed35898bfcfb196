import { resolve } from 'node:path';
import { type NoteKey, parseOrigin, parseVerifierKey, parseWitnessKey } from '@countersign/proof-kit';
import { flags, isAddress, lists, readArguments, repeatFlags, texts, UsageError } from '../arguments.ts';

export function usage(program: string): string {
  return `Follows the transparency log of a service and detects changes of its history.

  ${program} --url https://proof.example --state FILE [--key VKEY…] [--chain ORIGIN…]
                   [--witness VKEY…] [--quorum N] [--max-age SECONDS] [--compare FILE…] [--accept-loss HEX…] [--watch SECONDS] [--json]

  --url ADDRESS     the service
  --state FILE      what was seen so far; created by the first run. Keeps the evidence of a fork
  --key VKEY…       keys that must have signed the heads. Default: the first run trusts the published keys, and
                    later runs trust only those and the keys they vouch for
  --chain ORIGIN…   chains whose checkpoints must never shrink or fork (default: all)
  --witness VKEY…   witnesses that you trust
  --quorum N        how many of them must have cosigned each head (default: all)
  --max-age SECONDS the maximum age of the newest cosignature; without --witness, how long the head
                    may stay unchanged
  --compare FILE…   the states of other monitors: their view of the log must be consistent with this one
  --accept-loss HEX…  follow the service past a log that it closed after a loss; once, with the digest of the
                    statement as CLOSED shows it
  --watch SECONDS   poll every SECONDS until interrupted or until something is wrong
  --json            machine-readable output, one line for each check

Exit code 0: the history is unchanged or grew. 1: it changed, the log was closed and that is not accepted, or the
quorum or age is not met; the evidence is in the state. 2: usage, network, or unreadable.
`;
}

export interface Options {
  url: string;
  state: string;
  keys: NoteKey[];
  /** Null for all. */
  chains: ReadonlySet<string> | null;
  witnesses: NoteKey[];
  /** The required number of cosigning witnesses. */
  quorum: number;
  maxAgeSeconds: number | null;
  /** State files of other monitors. */
  others: string[];
  /** Digests of the statements that close logs. */
  accepted: string[];
  watchSeconds: number | null;
  json: boolean;
}

export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  if (!isAddress(values.url)) throw new UsageError('--url takes the address of a service.');
  if (!values.state) throw new UsageError('--state takes a file.');
  const watchSeconds = readSeconds('--watch', values.watch, /^[1-9]\d{0,6}$/);
  const maxAgeSeconds = readSeconds('--max-age', values['max-age'], /^[1-9]\d{0,8}$/);
  for (const origin of values.chain ?? []) {
    if (!parseOrigin(origin)?.chain) throw new UsageError(`--chain ${origin}: not the origin of a chain.`);
  }
  const path = (file: string) => resolve(env['INIT_CWD'] || process.cwd(), file);
  return {
    url: values.url.replace(/\/+$/, ''),
    state: path(values.state),
    keys: (values.key ?? []).map((vkey) => readKey('--key', vkey, parseVerifierKey)),
    chains: values.chain ? new Set(values.chain) : null,
    ...readWitnesses(values.witness ?? [], values.quorum),
    maxAgeSeconds,
    others: (values.compare ?? []).map(path),
    accepted: (values['accept-loss'] ?? []).map(readDigest),
    watchSeconds,
    json: values.json ?? false,
  };
}

function readSeconds(flag: string, value: string | undefined, form: RegExp): number | null {
  if (value === undefined) return null;
  if (!form.test(value)) throw new UsageError(`${flag} takes a number of seconds.`);
  return Number(value);
}

function readDigest(digest: string): string {
  if (!/^[0-9a-f]{64}$/.test(digest))
    throw new UsageError(`--accept-loss ${digest}: 64 hex digits are needed.`);
  return digest;
}

function readKey(flag: string, vkey: string, parse: (vkey: string) => NoteKey): NoteKey {
  try {
    return parse(vkey);
  } catch (error) {
    throw new UsageError(`${flag} ${vkey}: ${(error as Error).message}`);
  }
}

function readWitnesses(vkeys: string[], quorum: string | undefined): Pick<Options, 'witnesses' | 'quorum'> {
  const witnesses = vkeys.map((vkey) => readKey('--witness', vkey, parseWitnessKey));
  const different = new Set(witnesses.map(({ publicKey }) => publicKey.join())).size;
  if (quorum === undefined) return { witnesses, quorum: different };
  if (!/^\d{1,4}$/.test(quorum)) throw new UsageError('--quorum takes a number.');
  if (Number(quorum) > different) throw new UsageError(`--quorum ${quorum}: more than the witnesses named.`);
  return { witnesses, quorum: Number(quorum) };
}

function parse(args: string[]) {
  return readArguments({
    args: repeatFlags(args, ['--key', '--chain', '--witness', '--compare', '--accept-loss']),
    options: {
      ...texts('url', 'state', 'quorum', 'max-age', 'watch'),
      ...lists('key', 'chain', 'witness', 'compare', 'accept-loss'),
      ...flags('json'),
    },
  }).values;
}
