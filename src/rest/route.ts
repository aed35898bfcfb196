import type { z } from 'zod';
import type { ErrorCode } from '../lib/errors.ts';
import type { TypedDocument } from '../schema/document.ts';

/** The two body shapes of errors, and with them the statuses and codes that differ. */
export type Dialect = 'platform' | 'proof';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call: anybody, a person with a token, or a system with an API key. */
type RouteAuth = 'public' | 'token' | 'key';

/** The validated parts of a request. */
export interface RouteInput<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  /** The Idempotency-Key header, for the rows that handle it themselves. */
  idempotencyKey: string | null;
}

/**
 * One documented endpoint, as data. The same row serves requests, describes itself in openapi.json and is put
 * through the shared tests. Rows of all types share one table; `route` checks that the parts of a row fit together.
 */
export interface Route {
  method: Method;
  /** Relative to /api, with parameters in braces. */
  path: `/${string}`;
  operationId: string;
  summary: string;
  tag: string;
  auth: RouteAuth;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The whole body may be left out. */
  bodyOptional?: boolean;
  /** Selects just what the contract shows. */
  document: TypedDocument<unknown, never>;
  variables?(input: AnyInput): unknown;
  /** From the GraphQL answer to the whole body of the response. */
  project(data: unknown, input: AnyInput): unknown;
  /** The shape of the whole body of a success; null for an answer without one. */
  response: z.ZodType | null;
  /** Where success can be told in two ways (201 created, 200 existing), the answer's data decides. */
  status: Status<unknown>;
  /** All success statuses, for the description, when `status` is a function. */
  statuses?: number[];
  contentType?: string;
  errors: ErrorCode[];
  /**
   * How a repeated Idempotency-Key is treated on a state-changing row: 'stored' (the default) replays the answer,
   * 'own' leaves it to the row's domain function, 'none' ignores the header because answers must not be kept.
   */
  idempotency?: 'stored' | 'own' | 'none';
  /** Open to API keys with the scope proof:request, for their own decisions. */
  requester?: true;
  /** Counted with webhook management instead of the caller's own quota. */
  countsAsWebhooks?: boolean;
}

export type AnyInput = RouteInput<unknown, unknown, unknown>;

/** A method, so that rows with data of any type are rows of the table. */
type Status<Data> = number | { of(data: Data): number }['of'];

interface TypedRoute<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Data,
  Variables,
  Response extends z.ZodType | null,
> extends Route {
  params?: Params;
  query?: Query;
  body?: Body;
  document: TypedDocument<Data, Variables>;
  variables?(input: RouteInput<z.output<Params>, z.output<Query>, z.output<Body>>): NoInfer<Variables>;
  project(
    data: NoInfer<Data>,
    input: RouteInput<z.output<Params>, z.output<Query>, z.output<Body>>,
  ): NoInfer<Response> extends z.ZodType ? z.input<NoInfer<Response>> : null;
  response: Response;
  status: Status<NoInfer<Data>>;
}

/** Checks a row by its types: the variables fit its document, and what it shows fits its response. */
export function route<
  const Id extends string,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  Data,
  Variables,
  R extends z.ZodType | null,
>(
  row: TypedRoute<P, Q, B, Data, Variables, R> & { operationId: Id },
): Route & { operationId: Id; response: R } {
  return row;
}

export function dialectOf(path: string): Dialect {
  return path === '/v1' || path.startsWith('/v1/') ? 'proof' : 'platform';
}
