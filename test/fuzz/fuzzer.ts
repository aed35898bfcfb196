/**
 * The TypeScript library and the Python verifier check the same changed documents and must give identical output. A change
 * that the service did not sign must never be proven, and neither must a document without a record that it needs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { compareProofs } from '@countersign/proof-kit/compare-proofs';
import type { Trust } from '@countersign/proof-kit/trust';
import { verifyProofBytes } from '@countersign/proof-kit/verify-proof';
import { formatVerifierKey, formatWitnessKey } from '@countersign/proof-kit/vkey';
import { QUORUM, serviceSigners, witnesses } from '../../scripts/vectors/genuine.ts';
import type { PythonProcess } from '../verifiers/python-process.ts';
import { type Case, makeCase, statement } from './cases.ts';
import type { Tree } from './expand.ts';
import { freshDocuments } from './fresh.ts';
import type { Random } from './random.ts';

const SERVICE = 'proof.example';
const vectors = new URL('../../vectors/', import.meta.url);

function documentsIn(folder: string): Tree[] {
  return readdirSync(new URL(folder, vectors)).map((name) =>
    JSON.parse(readFileSync(new URL(`${folder}/${name}`, vectors), 'utf8')),
  );
}

const genuine = [...documentsIn('genuine'), ...documentsIn('partial'), ...documentsIn('contradicting')];
const fresh = await freshDocuments();
const keys = serviceSigners.map(({ publicKey }) => ({ name: SERVICE, publicKey }));
const NOW = '2026-06-01T00:00:00.000Z';

/** The same for both verifiers. */
function makeTrust(random: Random): Trust {
  if (random.chance(0.15)) return { now: NOW };
  const trusted = keys.filter(() => random.chance(0.9));
  const withTimes = trusted.map((key) => ({
    ...key,
    ...(random.chance(0.1) && { isUnvouched: true }),
    ...(random.chance(0.2) && {
      until: random.pick(['2026-01-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z']),
    }),
  }));
  const people = { '3f0d2b64-6c0e-4a43-9f0e-0d5f2a1b7c11': [`sha256:${'0'.repeat(64)}`] };
  return {
    ...(trusted.length > 0 && { keys: withTimes }),
    witnesses: witnesses.map(({ key }) => key),
    quorum: random.pick([0, QUORUM, QUORUM, witnesses.length]),
    ...(random.chance(0.05) && { people }),
    now: NOW,
  };
}

const asQuestion = (trust: Trust, documents: readonly Uint8Array[]) => [
  'proofs',
  {
    keys: trust.keys?.map((key) => ({
      vkey: formatVerifierKey(key),
      isUnvouched: key.isUnvouched ?? false,
      until: key.until ?? null,
    })),
    witnesses: (trust.witnesses ?? []).map(formatWitnessKey),
    quorum: trust.quorum,
    people: trust.people,
    now: trust.now,
  },
  documents.map((bytes) => Buffer.from(bytes).toString('base64')),
];

export interface Disagreement {
  what: string;
  documents: Uint8Array[];
}

/** One round: a few documents under one reader's trust, each by itself and all compared with each other. */
export async function tryRound(
  random: Random,
  python: PythonProcess,
): Promise<{ count: number; verdicts: string[]; found: Disagreement | null }> {
  const trust = makeTrust(random);
  const cases: Case[] = [];
  for (let i = 0; i < 4; i++) cases.push(await makeCase(random.chance(0.5) ? fresh : genuine, random));
  const documents = cases.map(({ bytes }) => bytes);
  const [answers] = await python.ask<string[]>([asQuestion(trust, documents)]);
  const judged = await Promise.all(
    cases.map(async ({ bytes }, i) => ({ name: String(i), verdict: await verifyProofBytes(bytes, trust) })),
  );
  const lines = compareProofs(judged).map(({ verdict: { verdict, reason } }) => `${verdict}: ${reason}`);
  const at = lines.findIndex((line, i) => line !== answers![i]);
  const count = cases.length;
  if (at >= 0)
    return {
      count,
      verdicts: lines,
      found: { what: `document ${at}\nTypeScript: ${lines[at]}\nPython:     ${answers![at]}`, documents },
    };
  const forged = cases.findIndex(
    ({ bytes, base, isSignedByService }, i) =>
      !isSignedByService &&
      lines[i]!.startsWith('proven') &&
      statement(JSON.parse(Buffer.from(bytes).toString())) !== statement(base),
  );
  const incomplete = cases.findIndex(({ isIncomplete }, i) => isIncomplete && lines[i]!.startsWith('proven'));
  const what =
    forged >= 0
      ? `document ${forged} is a forgery: ${lines[forged]}`
      : `document ${incomplete} leaves a record out: ${lines[incomplete]}`;
  return { count, verdicts: lines, found: forged < 0 && incomplete < 0 ? null : { what, documents } };
}
