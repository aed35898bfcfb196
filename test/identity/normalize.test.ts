import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isEmail, isPhone, normalizeEmail, normalizePhone } from '../../src/domain/identity/normalize.ts';

const anyText = fc.string({ unit: 'binary' });

describe('normalizeEmail', () => {
  it('trims, lower-cases and normalizes Unicode', () => {
    expect(normalizeEmail('  Ann.Lee@Example.TEST \n')).toBe('ann.lee@example.test');
    expect(normalizeEmail('E\u0301va@x.test')).toBe('\u00e9va@x.test');
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = normalizeEmail(text);
        expect(normalizeEmail(once)).toBe(once);
      }),
    );
  });
});

describe('isEmail', () => {
  it('accepts addresses and rejects the rest', () => {
    for (const good of ['a@b.co', ' Ann@Example.test ', "o'neil+tag@mail.example.org"])
      expect(isEmail(good)).toBe(true);
    for (const bad of ['', 'a', 'a@b', '@b.co', 'a b@c.co', 'a@b.co,c@d.co', 'a..b@c.co'])
      expect(isEmail(bad)).toBe(false);
  });

  it('accepts every address that request validation accepts', () => {
    const almostEmail = fc.oneof(
      fc.emailAddress(),
      fc.stringMatching(/^[A-Za-z.' +-]{1,12}@[A-Za-z.-]{1,8}$/),
    );
    fc.assert(
      fc.property(almostEmail, (text) => {
        if (z.email().safeParse(text).success) expect(isEmail(text)).toBe(true);
      }),
    );
  });
});

describe('normalizePhone', () => {
  it('returns one form for all ways of writing a number', () => {
    const ways = [
      '+49 30 1234567',
      '0049 30 1234567',
      '+49 (30) 123-45-67',
      '+49 (0)30 1234567',
      '0049 (0) 30 / 123.4567',
      '\u202a+49\u00a030\u20131234567\u202c',
      '＋４９３０１２３４５６７',
    ];
    for (const way of ways) expect(normalizePhone(way)).toBe('+49301234567');
  });

  it('does not guess a country code', () => {
    expect(normalizePhone('(030) 123 45')).toBe('03012345');
  });

  it('is idempotent', () => {
    const phoneLike = fc.string({ unit: fc.constantFrom(...'0123456789+-() ./[]') });
    fc.assert(
      fc.property(fc.oneof(phoneLike, anyText), (text) => {
        const once = normalizePhone(text);
        expect(normalizePhone(once)).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('isPhone', () => {
  it('accepts numbers and rejects the rest', () => {
    for (const good of ['+49 30 1234567', '0049301234567', '030 12345', '112'])
      expect(isPhone(good)).toBe(true);
    for (const bad of ['', '+', '12', 'call me', '+49 30 12a', '+0123456', '1234567890123456', '1+23']) {
      expect(isPhone(bad)).toBe(false);
    }
  });
});
