import {
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { repeatsNames } from '../helpers/descriptions.ts';

interface Described {
  name: string;
  description?: string | null | undefined;
  type?: GraphQLType;
}

/** Every type, field, argument, input field and value, as `Type.field(argument)`, with the names that describe it already. */
function* everything(): Generator<[at: string, Described, names: string[]]> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue;
    yield [type.name, type, [type.name]];
    if (isEnumType(type)) {
      for (const value of type.getValues())
        yield [`${type.name}.${value.name}`, value, [type.name, value.name]];
    } else if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields()))
        yield [`${type.name}.${field.name}`, field, [type.name, field.name]];
    } else if (isObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        yield [`${type.name}.${field.name}`, field, [type.name, field.name]];
        for (const arg of field.args)
          yield [`${type.name}.${field.name}(${arg.name})`, arg, [field.name, arg.name]];
      }
    }
  }
}

const LONGEST = 500;

function faultOf({ description, type }: Described, names: string[]): string | null {
  if (!description) return 'has no description';
  if (description.length > LONGEST) return `is too long: ${description}`;
  if (!description.endsWith('.')) return `is not a sentence: ${description}`;
  const all = type ? [...names, getNamedType(type).name] : names;
  return repeatsNames(description, all) ? `only repeats its name: ${description}` : null;
}

test('every description in the schema is a sentence that says more than its name', () => {
  const faults = [...everything()]
    .map(([at, each, names]) => [at, faultOf(each, names)])
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
