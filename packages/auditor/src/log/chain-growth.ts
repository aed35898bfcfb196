/** The chains whose checkpoints are in a head log: each may only grow, and each step needs a consistency proof. */
import {
  type Checkpoint,
  fromBase64,
  parseCheckpoint,
  type SignedCheckpoint,
  verifyConsistency,
} from '@countersign/proof-kit';
import { equalBytes } from '@countersign/proof-kit/bytes';
import { sha256Bytes } from '../sha256-bytes.ts';
import { Forked } from './forked.ts';
import { getJson, Missing } from './get.ts';

const REQUESTS_AT_ONCE = 8;

/** A checkpoint of a chain and the note that contains it. */
export interface ChainStep extends Checkpoint {
  note: string;
}

export const stepOf = ({ origin, size, root }: SignedCheckpoint, note: string): ChainStep => ({
  origin,
  size,
  root,
  note,
});

/** The newest checkpoint of each chain, from its stored note. */
export const stepsOf = (notes: Readonly<Record<string, string>>): Map<string, ChainStep> =>
  new Map(Object.entries(notes).map(([origin, note]) => [origin, stepOf(parseCheckpoint(note), note)]));

/**
 * Follows chains from their known state through their next checkpoints, in the order of the log. `floors` are sizes that chains
 * had at least.
 */
export async function followChains(
  url: string,
  known: ReadonlyMap<string, ChainStep>,
  steps: readonly ChainStep[],
  floors: ReadonlyMap<string, number>,
): Promise<Map<string, ChainStep>> {
  const newest = new Map(known);
  const growth: [ChainStep, ChainStep][] = [];
  for (const step of steps) {
    const before = newest.get(step.origin);
    const floor = floors.get(step.origin) ?? 0;
    if (step.size < floor)
      throw new Forked(
        `${step.origin} continues from ${floor} records after a loss, and was signed with ${step.size}`,
        [step.note],
      );
    newest.set(step.origin, step);
    if (!before) continue;
    requireNoContradiction(before, step);
    if (step.size > before.size) growth.push([before, step]);
  }
  await inTurns(growth, ([before, step]) => requireGrowth(url, before, step));
  return newest;
}

function requireNoContradiction(before: ChainStep, { origin, size, root, note }: ChainStep): void {
  const notes = [before.note, note];
  if (size < before.size) throw new Forked(`${origin} had ${before.size} records and then ${size}`, notes);
  if (size === before.size && !equalBytes(root, before.root))
    throw new Forked(`${origin} was signed with two different histories of ${size} records`, notes);
}

/** The chain must still end with the signed record. */
export async function requireUnchanged(url: string, steps: readonly ChainStep[]): Promise<void> {
  await inTurns(steps, async (step) => {
    await consistencyHashes(url, step, step, `has its ${step.size} records`);
  });
}

async function requireGrowth(url: string, first: ChainStep, second: ChainStep): Promise<void> {
  const proof = await consistencyHashes(url, first, second, `only grew from ${first.size} records on`);
  if (!verifyConsistency({ first, second, proof }, sha256Bytes))
    throw new Forked(
      `${second.origin}: the ${second.size} records do not hold the ${first.size} that were signed before`,
      [first.note, second.note],
    );
}

async function consistencyHashes(
  url: string,
  first: ChainStep,
  second: ChainStep,
  claim: string,
): Promise<Uint8Array[]> {
  const query = new URLSearchParams({
    origin: second.origin,
    from: String(first.size),
    to: String(second.size),
  });
  const notes = [...new Set([first.note, second.note])];
  const answer = await getJson<{ hashes?: unknown }>(`${url}/log/consistency?${query}`).catch(
    (error: unknown): { hashes?: unknown } => {
      if (!(error instanceof Missing)) throw error;
      return {};
    },
  );
  try {
    return (answer.hashes as string[]).map(fromBase64);
  } catch {
    throw new Forked(`the service cannot show that ${second.origin} ${claim}`, notes);
  }
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += REQUESTS_AT_ONCE)
    await Promise.all(items.slice(at, at + REQUESTS_AT_ONCE).map(work));
}
