import { readFileSync } from 'node:fs';
import { rsaSpki } from '@countersign/proof-kit/der';
import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { formatVerifierKey, formatWitnessKey } from '@countersign/proof-kit/vkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { vectorTrust } from '../../scripts/make-vectors.ts';
import { approval, event, sealVector, textOf, type VectorDecision } from '../../scripts/vectors/decisions.ts';
import { proofOfLie } from '../../scripts/vectors/falsified.ts';
import { later, newService } from '../../scripts/vectors/genuine.ts';
import { hasPython, PythonProcess } from './python-process.ts';

const genuine = readFileSync(new URL('../../vectors/genuine/decision-whole.json', import.meta.url), 'utf8');
const whole = JSON.parse(genuine);
const NOTHING = { verify_rsa: 0, verify_p256: 0, verify_ed25519: 0, nfkc: 0 };
const NO_SIGNATURES = { verify_rsa: 0, verify_p256: 0, verify_ed25519: 0 };
const SMALLEST = 30_000;

const trust = {
  keys: vectorTrust.keys!.map((key) => ({ vkey: formatVerifierKey(key), isUnvouched: false, until: null })),
  witnesses: vectorTrust.witnesses!.map(formatWitnessKey),
  quorum: vectorTrust.quorum,
  now: '2026-06-01T00:00:00.000Z',
};

async function sealed(decision: VectorDecision): Promise<string> {
  const service = newService();
  service.append(12, 'proof', 'before', later(0));
  const vector = sealVector(decision);
  const place = service.append(12, 'proof', textOf(vector.content), later(3));
  await service.settle();
  return JSON.stringify(proofOfLie(service, { id: 'costly', sealed: vector, place }));
}

/** RSA keys as large as a document may hold, with an exponent as long as the modulus. */
function largeRsaKeys(): Promise<string> {
  const approvals = [1, 2, 3].map((seed) => {
    const id = `person-${seed}`;
    const spki = rsaSpki(new Uint8Array(1400).fill(0xff - seed), new Uint8Array(1400).fill(0xff));
    return approval(id, {
      approver: { id, type: 'human' },
      by: { kind: 'passkey', id },
      signedBy: { passkey: { spki, sign: () => new Uint8Array(1400).fill(seed) } },
    });
  });
  return sealed({ event: event('rsa'), approvals });
}

/** Combining marks, whose normalization takes long. */
function longId(): Promise<string> {
  const id = `a${'\u0316\u0301'.repeat(6_000)}`;
  return sealed({ event: event('long', { actor: { id, type: 'human' } }), approvals: [approval('long')] });
}

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

function nestedDisclosure(): string {
  const disclosure = Buffer.from(`["salt","input",${nested(12_000)}]`).toString('base64url');
  return JSON.stringify({ ...whole, disclosures: [disclosure, ...whole.disclosures] });
}

function manyCheckpoints(): string {
  const [policy] = whole.policies;
  const signed = (place: string, i: number) => ({
    ...policy[place],
    checkpoint: `${policy[place].checkpoint}\n${i}`,
  });
  const policies = Array.from({ length: 35 }, (_, i) => ({
    ...policy,
    inclusion: signed('inclusion', i),
    head: signed('head', i),
  }));
  return JSON.stringify({ ...whole, policies });
}

describe.runIf(hasPython)('the Python verifier', () => {
  let python: PythonProcess;
  beforeAll(() => {
    python = new PythonProcess();
  });
  afterAll(() => python.end());
  const costsOf = async (text: string) => {
    const question = ['costs', trust, Buffer.from(text).toString('base64')];
    const [answer] = await python.ask<{ line: string; calls: Record<string, number> }>([question]);
    return answer!;
  };

  test('counts the checks of a genuine document', async () => {
    const { line, calls } = await costsOf(genuine);
    expect(line).toMatch(/^proven: /);
    expect(calls).toMatchObject({ verify_rsa: 0, verify_ed25519: expect.toSatisfy((n: number) => n > 0) });
    expect(calls['nfkc']).toBeGreaterThan(0);
  });

  test.each<[string, () => string | Promise<string>, string, object]>([
    [
      'large RSA keys',
      largeRsaKeys,
      'refuted: the signature of approvals[0] does not hold: its key is of an unknown kind',
      NO_SIGNATURES,
    ],
    ['a long id', longId, 'refuted: disclosures[0]: actor.id is not an id of at most 256 bytes', NOTHING],
    [
      'a deeply nested member',
      () => genuine.replace('"amount": 4250', `"amount": ${nested(16_000)}`),
      'unreadable: it is nested too deeply',
      NOTHING,
    ],
    ['a deeply nested disclosure', nestedDisclosure, 'refuted: disclosures[0] is no disclosure', NOTHING],
    ['many checkpoints', manyCheckpoints, 'refuted: it has more than 64 different checkpoints', NOTHING],
  ])('rejects %s before expensive checks, like the verify command', async (_, make, line, calls) => {
    const text = await make();
    expect(Buffer.byteLength(text)).toBeGreaterThan(SMALLEST);
    const { verdict, reason } = await verifyProof(text, vectorTrust);
    expect(`${verdict}: ${reason}`).toBe(line);
    expect(await costsOf(text)).toMatchObject({ line, calls });
  });
});
