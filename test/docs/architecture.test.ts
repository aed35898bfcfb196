import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

test('every file that the architecture names is there', () => {
  const named = [...read('docs/architecture.md').matchAll(/\b(src\/[\w./-]+|bench\/[\w./-]+)/g)].map(
    ([path]) => path!.replace(/[./]+$/, ''),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});

test('CONTRIBUTING and the README lead to it', () => {
  expect(read('CONTRIBUTING.md')).toContain('docs/architecture.md');
  expect(read('README.md')).toContain('docs/architecture.md');
});
