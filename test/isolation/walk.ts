import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';

/** A place in the arguments of a root field where another tenant's object could be named. */
export interface Place {
  kind: 'query' | 'mutation' | 'subscription';
  field: GraphQLField<unknown, unknown>;
  /** Names from the argument down to the leaf. */
  path: string[];
  /** The kind of value: an id of any kind, the number of a center, or its domain. */
  takes: 'id' | 'number' | 'domain';
}

type Input = GraphQLArgument | GraphQLInputField;

function takes({ name, type }: Input): Place['takes'] | null {
  const { name: typeName } = getNamedType(type);
  if (typeName === 'ID' || (typeName === 'String' && /Ids?$/.test(name))) return 'id';
  if (typeName === 'Int' && /^centerIds?$/.test(name)) return 'number';
  if (typeName === 'String' && /domain$/i.test(name)) return 'domain';
  return null;
}

const childrenOf = (input: Input): Input[] => {
  const type = getNamedType(input.type);
  return isInputObjectType(type) ? Object.values(type.getFields()) : [];
};

function leaves(input: Input, path: string[] = []): { path: string[]; takes: Place['takes'] }[] {
  // No input of this API nests itself more than once, so three levels reach every leaf.
  if (path.length > 3) return [];
  const here = [...path, input.name];
  const kind = takes(input);
  return kind ? [{ path: here, takes: kind }] : childrenOf(input).flatMap((child) => leaves(child, here));
}

export function rootFields(schema: GraphQLSchema) {
  const of = (kind: Place['kind'], type = schema.getQueryType()) =>
    Object.values(type?.getFields() ?? {}).map((field) => ({ kind, field }));
  return [
    ...of('query'),
    ...of('mutation', schema.getMutationType()),
    ...of('subscription', schema.getSubscriptionType()),
  ];
}

/** Every such place of the whole schema. */
export function places(schema: GraphQLSchema): Place[] {
  return rootFields(schema).flatMap(({ kind, field }) =>
    field.args.flatMap((arg) => leaves(arg).map((leaf) => ({ kind, field, ...leaf }))),
  );
}

/** Plausible values for required members besides the ids. */
export const samples: Record<string, unknown> = {
  Boolean: true,
  Date: '2031-01-06',
  DateTime: '2031-01-06T09:00:00Z',
  Float: 0.5,
  Int: 1,
  JSON: {},
  String: 'something',
};
const samplesByName: Record<string, unknown> = {
  adminEmail: 'someone@example.test',
  email: 'someone@example.test',
  url: 'https://example.test/hook',
};

/** What goes into the places of each kind. */
export type Values = Record<Place['takes'], unknown>;

function fillIn(input: Input, place: Place, values: Values, path: string[]): unknown {
  const here = [...path, input.name];
  const kind = takes(input);
  if (kind) return inList(input.type, values[kind]);
  if (input.name in samplesByName) return samplesByName[input.name];
  const type = getNamedType(input.type as GraphQLInputType);
  if (isEnumType(type)) return inList(input.type, type.getValues()[0]!.name);
  if (!isInputObjectType(type)) return inList(input.type, samples[type.name]);
  const wanted = childrenOf(input).filter(
    (child) => isRequiredInputField(child as GraphQLInputField) || leadsTo(place, [...here, child.name]),
  );
  const object = Object.fromEntries(wanted.map((child) => [child.name, fillIn(child, place, values, here)]));
  return inList(input.type, object);
}

const leadsTo = ({ path }: Place, here: string[]) => here.every((name, i) => path[i] === name);

function inList(type: GraphQLInputType, value: unknown): unknown {
  return isListType(isNonNullType(type) ? type.ofType : type) ? [value] : value;
}

/** Variables with a value at the place and required values elsewhere. */
export function variablesFor(place: Place, values: Values): Record<string, unknown> {
  const wanted = place.field.args.filter((arg) => isRequiredArgument(arg) || leadsTo(place, [arg.name]));
  return Object.fromEntries(wanted.map((arg) => [arg.name, fillIn(arg, place, values, [])]));
}

/** A document that calls the field with these variables and selects all nearby fields. */
export function documentFor(kind: Place['kind'], field: Place['field'], names: string[]): string {
  const args = field.args.filter(({ name }) => names.includes(name));
  const declared = args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ');
  const [head, call] = args.length > 0 ? [`(${declared})`, `(${passed})`] : ['', ''];
  return `${kind} ${head} { ${field.name}${call} ${selection(field.type)} }`;
}

const DEPTH = 4;

function selection(type: GraphQLOutputType, depth = DEPTH, above: readonly string[] = []): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (isAbstractType(named) || !isObjectType(named)) return '{ __typename }';
  const fields = Object.values(named.getFields())
    .filter((field) => !field.args.some(isRequiredArgument))
    .filter((field) => depth > 1 || isLeafType(getNamedType(field.type)))
    // A decision below a decision would exceed the document size limit.
    .filter((field) => ![...above, named.name].includes(getNamedType(field.type).name))
    .map((field) => `${field.name} ${selection(field.type, depth - 1, [...above, named.name])}`);
  return fields.length > 0 ? `{ ${fields.join(' ')} }` : '{ __typename }';
}

/** Whether a result is empty: null, an empty list, or an object of nothing. */
export function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  const { edges } = value as { edges?: unknown[] };
  return Array.isArray(edges) && edges.length === 0;
}
