import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { makeLog } from '../../src/lib/log.ts';

const written = (isTTY: boolean) => {
  const lines: string[] = [];
  const log = makeLog('info', { isTTY, write: (line: string) => lines.push(line) });
  log.info({ port: 4000, password: 'hunter2' }, 'ready');
  return lines.join('');
};

test('prints JSON lines for programs', () => {
  expect(JSON.parse(written(false))).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    port: 4000,
    password: '[redacted]',
    msg: 'ready',
  });
});

test('prints readable lines on a terminal', () => {
  const shown = stripVTControlCharacters(written(true));
  expect(shown).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: ready\n {4}port: 4000\n/);
  expect(shown).not.toContain('hunter2');
});

/** The line of one call, as JSON. */
const lineOf = (write: (log: ReturnType<typeof makeLog>) => void) => {
  const lines: string[] = [];
  write(makeLog('info', { write: (line: string) => lines.push(line) }));
  return lines.join('');
};

const secret = 'hunter2';

test.each<[string, object]>([
  ['a field', { token: secret }],
  ['an object', { request: { headers: { authorization: secret, cookie: [secret] } } }],
  ['a list', { sessions: [{ refreshToken: secret }, [{ secret }]] }],
  ['the deepest object that is printed', { a: { b: { c: { d: { password: secret } } } } }],
  [
    'an error',
    { err: Object.assign(new Error('failed'), { plaintext: secret, sent: { accessToken: secret } }) },
  ],
  [
    'an error of several',
    { err: new AggregateError([Object.assign(new Error('one'), { signingSecret: secret })], 'all failed') },
  ],
])('redacts a secret in %s', (_, fields) => {
  const before = structuredClone(fields);
  const line = lineOf((log) => log.warn(fields, 'refused'));
  expect(JSON.parse(line)).toMatchObject({ level: 'warn', msg: 'refused' });
  expect(line).toContain('[redacted]');
  expect(line).not.toContain(secret);
  expect(structuredClone(fields)).toEqual(before);
});

test('redacts a secret in an error that is the line itself', () => {
  const line = lineOf((log) => log.error(Object.assign(new Error('failed'), { token: secret })));
  expect(JSON.parse(line)).toMatchObject({ msg: 'failed', err: { type: 'Error', token: '[redacted]' } });
});

test('prints dates, missing values and circular objects', () => {
  const circular: Record<string, unknown> = { at: new Date(0), none: null };
  circular['self'] = circular;
  expect(JSON.parse(lineOf((log) => log.info({ circular }, 'x')))).toMatchObject({
    circular: { at: '1970-01-01T00:00:00.000Z', none: null },
  });
});
