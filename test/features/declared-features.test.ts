import { expect, test } from 'vitest';
import type { Feature } from '../../src/domain/features/catalog.ts';
import { schema } from '../../src/schema/index.ts';
import { accessRuleOf } from '../../src/schema/internals/pothos.ts';

/** Operations of a feature, by their name. */
const operations: [Feature, RegExp][] = [
  ['workflows', /workflow/i],
  ['webhooks', /webhook|^retryEvent$|^sendSampleEvent$/i],
  ['booking', /^book|booking|availability|^schedule$|^noteAttendance$/i],
  ['proofApi', /apiKey/i],
];

/** Possible without the feature: a key can always be revoked and describe itself, and names of members belong to no feature. */
const always = ['bookingGuests', 'currentApiKey', 'revokeApiKey'];

test('every operation that belongs to a feature requires it', () => {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const fields = roots.flatMap((root) => Object.values(root!.getFields()));
  const wrong = fields.flatMap((field) => {
    const { name } = field;
    const expected = always.includes(name)
      ? undefined
      : operations.find(([, pattern]) => pattern.test(name))?.[0];
    const declared = accessRuleOf(field)?.feature;
    return declared === expected ? [] : [`${name}: ${declared ?? 'none'} instead of ${expected ?? 'none'}`];
  });
  expect(wrong).toEqual([]);
});
