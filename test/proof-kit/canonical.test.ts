import { canonicalJson } from '@countersign/proof-kit/canonical';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('canonical JSON', () => {
  it('writes the example of RFC 8785, section 3.2.2', () => {
    const source = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    expect(canonicalJson(JSON.parse(source))).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('sorts keys by UTF-16 code units (section 3.2.3)', () => {
    const source = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    const values = [...canonicalJson(source).matchAll(/:"([^"]*)"/g)].map((match) => match[1]);
    expect(values).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  // Appendix B: the IEEE 754 bit pattern and the text it must have.
  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the number %s as %s', (bits, text) => {
    const number = Buffer.from(bits, 'hex').readDoubleBE();
    expect(canonicalJson(number)).toBe(text);
  });

  it.each([
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['a high surrogate alone', '\ud83d'],
    ['a low surrogate alone', 'a\ude00'],
    ['a key with a lone surrogate', { '\ud83d': 1 }],
    ['undefined', undefined],
    ['undefined in a list', [undefined]],
    ['a hole in a list', new Array(1)],
    ['a bigint', 1n],
    ['a function', () => 1],
    ['a date', new Date(0)],
    ['a map', new Map()],
  ])('rejects %s', (_, value: unknown) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
    if (value === undefined) return; // such a member is left out
    expect(() => canonicalJson({ a: 1, b: { c: value } })).toThrow(TypeError);
    expect(() => canonicalJson({ b: { c: value }, a: 1 })).toThrow(TypeError);
  });

  it('sorts keys that look like numbers as text', () => {
    expect(canonicalJson({ '10': 1, '9': 2, ' ': 3, a: { '2': 4, '1': 5 } })).toBe(
      '{" ":3,"10":1,"9":2,"a":{"1":5,"2":4}}',
    );
  });

  it('leaves out undefined members', () => {
    expect(canonicalJson({ b: undefined, a: { c: undefined } })).toBe('{"a":{}}');
  });

  it('treats __proto__ as any other key', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"x":2},"b":1}'))).toBe('{"__proto__":{"x":2},"b":1}');
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"x":2}}'))).toBe('{"__proto__":{"x":2},"b":1}');
  });

  it('is idempotent, keeps the value, and agrees with another implementation', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const text = canonicalJson(value);
        const again: unknown = JSON.parse(text);
        expect(canonicalJson(again)).toBe(text);
        expect(text).toBe(canonicalize(value));
      }),
    );
  });
});
