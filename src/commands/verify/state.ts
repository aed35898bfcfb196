// What the command remembers of proofs it has seen: the next ones must agree with it. The Python verifier keeps the same file.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Named } from '../../proof-kit/compare-proofs.ts';
import type { Claims } from '../../proof-kit/verify-proof.ts';
import { UsageError } from './options.ts';

const stateFile = z.object({
  version: z.literal(1),
  records: z.array(
    z.object({
      origin: z.string(),
      index: z.int(),
      hash: z.string(),
      previousHash: z.string().nullable(),
      trusted: z.boolean(),
    }),
  ),
  checkpoints: z.array(
    z.object({ origin: z.string(), size: z.int(), root: z.string(), note: z.string(), trusted: z.boolean() }),
  ),
  /** Evidence of two histories: what was refuted because it contradicts what came before. */
  contradictions: z.array(
    z.object({ file: z.string(), reason: z.string(), checkpoints: z.array(z.string()) }),
  ),
});

export type State = z.output<typeof stateFile>;

/** By which name the state is known in reasons. */
const NAME = 'the state';

export async function readState(path: string): Promise<State> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return { version: 1, records: [], checkpoints: [], contradictions: [] };
  try {
    return stateFile.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`--state ${path}: not a state of this command`);
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
