import { parseCheckpoint } from '@countersign/proof-kit';
import { Forked, ServiceFault } from '../log/forked.ts';
import { Closed, closedLine } from './closed-logs.ts';
import { follow } from './follow.ts';
import type { Options } from './options.ts';
import { type ClosedLogSeen, type Evidence, type MonitorState, readState, writeState } from './state.ts';

export interface CheckResult {
  /** The exit code of the command. */
  code: 0 | 1;
  /** A line for the user. */
  text: string;
  /** The same for programs. */
  found:
    | { ok: true; origin: string; entries: number; chains: number; closed?: ClosedLogSeen[] }
    | ({ ok: false } & Found);
}

interface Found {
  reason: string;
  /** When it was found. */
  at: string;
  /** The file that holds the evidence. */
  evidence: string;
}

/** Checks once and saves what it has seen. */
export async function checkOnce(options: Options): Promise<CheckResult> {
  const state = await withAccepted(options);
  const [before] = state.evidence;
  if (before) return failed(options, before, `FORKED before: ${before.reason} (${before.at})\n`);
  try {
    const next = await follow(options, state);
    await writeState(options.state, next);
    const { origin, size } = parseCheckpoint(next.head!);
    const chains = Object.keys(next.chains).length;
    const { closed = [] } = next;
    return {
      code: 0,
      text: `${closed.map((each) => `CLOSED: ${closedLine(each)}\n`).join('')}${origin}: ${size} entries, ${chains} chains, all as signed\n`,
      found: { ok: true, origin, entries: size, chains, ...(closed.length > 0 && { closed }) },
    };
  } catch (error) {
    if (!(error instanceof ServiceFault)) throw error;
    const evidence = await keepEvidence(options, state, error);
    if (error instanceof Closed)
      return failed(
        options,
        evidence,
        `CLOSED: ${evidence.reason}\nFollow with --accept-loss and the digest\n`,
      );
    const word = error instanceof Forked ? 'FORKED' : 'ALARM';
    return failed(options, evidence, `${word}: ${evidence.reason}\nThe evidence is in ${options.state}\n`);
  }
}

/** The state, in which a loss stays accepted even if this run ends with an alarm. */
async function withAccepted(options: Options): Promise<MonitorState> {
  const state = await readState(options.state, options.url);
  if (options.accepted.length === 0) return state;
  const accepted = [...new Set([...(state.accepted ?? []), ...options.accepted])];
  await writeState(options.state, { ...state, accepted });
  return { ...state, accepted };
}

function failed({ state }: Options, { reason, at }: Evidence, text: string): CheckResult {
  return { code: 1, text, found: { ok: false, reason, at, evidence: state } };
}

/** The contradicting evidence is stored beside the earlier state, which stays unchanged. */
async function keepEvidence(options: Options, state: MonitorState, error: ServiceFault): Promise<Evidence> {
  const { message, notes } = error;
  const all = state.head === null ? notes : [...new Set([state.head, ...notes])];
  const evidence = { at: new Date().toISOString(), reason: message, notes: all };
  await writeState(
    options.state,
    error instanceof Forked
      ? { ...state, evidence: [...state.evidence, evidence] }
      : { ...state, alarm: evidence },
  );
  return evidence;
}
