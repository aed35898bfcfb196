import { GraphQLError } from 'graphql';
import { type PublicError, publicError } from '../api/public-error.ts';
import type { RequestContext } from '../api/request-context.ts';
import { limitFaults } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';

/** The error that a resolver threw, without the wrappers that GraphQL put around it. */
function rootError(error: unknown): unknown {
  let current = error;
  while (current instanceof GraphQLError && current.originalError) current = current.originalError;
  return current;
}

/** The public form of a failure that may have passed through GraphQL. */
export function publicQueryError(error: unknown, log: Log): PublicError {
  const root = rootError(error);
  // The query itself or a value in it is invalid: graphql-js explains it in words meant for the caller.
  if (root instanceof GraphQLError) return { code: 'VALIDATION_ERROR', message: root.message };
  return publicError(root, log);
}

/** Overload and rate limits also set the HTTP status, so that load balancers and clients can react. */
const statusOf: { [code: string]: number } = { SERVICE_UNAVAILABLE: 503, RATE_LIMITED: 429 };
const refusal = (status: number, retryAfter: number | undefined) => ({
  status,
  ...(retryAfter !== undefined && { headers: { 'Retry-After': String(retryAfter) } }),
});

/** The same in the form that GraphQL callers get. */
export function maskedError(error: unknown, log: Log): GraphQLError {
  const { code, message, details, retryAfter } = publicQueryError(error, log);
  const status = statusOf[code];
  const { nodes, source, positions, path, extensions } =
    error instanceof GraphQLError ? error : ({ extensions: {} } as GraphQLError);
  return new GraphQLError(message, {
    nodes,
    source,
    positions,
    path,
    extensions: {
      code,
      ...(details && { details }),
      ...(retryAfter !== undefined && { retryAfter }),
      // Yoga's status for a request it could not accept; it is not shown.
      ...(extensions['http'] !== undefined && { http: extensions['http'] }),
      ...(status !== undefined && { http: refusal(status, retryAfter) }),
    },
  });
}

const SUGGESTION = / Did you mean .+\?$/;

/**
 * Masked errors as a response shows them. Long lists are cut. In production anonymous callers get no suggestions, because
 * those name parts of the schema, which introspection keeps from them. Every response gets its own errors: Yoga removes
 * the status from the errors it sends, and errors of parsing and validation are cached with their document.
 */
export function shownErrors(
  errors: readonly GraphQLError[],
  hasData: boolean,
  { app, principal }: RequestContext,
): GraphQLError[] {
  const hides = app.config.production && principal.kind === 'anonymous';
  return limitFaults([...errors]).map(
    ({ message, nodes, source, positions, path, originalError, extensions }) =>
      new GraphQLError(hides ? message.replace(SUGGESTION, '') : message, {
        nodes,
        source,
        positions,
        path,
        originalError,
        extensions: hasData ? { ...extensions } : { ...NOT_RUN, ...extensions },
      }),
  );
}

/** The status of an operation that was not executed, for callers who accept the GraphQL media type. */
const NOT_RUN = { http: { spec: true, status: 400 } };
