import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { Frontier, fromHex, toHex } from '@countersign/proof-kit';
import { sha256Bytes } from '../sha256-bytes.ts';

/** What a monitor has seen, and what it has found. */
export interface MonitorState {
  url: string;
  /** The verifier keys it trusts. */
  keys: string[];
  /** The lines of the key history, as last published. */
  history?: string[];
  /** The newest head it has followed, as it was signed; null before the first. */
  head: string | null;
  /** When this head was first seen. */
  headSeenAt?: string;
  /** The log read so far: roots of the complete subtrees in hex, the largest first. */
  frontier?: { size: number; subtrees: string[] };
  /** The newest checkpoint of each chain, as it is in the log. */
  chains: Record<string, string>;
  /** The last of them that was asked for without having grown: the next look goes on after it. */
  asked?: string;
  /** Logs that the service closed after a loss, as this monitor found them. */
  closed?: ClosedLogSeen[];
  /** Two signed statements that cannot both be true, or what else is wrong. Once there, it stays. */
  evidence: Evidence[];
  /** The last alarm that may pass, such as a missing quorum or a head that is too old. */
  alarm?: Evidence;
}

export interface ClosedLogSeen {
  origin: string;
  /** How many entries were signed, and how many the service kept. */
  entries: number;
  kept: number;
  /** How many chains lost records. */
  chains: number;
  reason: string;
  at: string;
  /** The signed statement that says so. */
  statement: string;
}

export interface Evidence {
  at: string;
  reason: string;
  /** The signed notes that contradict each other, and whatever else shows it. */
  notes: string[];
}

/** Not as asked for now, but it may be again: a quorum that is missing, a head that is too old. */
export class Alarm extends Error {
  readonly notes: string[];

  constructor(reason: string, notes: string[]) {
    super(reason);
    this.name = 'Alarm';
    this.notes = notes;
  }
}

export async function readState(path: string, url: string): Promise<MonitorState> {
  const state = await readOther(path);
  if (state === null) return { url, keys: [], head: null, chains: {}, evidence: [] };
  if (state.url !== url) throw new Error(`${path} is about ${state.url}`);
  return state;
}

/** The tree over the entries read so far; the empty one where the state has none, so that all are read again. */
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

/** The state of any monitor; null where there is no file. */
export async function readOther(path: string): Promise<MonitorState | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  let state: MonitorState;
  try {
    state = JSON.parse(text) as MonitorState;
  } catch {
    throw new Error(`${path} is not the state of a monitor`);
  }
  const isState = typeof state?.chains === 'object' && Array.isArray(state.evidence);
  if (!isState || (state.head !== null && typeof state.head !== 'string'))
    throw new Error(`${path} is not the state of a monitor`);
  return state;
}

/** All of it or nothing: what was seen once must not be forgotten by a crash. */
export async function writeState(path: string, state: MonitorState): Promise<void> {
  const apart = `${path}.${randomBytes(4).toString('hex')}.new`;
  const file = await open(apart, 'wx');
  try {
    await file.writeFile(`${JSON.stringify(state, null, 1)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(apart, path);
}
