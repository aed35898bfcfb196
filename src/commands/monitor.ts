// npm run monitor: follows the head log of a service, for cron or for ever.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseCheckpoint } from '../proof-kit/index.ts';
import { follow } from './monitor/follow.ts';
import { type Options, readOptions, USAGE, UsageError } from './monitor/options.ts';
import { Forked, type MonitorState, readState, writeState } from './monitor/state.ts';

/** One look; the exit code it would end with. */
async function look(options: Options): Promise<0 | 1> {
  const state = await readState(options.state, options.url);
  if (state.evidence.length > 0) {
    process.stderr.write(`FORKED before: ${state.evidence[0]!.reason} (${state.evidence[0]!.at})\n`);
    return 1;
  }
  try {
    const next = await follow(options, state);
    await writeState(options.state, next);
    const { origin, size } = parseCheckpoint(next.head!);
    process.stdout.write(
      `${origin}: ${size} entries, ${Object.keys(next.chains).length} chains, all as signed\n`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof Forked)) throw error;
    await keepEvidence(options, state, error);
    process.stderr.write(`FORKED: ${error.message}\nThe evidence is in ${options.state}\n`);
    return 1;
  }
}

/** What contradicts each other is kept beside what was seen before, which stays as it was. */
async function keepEvidence(
  options: Options,
  state: MonitorState,
  { message, notes }: Forked,
): Promise<void> {
  const all = state.head === null ? notes : [...new Set([state.head, ...notes])];
  const evidence = { at: new Date().toISOString(), reason: message, notes: all };
  await writeState(options.state, { ...state, evidence: [...state.evidence, evidence] });
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  for (;;) {
    const code = await look(options).catch((error: Error) => {
      if (options.watchSeconds === null) throw error;
      const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
      process.stderr.write(`could not look: ${error.message}${cause}\n`);
      return 0 as const;
    });
    if (code === 1 || options.watchSeconds === null) return code;
    await sleep(options.watchSeconds * 1_000);
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    process.stderr.write(`${error.message}${cause}\n${error instanceof UsageError ? `\n${USAGE}` : ''}`);
    process.exitCode = 2;
  },
);
