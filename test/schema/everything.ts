import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

/** Walks everything a query can return: every field of every type below it. */

export type Field = GraphQLField<unknown, unknown>;

export const isConnection = (type: GraphQLOutputType) => /Connection$/.test(getNamedType(type).name);

/** Whether a field returns several objects, as a list or in pages. */
export const givesMany = ({ type }: Field) =>
  isConnection(type) || (isListType(getNullableType(type)) && !isLeafType(getNamedType(type)));

/** The item type of a field: that of the nodes for a connection. */
export function itemType(type: GraphQLOutputType): GraphQLObjectType | null {
  const named = getNamedType(type);
  if (!isObjectType(named)) return null;
  const edges = isConnection(named) ? named.getFields()['edges'] : undefined;
  if (!edges) return named;
  return itemType((getNamedType(edges.type) as GraphQLObjectType).getFields()['node']!.type);
}

/** The fields of a type that need no arguments. */
export const fieldsOf = (type: GraphQLObjectType): Field[] =>
  Object.values(type.getFields()).filter((field) => !field.args.some(isRequiredArgument));

/** The total of a connection that has one. */
export const totalIn = (type: GraphQLOutputType) =>
  'totalCount' in (getNamedType(type) as GraphQLObjectType).getFields() ? 'totalCount' : '';

/** Too expensive below a list: a hundred whole decisions per mandate. */
const OMITTED = new Set(['Mandate.uses']);

/** Everything below a field, once on each path. */
function selection(type: GraphQLOutputType, first: number, above: readonly string[] = []): string {
  const item = itemType(type);
  if (!item) return isLeafType(getNamedType(type)) ? '' : '{ __typename }';
  const path = [...above, item.name];
  const fields = fieldsOf(item)
    .filter((field) => !path.includes(itemType(field.type)?.name ?? ''))
    .filter((field) => !OMITTED.has(`${item.name}.${field.name}`))
    .map((field) => `${callOf(field, first)} ${selection(field.type, first, path)}`)
    .join(' ');
  return isConnection(type) ? `{ ${totalIn(type)} edges { cursor node { ${fields} } } }` : `{ ${fields} }`;
}

const callOf = ({ name, type }: Field, first: number) =>
  isConnection(type) ? `${name}(first: ${first})` : name;

/** A query for a root field with these variables and everything below it, with this many items per connection. */
export function documentOfEverything(field: Field, names: readonly string[], first: number): string {
  const args = field.args.filter(({ name }) => names.includes(name));
  const declared = args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const passed = [
    ...args.map(({ name }) => `${name}: $${name}`),
    ...(isConnection(field.type) ? [`first: ${first}`] : []),
  ].join(', ');
  const head = declared ? `(${declared})` : '';
  return `query ${head} { ${field.name}${passed ? `(${passed})` : ''} ${selection(field.type, first)} }`;
}

/** Every readable list and relation of the schema, as `Type.field`. */
export function relationsOf(schema: GraphQLSchema): Map<string, Field> {
  const found = new Map<string, Field>();
  const visit = (type: GraphQLObjectType) => {
    for (const field of fieldsOf(type)) {
      const below = itemType(field.type);
      const name = `${type.name}.${field.name}`;
      if (!below || found.has(name)) continue;
      found.set(name, field);
      visit(below);
    }
  };
  for (const field of Object.values(schema.getQueryType()!.getFields())) {
    const item = itemType(field.type);
    if (item) found.set(`Query.${field.name}`, field);
    if (item) visit(item);
  }
  return found;
}

/** The number of items in a response for each list and relation: `Type.field`. */
export function countItems(root: Field, answer: unknown): Map<string, number> {
  const counts = new Map<string, number>();
  const note = (owner: string, field: Field, value: unknown) => {
    const item = itemType(field.type);
    if (!item || value == null) return;
    const items = isConnection(field.type)
      ? (value as { edges: { node: unknown }[] }).edges.map(({ node }) => node)
      : [value].flat();
    const name = `${owner}.${field.name}`;
    counts.set(name, (counts.get(name) ?? 0) + items.length);
    for (const each of items) {
      for (const below of Object.values(item.getFields())) {
        note(item.name, below, (each as Record<string, unknown>)[below.name]);
      }
    }
  };
  note('Query', root, answer);
  return counts;
}
