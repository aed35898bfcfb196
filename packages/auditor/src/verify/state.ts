// The stored claims of earlier proofs, with which later ones must agree. The Python verifier uses the same file.
import { type Claims, claimedRecords, type Named } from '@countersign/proof-kit/compare-proofs';
import type { ChainLoss } from '@countersign/proof-kit/log-closing';
import { UsageError } from '../arguments.ts';
import { parseOrNull, readIfPresent, replaceFile } from '../state-file.ts';

const text = (value: unknown): value is string => typeof value === 'string';
const whole = (value: unknown): value is number => Number.isInteger(value);
const flag = (value: unknown): value is boolean => typeof value === 'boolean';
const texts = (value: unknown): value is string[] => Array.isArray(value) && value.every(text);
const number = (value: unknown): value is number => typeof value === 'number';
const orNull =
  <T>(isValue: (value: unknown) => value is T) =>
  (value: unknown): value is T | null =>
    value === null || isValue(value);

const losses = (value: unknown): value is ChainLoss[] =>
  Array.isArray(value) &&
  value.every(({ origin, signed, present }: ChainLoss) => text(origin) && whole(signed) && whole(present));

const LISTS = {
  records: {
    origin: text,
    index: whole,
    hash: text,
    previousHash: orNull(text),
    log: orNull(whole),
    trusted: flag,
  },
  checkpoints: { origin: text, size: whole, root: text, note: text, trusted: flag },
  /** What proofs say about their decisions; `hash` is that of the decision's record, `outcome` that of the outcome's. */
  decisions: {
    service: text,
    eventId: text,
    rejected: flag,
    hash: orNull(text),
    outcome: orNull(text),
    mandateId: orNull(text),
    use: orNull(whole),
    /** The decision that granted the mandate, and what the use says about its place among the uses. */
    grant: orNull(text),
    previous: orNull(text),
    spent: orNull(number),
    deducted: orNull(number),
    trusted: flag,
  },
  /** Statements that closed logs; `digest` is that of the statement. */
  closings: { service: text, log: whole, digest: text, at: text, chains: losses, trusted: flag },
  /** Evidence of two histories: proofs refuted because they contradict earlier ones. */
  contradictions: { file: text, reason: text, checkpoints: texts },
};

type Entry<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends (value: unknown) => value is infer T ? T : never;
};
export type State = { version: 1 } & { [Name in keyof typeof LISTS]: Entry<(typeof LISTS)[Name]>[] };

function isState(value: unknown): value is State {
  const state = (value ?? {}) as Record<string, unknown>;
  if (state['version'] !== 1) return false;
  return Object.entries(LISTS).every(([name, fields]) => {
    const list = state[name];
    const isEntry = (entry: unknown) =>
      typeof entry === 'object' &&
      entry !== null &&
      Object.entries(fields).every(([key, isValue]) => isValue((entry as Record<string, unknown>)[key]));
    return Array.isArray(list) && list.every(isEntry);
  });
}

/** The name of the state in reasons. */
const NAME = 'the state';

export async function readState(path: string): Promise<State> {
  const text = await readIfPresent(path);
  if (text === null)
    return { version: 1, records: [], checkpoints: [], decisions: [], closings: [], contradictions: [] };
  const state = upgraded(parseOrNull(text));
  if (!isState(state)) throw new UsageError(`--state ${path}: not a state of this command`);
  return state;
}

const NEW_IN_DECISIONS = { hash: null, grant: null, previous: null, spent: null, deducted: null };

/** Files of earlier versions have no decisions, no closings, and records and decisions that say less. */
function upgraded(state: unknown): unknown {
  if (typeof state !== 'object' || state === null) return state;
  const { records, decisions = [] } = state as { records?: unknown; decisions?: unknown };
  return {
    closings: [],
    ...state,
    records: Array.isArray(records)
      ? records.map((record) => ({ ...record, log: record?.log ?? null }))
      : records,
    decisions: Array.isArray(decisions)
      ? decisions.map((decision) => ({ ...decision, ...NEW_IN_DECISIONS, ...decision }))
      : decisions,
  };
}

/** The claims of the state, in the form of proof claims. */
export function proofsInState(state: State): Named[] {
  const nothing = { origin: null, index: 0, hash: '', previousHash: null, log: null, checkpoints: [] };
  return [
    ...state.records.map(({ trusted, ...record }) => ({
      name: NAME,
      claims: { ...nothing, ...record, isTrusted: trusted },
    })),
    ...state.checkpoints.map(({ trusted, ...checkpoint }) => ({
      name: NAME,
      claims: { ...nothing, checkpoints: [checkpoint], isTrusted: trusted },
    })),
    ...state.closings.map(({ trusted, ...closing }) => ({
      name: NAME,
      claims: { ...nothing, closings: [closing], isTrusted: trusted },
    })),
    ...state.decisions.map(
      ({ service, eventId, rejected, hash, outcome, mandateId, use, trusted, ...ofUse }) => ({
        name: NAME,
        claims: {
          ...nothing,
          isTrusted: trusted,
          decision: {
            service,
            eventId,
            isRejected: rejected,
            ...(hash !== null && { hash }),
            ...(outcome !== null && { outcome }),
          },
          ...(mandateId !== null && use !== null && { mandateUse: { id: mandateId, use, hash, ...ofUse } }),
        },
      }),
    ),
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
  const closings = new Map(state.closings.map((each) => [`${each.service} ${each.log}`, each]));
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
    const { isTrusted: trusted, decision, grant, mandateUse } = claims;
    for (const record of claimedRecords(claims))
      keep(records, `${record.origin} ${record.index}`, { ...record, trusted });
    for (const seen of claims.checkpoints)
      keep(checkpoints, `${seen.origin} ${seen.size}`, { ...seen, trusted });
    for (const { service, log, digest, at, chains } of claims.closings ?? [])
      keep(closings, `${service} ${log}`, { service, log, digest, at, chains: [...chains], trusted });
    for (const [claim, used] of [[decision, mandateUse], [grant]] as const) {
      if (claim === undefined) continue;
      const { service, eventId, isRejected: rejected, hash = null, outcome = null } = claim;
      const { id: mandateId, hash: _, ...ofUse } = used ?? NO_USE;
      const key = `${service} ${eventId}`;
      const seen = { service, eventId, rejected, hash, outcome, mandateId, ...ofUse, trusted };
      const before = decisions.get(key);
      if (before?.trusted === trusted) decisions.set(key, completed(before, seen));
      else keep(decisions, key, seen);
    }
  }
  return {
    version: 1,
    records: [...records.values()],
    checkpoints: [...checkpoints.values()],
    decisions: [...decisions.values()],
    closings: [...closings.values()],
    contradictions,
  };
}

const NO_USE = {
  id: null,
  grant: null,
  use: null,
  hash: null,
  previous: null,
  spent: null,
  deducted: null,
};

/** What an entry does not know yet, such as the outcome, is taken from a later proof. */
function completed<T extends object>(entry: T, later: T): T {
  const added = Object.entries(later).filter(([name]) => entry[name as keyof T] === null);
  return { ...entry, ...Object.fromEntries(added) };
}

/** A trusted claim replaces an untrusted one; nothing else is overwritten. */
function keep<T extends { trusted: boolean }>(kept: Map<string, T>, key: string, entry: T): void {
  const before = kept.get(key);
  if (before === undefined || (entry.trusted && !before.trusted)) kept.set(key, entry);
}

export function writeState(path: string, state: State): Promise<void> {
  return replaceFile(path, `${JSON.stringify(state, null, 2)}\n`);
}
