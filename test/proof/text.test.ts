import { canonicalJson } from '@countersign/proof-kit/canonical';
import { EVENT } from '@countersign/proof-kit/decision';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestOf, type EventContent, reseal, sealNew } from '../../src/domain/decisions/content.ts';
import { jsonObject, text } from '../../src/domain/decisions/text.ts';

test('every accepted JSON object has a canonical form and is not changed', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' })),
      (value) => {
        const parsed = jsonObject.safeParse(value);
        if (!parsed.success) return;
        expect(parsed.data).toBe(value);
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      },
    ),
  );
});

test('text with NUL, lone surrogates or a wrong length is rejected', () => {
  const limited = text(20, 1);
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '\0', '\ud800', '😀') }), (value) => {
      const { success } = limited.safeParse(value);
      const sound = value.isWellFormed() && !value.includes('\0');
      expect(success).toBe(sound && value.length > 0 && [...value].length <= 20);
    }),
  );
});

test('a content hash depends on every value, but not on the order of fields', () => {
  const event: EventContent = {
    id: 'evt_1',
    decisionId: 'd',
    type: 'custom',
    actor: { id: 'a', type: 'human' },
    action: { type: 'x', input: { a: 1, b: 2 } },
    tags: [],
    occurredAt: '2026-01-01T00:00:00.000Z',
  };
  const { sealed, salts } = sealNew(EVENT, event);
  const digest = (changed: EventContent) =>
    digestOf(reseal(EVENT, { content: changed, salts, erased: null }).sealed);
  const reordered = Object.fromEntries(Object.entries(event).reverse()) as unknown as EventContent;
  expect(digest(reordered)).toBe(digestOf(sealed));
  expect(digest({ ...event, tags: ['t'] })).not.toBe(digestOf(sealed));
  expect(digest({ ...event, action: { type: 'x', input: { a: 1, b: 3 } } })).not.toBe(digestOf(sealed));
  expect(digest({ ...event, riskScore: 0.5 })).not.toBe(digestOf(sealed));
});

test('two equal events have different digests', () => {
  const event: EventContent = {
    id: 'evt_1',
    decisionId: 'd',
    type: 'custom',
    actor: { id: 'a', type: 'human' },
    action: { type: 'x' },
    tags: [],
    occurredAt: '2026-01-01T00:00:00.000Z',
  };
  expect(digestOf(sealNew(EVENT, event).sealed)).not.toBe(digestOf(sealNew(EVENT, event).sealed));
});
