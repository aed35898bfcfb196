import type { App } from '../app.ts';
import { type Context, type ContextInput, makeContext } from '../domain/context.ts';
import type { Quota, RateState } from '../domain/limits/limiter.ts';

export type { App };

/** A cookie to set with the response; a null value removes it. */
interface CookieToSet {
  name: string;
  value: string | null;
  maxAgeSeconds?: number;
  /** The path; everywhere by default. */
  path?: string;
}

/** The context of an HTTP call: the domain context plus what the surface needs. */
export interface RequestContext extends Context<App> {
  /** Request cookies by name. */
  cookies: Readonly<Record<string, string>>;
  /** Cookies to set with the response. */
  cookiesToSet: CookieToSet[];
  /** Whether the query is one of our own documents: its input is validated before, its size and cost are not limited. */
  ownQuery: boolean;
  /** The caller's rate limit; null if the call is not counted. */
  rate: RateState | null;
  /** The quotas of the request: the caller's, then the center's. */
  quotas: readonly Quota[];
  /** The position from X-Read-After: reads must not be older. */
  readAfter: string | null;
  /** Whether a replica may answer queries; false on surfaces whose callers cannot send X-Read-After. */
  mayLag: boolean;
  /** Whether the call may have written something: then its response carries X-Read-After. */
  wrote: boolean;
  /** Records a possible write; a method, because Yoga runs operations with a copy of the context. */
  noteWrite(): void;
  /** Batched loads of this request by load function, created on first use. */
  loaders: Map<unknown, unknown> | null;
  /** Fails the running query as a whole. What awaits the result is abandoned: it never settles. */
  failWhole: ((error: Error) => Promise<never>) | null;
}

type Own = Omit<RequestContext, keyof Context | 'loaders' | 'failWhole' | 'wrote' | 'noteWrite'>;

export function makeRequestContext(input: ContextInput<App> & Partial<Own>): RequestContext {
  const { cookies = {}, cookiesToSet = [], ownQuery = false, rate = null, quotas = [], ...rest } = input;
  const { readAfter = null, mayLag = false } = rest;
  const context: RequestContext = {
    ...makeContext(rest),
    cookies,
    cookiesToSet,
    ownQuery,
    rate,
    quotas,
    readAfter,
    mayLag,
    wrote: false,
    noteWrite: () => {
      context.wrote = true;
    },
    loaders: null,
    failWhole: null,
    onCounted: (counted) => {
      context.rate = counted;
    },
  };
  return context;
}
