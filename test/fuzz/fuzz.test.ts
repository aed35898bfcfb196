import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { describe, expect, test } from 'vitest';
import { vectorTrust } from '../../scripts/make-vectors.ts';
import { hasPython, PythonProcess } from '../verifiers/python-process.ts';
import { freshDocuments } from './fresh.ts';
import { tryRound } from './fuzzer.ts';
import { Random } from './random.ts';

const ROUNDS = 25;

describe.runIf(hasPython)('both verifiers, with mutated documents', () => {
  const seeds = { 'a fixed seed': 1, 'a new seed': Date.now() % 1_000_000_000 };
  test.each(Object.entries(seeds))(
    'return the same verdict and never prove a forgery, from %s',
    async (_, first) => {
      process.stdout.write(`fuzzing from seed ${first}\n`);
      const python = new PythonProcess();
      const verdicts: string[] = [];
      for (let seed = first; seed < first + ROUNDS; seed++) {
        const round = await tryRound(new Random(seed), python);
        expect({ seed, found: round.found?.what ?? null }).toEqual({ seed, found: null });
        verdicts.push(...round.verdicts);
      }
      await python.end();
      // Otherwise the changes miss their targets.
      expect(verdicts.some((line) => /^(?:proven|partial|consistent)/.test(line))).toBe(true);
    },
    120_000,
  );
});

// A document that is refuted before any change would hide later checks.
test('the original documents are valid before mutation', async () => {
  for (const document of await freshDocuments()) {
    const { verdict, reason } = await verifyProof(JSON.stringify(document), vectorTrust);
    expect(`${verdict}: ${reason}`).toMatch(/^(?:proven|partial: erased)/);
  }
});
