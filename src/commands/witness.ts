// npm run witness: cosigns the heads of logs it knows, and never two views of one. It needs a folder, and no database.
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { tryLock } from '../lib/pid-lock.mjs';
import { type NoteKey, parseVerifierKey } from '../proof-kit/index.ts';
import { repeatFlags } from './repeat-flags.ts';
import { readArguments, UsageError } from './usage-error.ts';
import type { Logs } from './witness/add-checkpoint.ts';
import { witnessServer } from './witness/server.ts';
import { openWitnessState } from './witness/state.ts';

const USAGE = `A witness for the head logs of services (c2sp.org/tlog-witness). It prints its verifier key when it is ready.

  npm run witness -- --listen 127.0.0.1:4700 --state DIR --log VKEY… [--name NAME]

  --listen HOST:PORT   where to take checkpoints
  --state DIR          where its key and the newest checkpoint of each log are kept; its verifier key is in DIR/witness.vkey
  --log VKEY…          keys of logs, as /.well-known/countersign-keys.txt shows them, each for another log or the next of
                       one: \`NAME/log\` is what a key called NAME may sign for
  --name NAME          the name of this witness, given once, when its key is made
`;

interface Options {
  host: string;
  port: number;
  folder: string;
  logs: Logs;
  name: string | undefined;
}

function readOptions(args: string[], env: NodeJS.ProcessEnv): Options | 'help' {
  const { values } = parse(args);
  if (values.help) return 'help';
  const address = /^(\[[0-9a-fA-F:]+\]|[^:\s]+):(\d{1,5})$/.exec(values.listen ?? '');
  if (!address || Number(address[2]) > 65_535) throw new UsageError('--listen takes HOST:PORT.');
  if (!values.state) throw new UsageError('--state takes a folder.');
  if (!values.log?.length) throw new UsageError('--log takes the verifier key of a log.');
  if (values.name !== undefined && !/^[^\s+]{1,200}$/u.test(values.name))
    throw new UsageError('--name takes a name without spaces and plus signs.');
  return {
    host: address[1]!.replace(/^\[|\]$/g, ''),
    port: Number(address[2]),
    folder: resolve(env['INIT_CWD'] || process.cwd(), values.state),
    logs: logsOf(values.log),
    name: values.name,
  };
}

function parse(args: string[]) {
  return readArguments({
    args: repeatFlags(args, ['--log']),
    options: {
      listen: { type: 'string' },
      state: { type: 'string' },
      log: { type: 'string', multiple: true },
      name: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
}

/** A key signs for the head log of its service, and, as logs elsewhere do it, for a log of its own name. */
function logsOf(vkeys: string[]): Logs {
  const logs = new Map<string, NoteKey[]>();
  for (const vkey of vkeys) {
    let key: NoteKey;
    try {
      key = parseVerifierKey(vkey);
    } catch (error) {
      throw new UsageError(`--log ${vkey}: ${(error as Error).message}`);
    }
    for (const origin of [`${key.name}/log`, key.name]) logs.set(origin, [...(logs.get(origin) ?? []), key]);
  }
  return logs;
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === 'help') {
    process.stdout.write(USAGE);
    return;
  }
  mkdirSync(options.folder, { recursive: true });
  // Two processes with the same key could sign two views.
  const { holder } = tryLock(join(options.folder, 'witness.pid'));
  if (holder !== undefined) throw new Error(`process ${holder} is using ${options.folder} already`);
  const state = await openWitnessState(options.folder, options.name);
  const server = witnessServer(state, options.logs);
  await new Promise<void>((ready, failed) => {
    server.once('error', failed);
    server.listen(options.port, options.host, ready);
  });
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${state.vkey}\n`);
  process.stderr.write(`witness ${state.key.name} listens on ${options.host}:${port}\n`);
  // For a parent that listens, such as a test.
  process.send?.({ port, vkey: state.vkey });
  const stop = () => {
    server.close(() => process.exit(0));
    server.closeIdleConnections();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n${error instanceof UsageError ? `\n${USAGE}` : ''}`);
  process.exit(error instanceof UsageError ? 2 : 1);
});
