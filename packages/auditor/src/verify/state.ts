// The stored claims of earlier proofs, with which later ones must agree. The Python verifier uses the same file.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { type Claims, claimedRecords, type Named } from '@countersign/proof-kit/compare-proofs';
import { UsageError } from '../arguments.ts';

export interface State {
  version: 1;
  records: { origin: string; index: number; hash: string; previousHash: string | null; trusted: boolean }[];
  checkpoints: { origin: string; size: number; root: string; note: string; trusted: boolean }[];
  decisions: SeenDecision[];
  /** Evidence of two histories: proofs refuted because they contradict earlier ones. */
  contradictions: { file: string; reason: string; checkpoints: string[] }[];
}

/** A proof's claim about its decision; null if it makes none. */
interface SeenDecision {
  service: string;
  eventId: string;
  rejected: boolean;
  /** The hash of the outcome's record. */
  outcome: string | null;
  mandateId: string | null;
  use: number | null;
  trusted: boolean;
}

type Form = 'string' | 'number' | 'boolean' | 'text or null' | 'number or null' | 'texts';
type Fields = Record<string, Form>;
const forms: Record<Exclude<keyof State, 'version'>, Fields> = {
  records: {
    origin: 'string',
    index: 'number',
    hash: 'string',
    previousHash: 'text or null',
    trusted: 'boolean',
  },
  checkpoints: { origin: 'string', size: 'number', root: 'string', note: 'string', trusted: 'boolean' },
  decisions: {
    service: 'string',
    eventId: 'string',
    rejected: 'boolean',
    outcome: 'text or null',
    mandateId: 'text or null',
    use: 'number or null',
    trusted: 'boolean',
  },
  contradictions: { file: 'string', reason: 'string', checkpoints: 'texts' },
};

function fits(value: unknown, form: Form): boolean {
  if (form === 'texts') return Array.isArray(value) && value.every((each) => typeof each === 'string');
  if (form === 'text or null') return value === null || typeof value === 'string';
  if (form === 'number or null') return value === null || Number.isInteger(value);
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

/** The name of the state in reasons. */
const NAME = 'the state';

export async function readState(path: string): Promise<State> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return { version: 1, records: [], checkpoints: [], decisions: [], contradictions: [] };
  const state = parsed(text);
  // Files of earlier versions have no decisions.
  if (typeof state === 'object' && state !== null && !('decisions' in state))
    Object.assign(state, { decisions: [] });
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

/** The claims of the state, in the form of proof claims. */
export function proofsInState(state: State): Named[] {
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
    ...state.decisions.map(({ service, eventId, rejected, outcome, mandateId, use, trusted }) => ({
      name: NAME,
      claims: {
        ...nothing,
        isTrusted: trusted,
        decision: { service, eventId, isRejected: rejected, ...(outcome !== null && { outcome }) },
        ...(mandateId !== null && use !== null && { mandateUse: { id: mandateId, use } }),
      },
    })),
  ];
}

interface ComparedProof {
  name: string;
  /** The verdict on the proof alone. */
  claims: Claims | null;
  /** Why it was refuted by comparison, if it was. */
  contradiction: string | null;
}

export function recordProofs(state: State, proofs: readonly ComparedProof[]): State {
  const records = new Map(state.records.map((each) => [`${each.origin} ${each.index}`, each]));
  const checkpoints = new Map(state.checkpoints.map((each) => [`${each.origin} ${each.size}`, each]));
  const decisions = new Map(state.decisions.map((each) => [`${each.service} ${each.eventId}`, each]));
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
    const { isTrusted: trusted, decision, mandateUse } = claims;
    for (const record of claimedRecords(claims))
      keep(records, `${record.origin} ${record.index}`, { ...record, trusted });
    for (const seen of claims.checkpoints)
      keep(checkpoints, `${seen.origin} ${seen.size}`, { ...seen, trusted });
    if (decision) {
      const { service, eventId, isRejected: rejected, outcome = null } = decision;
      const { id: mandateId = null, use = null } = mandateUse ?? {};
      const key = `${service} ${eventId}`;
      // A proof without its outcome does not replace a known outcome; one with it completes the entry.
      const known = decisions.get(key)?.outcome ?? null;
      const seen = { service, eventId, rejected, outcome: outcome ?? known, mandateId, use, trusted };
      const before = decisions.get(key);
      if (before && before.trusted === trusted && known === null) decisions.set(key, seen);
      else keep(decisions, key, seen);
    }
  }
  return {
    version: 1,
    records: [...records.values()],
    checkpoints: [...checkpoints.values()],
    decisions: [...decisions.values()],
    contradictions,
  };
}

/** A trusted claim replaces an untrusted one; nothing else is overwritten. */
function keep<T extends { trusted: boolean }>(kept: Map<string, T>, key: string, entry: T): void {
  const before = kept.get(key);
  if (before === undefined || (entry.trusted && !before.trusted)) kept.set(key, entry);
}

/** Written atomically. */
export async function writeState(path: string, state: State): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, `${JSON.stringify(state, null, 2)}\n`);
  await rename(temporary, path);
}
