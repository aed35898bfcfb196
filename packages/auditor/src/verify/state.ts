// What the command remembers of proofs it has seen: the next ones must agree with it. The Python verifier keeps the same file.
import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Named } from '@countersign/proof-kit/compare-proofs';
import type { Claims } from '@countersign/proof-kit/verify-proof';
import { UsageError } from '../usage-error.ts';

export interface State {
  version: 1;
  records: { origin: string; index: number; hash: string; previousHash: string | null; trusted: boolean }[];
  checkpoints: { origin: string; size: number; root: string; note: string; trusted: boolean }[];
  /** Evidence of two histories: what was refuted because it contradicts what came before. */
  contradictions: { file: string; reason: string; checkpoints: string[] }[];
}

type Fields = Record<string, 'string' | 'number' | 'boolean' | 'text or null' | 'texts'>;
const forms: Record<Exclude<keyof State, 'version'>, Fields> = {
  records: {
    origin: 'string',
    index: 'number',
    hash: 'string',
    previousHash: 'text or null',
    trusted: 'boolean',
  },
  checkpoints: { origin: 'string', size: 'number', root: 'string', note: 'string', trusted: 'boolean' },
  contradictions: { file: 'string', reason: 'string', checkpoints: 'texts' },
};

function fits(value: unknown, form: Fields[string]): boolean {
  if (form === 'texts') return Array.isArray(value) && value.every((each) => typeof each === 'string');
  if (form === 'text or null') return value === null || typeof value === 'string';
  return form === 'number' ? Number.isInteger(value) : typeof value === form;
}

function isState(value: unknown): value is State {
  const state = (value ?? {}) as Record<string, unknown>;
  if (state['version'] !== 1) return false;
  return Object.entries(forms).every(([name, fields]) => {
    const list = state[name];
    const isEntry = (entry: unknown) =>
      typeof entry === 'object' &&
      entry !== null &&
      Object.entries(fields).every(([key, form]) => fits((entry as Record<string, unknown>)[key], form));
    return Array.isArray(list) && list.every(isEntry);
  });
}

/** By which name the state is known in reasons. */
const NAME = 'the state';

export async function readState(path: string): Promise<State> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return { version: 1, records: [], checkpoints: [], contradictions: [] };
  const state = parsed(text);
  if (!isState(state)) throw new UsageError(`--state ${path}: not a state of this command`);
  return state;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What the state says, in the form in which proofs say it. */
export function rememberedIn(state: State): Named[] {
  const nothing = { origin: null, index: 0, hash: '', previousHash: null, checkpoints: [] };
  return [
    ...state.records.map(({ trusted, ...record }) => ({
      name: NAME,
      claims: { ...nothing, ...record, isTrusted: trusted },
    })),
    ...state.checkpoints.map(({ trusted, ...checkpoint }) => ({
      name: NAME,
      claims: { ...nothing, checkpoints: [checkpoint], isTrusted: trusted },
    })),
  ];
}

export interface Judged {
  name: string;
  /** As the proof stands on its own. */
  claims: Claims | null;
  /** Why it was refuted by comparison, if it was. */
  contradiction: string | null;
}

export function remember(state: State, proofs: readonly Judged[]): State {
  const records = new Map(state.records.map((each) => [`${each.origin} ${each.index}`, each]));
  const checkpoints = new Map(state.checkpoints.map((each) => [`${each.origin} ${each.size}`, each]));
  const contradictions = [...state.contradictions];
  for (const { name, claims, contradiction } of proofs) {
    if (claims === null) continue;
    if (contradiction !== null) {
      contradictions.push({
        file: name,
        reason: contradiction,
        checkpoints: claims.checkpoints.map(({ note }) => note),
      });
      continue;
    }
    const { origin, index, hash, previousHash, isTrusted: trusted } = claims;
    if (origin !== null) keep(records, `${origin} ${index}`, { origin, index, hash, previousHash, trusted });
    for (const seen of claims.checkpoints)
      keep(checkpoints, `${seen.origin} ${seen.size}`, { ...seen, trusted });
  }
  return {
    version: 1,
    records: [...records.values()],
    checkpoints: [...checkpoints.values()],
    contradictions,
  };
}

/** What a trusted key stands behind takes the place of what none does, and nothing else takes the place of anything. */
function keep<T extends { trusted: boolean }>(kept: Map<string, T>, key: string, entry: T): void {
  const before = kept.get(key);
  if (before === undefined || (entry.trusted && !before.trusted)) kept.set(key, entry);
}

/** Whole or not at all. */
export async function writeState(path: string, state: State): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, `${JSON.stringify(state, null, 2)}\n`);
  await rename(temporary, path);
}
