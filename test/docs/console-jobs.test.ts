import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** The headings below "Jobs" in the guide to the console. */
function documentedJobs(): string[] {
  const [, rest = ''] = read('docs/console.md').split('\n## Jobs\n');
  const [jobs = ''] = rest.split('\n## ');
  return [...jobs.matchAll(/^### (.+)$/gm)].map(([, name]) => name!);
}

/** The jobs named in the titles of browser tests: `Job: Name. …` or `Jobs: Name; Other name. …`. */
function walkedJobs(): string[] {
  return readdirSync(new URL('test/web/console', root))
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => [...read(`test/web/console/${file}`).matchAll(/\btest\(\s*'Jobs?: ([^.']+)\./g)])
    .flatMap(([, names]) => names!.split('; '));
}

test('every job in the console guide is covered by a browser test that names it', () => {
  const jobs = documentedJobs();
  expect(jobs).toHaveLength(20);
  expect([...new Set(walkedJobs())].sort()).toEqual(jobs.sort());
});
