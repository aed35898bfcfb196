import {
  formatVerifierKey,
  type HistoricKey,
  KeyHistoryError,
  keyNameFor,
  type NoteKey,
  parseVerifierKey,
  readKeyHistory,
  type SignedCheckpoint,
  signersOf,
  verifyCosignature,
} from '@countersign/proof-kit';
import { Forked } from '../log/forked.ts';
import { getJson } from '../log/get.ts';
import type { Options } from './options.ts';
import type { MonitorState } from './state.ts';

/** A key that may sign heads until it is retired. */
export interface HeadKey extends NoteKey {
  /** Null if the key is not retired. */
  until: string | null;
}

export interface KnownKeys {
  /** Keys that were trusted once, and keys introduced by them. */
  trusted: HeadKey[];
  /** Retired by trusted keys before this monitor knew them: they signed entries of their time but sign no new heads. */
  earlier: NoteKey[];
  /** The lines of the key history as published. */
  history: string[];
}

/** The keys of a service from its published history, which must be valid and begin with what was published before. */
export async function readKnownKeys({ url, keys }: Options, state: MonitorState): Promise<KnownKeys> {
  const published = await getJson<{ history?: unknown }>(`${url}/.well-known/countersign-keys.json`);
  const lines = linesIn(published.history);
  requireGrown(state.history ?? [], lines);
  const history = await readKeyHistory(lines).catch((error: unknown) => {
    if (!(error instanceof KeyHistoryError)) throw error;
    throw new Forked(`the published key history does not hold: ${error.message}`, lines);
  });
  const known = new Set([...keys.map(formatVerifierKey), ...state.keys]);
  // Without any initial key, the first run trusts what is published.
  if (known.size === 0) for (const { vkey, vouched } of history) if (vouched) known.add(vkey);
  const ids = new Map(history.map(({ keyId, vkey }) => [keyId, vkey]));
  const isIn = (set: ReadonlySet<string>, keyId: string | null) =>
    keyId !== null && set.has(ids.get(keyId) ?? '');
  for (const { vkey, signedBy } of history) if (isIn(known, signedBy)) known.add(vkey);
  const all = new Set(known);
  for (const { vkey, retiredBy } of history.toReversed()) if (isIn(all, retiredBy)) all.add(vkey);
  return {
    trusted: [...known].map((vkey) => ({ ...parseVerifierKey(vkey), until: untilOf(vkey, history) })),
    earlier: [...all].filter((vkey) => !known.has(vkey)).map(parseVerifierKey),
    history: lines,
  };
}

function linesIn(history: unknown): string[] {
  if (Array.isArray(history) && history.every((line) => typeof line === 'string')) return history;
  throw new Forked('the service publishes no key history', []);
}

/** A published line never changes or moves. */
function requireGrown(before: readonly string[], now: readonly string[]): void {
  const changed = before.findIndex((line, i) => line !== now[i]);
  if (changed < 0) return;
  throw new Forked(`the key history was rewritten: line ${changed + 1} is not what was published before`, [
    before.join('\n'),
    now.join('\n'),
  ]);
}

function untilOf(vkey: string, history: readonly HistoricKey[]): string | null {
  return history.find((key) => key.vkey === vkey)?.until ?? null;
}

/**
 * Those of the keys that signed a note about an origin. Throws Forked unless one of them did, and for any invalid signature of
 * theirs. `text` is the evidence.
 */
export async function requireSigned<Key extends NoteKey>(
  { note, origin }: Pick<SignedCheckpoint, 'note' | 'origin'>,
  keys: readonly Key[],
  what: string,
  text = note.text,
): Promise<Key[]> {
  const own = keys.filter(({ name }) => name === keyNameFor(origin));
  const signers = await signersOf(note, own);
  if (signers.length === 0) throw new Forked(`${what} is not signed by a key that was known before`, [text]);
  return signers;
}

/** A new head must be signed by an active key, or a trusted witness must have seen it while the key was active. */
export async function requireNotRetired(
  { note }: SignedCheckpoint,
  text: string,
  signers: readonly HeadKey[],
  witnesses: readonly NoteKey[],
): Promise<void> {
  const now = new Date().toISOString();
  if (signers.some(({ until }) => until === null || until > now)) return;
  const until = signers
    .map((key) => key.until!)
    .sort()
    .at(-1)!;
  for (const witness of witnesses) {
    const { status, time } = await verifyCosignature(note, witness);
    if (status === 'valid' && new Date(time! * 1_000).toISOString() <= until) return;
  }
  throw new Forked(`the head of the log is signed by a key that was retired ${until}`, [text]);
}
