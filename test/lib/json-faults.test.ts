import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isExactDouble, textFault, valueFault } from '../../src/lib/json-faults.ts';

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

/** Checks a body like the service: the text, and the value from JSON.parse. */
const faultOf = (text: string, exact: boolean) => textFault(text, JSON.parse(text), exact);

describe('faults in JSON text', () => {
  test.each([
    ['nothing wrong', '{"a":[1,{"b":"c \\" \\\\"}],"b":"a"}', null],
    ['a duplicate name', '{"a":1,"b":2,"a":1}', 'a'],
    ['a duplicate name, escaped once', '{"a":1,"\\u0061":1}', 'a'],
    ['a nested duplicate name', '{"x":[0,{"y":{"a":1,"a":2}}]}', 'x.1.y.a'],
    ['the same name in two objects', '[{"a":1},{"a":1},{"b":{"a":{"a":1}}}]', null],
    ['a name that is also a value', '{"a":"b","b":"a"}', null],
    ['names of Object.prototype', '{"constructor":1,"toString":2,"__proto__":3}', null],
    ['duplicate __proto__', '{"__proto__":1,"__proto__":2}', '__proto__'],
    ['quotes and backslashes in names', '{"a\\"":1,"a\\\\":2,"a\\\\\\"":3}', null],
    ['a number too large', '{"a":[1,1E400]}', 'a.1'],
    ['a number too small', '{"a":1e-400}', 'a'],
    ['an integer with too many digits', '{"a":{"b":9007199254740993}}', 'a.b'],
    ['a fraction with too many digits', '{"a":0.12345678901234567}', 'a'],
    ['a single number', '-9007199254740993', ''],
    ['NUL', '{"a":"x\\u0000"}', 'a'],
    ['NUL in a name', '{"\\u0000":1}', '\0'],
    ['a lone surrogate', '["\\ud83d"]', '0'],
    ['a surrogate pair', '["\\ud83d\\ude00"]', null],
    ['an escaped backslash before u0000', '["\\\\u0000"]', null],
    ['the maximum depth', deep(128), null],
    ['deeper', deep(129), '0'],
  ])('%s', (_, text, path) => {
    const fault = faultOf(text, true);
    if (path === null) expect(fault).toBeNull();
    else expect(fault?.path.endsWith(path), JSON.stringify(fault)).toBe(true);
  });

  test('inexact numbers are accepted if exactness is not required, unless they overflow', () => {
    expect(faultOf('{"a":1,"a":9007199254740993}', false)).toBeNull();
    expect(faultOf('{"a":1E400}', false)).toMatchObject({ path: 'a' });
    expect(faultOf('{"a":"\\u0000"}', false)).toMatchObject({ path: 'a' });
  });

  test('output of JSON.stringify has no fault of its own', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 6 }), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(faultOf(text, true)).toEqual(valueFault(value));
      }),
    );
  });

  test('a duplicate name is found, in small and large objects', () => {
    const names = fc.uniqueArray(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(names, fc.nat(), (unique, at) => {
        const member = (name: string) => `${JSON.stringify(name)}:{"inner":[]}`;
        const text = (all: string[]) => `{${all.map(member).join(',')}}`;
        const sound = unique.filter((name) => !name.includes('\0'));
        expect(faultOf(text(sound), true)).toBeNull();
        const again = sound[at % sound.length];
        if (again !== undefined) expect(faultOf(text([...sound, again]), true)?.path).toBe(again);
      }),
    );
  });

  test('hostile input is checked in linear time', () => {
    const long = 1_000_000;
    // Texts with more members are rejected before they are parsed.
    const many = 10_000;
    const hostile = [
      `[${'0,'.repeat(many - 1)}1${'0'.repeat(long)}1]`,
      `[0.${'0'.repeat(long)}1]`,
      `[1e${'0'.repeat(long)}1]`,
      `["${'\\\\'.repeat(long / 2)}"]`,
      `{${Array.from({ length: many }, (_, i) => `"a${i}":0`).join(',')}}`,
    ];
    for (const text of hostile) {
      const begun = performance.now();
      faultOf(text, true);
      expect(performance.now() - begun).toBeLessThan(20_000);
    }
  });
});

describe('numbers that are exact as a double', () => {
  test.each([
    '0',
    '-0',
    '0.0',
    '0e999',
    '1.0',
    '1e2',
    '100',
    '0.1',
    '1E+2',
    '5e-324',
    '123456789012345680',
    '9223372036854775808',
    '9223372036854776000',
    '9.31322574615478515625e-10',
    '1.7976931348623157e308',
    '9007199254740992',
    '9007199254740994',
  ])('%s', (literal) => expect(isExactDouble(literal)).toBe(true));
  test.each([
    '1E400',
    '-1E400',
    '1e-400',
    '9007199254740993',
    '-9007199254740993',
    '0.1000000000000000055',
    '123456789012345679',
    '1e309',
    '4e-324',
  ])('not %s', (literal) => expect(isExactDouble(literal)).toBe(false));

  test('every double, in both notations', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(isExactDouble(String(value))).toBe(true);
        expect(isExactDouble(value.toExponential())).toBe(true);
      }),
    );
  });

  test('an integer exactly when BigInt agrees', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1n << 60n }), (value) => {
        // Some doubles print with other last digits; both texts mean the same double.
        const held = [BigInt(Number(value)), BigInt(String(Number(value)))];
        expect(isExactDouble(String(value))).toBe(held.includes(value));
      }),
    );
  });
});

test('a parsed value is checked at any depth', () => {
  let endless: unknown = 'x';
  for (let i = 0; i < 200_000; i++) endless = [endless];
  expect(valueFault(endless)?.message).toMatch(/deeper/);
  expect(valueFault({ a: [1, { b: '\ud800' }] })).toMatchObject({ path: 'a.1.b' });
  expect(valueFault({ a: Number.POSITIVE_INFINITY })).toMatchObject({ path: 'a' });
  expect(valueFault({ '\0': 1 })).toMatchObject({ path: '\0' });
  expect(valueFault({ a: [null, true, 1.5, 'x', {}, [], undefined] })).toBeNull();
});
