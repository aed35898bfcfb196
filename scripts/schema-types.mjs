// Writes schema.graphql as the type from which gql.tada infers the variables and results of documents.
// Its own generator needs the compiler of TypeScript 5; the form is the one it calls preprocessed.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isUnionType,
} from 'graphql';

const text = (value) => (value ? `'${value}'` : 'never');

const kinds = [
  [isScalarType, 'SCALAR'],
  [isEnumType, 'ENUM'],
  [isInputObjectType, 'INPUT_OBJECT'],
  [isObjectType, 'OBJECT'],
  [isInterfaceType, 'INTERFACE'],
  [isUnionType, 'UNION'],
];

function reference(type) {
  if (isNonNullType(type)) return `{ kind: 'NON_NULL'; name: never; ofType: ${reference(type.ofType)} }`;
  if (isListType(type)) return `{ kind: 'LIST'; name: never; ofType: ${reference(type.ofType)} }`;
  return `{ kind: '${kinds.find(([is]) => is(type))[1]}'; name: '${type.name}'; ofType: null }`;
}

const fieldsOf = (type) =>
  Object.values(type.getFields())
    .map((field) => `'${field.name}': { name: '${field.name}'; type: ${reference(field.type)} }`)
    .join('; ');

const inputsOf = (type) =>
  Object.values(type.getFields())
    .map((field) => {
      const value = field.defaultValue === undefined ? 'null' : text(JSON.stringify(field.defaultValue));
      return `{ name: '${field.name}'; type: ${reference(field.type)}; defaultValue: ${value} }`;
    })
    .join(', ');

function definition(schema, type) {
  const { name } = type;
  if (isEnumType(type)) {
    const values = type.getValues().map((value) => text(value.name));
    return `{ name: '${name}'; enumValues: ${values.join(' | ')} }`;
  }
  if (isInputObjectType(type)) {
    return `{ kind: 'INPUT_OBJECT'; name: '${name}'; isOneOf: ${Boolean(type.isOneOf)}; inputFields: [${inputsOf(type)}] }`;
  }
  if (isObjectType(type)) return `{ kind: 'OBJECT'; name: '${name}'; fields: { ${fieldsOf(type)} } }`;
  if (isInterfaceType(type) || isUnionType(type)) {
    const possible = schema.getPossibleTypes(type).map((each) => text(each.name));
    const [kind, fields] = isUnionType(type) ? ['UNION', ''] : ['INTERFACE', fieldsOf(type)];
    return `{ kind: '${kind}'; name: '${name}'; fields: { ${fields} }; possibleTypes: ${possible.join(' | ') || 'never'} }`;
  }
  return 'unknown';
}

function schemaTypes(schema) {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const lines = types.map((type) => `    '${type.name}': ${definition(schema, type)};`);
  const root = (type) => text(type?.name);
  return `export type introspection = {
  name: never;
  query: ${root(schema.getQueryType())};
  mutation: ${root(schema.getMutationType())};
  subscription: ${root(schema.getSubscriptionType())};
  types: {
${lines.join('\n')}
  };
};
`;
}

const [, , schemaFile, ...targets] = process.argv;
const types = schemaTypes(buildSchema(readFileSync(schemaFile, 'utf8')));
for (const target of targets) {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, types);
}
