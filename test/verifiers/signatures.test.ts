import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasPython, PythonProcess } from './python-process.ts';

// Public test vectors, stored outside the project.
const folder = new URL('../../../shared/vectors/signatures/', import.meta.url);
const hasVectors = existsSync(folder);
if (!hasVectors)
  process.stderr.write('not run: public signature vectors, because ../shared/vectors is missing\n');
const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

interface Group {
  publicKeyDer: string;
  publicKey: { publicExponent?: string };
  tests: { tcId: number; sig: string; msg: string; result: string }[];
}

describe.runIf(hasPython && hasVectors)('the Python verifier', () => {
  let python: PythonProcess;
  beforeAll(() => {
    python = new PythonProcess();
  });
  afterAll(() => python.end());

  test.each(['ed25519_test', 'ecdsa_secp256r1_sha256_test', 'rsa_signature_2048_sha256_test'])(
    'agrees with %s',
    async (name) => {
      const { testGroups } = read(`${name}.json`) as { testGroups: Group[] };
      // Keys with an exponent other than 65537 are outside the profile, whatever their signatures.
      const isOutside = ({ publicExponent }: Group['publicKey']) =>
        publicExponent !== undefined && publicExponent !== '010001';
      const cases = testGroups.flatMap(({ publicKeyDer, publicKey, tests }) =>
        tests.map(({ tcId, sig, msg, result }) => ({
          question: ['signature', publicKeyDer, sig, msg],
          expected: { tcId, isGood: result === 'valid' && !isOutside(publicKey) },
        })),
      );
      const answers = await python.ask<string | null>(cases.map(({ question }) => question));
      const found = cases.map(({ expected: { tcId } }, i) => ({ tcId, isGood: answers[i] === null }));
      expect(found).toEqual(cases.map(({ expected }) => expected));
    },
  );

  test('rejects low-order keys and points and non-canonical encodings, and uses no cofactor', async () => {
    const cases = read('ed25519-corner-cases.json') as {
      number: number;
      key: string;
      sig: string;
      msg: string;
      flags: string[] | null;
    }[];
    const refused = ['low_order_A', 'low_order_R', 'non_canonical_A', 'non_canonical_R', 'low_order_residue'];
    const questions = cases.map(({ key, sig, msg }) => ['note', key, sig, Buffer.from(msg).toString('hex')]);
    const answers = await python.ask<boolean>(questions);
    expect(cases.map(({ number }, i) => ({ number, isGood: answers[i] }))).toEqual(
      cases.map(({ number, flags }) => ({ number, isGood: !flags?.some((flag) => refused.includes(flag)) })),
    );
    expect(answers).toContain(true);
  });
});
