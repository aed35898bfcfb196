import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';

interface Described {
  name: string;
  description?: string | null | undefined;
}

/** Every type, field, argument, input field and value, as `Type.field(argument)`. */
function* everything(): Generator<[string, Described]> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue;
    yield [type.name, type];
    if (isEnumType(type)) {
      for (const value of type.getValues()) yield [`${type.name}.${value.name}`, value];
    } else if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) yield [`${type.name}.${field.name}`, field];
    } else if (isObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        yield [`${type.name}.${field.name}`, field];
        for (const arg of field.args) yield [`${type.name}.${field.name}(${arg.name})`, arg];
      }
    }
  }
}

const SHORTEST = 15;
const LONGEST = 500;
const FILLERS = new Set([
  'a',
  'an',
  'and',
  'the',
  'its',
  'it',
  'is',
  'was',
  'of',
  'this',
  'to',
  'that',
  'for',
  'in',
]);

const wordsOf = (text: string) =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.replace(/s$/, ''));

function faultOf({ name, description }: Described): string | null {
  if (!description) return 'has no description';
  if (description.length < SHORTEST) return `says too little: ${description}`;
  if (description.length > LONGEST) return `says too much: ${description}`;
  if (!description.endsWith('.')) return `is no sentence: ${description}`;
  const own = new Set(wordsOf(name));
  const more = wordsOf(description).filter((word) => !own.has(word) && !FILLERS.has(word));
  return more.length === 0 ? `says no more than its name: ${description}` : null;
}

test('everything in the schema is described, in words that say more than its name', () => {
  const faults = [...everything()]
    .map(([at, each]) => [at, faultOf(each)])
    .filter(([, fault]) => fault !== null);
  expect(faults).toEqual([]);
});

test('every scalar of our own says where it is specified', () => {
  const scalars = Object.values(schema.getTypeMap()).filter(
    (type) => isScalarType(type) && !isSpecifiedScalarType(getNamedType(type)),
  );
  expect(scalars.length).toBeGreaterThan(0);
  for (const scalar of scalars) {
    expect((scalar as { specifiedByURL?: string }).specifiedByURL, scalar.name).toMatch(/^https:\/\//);
  }
});
