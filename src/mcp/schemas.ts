import type { JSONObject } from '@modelcontextprotocol/server';
import { describeRoutes } from '../rest/openapi/describe.ts';
import type { Route } from '../rest/route.ts';

/** A JSON Schema, as tools declare their input and output. */
export interface ObjectSchema {
  type: 'object';
  properties: Record<string, JSONObject>;
  required?: string[];
  [more: string]: unknown;
}

interface Described {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

interface Operation {
  parameters?: { name: string; in: string; description?: string; required: boolean; schema: object }[];
}

interface RowSchemas {
  body: ObjectSchema;
  query: ObjectSchema;
  response: ObjectSchema;
}

/**
 * The input and output of a row, with the published descriptions and without references: a tool's schema must be
 * self-contained.
 */
export function rowSchemas(row: Route): RowSchemas {
  const { paths, components } = describeRoutes([row]) as unknown as Described;
  const { parameters = [] } = paths[row.path]![row.method.toLowerCase()]!;
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const name = row.operationId[0]!.toUpperCase() + row.operationId.slice(1);
  const schema = (key: string) => inlined(components.schemas[key] ?? {}, components.schemas) as ObjectSchema;
  return {
    body: schema(`${name}Request`),
    query: {
      type: 'object',
      properties: Object.fromEntries(
        query.map(({ name: key, description, schema: of }) => [
          key,
          { ...(inlined(of, components.schemas) as JSONObject), ...(description && { description }) },
        ]),
      ),
      additionalProperties: false,
    },
    response: schema(`${name}Response`),
  };
}

const REFERENCE = '#/components/schemas/';

function inlined(value: unknown, schemas: Record<string, object>): unknown {
  if (Array.isArray(value)) return value.map((each) => inlined(each, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = value as { $ref?: unknown };
  const target = typeof $ref === 'string' ? schemas[$ref.slice(REFERENCE.length)] : undefined;
  if (target) return { ...(inlined(target, schemas) as object), ...rest };
  // The exact pattern of a time takes half the schema and tells a model no more than its format.
  const { pattern, ...plain } = rest as { pattern?: string; format?: string };
  const kept = plain.format === 'date-time' ? plain : rest;
  return Object.fromEntries(Object.entries(kept).map(([key, each]) => [key, inlined(each, schemas)]));
}
