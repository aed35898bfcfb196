import type { z } from 'zod';
import type { ErrorCode } from '../lib/errors.ts';
import type { TypedDocument } from '../schema/document.ts';

/** The two error formats, which also differ in statuses and codes. */
export type Dialect = 'platform' | 'proof';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call: anyone, a person with a token, or a system with an API key. */
type RouteAuth = 'public' | 'token' | 'key';

/** The validated parts of a request. */
export interface RouteInput<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  /** The Idempotency-Key header, for rows that handle it themselves. */
  idempotencyKey: string | null;
}

/** What the rows of a resource have in common. */
interface SharedByRows {
  tag: string;
  auth: RouteAuth;
  /** What it can return besides the errors of every row with its credentials and input (`openapi/describe-errors.ts`). */
  errors?: readonly ErrorCode[];
  /**
   * How a repeated Idempotency-Key is handled on a state-changing row: 'stored' (the default) replays the response, 'own'
   * leaves it to the row's domain function, 'none' ignores the header because responses must not be stored.
   */
  idempotency?: 'stored' | 'own' | 'none';
  /** Counts against the webhook management quota instead of the caller's own. */
  countsAsWebhooks?: boolean;
}

/**
 * One documented endpoint, as data. The same row serves requests, generates its part of openapi.json and runs through the
 * shared tests. Rows of all types share one table; `routesOf` checks that the parts of a row match.
 */
export interface Route extends SharedByRows {
  method: Method;
  /** Relative to /api, with parameters in braces. */
  path: `/${string}`;
  operationId: string;
  summary: string;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The body is optional. */
  bodyOptional?: boolean;
  /** Selects only what the contract shows. */
  document: TypedDocument<unknown, never>;
  variables?(input: AnyInput): unknown;
  /** Maps the GraphQL result to the response body. */
  project(data: unknown, input: AnyInput): unknown;
  /** The schema of the success body; null if there is none. */
  response: z.ZodType | null;
  /** If there are two success statuses (201 created, 200 existing), the result's data decides. */
  status: Status<unknown>;
  /** All success statuses, for the description, when `status` is a function. */
  statuses?: number[];
  contentType?: string;
}

export type AnyInput = RouteInput<unknown, unknown, unknown>;

/** Declared as a method, so that rows with any data type fit into the table. */
type Status<Data> = number | { of(data: Data): number }['of'];

interface TypedRow<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Data,
  Variables,
  Response extends z.ZodType | null,
> extends Omit<Route, keyof SharedByRows | 'status'>,
    Partial<SharedByRows> {
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
  /** Default: 200. */
  status?: Status<NoInfer<Data>>;
}

/**
 * Makes the rows of a resource: a row adds to the errors they share, and overrides the rest. It is type-checked: its variables
 * match its document, and its result matches its response.
 */
export const routesOf = (shared: SharedByRows) =>
  function route<
    const Id extends string,
    P extends z.ZodType,
    Q extends z.ZodType,
    B extends z.ZodType,
    Data,
    Variables,
    R extends z.ZodType | null,
  >(
    row: TypedRow<P, Q, B, Data, Variables, R> & { operationId: Id },
  ): Route & { operationId: Id; response: R } {
    const errors = [...(shared.errors ?? []), ...(row.errors ?? [])];
    return { ...shared, status: 200, ...row, errors };
  };

export function dialectOf(path: string): Dialect {
  return path === '/v1' || path.startsWith('/v1/') ? 'proof' : 'platform';
}
