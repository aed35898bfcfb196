import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { formatVerifierKey, formatWitnessKey } from '@countersign/proof-kit/vkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { vectorTrust } from '../../scripts/make-vectors.ts';
import { newService } from '../../scripts/vectors/genuine.ts';
import { placeUse, proofOfUse, spendingAt } from '../../scripts/vectors/mandates.ts';
import { hasPython, PythonProcess } from './python-process.ts';

const trust = {
  keys: vectorTrust.keys!.map((key) => ({ vkey: formatVerifierKey(key), isUnvouched: false, until: null })),
  witnesses: vectorTrust.witnesses!.map(formatWitnessKey),
  quorum: vectorTrust.quorum,
  now: '2026-06-01T00:00:00.000Z',
};

// Not among the vectors: libraries for JSON-LD lose a member of this name.
describe.runIf(hasPython)('a budget at __proto__', () => {
  let python: PythonProcess;
  beforeAll(() => {
    python = new PythonProcess();
  });
  afterAll(() => python.end());

  test.each([
    ['is that of the member of this name', '{"__proto__":{"amount":4250}}', /^proven: /],
    ['is not inherited', '{"amount":4250}', /^refuted: the mandate does not cover it: budget$/],
  ])('%s', async (_, input, line) => {
    const service = newService();
    const use = placeUse(service, 'use', spendingAt('__proto__.amount', input));
    await service.settle();
    const text = JSON.stringify(proofOfUse(service, use));
    const { verdict, reason } = await verifyProof(text, vectorTrust);
    expect(`${verdict}: ${reason}`).toMatch(line);
    const [lines] = await python.ask<string[]>([['proofs', trust, [Buffer.from(text).toString('base64')]]]);
    expect(lines).toEqual([`${verdict}: ${reason}`]);
  });
});
