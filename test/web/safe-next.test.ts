import { expect, test } from 'vitest';
import { safeNext } from '../../apps/console/src/session/landing.ts';

const ORIGIN = 'https://countersign.test';

test.for([
  '//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  '/sign-in?next=/me',
  '//countersign.test@evil.example/',
  '',
])('sign-in does not redirect to %j', (next) => {
  expect(safeNext(next, ORIGIN)).toBeNull();
});

test.for([
  ['/me', '/me'],
  ['/c/demo/approvals?event=evt_1#top', '/c/demo/approvals?event=evt_1#top'],
  ['/.//evil.example', '//evil.example'],
])('sign-in redirects to %s within this service', ([next, path]) => {
  const address = new URL(safeNext(next, ORIGIN)!);
  expect(address.origin).toBe(ORIGIN);
  expect(address.href).toBe(ORIGIN + path);
});
