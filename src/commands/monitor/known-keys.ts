import { formatVerifierKey, type NoteKey, parseVerifierKey, readKeyHistory } from '../../proof-kit/index.ts';
import { get } from './get.ts';
import type { Options } from './options.ts';
import type { MonitorState } from './state.ts';

export interface KnownKeys {
  /** May sign heads: keys that were trusted once, and those that they have signed in. */
  trusted: NoteKey[];
  /** Were retired by those. They signed entries of their time; a head they no longer sign, whoever has them now. */
  earlier: NoteKey[];
}

export async function knownKeys({ url, keys }: Options, state: MonitorState): Promise<KnownKeys> {
  const named = [...keys, ...state.keys.map(parseVerifierKey)];
  const published = (await (await get(`${url}/.well-known/countersign-keys.json`)).json()) as {
    history?: string[];
  };
  const history = await readKeyHistory(published.history ?? []).catch(() => []);
  const known = new Set(named.map(formatVerifierKey));
  // Without any key to begin with, the first look trusts what is published.
  if (known.size === 0) for (const { vkey, vouched } of history) if (vouched) known.add(vkey);
  const ids = new Map(history.map(({ keyId, vkey }) => [keyId, vkey]));
  const isIn = (set: ReadonlySet<string>, keyId: string | null) =>
    keyId !== null && set.has(ids.get(keyId) ?? '');
  for (const { vkey, signedBy } of history) if (isIn(known, signedBy)) known.add(vkey);
  const all = new Set(known);
  for (const { vkey, retiredBy } of history.toReversed()) if (isIn(all, retiredBy)) all.add(vkey);
  return {
    trusted: [...known].map(parseVerifierKey),
    earlier: [...all].filter((vkey) => !known.has(vkey)).map(parseVerifierKey),
  };
}
