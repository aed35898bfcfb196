import { toBase64Url, utf8 } from '@countersign/proof-kit/bytes';
import {
  disclosureDigest,
  makeDisclosure,
  parseDisclosure,
  saltFrom,
} from '@countersign/proof-kit/disclosure';
import { describe, expect, it } from 'vitest';

describe('the examples of RFC 9901', () => {
  // Section 4.2.1 and 4.2.3: the same member, written in three ways, each with its own digest.
  const family = 'WyJfMjZiYzRMVC1hYzZxMktJNmNCVzVlcyIsICJmYW1pbHlfbmFtZSIsICJNw7ZiaXVzIl0';
  it.each([
    [family, 'X9yH0Ajrdm1Oij4tWso9UzzKJvPoDxwmuEcO3XAdRC0'],
    // Section 5.1, the first names of its example.
    [
      'WyIyR0xDNDJzS1F2ZUNmR2ZyeU5STjl3IiwgImdpdmVuX25hbWUiLCAiSm9obiJd',
      'jsu9yVulwQQlhFlM_3JlzMaSFzglhQG0DpfayQwLUK4',
    ],
    [
      'WyJlbHVWNU9nM2dTTklJOEVZbnN4QV9BIiwgImZhbWlseV9uYW1lIiwgIkRvZSJd',
      'TGf4oLbgwd5JQaHyKVQZU9UdGE0w5rtDsrZzfUaomLo',
    ],
  ])('%s', (disclosure, digest) => {
    expect(disclosureDigest(disclosure)).toBe(digest);
  });

  it('are parsed as in the RFC, whatever the whitespace of their JSON', () => {
    expect(parseDisclosure(family)).toEqual({
      salt: '_26bc4LT-ac6q2KI6cBW5es',
      name: 'family_name',
      value: 'Möbius',
    });
    const spellings = [
      '["_26bc4LT-ac6q2KI6cBW5es",  "family_name", "M\\u00f6bius"]',
      '["_26bc4LT-ac6q2KI6cBW5es","family_name","Möbius"]',
      '["_26bc4LT-ac6q2KI6cBW5es"\n,"family_name"\n,"Möbius"\n]',
    ].map((json) => toBase64Url(utf8(json)));
    for (const spelling of spellings) expect(parseDisclosure(spelling)).toEqual(parseDisclosure(family));
    expect(new Set(spellings.map(disclosureDigest)).size).toBe(3);
  });
});

describe('a disclosure', () => {
  const salt = saltFrom(new Uint8Array(16).fill(7));

  it('is the canonical JSON of salt, name and value', () => {
    const disclosure = makeDisclosure(salt, 'input', { b: 1, a: [null, 'ö'] });
    expect(Buffer.from(disclosure, 'base64url').toString()).toBe(
      `["${salt}","input",{"a":[null,"ö"],"b":1}]`,
    );
    expect(parseDisclosure(disclosure)).toEqual({ salt, name: 'input', value: { a: [null, 'ö'], b: 1 } });
  });

  it('has at least 128 random bits of salt', () => {
    expect(() => saltFrom(new Uint8Array(15))).toThrow(TypeError);
    expect(salt).toHaveLength(22);
  });

  it.each(['_sd', '...'])('cannot have the member name %s', (name) => {
    expect(() => makeDisclosure(salt, name, 1)).toThrow(TypeError);
    expect(() => parseDisclosure(toBase64Url(utf8(JSON.stringify([salt, name, 1]))))).toThrow(TypeError);
  });

  it.each([
    ['padding', `${toBase64Url(utf8('["s","n","v"]'))}=`],
    ['the standard base64 alphabet', 'WyJz+yJd'],
    ['trailing bits', 'WyJzIiwibiIsInYiXR'],
    ['two parts', toBase64Url(utf8('["s","n"]'))],
    ['four parts', toBase64Url(utf8('["s","n",1,2]'))],
    ['an object', toBase64Url(utf8('{"salt":"s"}'))],
    ['a salt that is not a string', toBase64Url(utf8('[1,"n","v"]'))],
    ['a duplicate member', toBase64Url(utf8('["s","n",{"a":1,"a":2}]'))],
    ['invalid UTF-8', toBase64Url(Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d))],
  ])('is rejected with %s', (_, disclosure) => {
    expect(() => parseDisclosure(disclosure)).toThrow();
  });
});
