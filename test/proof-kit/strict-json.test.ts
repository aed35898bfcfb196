import { type JsonFault, parseStrictJson } from '@countersign/proof-kit/strict-json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const faultOf = (text: string): JsonFault => {
  try {
    parseStrictJson(text);
  } catch (error) {
    return error as JsonFault;
  }
  throw new Error('it was read');
};

describe('parseStrictJson', () => {
  it('returns the same as JSON.parse for unambiguous JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(parseStrictJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    "{'a':1}",
    '01',
    '+1',
    '.5',
    '1.',
    'NaN',
    '"\t"',
    '"\\x"',
    '"\\u12"',
    '1 2',
    '[1}',
    'nul',
    '\ufeff{}',
  ])('rejects %j, which is not JSON', (text) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(faultOf(text)).toMatchObject({ isJson: false });
  });

  it.each([
    ['{"a":1,"a":1}', 'the member a is there twice'],
    ['{"a":1,"\\u0061":2}', 'the member a is there twice'],
    ['[{"x":{"__proto__":1,"__proto__":2}}]', 'the member __proto__ is there twice'],
    ['"\\ud800"', 'a text holds half a surrogate pair'],
    ['{"\\udc00x":1}', 'a text holds half a surrogate pair'],
    ['1E400', 'the number 1E400 does not fit into a double'],
    ['9007199254740993', 'the number 9007199254740993 does not fit into a double'],
  ])('rejects %s, which is ambiguous JSON', (text, message) => {
    JSON.parse(text);
    expect(faultOf(text)).toMatchObject({ isJson: true, message });
  });

  it.each([9007199254740992, 2 ** 60, 123456789012345680000, 1e21, -0.1, 5e-324])('accepts %d', (number) => {
    expect(parseStrictJson(String(number))).toBe(number);
  });

  it('keeps __proto__ as an ordinary member', () => {
    const read = parseStrictJson('{"__proto__":{"a":1}}') as object;
    expect(Object.keys(read)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  it('rejects deep nesting without a stack overflow', () => {
    expect(faultOf('['.repeat(100_000))).toMatchObject({ message: 'it is nested too deeply' });
  });
});
