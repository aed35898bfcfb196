import type { App } from '../app.ts';
import { type Context, type ContextInput, makeContext } from '../domain/context.ts';
import type { Quota, RateState } from '../domain/limits/limiter.ts';

export type { App };

/** A cookie to set with the answer; a null value removes it. */
interface CookieToSet {
  name: string;
  value: string | null;
  maxAgeSeconds?: number;
  /** Where it is sent; everywhere unless given. */
  path?: string;
}

/** The context of a call that came over HTTP: what its surface must know beside what the domain may. */
export interface RequestContext extends Context<App> {
  /** Cookies that came in, by name. */
  cookies: Readonly<Record<string, string>>;
  /** Cookies that go out with the answer. */
  cookiesToSet: CookieToSet[];
  /** Whether the query was written by us, a REST row's: then its size was checked when it was written. */
  ownQuery: boolean;
  /** The caller's rate limit; null where nothing is counted. */
  rate: RateState | null;
  /** The quotas that the request counts against: the caller's own, then its center's. */
  quotas: readonly Quota[];
  /** The position that the caller sent in X-Read-After: what it reads must not be older. */
  readAfter: string | null;
  /** Whether a replica may answer queries; not on surfaces whose callers cannot send X-Read-After. */
  mayLag: boolean;
  /** Whether the call may have changed something: its answer carries X-Read-After. */
  wrote: boolean;
  /** Notes that it may have; Yoga runs operations with a copy of the context. */
  noteWrite(): void;
  /** What reads rows for several objects of the answer at once, by the function that it calls; made when first needed. */
  loaders: Map<unknown, unknown> | null;
}

type Own = Omit<RequestContext, keyof Context | 'loaders' | 'wrote' | 'noteWrite'>;

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
    onCounted: (counted) => {
      context.rate = counted;
    },
  };
  return context;
}
