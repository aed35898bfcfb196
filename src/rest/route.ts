import type { z } from 'zod';
import type { ErrorCode } from '../lib/errors.ts';

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
 * through the shared tests.
 */
export interface Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> {
  method: Method;
  /** Relative to /api, with parameters in braces. */
  path: `/${string}`;
  operationId: string;
  summary: string;
  tag: string;
  auth: RouteAuth;
  params?: Params;
  query?: Query;
  body?: Body;
  /** The whole body may be left out. */
  bodyOptional?: boolean;
  /** Selects just what the contract shows. */
  document: string;
  variables?: (input: RouteInput<z.infer<Params>, z.infer<Query>, z.infer<Body>>) => Record<string, unknown>;
  /** From the GraphQL answer to the whole body of the response. */
  project: (data: never, input: RouteInput<z.infer<Params>, z.infer<Query>, z.infer<Body>>) => unknown;
  /** The shape of the whole body of a success; null for an answer without one. */
  response: z.ZodType | null;
  /** Where success can be told in two ways (201 created, 200 existing), the answer's data decides. */
  status: number | ((data: never) => number);
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

/** Keeps the types of one row together; rows of all kinds share one table. */
export function route<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  row: Route<P, Q, B>,
): Route {
  return row as unknown as Route;
}

export function dialectOf(path: string): Dialect {
  return path === '/v1' || path.startsWith('/v1/') ? 'proof' : 'platform';
}
