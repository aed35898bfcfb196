import { z } from 'zod';
import { doc } from '../../lib/doc.ts';
import { type ErrorCode, errorCodes } from '../../lib/errors.ts';
import { nameOf, statusOf } from '../errors.ts';
import { type Dialect, dialectOf, type Route } from '../route.ts';
import { errorTexts } from './error-texts.ts';
import { exampleOf, type Json, simplifySchema } from './json-schema.ts';
import { operationTexts, tagTexts } from './operations.ts';

/** Errors that any call can return. */
const always: Route['errors'] = ['RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];

/** All keys are rejected while the Proof API is off. */
const possible = ({ auth }: Route): Route['errors'] =>
  auth === 'key' ? [...always, 'FEATURE_DISABLED'] : always;

/** Describes the table as OpenAPI 3.1. It is generated from the rows that serve the requests, so it cannot drift. */
export function describeRoutes(routes: readonly Route[], webhooks: Json = {}): Json {
  const schemas: Json = { PlatformError: errorSchema('platform'), ProofError: errorSchema('proof') };
  const paths: Record<string, Json> = {};
  for (const row of routes) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: describeRow(row, schemas) };
  }
  for (const [name, schema] of Object.entries(schemas)) simplifySchema(schema, !name.endsWith('Request'));
  for (const operations of Object.values(paths)) {
    for (const operation of Object.values(operations)) giveExamples(operation as Json, schemas);
  }
  const messages = structuredClone(webhooks);
  for (const { post } of Object.values(messages) as { post: Json }[]) {
    const { content } = post['requestBody'] as { content: Record<string, { schema: Json }> };
    simplifySchema(content['application/json']!.schema, true);
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
    servers: [{ url: '/api', description: 'This server.' }],
    tags: [...new Set(routes.map((row) => row.tag))].map((name) => ({
      name,
      ...(tagTexts[name] && { description: tagTexts[name] }),
    })),
    paths,
    ...(Object.keys(messages).length > 0 && { webhooks: messages }),
    components: {
      schemas,
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access token of a signed-in person.',
        },
        sessionCookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'auth_token',
          description: 'The same token, as the cookie that signing in sets.',
        },
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, csk_…' },
      },
      headers: { ...rateHeaders, ...positionHeader },
      examples: errorExamples(paths),
    },
  };
}

const rateHeaders = {
  'X-RateLimit-Limit': { description: 'Calls in a window.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Calls left in this window.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'When the window ends, in Unix seconds.', schema: { type: 'integer' } },
  'X-Request-Id': { description: 'Names this request in logs and to support.', schema: { type: 'string' } },
};
const positionHeader = {
  'X-Read-After': {
    description:
      'The position of this write; sent only by services with a replica. Send it back with later reads to read your own writes.',
    schema: { type: 'string' },
  },
};
const refsTo = (headers: object) =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const headerRefs = refsTo(rateHeaders);
const writeHeaderRefs = refsTo({ ...rateHeaders, ...positionHeader });

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
    ...(operationTexts[row.operationId] && { description: operationTexts[row.operationId] }),
    tags: [row.tag],
    security: security[row.auth],
    ...parameters(row, schemas),
    ...(row.body && {
      requestBody: {
        required: !row.bodyOptional,
        content: {
          'application/json': {
            schema: named(`${pascal(row.operationId)}Request`, row.body, 'input', schemas),
          },
        },
      },
    }),
    responses: { ...successes(row, schemas), ...failures(row, dialect) },
  };
}

const pascal = (name: string) => name[0]!.toUpperCase() + name.slice(1);

/** Bodies are separate components, so that generated clients name each of them. */
function named(name: string, schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const body = toSchema(schema, io, schemas);
  if ('$ref' in body) return body;
  schemas[name] = body;
  return { $ref: `#/components/schemas/${name}` };
}

/** Complete example bodies, assembled from the examples of their parts. */
function giveExamples(operation: Json, schemas: Json): void {
  const bodies = [operation['requestBody'], ...Object.values(operation['responses'] as Json)] as Json[];
  for (const body of bodies) {
    for (const media of Object.values((body?.['content'] as Json | undefined) ?? {}) as Json[]) {
      if (!('examples' in media)) media['example'] = exampleOf(media['schema'], schemas);
    }
  }
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
      const { description, examples, ...rest } = property;
      // The pattern of a number that arrives as text.
      if (rest['type'] === 'integer') delete rest['pattern'];
      list.push({
        name,
        in: place,
        required: place === 'path' || required.includes(name),
        description,
        schema: rest,
        example: (examples as unknown[] | undefined)?.[0] ?? exampleOf(rest, schemas),
      });
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
      example: 'a3c1f5d2-refund-1042',
    });
  }
  if (row.method === 'GET' && row.auth !== 'public') {
    list.push({
      name: 'X-Read-After',
      in: 'header',
      required: false,
      description: 'The `X-Read-After` of your last write: the answer contains that write.',
      schema: { type: 'string' },
      example: '0/3000060',
    });
  }
  return list.length > 0 ? { parameters: list } : {};
}

