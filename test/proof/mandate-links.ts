import { expect } from 'vitest';
import type { ProofStage } from './stage.ts';

interface Answer {
  eventId: string;
  mandate?: { use?: number };
}

/** Expects that each sealed use names the record of the one before it. */
export async function expectLinked(answers: readonly Answer[], { get }: Pick<ProofStage, 'get'>) {
  const used = answers.filter(({ mandate }) => mandate?.use);
  const proofs = await Promise.all(
    used.map(async ({ eventId }) => (await get(`/decision-events/${eventId}/export`)).body),
  );
  const uses = proofs
    .map(({ record, evidence }) => ({ ...JSON.parse(record.content).mandate, hash: evidence.chain.hash }))
    .sort((a, b) => a.use - b.use);
  const hashes = uses.map(({ hash }) => hash.replace('sha256:', ''));
  expect(uses.map(({ previous }) => previous)).toEqual(['', ...hashes].slice(0, uses.length));
}
