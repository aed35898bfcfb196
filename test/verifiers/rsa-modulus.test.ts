import { generateKeyPairSync } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { rsaSpki } from '@countersign/proof-kit/der';
import { publicKeyFault } from '@countersign/proof-kit/public-key';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { primeModulusPasskey, rsaPasskey, smallFactorPasskey } from '../../scripts/vectors/signers.ts';
import { hasPython, PythonProcess } from './python-process.ts';

const UNKNOWN_KIND = 'its key is of an unknown kind';
const WRONG_SIGNATURE = 'the signature is not that of its key over it';
const ofModulus = (modulus: bigint) =>
  rsaSpki(Buffer.from(modulus.toString(16).padStart(1024, '0'), 'hex'), Uint8Array.of(1, 0, 1));
const modulusOf = (bits: number) => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  return BigInt(`0x${Buffer.from(publicKey.export({ format: 'jwk' }).n!, 'base64url').toString('hex')}`);
};
/** Composite, and every Mersenne number passes Miller-Rabin for the base 2. */
const pseudoprime = ofModulus(2n ** 2069n - 1n);

const keys: [string, Uint8Array, isSound: boolean][] = [
  ['two primes of 1024 bits', rsaPasskey('vectors').spki, true],
  ['a prime modulus', primeModulusPasskey().spki, false],
  ['the factor 65,521, the largest prime below the limit', smallFactorPasskey(65_521n).spki, false],
  ['the factor 3', ofModulus(3n * modulusOf(2048)), false],
  ['the factor 65,537, the smallest prime above the limit', smallFactorPasskey(65_537n).spki, true],
  ['a pseudoprime for the first base', pseudoprime, true],
];

describe.runIf(hasPython)('RSA keys, in both verifiers', () => {
  let python: PythonProcess;
  beforeAll(() => {
    python = new PythonProcess();
  });
  afterAll(() => python.end());

  test.each(keys)('%s', async (_, spki, isSound) => {
    expect(await publicKeyFault(spki)).toBe(isSound ? null : 'the modulus is prime or has a small factor');
    const [fault] = await python.ask<string>([['signature', Buffer.from(spki).toString('hex'), '00', '00']]);
    expect(fault).toBe(isSound ? WRONG_SIGNATURE : UNKNOWN_KIND);
  });
});

test('the check of a large key lets other work run, and is done once', async () => {
  const spki = ofModulus(modulusOf(4096));
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const started = performance.now();
  delays.enable();
  expect(await publicKeyFault(spki)).toBeNull();
  delays.disable();
  const took = performance.now() - started;
  expect(delays.max / 1e6).toBeLessThan(took / 2);
  const again = performance.now();
  expect(await publicKeyFault(spki)).toBeNull();
  expect(performance.now() - again).toBeLessThan(took / 10);
});