function successes(row: Route, schemas: Json): Json {
  const statuses = row.statuses ?? [row.status as number];
  const content = row.response && {
    [row.contentType ?? 'application/json']: {
      schema: named(`${pascal(row.operationId)}Response`, row.response, 'output', schemas),
    },
  };
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: row.summary,
        headers: row.method === 'GET' ? headerRefs : writeHeaderRefs,
        ...(content && { content }),
      },
    ]),
  );
}

function failures(row: Route, dialect: Dialect): Json {
  const byStatus = Map.groupBy(
    errorCodes.filter((code) => row.errors.includes(code) || possible(row).includes(code)),
    (code) => statusOf(code, dialect),
  );
  const schema = { $ref: `#/components/schemas/${dialect === 'platform' ? 'PlatformError' : 'ProofError'}` };
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `${nameOf(code, dialect)}: ${errorTexts[code]}`).join('\n\n'),
        headers: headerRefs,
        content: { 'application/json': { schema, examples: exampleRefs(codes, dialect) } },
      },
    ]),
  );
}

const REQUEST_ID = 'req_5tq0w2v9k1';

const exampleName = (code: ErrorCode, dialect: Dialect) => `${dialect}_${nameOf(code, dialect)}`;

/** Each error response once, if any operation refers to it. */
function errorExamples(paths: Json): Json {
  const used = JSON.stringify(paths);
  const examples = (['platform', 'proof'] as const).flatMap((dialect) =>
    errorCodes.map((code) => {
      const error = { code: nameOf(code, dialect), message: errorTexts[code] };
      const value =
        dialect === 'platform'
          ? { success: false, error }
          : { error: { ...error, requestId: REQUEST_ID, details: {} } };
      return [exampleName(code, dialect), { summary: errorTexts[code], value }] as const;
    }),
  );
  return Object.fromEntries(examples.filter(([name]) => used.includes(`/examples/${name}"`)));
}

function exampleRefs(codes: ErrorCode[], dialect: Dialect): Json {
  return Object.fromEntries(
    codes.map((code) => [
      nameOf(code, dialect),
      { $ref: `#/components/examples/${exampleName(code, dialect)}` },
    ]),
  );
}

function errorSchema(dialect: Dialect): Json {
  const codes = [...new Set(errorCodes.map((code) => nameOf(code, dialect)))];
  const error = {
    type: 'object',
    required: dialect === 'platform' ? ['code', 'message'] : ['code', 'message', 'requestId', 'details'],
    properties: {
      code: { type: 'string', enum: codes, description: 'A machine-readable error code.' },
      message: { type: 'string', description: 'A message for people.' },
      ...(dialect === 'proof' && {
        requestId: { type: 'string', ...doc('The id of the request, for support.', REQUEST_ID) },
      }),
      details: {
        type: 'object',
        additionalProperties: true,
        ...doc('Details of the error. `fields` lists problems of the body.', {}),
      },
    },
    description: 'The error.',
  };
  return dialect === 'platform'
    ? {
        type: 'object',
        required: ['success', 'error'],
        properties: {
          success: { type: 'boolean', const: false, description: 'Whether the call succeeded.' },
          error,
        },
      }
    : { type: 'object', required: ['error'], properties: { error } };
}

/** zod drops the examples of values that it transforms, such as numbers in a query. */
function keepExamples({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Json }): void {
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (examples) jsonSchema['examples'] = examples;
}

/** Schemas with an id become named components; the rest stay inline. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const {
    $schema: _,
    $defs,
    ...body
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: keepExamples }) as Json & {
    $defs?: Json;
  };
  for (const [name, definition] of Object.entries($defs ?? {})) {
    schemas[publicName(name)] ??= name === publicName(name) ? hoist(definition as Json) : anyJson;
  }
  // zod names a schema only when another one refers to it; a component has the same name everywhere.
  if (typeof body['id'] === 'string') {
    const { id, ...component } = body;
    schemas[id as string] ??= hoist(component);
    return { $ref: `#/components/schemas/${id}` };
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

const anyJson = { description: 'Any JSON value.' };

/** zod numbers recursive schemas without a name; the only one here is any JSON value. */
const publicName = (name: string) => (name.startsWith('__schema') ? 'JsonValue' : name);
