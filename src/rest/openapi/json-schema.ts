import { z } from 'zod';
import { addDescriptions, typeNamed } from './graphql-descriptions.ts';

export type Json = Record<string, unknown>;

export const componentRef = (
  kind: 'schemas' | 'responses' | 'parameters' | 'headers' | 'examples',
  name: string,
) => ({ $ref: `#/components/${kind}/${name}` });

const MOMENT = '2026-11-15T09:30:00.000Z';
/** zod's output for an integer without bounds, which carries no information. */
const SAFE = 9_007_199_254_740_991;

const isSchema = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Removes zod's redundant output from a schema, in place. */
export function simplifySchema(schema: unknown, openAnswers: boolean): void {
  if (!isSchema(schema)) return;
  if (schema['minimum'] === -SAFE) delete schema['minimum'];
  if (schema['maximum'] === SAFE) delete schema['maximum'];
  if (isSchema(schema['propertyNames'])) delete schema['propertyNames'];
  // Responses may gain members later, and clients must accept them.
  if (openAnswers && schema['additionalProperties'] === false) delete schema['additionalProperties'];
  const below = [
    ...Object.values((schema['properties'] as Json | undefined) ?? {}),
    ...((schema['anyOf'] as unknown[] | undefined) ?? []),
    schema['items'],
    schema['additionalProperties'],
  ];
  for (const each of below) simplifySchema(each, openAnswers);
}

/** A complete example of a schema, assembled from the examples of its parts. */
export function exampleOf(schema: unknown, components: Json): unknown {
  if (!isSchema(schema)) return {};
  const examples = schema['examples'] as unknown[] | undefined;
  if (examples && examples.length > 0) return examples[0];
  if (typeof schema['$ref'] === 'string') {
    return exampleOf(components[schema['$ref'].split('/').at(-1)!], components);
  }
  if ('const' in schema) return schema['const'];
  if ('default' in schema) return schema['default'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const options = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined;
  if (options) return exampleOf(options[0], components);
  const properties = schema['properties'] as Json | undefined;
  if (properties) {
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, exampleOf(property, components)]),
    );
  }
  const type = [schema['type'] ?? 'object'].flat()[0];
  if (type === 'array') return [exampleOf(schema['items'], components)];
  if (type === 'string') return schema['format'] === 'date-time' ? MOMENT : 'text';
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return true;
  return type === 'null' ? null : {};
}

/** Bodies are separate components, so that generated clients name each of them. */
export function named(name: string, schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const body = toSchema(schema, io, schemas);
  if ('$ref' in body) return body;
  schemas[name] = body;
  return componentRef('schemas', name);
}

/** zod drops the examples of values that it transforms, such as numbers in a query. */
function keepExamples({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Json }): void {
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (examples) jsonSchema['examples'] = examples;
}

/** Schemas with an id become named components; the rest stay inline. */
export function toSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const {
    $schema: _,
    $defs,
    ...body
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: keepExamples }) as Json & {
    $defs?: Json;
  };
  if (io === 'output') {
    addDescriptions(body, typeNamed(String(body['id'])));
    for (const [name, definition] of Object.entries($defs ?? {}))
      addDescriptions(definition, typeNamed(name));
  }
  for (const [name, definition] of Object.entries($defs ?? {})) {
    schemas[publicName(name)] ??= name === publicName(name) ? hoist(definition as Json) : anyJson;
  }
  // zod names a schema only when another one refers to it; a component has the same name everywhere.
  if (typeof body['id'] === 'string') {
    const { id, ...component } = body;
    schemas[id as string] ??= hoist(component);
    return componentRef('schemas', id as string);
  }
  return hoist(body);
}

function hoist<T>(value: T): T {
  const text = JSON.stringify(value).replace(
    /"#\/\$defs\/([^"]+)"/g,
    (_, name: string) => `"#/components/schemas/${publicName(name)}"`,
  );
  return JSON.parse(text) as T;
}

const anyJson = { description: 'Any JSON value: an object, a list, text, a number, true, false or null.' };

/** zod numbers recursive schemas without a name; the only one here is any JSON value. */
const publicName = (name: string) => (name.startsWith('__schema') ? 'JsonValue' : name);
