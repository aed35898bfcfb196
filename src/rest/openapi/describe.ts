import type { z } from 'zod';
import type { Route } from '../route.ts';
import { errorExamples, errorSchema, failures } from './describe-errors.ts';
import { componentRef, exampleOf, type Json, named, simplifySchema, toSchema } from './json-schema.ts';
import { operationTexts, tagTexts } from './operations.ts';
import { messageHeaders, webhookMessages } from './webhook-messages.ts';

/** Describes the table as OpenAPI 3.1. It is generated from the rows that serve the requests, so it cannot drift. */
export function describeRoutes(routes: readonly Route[]): Json {
  const schemas: Json = { PlatformError: errorSchema('platform'), ProofError: errorSchema('proof') };
  const responses: Json = {};
  const paths: Record<string, Json> = {};
  for (const row of routes) {
    const operation = describeRow(row, schemas, responses);
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation };
  }
  for (const [name, schema] of Object.entries(schemas)) simplifySchema(schema, !name.endsWith('Request'));
  for (const operations of Object.values(paths)) {
    for (const operation of Object.values(operations)) giveExamples(operation as Json, schemas);
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
    webhooks: webhookMessages,
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
      responses,
      parameters: Object.fromEntries([...requestHeaders, ...messageHeaders].map((each) => [each.name, each])),
      headers: { ...rateHeaders, ...positionHeader },
      examples: errorExamples(responses),
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
/** Request headers that many operations take. */
const requestHeaders = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Makes a repeat of this call safe: the first answer is given again.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'a3c1f5d2-refund-1042',
  },
  {
    name: 'X-Read-After',
    in: 'header',
    required: false,
    description: 'The `X-Read-After` of your last write: the answer contains that write.',
    schema: { type: 'string' },
    example: '0/3000060',
  },
];

const refsTo = (headers: object) =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, componentRef('headers', name)]));
const headerRefs = refsTo(rateHeaders);
const writeHeaderRefs = refsTo({ ...rateHeaders, ...positionHeader });

const security = {
  public: [],
  token: [{ accessToken: [] }, { sessionCookie: [] }],
  key: [{ apiKey: [] }],
};

function describeRow(row: Route, schemas: Json, responses: Json): Json {
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
    responses: { ...successes(row, schemas), ...failures(row, headerRefs, responses) },
  };
}

const pascal = (name: string) => name[0]!.toUpperCase() + name.slice(1);

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
  if (row.method === 'GET' && row.auth !== 'public') list.push(componentRef('parameters', 'X-Read-After'));
  if (row.method !== 'GET' && row.auth !== 'public' && row.idempotency !== 'none') {
    list.push(componentRef('parameters', 'Idempotency-Key'));
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
