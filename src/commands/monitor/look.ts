import { parseCheckpoint } from '../../proof-kit/index.ts';
import { follow } from './follow.ts';
import type { Options } from './options.ts';
import { type Evidence, Forked, type MonitorState, readState, writeState } from './state.ts';

export interface Look {
  /** The exit code that the command would end with. */
  code: 0 | 1;
  /** A line for whoever runs it. */
  text: string;
  /** The same for programs. */
  found: { ok: true; origin: string; entries: number; chains: number } | ({ ok: false } & Found);
}

interface Found {
  reason: string;
  /** When it was found out. */
  at: string;
  /** The file that holds the evidence. */
  evidence: string;
}

/** Looks once, and keeps what it has seen. */
export async function look(options: Options): Promise<Look> {
  const state = await readState(options.state, options.url);
  const [before] = state.evidence;
  if (before) {
    const { reason, at } = before;
    return {
      code: 1,
      text: `FORKED before: ${reason} (${at})\n`,
      found: { ok: false, reason, at, evidence: options.state },
    };
  }
  try {
    const next = await follow(options, state);
    await writeState(options.state, next);
    const { origin, size } = parseCheckpoint(next.head!);
    const chains = Object.keys(next.chains).length;
    return {
      code: 0,
      text: `${origin}: ${size} entries, ${chains} chains, all as signed\n`,
      found: { ok: true, origin, entries: size, chains },
    };
  } catch (error) {
    if (!(error instanceof Forked)) throw error;
    const { reason, at } = await keepEvidence(options, state, error);
    return {
      code: 1,
      text: `FORKED: ${reason}\nThe evidence is in ${options.state}\n`,
      found: { ok: false, reason, at, evidence: options.state },
    };
  }
}

/** What contradicts each other is kept beside what was seen before, which stays as it was. */
async function keepEvidence(
  options: Options,
  state: MonitorState,
  { message, notes }: Forked,
): Promise<Evidence> {
  const all = state.head === null ? notes : [...new Set([state.head, ...notes])];
  const evidence = { at: new Date().toISOString(), reason: message, notes: all };
  await writeState(options.state, { ...state, evidence: [...state.evidence, evidence] });
  return evidence;
}
