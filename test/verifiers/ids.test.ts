import { normalId } from '@countersign/proof-kit/approver-id';
import { isAssigned } from '@countersign/proof-kit/unicode-assigned';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasPython, PythonProcess } from './python-process.ts';

/** Spellings of one id each. */
const SAME = [
  [
    'ada@example.test',
    'ADA@example.test',
    ' Ada@Example.test ',
    'ａｄａ@example.test',
    'a\u200dda@example.test',
  ],
  ['strasse', 'STRASSE', 'stra\u00dfe', 'STRA\u1e9eE', 'Stra\u017f\u017fe', 'STRA\u00dfE'],
  ['ss', 'SS', '\u00df', '\u1e9e'],
  ['\u03c3\u03c3', '\u03a3\u03a3', '\u03c3\u03c2'],
  ['ada', 'ad\u{1d159}a', 'a\u{16fe4}da', '\ufeffada', 'a\u00adda', 'ada\u{e0041}'],
];

test.each(SAME)('one person, however written: %s', (...spellings) => {
  expect(new Set(spellings.map(normalId)).size).toBe(1);
});

test('every code point that text may ignore is invisible in ids', () => {
  const ignorable = Array.from({ length: 0x110000 }, (_, code) => code).filter(
    (code) =>
      !(code >= 0xd800 && code <= 0xdfff) &&
      /\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(code)),
  );
  expect(ignorable.length).toBeGreaterThan(4000);
  for (const code of ignorable)
    expect([code, normalId(`a${String.fromCodePoint(code)}b`)]).toEqual([code, 'ab']);
});

describe.runIf(hasPython)('both verifiers', () => {
  test('give every letter and mark that has other forms the same normal form', async () => {
    const hasForms = /[\p{Changes_When_NFKC_Casefolded}\p{Cased}\p{Mark}]/u;
    const ids = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => !(code >= 0xd800 && code <= 0xdfff) && isAssigned(code))
      .map((code) => `a${String.fromCodePoint(code)}b`)
      .filter((id) => hasForms.test(id.slice(1, -1)));
    const python = new PythonProcess();
    onTestFinished(() => python.end());
    const [normal] = await python.ask<string[]>([['normal', [...ids, ...SAME.flat()]]]);
    const differing = [...ids, ...SAME.flat()].filter((id, i) => normalId(id) !== normal![i]);
    expect(differing).toEqual([]);
  }, 60_000);
});
