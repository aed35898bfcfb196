import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withoutRowSecurity } from '../../src/db/tenancy.ts';

const security = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');

test('every table without row-level security is documented', () => {
  const section = security.slice(security.indexOf('## Limits'));
  const known = Object.keys(withoutRowSecurity);
  expect(known).toContain('idempotency_record');
  expect(known.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});
