import { expect, test } from 'vitest';
import { isMatch } from '../../apps/console/src/app/finder-match.ts';

test.each([
  ['policy', 'Policies', true],
  ['policies', 'New policy', true],
  ['keys', 'New API key', true],
  ['new key', 'New API key', true],
  ['class', 'Classes', true],
  ['status', 'Status of the installation', true],
  ['  AUDIT  ', 'Audit log', true],
  ['api-keys', 'API keys', true],
  ['ollic', 'Policies', false],
  ['new polizy', 'New policy', false],
  ['', 'Policies', true],
])('"%s" finds "%s": %s', (query, text, found) => {
  expect(isMatch(query, [text, undefined])).toBe(found);
});
