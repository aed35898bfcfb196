import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeMetrics } from '../../src/lib/metrics.ts';

test('the documented metrics are exactly those of the service', async () => {
  const guide = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const named = [...guide.matchAll(/countersign_[a-z_]+/g)].map(([name]) => name!.replace(/_bucket$/, ''));
  const known = (await makeMetrics().registry.getMetricsAsJSON()).map(({ name }) => name);
  expect(named.length).toBeGreaterThan(10);
  expect([...new Set(named)].filter((name) => name !== 'countersign_' && !known.includes(name))).toEqual([
    'countersign_app',
  ]);
});
