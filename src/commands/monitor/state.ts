import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';

/** What a monitor has seen, and what it has found. */
export interface MonitorState {
  url: string;
  /** The verifier keys it trusts. */
  keys: string[];
  /** The newest head it has followed, as it was signed; null before the first. */
  head: string | null;
  /** The newest checkpoint of each chain, as it stands in the log. */
  chains: Record<string, string>;
  /** The last of them that was asked for without having grown: the next look goes on after it. */
  asked?: string;
  /** Two signed statements that cannot both be true, or what else is wrong. Once there, it stays. */
  evidence: Evidence[];
}

export interface Evidence {
  at: string;
  reason: string;
  /** The signed notes that contradict each other, and whatever else shows it. */
  notes: string[];
}

/** The history is not what it was: this ends a run with exit code 1. */
export class Forked extends Error {
  readonly notes: string[];

  constructor(reason: string, notes: string[]) {
    super(reason);
    this.name = 'Forked';
    this.notes = notes;
  }
}

export async function readState(path: string, url: string): Promise<MonitorState> {
  const state = await readOther(path);
  if (state === null) return { url, keys: [], head: null, chains: {}, evidence: [] };
  if (state.url !== url) throw new Error(`${path} is about ${state.url}`);
  return state;
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
