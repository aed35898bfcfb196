import { expect, test } from 'vitest';
import {
  eventCatalog,
  eventTypes,
  knownPatterns,
  patternsFor,
  payloadSchema,
} from '../../src/domain/events/catalog.ts';

test.each(eventTypes)('the example of %s matches its schema', (type) => {
  const { data, example } = eventCatalog[type];
  expect(data.parse(example)).toEqual(example);
  expect(payloadSchema(type)).toMatchObject({ type: 'object', required: Object.keys(example) });
});

test('a type matches itself, its prefixes and *', () => {
  expect(patternsFor('agent.decision.completed')).toEqual([
    'agent.decision.completed',
    'agent.*',
    'agent.decision.*',
    '*',
  ]);
  expect(knownPatterns.has('payment.*')).toBe(true);
  expect(knownPatterns.has('pay.*')).toBe(false);
});
