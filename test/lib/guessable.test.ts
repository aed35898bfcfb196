import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isExample, isGuessable } from '../../src/lib/guessable.ts';
import { publishedSecrets } from '../../src/lib/published-secrets.ts';

const sequence = Buffer.from(Array.from({ length: 32 }, (_, i) => i));

test.each([
  'a'.repeat(64),
  'password'.repeat(8),
  '12345678901234567890123456789012',
  'abcdefghijklmnopqrstuvwxyz012345',
  'please-change-me-please-change-me',
  Buffer.alloc(32).toString('base64'),
  Buffer.alloc(32).toString('hex'),
  Buffer.alloc(48, 0xff).toString('base64url'),
  sequence.toString('base64'),
  sequence.toString('hex').toUpperCase(),
  `"${sequence.toString('base64url')}"`,
  '00112233445566778899aabbccddeeff',
  '0123456789abcdef0123456789abcdef',
  Buffer.from('1234567890'.repeat(4)).toString('base64'),
])('%s is guessable', (secret) => expect(isGuessable(secret)).toBe(true));

const phrases = [
  'a-string-secret-at-least-256-bits-long',
  'A-Valid-String-Secret-That-Is-At-Least-512-Bits-Long-Which-Is-Very-Long',
  'your-256-bit-secret-your-256-bit-secret',
  'your-super-secret-jwt-token-with-at-least-32-characters-long',
  'change_me_in_production_to_a_long_value',
  'local-dev-secret-please-change-me-32chars',
  'ThisTokenIsNotSoSecretChangeItPlease',
  'PLEASE-CHANGE-ME-I-AM-VERY-INSECURE',
  'mySuperSecretKeyForJwtTokenGeneration',
  'supersecret-supersecret-and-even-more',
  'DO NOT USE THIS VALUE. INSTEAD, CREATE A COMPLEX SECRET',
  'must-be-at-least-32-characters-123456',
  'demo-Passw0rd!demo-Passw0rd!demo-Passw0rd!',
];

describe('a published secret is recognized', () => {
  test.each([...publishedSecrets, ...phrases])('%s', (secret) => {
    const copies = {
      secret,
      upper: secret.toUpperCase(),
      lower: secret.toLowerCase(),
      quoted: ` "${secret}" `,
      longer: `${secret}123`,
      base64: Buffer.from(secret).toString('base64'),
      base64url: Buffer.from(secret).toString('base64url'),
      hex: Buffer.from(secret).toString('hex'),
    };
    for (const [form, copy] of Object.entries(copies)) expect([form, isExample(copy)]).toEqual([form, true]);
  });

  test('also if its bytes are encoded in another way', () => {
    const key = 'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow';
    expect(isExample(Buffer.from(key, 'base64url').toString('hex'))).toBe(true);
    expect(isExample(Buffer.from(key, 'base64url').toString('base64'))).toBe(true);
    const hex = '09d25e094faa6ca2556c818166b7a9563b93f7099f6f0f4caa6cf63b88e8d3e7';
    expect(isExample(Buffer.from(hex, 'hex').toString('base64'))).toBe(true);
  });
});

test('random bytes are accepted in every usual encoding', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('hex', 'base64', 'base64url', 'latin1'),
      fc.constantFrom(24, 32, 48),
      (encoding, bytes) => {
        const secret = randomBytes(encoding === 'latin1' ? 32 : bytes).toString(encoding);
        expect([secret, isGuessable(secret), isExample(secret)]).toEqual([secret, false, false]);
      },
    ),
    { numRuns: 2_000 },
  );
  // The shortest secret that is accepted: 32 digits.
  for (let i = 0; i < 2_000; i++) expect(isGuessable(randomBytes(16).toString('hex'))).toBe(false);
});
