import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { GraphQLObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeRoutes } from '../../src/rest/openapi/describe.ts';
import { routes } from '../../src/rest/routes/index.ts';
import { schema } from '../../src/schema/index.ts';

type Json = Record<string, unknown>;
interface Media {
  schema: Json;
  example?: unknown;
  examples?: Record<string, { $ref: string }>;
}
interface Operation {
  operationId: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { $ref?: string; content?: Record<string, Media> }>;
}
interface Parameter {
  $ref?: string;
  name: string;
  description?: string;
  example?: unknown;
  schema: Json;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const description = describeRoutes(routes) as {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    schemas: Json;
    responses: Operation['responses'];
    examples: Record<string, { value: { error: { code: string } } }>;
  };
};
const nameIn = ($ref: string) => $ref.split('/').at(-1)!;
const operationOf = (row: (typeof routes)[number]) => description.paths[row.path]![row.method.toLowerCase()]!;

/** Every property in any schema of the description, with its path. */
function properties(value: unknown, place: string): [place: string, schema: Json][] {
  if (typeof value !== 'object' || value === null) return [];
  const found = Object.entries(value).flatMap(([key, member]) => properties(member, `${place}/${key}`));
  const own = (value as Json)['properties'];
  const isSchema = typeof own === 'object' && own !== null && (value as Json)['type'] === 'object';
  return isSchema
    ? [
        ...Object.entries(own).map(([name, schema]) => [`${place}.${name}`, schema as Json] as const),
        ...found,
      ].map(([at, schema]) => [at, schema])
    : found;
}

test('every operation, tag, parameter and property has a description', () => {
  const silent = [
    ...description.tags.filter((tag) => !tag.description).map(({ name }) => `tag ${name}`),
    ...routes.flatMap((row) => {
      const { description: text, parameters = [] } = operationOf(row);
      return [
        ...(text ? [] : [`operation ${row.operationId}`]),
        ...parameters.flatMap(({ $ref, name, description: meaning, example }) =>
          $ref || (meaning && example !== undefined) ? [] : [`parameter ${row.operationId}.${name}`],
        ),
      ];
    }),
    ...properties(description.components.schemas, 'schemas')
      .filter(([, schema]) => !schema['description'])
      .map(([place]) => place),
    ...properties(description.webhooks, 'webhooks')
      .filter(([place, schema]) => !place.includes('/example') && !schema['description'])
      .map(([place]) => place),
  ];
  expect(silent).toEqual([]);
});

test('a response property has the description of its GraphQL field, or its own', () => {
  const { Booking, DecisionEvent } = description.components.schemas as Record<
    string,
    { properties: Record<string, Json> }
  >;
  const fields = (schema.getType('Booking') as GraphQLObjectType).getFields();
  expect(Booking!.properties['cancelledAt']!['description']).toBe(fields['cancelledAt']!.description);
  expect(DecisionEvent!.properties['decisionId']!['description']).toMatch(
    /^The id of the decision: your `idempotencyKey`/,
  );
});

test('a shape that names an unknown GraphQL type is refused', () => {
  const [row] = routes;
  const response = z.object({}).meta({ graphqlType: 'NoSuchType' });
  expect(() => describeRoutes([{ ...row!, response }])).toThrow('GraphQL has no type "NoSuchType"');
});

test.each(routes.filter((row) => row.response))(
  'the example response of $operationId matches its schema',
  (row) => {
    for (const status of row.statuses ?? [row.status as number]) {
      const [media] = Object.values(operationOf(row).responses[String(status)]!.content!);
      expect(row.response!.safeParse(media!.example).error).toBeUndefined();
    }
  },
);

test.each(routes.filter((row) => row.body))('the example body of $operationId is accepted', (row) => {
  const [media] = Object.values(operationOf(row).requestBody!.content);
  expect(row.body!.safeParse(media!.example).error).toBeUndefined();
});

test.each(routes)('every error of $operationId has an example', (row) => {
  const { responses, examples } = description.components;
  for (const [status, { $ref }] of Object.entries(operationOf(row).responses)) {
    if (Number(status) < 400) continue;
    const { content } = responses[nameIn($ref!)]!;
    for (const [code, example] of Object.entries(content!['application/json']!.examples!)) {
      expect(examples[nameIn(example.$ref)]!.value.error.code).toBe(code);
    }
  }
});

test('response schemas are open, schema names are clean, and number parameters are integers', () => {
  const { schemas } = description.components;
  expect(Object.keys(schemas).filter((name) => name.startsWith('__'))).toEqual([]);
  const closed = Object.entries(schemas).filter(
    ([name, schema]) =>
      !name.endsWith('Request') && JSON.stringify(schema).includes('"additionalProperties":false'),
  );
  expect(closed.map(([name]) => name)).toEqual([]);
  const numbers = routes.flatMap((row) =>
    (operationOf(row).parameters ?? [])
      .filter(({ name }) => ['limit', 'offset', 'page', 'centerId'].includes(name))
      .map(({ schema }) => schema['type']),
  );
  expect(new Set(numbers)).toEqual(new Set(['integer']));
});

test('the types of the client package match openapi.json (npm run generate)', async () => {
  const node = join(root, 'node_modules/.bin/node');
  const { stdout } = await promisify(execFile)(node, ['packages/client/api-types.mjs'], { cwd: root });
  expect(await readFile(join(root, 'packages/client/src/api-types.ts'), 'utf8')).toBe(stdout);
});
