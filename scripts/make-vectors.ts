/**
 * Writes `vectors/`: documents on which every verifier must reach the same verdict. `node_modules/.bin/node
 * scripts/make-vectors.ts`; keys and salts are fixed, so the result is reproducible.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { compareProofs } from '@countersign/proof-kit/compare-proofs';
import type { Trust } from '@countersign/proof-kit/trust';
import {
  ADDED_COMBINING_CLASSES,
  ADDED_DECOMPOSITIONS,
  assignedRuns,
} from '@countersign/proof-kit/unicode-assigned';
import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { formatVerifierKey, formatWitnessKey } from '@countersign/proof-kit/vkey';
import { addedProofs, contradictingPairs, RETIRED_KEY } from './vectors/added.ts';
import { contradictingClosings } from './vectors/closings.ts';
import { contradictingProofs } from './vectors/contradicting.ts';
import { SERVICE } from './vectors/decisions.ts';
import { falsifiedProofs } from './vectors/falsified.ts';
import {
  buildWorld,
  genuineProofs,
  partialProofs,
  QUORUM,
  serviceSigners,
  witnesses,
} from './vectors/genuine.ts';

const keys = serviceSigners.map(({ publicKey }) => ({ name: SERVICE, publicKey }));
export const vectorTrust: Trust = { keys, witnesses: witnesses.map(({ key }) => key), quorum: QUORUM };
/** For `consistent/`: the retired key only. */
export const retiredTrust: Trust = { ...vectorTrust, keys: [RETIRED_KEY], now: '2026-06-01T00:00:00.000Z' };
export const FOLDERS = ['genuine', 'partial', 'conditional', 'consistent', 'falsified', 'contradicting'];

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Every file with its text. */
export async function makeVectors(): Promise<Map<string, string>> {
  const world = buildWorld();
  const genuine = await genuineProofs(world);
  const partial = partialProofs(world);
  const falsified = await falsifiedProofs(genuine, partial);
  const added = mapValues(await addedProofs(world), (proofs) => mapValues(proofs, pretty));
  const contradicting = {
    ...(await contradictingProofs()),
    ...(await contradictingPairs()),
    ...(await contradictingClosings()),
  };
  const folders: Record<string, Record<string, string>> = {
    genuine: { ...mapValues(genuine, pretty), ...added['genuine'] },
    partial: { ...mapValues(partial, pretty), ...added['partial'] },
    conditional: added['conditional']!,
    consistent: added['consistent']!,
    falsified: { ...falsified, ...added['falsified'] },
    contradicting: mapValues(contradicting, pretty),
  };
  const files = new Map<string, string>();
  for (const [folder, texts] of Object.entries(folders))
    for (const [name, text] of Object.entries(texts)) files.set(`${folder}/${name}.json`, text);
  const verdicts = await judge(files);
  const published = {
    keys: keys.map(formatVerifierKey),
    witnesses: witnesses.map(({ key }) => formatWitnessKey(key)),
    quorum: QUORUM,
    retired: { key: formatVerifierKey(RETIRED_KEY), until: RETIRED_KEY.until },
  };
  const unicode = {
    assigned: assignedRuns(),
    decompositions: ADDED_DECOMPOSITIONS,
    combiningClasses: ADDED_COMBINING_CLASSES,
  };
  return files
    .set('keys.json', pretty(published))
    .set('unicode-15.1.json', `${JSON.stringify(unicode)}\n`)
    .set('verdicts.json', pretty(verdicts));
}

function mapValues<T, U>(values: Record<string, T>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}

/** `verdict: reason` of each file by itself; for contradicting files, of all together. */
async function judge(files: Map<string, string>): Promise<Record<string, string>> {
  const judged: Record<string, string> = {};
  const together = [];
  for (const [name, text] of files) {
    const verdict = await verifyProof(text, name.startsWith('consistent/') ? retiredTrust : vectorTrust);
    judged[name] = `${verdict.verdict}: ${verdict.reason}`;
    if (name.startsWith('contradicting/')) together.push({ name, verdict });
  }
  for (const { name, verdict } of compareProofs(together))
    judged[name] = `${verdict.verdict}: ${verdict.reason}`;
  return judged;
}

if (import.meta.main) {
  const folder = new URL('../vectors/', import.meta.url);
  for (const kind of FOLDERS) {
    rmSync(new URL(kind, folder), { recursive: true, force: true });
    mkdirSync(new URL(kind, folder), { recursive: true });
  }
  for (const [file, text] of await makeVectors()) writeFileSync(new URL(file, folder), text);
}
