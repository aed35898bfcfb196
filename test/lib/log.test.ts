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
