import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFilter, readPath } from '../../src/domain/scim/expression.ts';
import { parseFilter } from '../../src/domain/scim/filter.ts';

test('filters of Entra ID and Okta are read', () => {
  expect(parseFilter('User', 'userName eq "ada@example.test"')).toEqual([
    { attribute: 'userName', value: 'ada@example.test' },
  ]);
  expect(parseFilter('User', 'USERNAME EQ "a\\"b\\\\" AND active eq True')).toEqual([
    { attribute: 'userName', value: 'a"b\\' },
    { attribute: 'active', value: true },
  ]);
  expect(parseFilter('User', 'emails[value eq "a@b.test"]')).toEqual([
    { attribute: 'emails.value', value: 'a@b.test' },
  ]);
  expect(parseFilter('User', 'urn:ietf:params:scim:schemas:core:2.0:User:externalId eq "7"')).toEqual([
    { attribute: 'externalId', value: '7' },
  ]);
  expect(parseFilter('Group', 'id eq "grp_1" and members[value eq "mbr_1"]')).toEqual([
    { attribute: 'id', value: 'grp_1' },
    { attribute: 'members.value', value: 'mbr_1' },
  ]);
});

test('other filters are refused by name, without an exception of another kind', () => {
  const refused = [
    '',
    ' ',
    'userName',
    'userName eq',
    'userName eq "open',
    'userName eq "a" and',
    'userName eq "a" or active eq true',
    'userName co "a"',
    'not (userName eq "a")',
    '(userName eq "a")',
    'userName eq "a" active eq true',
    'userName eq 7',
    'active eq "maybe"',
    'title eq "x"',
    'members.value eq "mbr_1"',
    'emails[type eq "work" and value eq "a@b.test"]',
    'emails[value eq "a@b.test"].value eq "a"',
    '__proto__ eq "x"',
    'constructor eq "x"',
    `userName eq "${'x'.repeat(1_000)}"`,
    'urn:example:User:userName eq "a"',
    'userName eq "\\x"',
    '['.repeat(1_000),
  ];
  for (const text of refused) {
    expect(() => parseFilter('User', text), text).toThrow(
      expect.objectContaining({ scimType: 'invalidFilter' }),
    );
  }
});

test('paths of Entra ID and Okta are read', () => {
  const attribute = (name: string, sub: string | null = null, schema: string | null = null) => ({
    schema,
    name,
    sub,
  });
  expect(readPath('Name.familyName')).toEqual({ attribute: attribute('name', 'familyname'), where: null });
  expect(readPath('emails[type eq "work"].value')).toEqual({
    attribute: attribute('emails', 'value'),
    where: [{ attribute: attribute('type'), value: 'work' }],
  });
  expect(readPath('members[value eq "mbr_1"]')).toEqual({
    attribute: attribute('members'),
    where: [{ attribute: attribute('value'), value: 'mbr_1' }],
  });
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
  expect(readPath(`${enterprise}:manager.value`)).toEqual({
    attribute: attribute('manager', 'value', enterprise.toLowerCase()),
    where: null,
  });
  for (const text of [
    '',
    '.',
    'a.',
    'a.b.c',
    'a[',
    'a[]',
    'a]',
    '__proto__',
    '__proto__.x',
    'a.__proto__',
    'a[b eq 1].',
    'a b',
    '"a"',
    'a[b eq 1].c.d',
  ])
    expect(readPath(text), text).toBeNull();
});

const literal = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.boolean(),
  fc.constant(null),
  fc.integer(),
);
const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,10}$/);

test('every written comparison is read back', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(name, fc.option(name), literal), { minLength: 1, maxLength: 5 }),
      (terms) => {
        const text = terms
          .map(
            ([attribute, sub, value]) =>
              `${attribute}${sub === null ? '' : `.${sub}`} eq ${JSON.stringify(value)}`,
          )
          .join(' and ');
        const read = readFilter(text);
        if (text.length > 1_000) {
          expect(read).toBeNull();
          return;
        }
        expect(read).toEqual(
          terms.map(([attribute, sub, value]) => ({
            attribute: { schema: null, name: attribute.toLowerCase(), sub: sub?.toLowerCase() ?? null },
            value: Object.is(value, -0) ? 0 : value,
          })),
        );
      },
    ),
  );
});

test('no text makes the parser fail, and nothing it reads reaches a prototype', () => {
  const pieces = [
    'userName',
    'emails',
    '[',
    ']',
    ' eq ',
    ' and ',
    '"a"',
    '"',
    '\\',
    '.',
    'value',
    ':',
    'urn:',
    '(',
    '1',
    '__proto__',
    ' ',
  ];
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 1_200 }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((each) => each.join('')),
  );
  fc.assert(
    fc.property(text, (each) => {
      for (const read of [readFilter(each), readPath(each)]) {
        expect(JSON.stringify(read)).not.toMatch(/"(name|sub)":"__/);
      }
      try {
        parseFilter('User', each);
      } catch (error) {
        expect(error).toMatchObject({ status: 400, scimType: 'invalidFilter' });
      }
    }),
    { numRuns: 2_000 },
  );
});
