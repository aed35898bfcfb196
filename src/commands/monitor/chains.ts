import { sha256Bytes } from '../../lib/crypto.ts';
import { fromHex, parseCheckpoint, type SignedCheckpoint, verifyConsistency } from '../../proof-kit/index.ts';
import { get, Missing } from './get.ts';
import type { Options } from './options.ts';
import { Forked, type MonitorState } from './state.ts';

const SIZES_AT_ONCE = 200;
/** Chains that did not grow and are asked for in one look, unless they were named: the others come in the next ones. */
const CHAINS_ASKED = 200;
const QUESTIONS_AT_ONCE = 8;

/** The checkpoints of a chain, one after the other: larger each time, each holding the one before. */
export async function followChain(
  url: string,
  state: MonitorState,
  origin: string,
  notes: string[],
): Promise<void> {
  const known = state.chains[origin];
  const all = known === undefined ? notes : [known, ...notes];
  const signed = all.map(parseCheckpoint);
  for (const [i, { size, root }] of signed.entries()) {
    const before = signed[i - 1];
    if (!before) continue;
    const pair = [all[i - 1]!, all[i]!];
    if (size < before.size) throw new Forked(`${origin} had ${before.size} records and then ${size}`, pair);
    if (size === before.size && Buffer.compare(root, before.root) !== 0)
      throw new Forked(`${origin} was signed with two different histories of ${size} records`, pair);
  }
  const steps = signed.filter(({ size }, i) => i === 0 || size > signed[i - 1]!.size);
  for (let at = 0; at + 1 < steps.length; at += SIZES_AT_ONCE)
    await requireGrowth(url, origin, steps.slice(at, at + SIZES_AT_ONCE + 1), all);
  state.chains[origin] = all.at(-1)!;
}

async function requireGrowth(
  url: string,
  origin: string,
  steps: SignedCheckpoint[],
  notes: string[],
): Promise<void> {
  const proofs = await askForProofs(url, origin, steps, notes);
  for (const [i, second] of steps.entries()) {
    const first = steps[i - 1];
    if (!first) continue;
    const proof = proofs[i - 1]?.hashes.map(fromHex) ?? [];
    if (!verifyConsistency({ first, second, proof }, sha256Bytes))
      throw new Forked(
        `${origin}: the ${second.size} records do not hold the ${first.size} that were signed before`,
        notes,
      );
  }
}

/** What the service has to show for signed sizes of a chain; it must have something. */
async function askForProofs(
  url: string,
  origin: string,
  steps: SignedCheckpoint[],
  notes: string[],
): Promise<{ hashes: string[] }[]> {
  const path = origin.slice(origin.indexOf('/'));
  const sizes = steps.map(({ size }) => size).join();
  const answer = await get(`${url}/log${path}/consistency?sizes=${sizes}`).catch((error: unknown) => {
    if (!(error instanceof Missing)) throw error;
    const [from, ...more] = steps;
    const what =
      more.length > 0 ? `only grew from ${from!.size} records on` : `has its ${from!.size} records`;
    throw new Forked(`the service cannot show that ${origin} ${what}`, notes);
  });
  const { proofs } = (await answer.json()) as { proofs?: { hashes: string[] }[] };
  return proofs ?? [];
}

/**
 * Chains that were signed and did not grow must still be there: those named, or some of all of them in each look. What is
 * gone together with everything that was said of it would not be missed otherwise.
 */
export async function askForOthers(
  { url, chains }: Options,
  state: MonitorState,
  grown: ReadonlySet<string>,
): Promise<void> {
  const resting = Object.keys(state.chains)
    .filter((origin) => !grown.has(origin))
    .sort();
  const due = chains ? resting.filter((origin) => chains.has(origin)) : turnOf(resting, state.asked ?? '');
  for (let at = 0; at < due.length; at += QUESTIONS_AT_ONCE)
    await Promise.all(
      due.slice(at, at + QUESTIONS_AT_ONCE).map((origin) => {
        const note = state.chains[origin]!;
        return askForProofs(url, origin, [parseCheckpoint(note)], [note]);
      }),
    );
  if (!chains && due.length > 0) state.asked = due.at(-1)!;
}

/** Some names after the last one, beginning anew at the end. */
function turnOf(names: string[], last: string): string[] {
  const after = names.filter((name) => name > last);
  return [...after, ...names.slice(0, names.length - after.length)].slice(0, CHAINS_ASKED);
}
