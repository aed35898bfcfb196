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

const LONGEST = 500;

function faultOf({ description }: Described): string | null {
  if (!description) return 'has no description';
  if (description.length > LONGEST) return `is too long: ${description}`;
  return description.endsWith('.') ? null : `is not a sentence: ${description}`;
}

test('every description in the schema is a sentence', () => {
  const faults = [...everything()]
    .map(([at, each]) => [at, faultOf(each)])
    .filter(([, fault]) => fault !== null);
  expect(faults).toEqual([]);
});

test('every custom scalar has a specification URL', () => {
  const scalars = Object.values(schema.getTypeMap()).filter(
    (type) => isScalarType(type) && !isSpecifiedScalarType(getNamedType(type)),
  );
  expect(scalars.length).toBeGreaterThan(0);
  for (const scalar of scalars) {
    expect((scalar as { specifiedByURL?: string }).specifiedByURL, scalar.name).toMatch(/^https:\/\//);
  }
});
