import { parseCheckpoint } from '../../proof-kit/index.ts';
import { follow } from './follow.ts';
import type { Options } from './options.ts';
import { Forked, type MonitorState, readState, writeState } from './state.ts';

export interface Look {
  /** The exit code that the command would end with. */
  code: 0 | 1;
  /** A line for whoever runs it. */
  text: string;
}

/** Looks once, and keeps what it has seen. */
export async function look(options: Options): Promise<Look> {
  const state = await readState(options.state, options.url);
  const [before] = state.evidence;
  if (before) return { code: 1, text: `FORKED before: ${before.reason} (${before.at})\n` };
  try {
    const next = await follow(options, state);
    await writeState(options.state, next);
    const { origin, size } = parseCheckpoint(next.head!);
    const chains = Object.keys(next.chains).length;
    return { code: 0, text: `${origin}: ${size} entries, ${chains} chains, all as signed\n` };
  } catch (error) {
    if (!(error instanceof Forked)) throw error;
    await keepEvidence(options, state, error);
    return { code: 1, text: `FORKED: ${error.message}\nThe evidence is in ${options.state}\n` };
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
