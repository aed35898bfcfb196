import { Frontier, fromHex, toHex } from '@countersign/proof-kit';
import { sha256Bytes } from '../sha256-bytes.ts';
import { parseOrNull, readIfPresent, replaceFile } from '../state-file.ts';

/** What a monitor has seen and found. */
export interface MonitorState {
  url: string;
  /** The verifier keys it trusts. */
  keys: string[];
  /** The lines of the key history, as last published. */
  history?: string[];
  /** The newest signed head it has followed; null before the first. */
  head: string | null;
  /** When this head was first seen. */
  headSeenAt?: string;
  /** The log read so far: roots of the complete subtrees in hex, largest first. */
  frontier?: { size: number; subtrees: string[] };
  /** The newest checkpoint of each chain, as stored in the log. */
  chains: Record<string, string>;
  /** The last chain that was checked without having grown; the next run continues after it. */
  asked?: string;
  /** How many records chains had at least after a declared loss. */
  floors?: Record<string, number>;
  /** The digests of the statements that the operator accepted. */
  accepted?: string[];
  /** Logs that the service closed after a loss, as found by this monitor. */
  closed?: ClosedLogSeen[];
  /** Two contradicting signed statements, or another permanent fault. It is never removed. */
  evidence: Evidence[];
  /** The last temporary alarm, such as a missing quorum or a stale head. */
  alarm?: Evidence;
}

export interface ClosedLogSeen {
  origin: string;
  /** How many entries were signed. */
  entries: number;
  /** How many chains lost records. */
  chains: number;
  reason: string;
  at: string;
  /** That of the statement; missing in a state of an earlier release. */
  digest?: string;
  /** The signed note that declares it. */
  statement: string;
}

export interface Evidence {
  at: string;
  reason: string;
  /** The signed notes that contradict each other, and other evidence. */
  notes: string[];
}

export async function readState(path: string, url: string): Promise<MonitorState> {
  const state = await readOtherState(path);
  if (state === null) return { url, keys: [], head: null, chains: {}, evidence: [] };
  if (state.url !== url) throw new Error(`${path} is about ${state.url}`);
  return state;
}

/** The tree over the entries read so far; empty if the state has none, so that all are read again. */
export function readFrontier({ frontier }: MonitorState, path: string): Frontier {
  if (frontier === undefined) return new Frontier(sha256Bytes);
  try {
    return new Frontier(sha256Bytes, { size: frontier.size, subtrees: frontier.subtrees.map(fromHex) });
  } catch (error) {
    throw new Error(`${path} is damaged: ${(error as Error).message}`, { cause: error });
  }
}

export function writeFrontier({ state }: Frontier): MonitorState['frontier'] {
  return { size: state.size, subtrees: state.subtrees.map(toHex) };
}

/** The state of any monitor; null if there is no file. */
export async function readOtherState(path: string): Promise<MonitorState | null> {
  const text = await readIfPresent(path);
  if (text === null) return null;
  const state = parseOrNull(text) as MonitorState | null;
  const isState = typeof state?.chains === 'object' && Array.isArray(state.evidence);
  if (!isState || (state.head !== null && typeof state.head !== 'string'))
    throw new Error(`${path} is not the state of a monitor`);
  return state;
}

export function writeState(path: string, state: MonitorState): Promise<void> {
  return replaceFile(path, `${JSON.stringify(state, null, 1)}\n`);
}
