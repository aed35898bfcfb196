import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withoutRowSecurity } from '../../src/db/tenancy.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const security = read('docs/security.md');

/** Every row of the tables about attackers and attacks. */
const rows = security
  .slice(security.indexOf('## Threats'), security.indexOf('## Limits'))
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\|\s*-|^\| attack \|/.test(line));

test('every row of the threat tables names a test that exists', () => {
  expect(rows.length).toBeGreaterThan(40);
  const named = /`(test\/[\w./-]+\.test\.ts)`: “([^”]+)”/g;
  expect(rows.filter((row) => row.search(named) === -1)).toEqual([]);
  const missing = [...security.matchAll(named)].filter(([, file, title]) => {
    // Escaped quotes in the source are plain quotes in the title.
    const text = existsSync(new URL(file!, root)) ? read(file!).replaceAll("\\'", "'") : '';
    return !text.includes(title!);
  });
  expect(missing.map(([reference]) => reference)).toEqual([]);
});

test('every table without row-level security is documented', () => {
  const section = security.slice(security.indexOf('## Limits'));
  const known = Object.keys(withoutRowSecurity);
  expect(known).toContain('idempotency_record');
  expect(known.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});
