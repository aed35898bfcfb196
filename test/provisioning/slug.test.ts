import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isReserved, slugCandidates, slugOf } from '../../src/domain/provisioning/subdomain.ts';

const FORM = /^[a-z0-9]([a-z0-9-]{1,28})[a-z0-9]$/;

describe('slugOf', () => {
  test.each([
    ['Café Nord', 'cafe-nord'],
    ['한빛 재활센터', 'hanbich-jaehwalsenteo'],
    ['Школа №5', 'shkola-no5'],
    ["St. Mary's   School", 'st-marys-school'],
    ['—', 'center'],
    ['AB', 'ab-center'],
    ['2026', '2026-center'],
    ['Admin', 'admin-center'],
  ])('%s becomes %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });
});

test('every candidate for any name is unique, well-formed and not reserved', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), (name) => {
      const candidates = [...slugCandidates(name)];
      expect(new Set(candidates).size).toBe(candidates.length);
      for (const slug of candidates) {
        expect(slug).toMatch(FORM);
        expect(isReserved(slug)).toBe(false);
      }
    }),
  );
});
