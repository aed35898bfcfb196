import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type NoteKey, parseOrigin, parseVerifierKey } from '../../proof-kit/index.ts';
import { UsageError } from '../usage-error.ts';

export const USAGE = usage('npm run monitor --');

export function usage(program: string): string {
  return `Follows the head log of a service and finds out when its history is not what it was.

  ${program} --url https://proof.example --state FILE [--key VKEY …] [--chain ORIGIN …]
                   [--compare FILE …] [--watch SECONDS]

  --url ADDRESS     the service
  --state FILE      what was seen so far; made by the first run. The evidence of a fork stays in it
  --key VKEY        a key that must have signed the heads; may be repeated. Without it the first run trusts what the service
                    publishes, and every later one only that and what those keys have signed in
  --chain ORIGIN    a chain whose checkpoints must never shrink or fork; all chains when none is named
  --compare FILE    the state of another monitor: what the service has shown there must be part of what it shows here.
                    May be repeated
  --watch SECONDS   go on for ever, looking so often

Exit code 0: all is as it was, or grew. 1: it is not; the evidence is in the state. 2: usage, network, or unreadable.
`;
}

export interface Options {
  url: string;
  state: string;
  keys: NoteKey[];
  /** Null for all. */
  chains: ReadonlySet<string> | null;
  /** The states of other monitors. */
  others: string[];
  watchSeconds: number | null;
}

export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  if (!/^https?:\/\//.test(values.url ?? '') || !URL.canParse(values.url!))
    throw new UsageError('--url takes the address of a service.');
  if (!values.state) throw new UsageError('--state takes a file.');
  if (values.watch !== undefined && !/^[1-9]\d{0,6}$/.test(values.watch))
    throw new UsageError('--watch takes a number of seconds.');
  for (const origin of values.chain ?? []) {
    if (!parseOrigin(origin)?.chain) throw new UsageError(`--chain ${origin}: not the origin of a chain.`);
  }
  const path = (file: string) => resolve(env['INIT_CWD'] || process.cwd(), file);
  return {
    url: values.url!.replace(/\/+$/, ''),
    state: path(values.state),
    keys: (values.key ?? []).map(readKey),
    chains: values.chain ? new Set(values.chain) : null,
    others: (values.compare ?? []).map(path),
    watchSeconds: values.watch === undefined ? null : Number(values.watch),
  };
}

function readKey(vkey: string): NoteKey {
  try {
    return parseVerifierKey(vkey);
  } catch (error) {
    throw new UsageError(`--key ${vkey}: ${(error as Error).message}`);
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        url: { type: 'string' },
        state: { type: 'string' },
        key: { type: 'string', multiple: true },
        chain: { type: 'string', multiple: true },
        compare: { type: 'string', multiple: true },
        watch: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
