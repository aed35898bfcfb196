import { z } from 'zod';
import { errorCodes } from '../lib/errors.ts';
import { nameOf, statusOf } from './errors.ts';
import { type Dialect, dialectOf, type Route } from './route.ts';

type Json = Record<string, unknown>;

/** Failures that any call can meet. */
const always: Route['errors'] = ['RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];

/** Describes the table as OpenAPI 3.1. It is made from the rows that serve the requests, so it cannot drift. */
export function describeRoutes(routes: readonly Route[], webhooks: Json = {}): Json {
  const schemas: Json = { PlatformError: errorSchema('platform'), ProofError: errorSchema('proof') };
  const paths: Record<string, Json> = {};
  for (const row of routes) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: describeRow(row, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Countersign',
      version: '1.0.0',
      description:
        'The REST interface of Countersign. Platform paths take an access token (or the auth_token cookie); ' +
        'paths under /v1 take an API key.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api' }],
    tags: [...new Set(routes.map((row) => row.tag))].map((name) => ({ name })),
    paths,
    ...(Object.keys(webhooks).length > 0 && { webhooks }),
    components: {
      schemas,
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        sessionCookie: { type: 'apiKey', in: 'cookie', name: 'auth_token' },
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, csk_…' },
      },
      headers: rateHeaders,
    },
  };
}

const rateHeaders = {
  'X-RateLimit-Limit': { description: 'Calls in a window.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Calls left in this window.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'When the window ends, in Unix seconds.', schema: { type: 'integer' } },
  'X-Request-Id': { description: 'Names this request in logs and to support.', schema: { type: 'string' } },
};
const headerRefs = Object.fromEntries(
  Object.keys(rateHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const security = {
  public: [],
  token: [{ accessToken: [] }, { sessionCookie: [] }],
  key: [{ apiKey: [] }],
};

function describeRow(row: Route, schemas: Json): Json {
  const dialect = dialectOf(row.path);
  return {
    operationId: row.operationId,
    summary: row.summary,
    tags: [row.tag],
    security: security[row.auth],
    ...parameters(row, schemas),
    ...(row.body && {
      requestBody: {
        required: !row.bodyOptional,
        content: { 'application/json': { schema: toSchema(row.body, 'input', schemas) } },
      },
    }),
    responses: { ...successes(row, schemas), ...failures(row, dialect) },
  };
}

function parameters(row: Route, schemas: Json): Json {
  const list: Json[] = [];
  const add = (place: 'path' | 'query', schema: z.ZodType | undefined) => {
    if (!schema) return;
    const { properties = {}, required = [] } = toSchema(schema, 'input', schemas) as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    for (const [name, property] of Object.entries(properties)) {
      list.push({ name, in: place, required: place === 'path' || required.includes(name), schema: property });
    }
  };
  add('path', row.params);
  add('query', row.query);
  if (row.method !== 'GET' && row.auth !== 'public' && row.idempotency !== 'none') {
    list.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Makes a repeat of this call safe: the first answer is given again.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    });
  }
  return list.length > 0 ? { parameters: list } : {};
}

function successes(row: Route, schemas: Json): Json {
  const statuses = row.statuses ?? [row.status as number];
  const content = row.response && {
    [row.contentType ?? 'application/json']: { schema: toSchema(row.response, 'output', schemas) },
  };
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: row.summary, headers: headerRefs, ...(content && { content }) },
    ]),
  );
}

function failures(row: Route, dialect: Dialect): Json {
  const byStatus = Map.groupBy(
    errorCodes.filter((code) => row.errors.includes(code) || always.includes(code)),
    (code) => statusOf(code, dialect),
  );
  const schema = { $ref: `#/components/schemas/${dialect === 'platform' ? 'PlatformError' : 'ProofError'}` };
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: [...new Set(codes.map((code) => nameOf(code, dialect)))].join(', '),
        headers: headerRefs,
        content: { 'application/json': { schema } },
      },
    ]),
  );
}

function errorSchema(dialect: Dialect): Json {
  const codes = [...new Set(errorCodes.map((code) => nameOf(code, dialect)))];
  const error = {
    type: 'object',
    required: dialect === 'platform' ? ['code', 'message'] : ['code', 'message', 'requestId', 'details'],
    properties: {
      code: { type: 'string', enum: codes },
      message: { type: 'string' },
      ...(dialect === 'proof' && { requestId: { type: 'string' } }),
      details: { type: 'object', additionalProperties: true },
    },
  };
  return dialect === 'platform'
    ? {
        type: 'object',
        required: ['success', 'error'],
        properties: { success: { type: 'boolean', const: false }, error },
      }
    : { type: 'object', required: ['error'], properties: { error } };
}

/** Schemas that carry an id become named components; the rest stay where they are used. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const {
    $schema: _,
    $defs,
    ...body
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json & {
    $defs?: Json;
  };
  for (const [name, definition] of Object.entries($defs ?? {})) schemas[name] ??= hoist(definition as Json);
  return hoist(body);
}

function hoist<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')) as T;
}
