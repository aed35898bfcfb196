import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { createInlineSigningKeyProvider, type ExtractTokenFunction, useJWT } from '@graphql-yoga/plugin-jwt';
import { GraphQLError, type GraphQLSchema, type ParseOptions, parse } from 'graphql';
import { createYoga, isAsyncIterable, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { RequestContext } from '../api/request-context.ts';
import type { App } from '../app.ts';
import { looksLikeKey } from '../domain/api-keys/format.ts';
import { tokenRules } from '../domain/identity/tokens.ts';
import { cutFaults, DomainError } from '../lib/errors.ts';
import { admission } from './admission.ts';
import { maskedError } from './errors.ts';
import { queryLimits } from './query-limits.ts';
import { endWithPermission } from './subscription-guard.ts';

/** What the server in front hands over: the context of the request, made before Yoga sees it. */
interface ServerContext {
  context: RequestContext;
  /** The bearer token of the header or the cookie, not yet looked at. */
  token: string | null;
}

export type GraphQLServer = YogaServerInstance<ServerContext, RequestContext>;

/** The door in front has found the credential, in the header or the cookie; an API key is none of plugin-jwt's business. */
const tokenOfCaller: ExtractTokenFunction = ({ serverContext }) => {
  const { token } = serverContext as unknown as ServerContext;
  return token && !looksLikeKey(token) ? { token } : undefined;
};

/** Stops a flood of tokens before it costs anything. */
const limitTokens: Plugin = {
  onParse: ({ setParseFn }) =>
    setParseFn((source: string, options?: ParseOptions) =>
      parse(source, { ...options, maxTokens: queryLimits.tokens }),
    ),
};

/** The status of a request that did not run at all, for callers who accept the media type of GraphQL. */
const NOT_RUN = { http: { spec: true, status: 400 } };

const SUGGESTION = / Did you mean .+\?$/;

/**
 * Cuts long lists of errors. In production anonymous callers get no suggestions: those name what the schema holds, which
 * introspection keeps from them. Every answer gets errors of its own: Yoga strips the status from those it answers with,
 * and errors of parsing and validation are cached with their document.
 */
const tidyErrors: Plugin<object, ServerContext> = {
  onResultProcess({ result, setResult, serverContext: { context } }) {
    if (Array.isArray(result) || isAsyncIterable(result) || !result.errors) return;
    const hides = context.app.config.production && context.principal.kind === 'anonymous';
    const errors = cutFaults([...result.errors]).map(
      ({ message, nodes, source, positions, path, originalError, extensions }) =>
        new GraphQLError(hides ? message.replace(SUGGESTION, '') : message, {
          nodes,
          source,
          positions,
          path,
          originalError,
          extensions: result.data === undefined ? { ...NOT_RUN, ...extensions } : { ...extensions },
        }),
    );
    setResult({ ...result, errors });
  },
};

export function makeYoga(app: App, schema: GraphQLSchema): GraphQLServer {
  return createYoga<ServerContext, RequestContext>({
    schema,
    graphqlEndpoint: '/graphql',
    batching: false,
    cors: false, // one CORS policy for all surfaces, in front
    landingPage: false,
    // With its assets inlined, so that no other host is contacted; they are megabytes and loaded on first use.
    renderGraphiQL: async (options) =>
      (await import('@graphql-yoga/render-graphiql')).renderGraphiQL(options),
    graphiql: app.config.production ? false : { title: 'Countersign', defaultQuery: EXAMPLE_QUERY },
    logging: false,
    parserAndValidationCache: true,
    // A throw in here would surface as a plain 500; a mismatch is turned away by the first field instead.
    context: ({ context, jwt }: ServerContext & { jwt?: unknown }) => {
      if (context.principal.kind === 'actor' && !jwt) {
        throw new DomainError('UNAUTHORIZED', 'The access token is not valid.');
      }
      return context;
    },
    maskedErrors: {
      maskError: (error) => maskedError(error, app.log),
    },
    plugins: [
      useJWT({
        signingKeyProviders: [createInlineSigningKeyProvider(app.config.jwtSecret)],
        tokenLookupLocations: [tokenOfCaller],
        tokenVerification: tokenRules,
        reject: { missingToken: false, invalidToken: false },
      }),
      maxAliasesPlugin({
        n: queryLimits.aliases,
        exposeLimits: false,
        errorMessage: 'The query is too large: it uses too many aliases.',
      }) as never,
      limitTokens,
      endWithPermission,
      admission,
      tidyErrors,
    ],
  });
}

const EXAMPLE_QUERY = `# Sign in first:
#   mutation { signIn(input: {email: "admin@demo.test", password: "demo-Passw0rd!"}) { accessToken } }
# then send the token as a header: {"Authorization": "Bearer <accessToken>"}
query Me {
  me {
    name
    email
    centers: memberships { centerName role status }
  }
}
`;
