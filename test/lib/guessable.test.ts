import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isGuessable } from '../../src/lib/guessable.ts';

test.each([
  'a'.repeat(64),
  'password'.repeat(8),
  '12345678901234567890123456789012',
  'abcdefghijklmnopqrstuvwxyz012345',
  'please-change-me-please-change-me',
])('%s is guessable', (secret) => expect(isGuessable(secret)).toBe(true));

test('random bytes are accepted in every usual encoding', () => {
  fc.assert(
    fc.property(fc.constantFrom('hex', 'base64', 'base64url', 'latin1'), (encoding) => {
      expect(isGuessable(randomBytes(encoding === 'latin1' ? 32 : 24).toString(encoding))).toBe(false);
    }),
  );
});
