// npm run witness: cosigns the heads of known logs, and never two conflicting views of one. It needs a folder but no database.
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import {
  flags,
  isAddress,
  lists,
  readArguments,
  repeatFlags,
  texts,
  UsageError,
} from '@countersign/auditor/arguments';
import { tryLock } from '../lib/pid-lock.mjs';
import { acceptLoss, isDigest } from './witness/acceptances.ts';
import { type Logs, readLogs } from './witness/logs.ts';
import { witnessServer } from './witness/server.ts';
import { openWitnessState } from './witness/state.ts';

const USAGE = `Runs a witness for transparency logs (c2sp.org/tlog-witness). Prints its verifier key when ready.

  npm run witness -- --listen 127.0.0.1:4700 --state DIR --log "VKEY URL"… [--heads-only] [--name NAME]
  npm run witness -- accept-loss --state DIR --digest HEX [--url URL]

  --listen HOST:PORT   the address to listen on
  --state DIR          stores its key and the newest checkpoint of each log; its verifier key is in DIR/witness.vkey,
                       evidence of a fork in DIR/evidence
  --log "VKEY URL"…    keys of logs, as /.well-known/countersign-keys.txt shows them, each with the address of its service:
                       \`NAME/log\` is what a key called NAME may sign for, and \`NAME/log/2\` where that one was closed
                       and you have accepted it. The new entries of the log are read before a head
                       is cosigned, and every chain in them must only have grown. A VKEY without URL: heads only
  --heads-only         do not read the entries of any log
  --name NAME          the name of this witness, set once when its key is created

  accept-loss          accept that a service closed its log after a loss, by the digest of its statement. A running witness
                       sees it at once, cosigns the next log, and never again the closed one
  --digest HEX         64 hex digits, as the operator of the service and the refusals of this witness name it
  --url URL            read the statement from this service; needed for a VKEY without URL
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
  if (!values.log?.length)
    throw new UsageError('--log takes the verifier key of a log and the address of its service.');
  if (values.name !== undefined && !/^[^\s+]{1,200}$/u.test(values.name))
    throw new UsageError('--name takes a name without spaces and plus signs.');
  return {
    host: address[1]!.replace(/^\[|\]$/g, ''),
    port: Number(address[2]),
    folder: resolve(env['INIT_CWD'] || process.cwd(), values.state),
    logs: readLogs(values.log, values['heads-only'] ?? false),
    name: values.name,
  };
}

function parse(args: string[]) {
  return readArguments({
    args: repeatFlags(args, ['--log']),
    options: { ...texts('listen', 'state', 'name'), ...lists('log'), ...flags('heads-only') },
  });
}

async function accept(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { state, digest, url, help } = readArguments({
    args,
    options: texts('state', 'digest', 'url'),
  }).values;
  if (help) {
    process.stdout.write(USAGE);
    return;
  }
  if (!state) throw new UsageError('--state takes a folder.');
  if (!isDigest(digest)) throw new UsageError('--digest takes 64 hex digits.');
  if (url !== undefined && !isAddress(url)) throw new UsageError('--url takes the address of a service.');
  const folder = resolve(env['INIT_CWD'] || process.cwd(), state);
  process.stdout.write(await acceptLoss(folder, digest, url?.replace(/\/+$/, '')));
}

async function main(): Promise<void> {
  const [verb, ...rest] = process.argv.slice(2);
  if (verb === 'accept-loss') return accept(rest, process.env);
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === 'help') {
    process.stdout.write(USAGE);
    return;
  }
  mkdirSync(options.folder, { recursive: true });
  // Two processes with the same key could sign conflicting views.
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
  for (const [origin, { url, isRead }] of options.logs) {
    if (!origin.endsWith('/log')) continue;
    process.stderr.write(
      isRead
        ? `${origin}: reads the entries from ${url}\n`
        : `${origin}: heads only: its entries are not read\n`,
    );
  }
  // For a listening parent process, such as a test.
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
