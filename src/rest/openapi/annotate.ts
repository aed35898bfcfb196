// Fills a description with words: every property and parameter gets its meaning and an example.
import { type Word, words } from './words.ts';

export type Json = Record<string, unknown>;

const MOMENT = '2026-11-15T09:30:00.000Z';
/** What zod writes for an integer without bounds; it says nothing. */
const SAFE = 9_007_199_254_740_991;

const isSchema = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The most exact word for a property below a component or operation. */
function wordFor(path: readonly string[]): Word | undefined {
  const name = path.at(-1)!;
  const parent = path.at(-2);
  return words[path.join('.')] ?? words[`${path[0]}.${name}`] ?? words[`${parent}.${name}`] ?? words[name];
}

/** Describes every property below a schema, in place. `path` begins with the component or operation. */
export function annotate(schema: unknown, path: readonly string[], openAnswers: boolean): void {
  if (!isSchema(schema)) return;
  if (schema['minimum'] === -SAFE) delete schema['minimum'];
  if (schema['maximum'] === SAFE) delete schema['maximum'];
  if (isSchema(schema['propertyNames'])) delete schema['propertyNames'];
  // Answers may gain members later, and readers must not trip over them.
  if (openAnswers && schema['additionalProperties'] === false) delete schema['additionalProperties'];
  for (const [name, property] of Object.entries((schema['properties'] as Json | undefined) ?? {})) {
    if (!isSchema(property)) continue;
    const below = [...path, name];
    const word = wordFor(below);
    if (word) describe(property, word);
    annotate(property, below, openAnswers);
  }
  annotate(schema['items'], path, openAnswers);
  annotate(schema['additionalProperties'], path, openAnswers);
  for (const part of (schema['anyOf'] as unknown[] | undefined) ?? []) annotate(part, path, openAnswers);
}

export function describe(property: Json, [meaning, example]: Word): void {
  property['description'] ??= meaning;
  if (example !== undefined && fits(property, example)) property['examples'] ??= [example];
}

/** An example of the vocabulary may not fit an enumeration or a type of the same name elsewhere. */
function fits(schema: Json, example: unknown): boolean {
  if (isSchema(schema) && '$ref' in schema) return false;
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(example);
  if ('const' in schema) return schema['const'] === example;
  const options = schema['anyOf'] as Json[] | undefined;
  if (options) return options.some((option) => fits(option, example));
  const types = [schema['type'] ?? []].flat();
  if (types.length === 0) return true;
  return types.includes(typeOf(example)) || (typeOf(example) === 'integer' && types.includes('number'));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** A whole example of a schema, put together from the examples of its parts. */
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
