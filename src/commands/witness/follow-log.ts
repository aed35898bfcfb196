import { followChains, stepOf, stepsOf } from '@countersign/auditor/log/chain-growth';
import type { KnownChains } from '@countersign/auditor/log/closings';
import { getText, Missing } from '@countersign/auditor/log/get';
import { readEntries, tileReader } from '@countersign/auditor/log/read-entries';
import {
  Frontier,
  fromBase64,
  type NoteKey,
  parseCheckpoint,
  type SignedCheckpoint,
  toBase64,
  verifyCosignature,
} from '@countersign/proof-kit';
import { sha256Bytes } from '../../lib/crypto.ts';

/** What a witness has read of a log: the tree over its entries and the newest checkpoint of each chain. */
export interface FollowedLog extends KnownChains {
  tree: Frontier;
}

export const NOTHING_FOLLOWED = (): FollowedLog => ({
  tree: new Frontier(sha256Bytes),
  chains: new Map(),
  floors: new Map(),
});

/** Nothing read yet, or the stored output of `printFollowed`. */
export function parseFollowed(text: string | null): FollowedLog {
  if (text === null) return NOTHING_FOLLOWED();
  const { size, subtrees, chains, floors } = JSON.parse(text) as {
    size: number;
    subtrees: string[];
    chains: Record<string, string>;
    floors?: Record<string, number>;
  };
  const tree = new Frontier(sha256Bytes, { size, subtrees: subtrees.map(fromBase64) });
  return { tree, chains: stepsOf(chains), floors: new Map(Object.entries(floors ?? {})) };
}

export function printFollowed({ tree: { state }, chains, floors }: FollowedLog): string {
  const { size, subtrees } = state;
  const notes = Object.fromEntries([...chains].map(([origin, { note }]) => [origin, note]));
  const least = floors.size > 0 && { floors: Object.fromEntries(floors) };
  return `${JSON.stringify({ size, subtrees: subtrees.map(toBase64), chains: notes, ...least })}\n`;
}

/**
 * Reads the entries that a head adds and follows the chains in them. `cosigned` is the newest head that this witness cosigned;
 * the stored reading may lag behind it. Throws Forked if entries or chains contradict what was signed, and passes on network
 * errors.
 */
export async function followLog(
  url: string,
  before: FollowedLog,
  head: SignedCheckpoint,
  cosigned: SignedCheckpoint | null,
  served = 'log',
): Promise<FollowedLog> {
  const { floors } = before;
  let { chains } = before;
  const tree = await readEntries(
    tileReader(url, head.size, served),
    before.tree,
    head,
    cosigned ? [cosigned] : [],
    async (entries) => {
      const steps = entries.map(({ checkpoint, note }) => stepOf(checkpoint, note));
      chains = await followChains(url, chains, steps, floors);
    },
  );
  return { tree, chains, floors };
}

/**
 * The published head if this witness has cosigned it, else null. If it is larger than the newest one in the state, or of a later
 * log, the state is older than what was signed with its key: it was restored from a backup, or the key is in use elsewhere.
 */
export async function cosignedBefore(url: string, key: NoteKey): Promise<SignedCheckpoint | null> {
  const text = await getText(`${url}/log/checkpoint`).catch((error: unknown) => {
    if (error instanceof Missing) return null;
    throw error;
  });
  if (text === null) return null;
  const published = parseCheckpoint(text);
  const { status } = await verifyCosignature(published.note, key);
  return status === 'valid' ? published : null;
}
