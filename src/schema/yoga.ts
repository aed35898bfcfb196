import { createYoga, isAsyncIterable, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { RequestContext } from '../api/request-context.ts';
import type { App } from '../app.ts';
import type { Engine } from './engine.ts';
import { maskedError, shownErrors } from './errors.ts';
import { serialized } from './serialized-result.ts';

/** What the HTTP server passes on: the context of the request, created before Yoga sees it. */
interface ServerContext {
  context: RequestContext;
  /** The bearer token of the header or the cookie, not yet verified. */
  token: string | null;
}

export type GraphQLServer = YogaServerInstance<ServerContext, RequestContext>;

/** HTTP only: the direct handler does the same for its own responses. */
const showErrors: Plugin<object, ServerContext> = {
  async onResultProcess({ result, setResult, serverContext: { context } }) {
    if (Array.isArray(result) || isAsyncIterable(result)) return;
    const shown = await serialized(context, result, (error) => maskedError(error, context.app.log));
    const errors = shown.errors && shownErrors(shown.errors, result.data !== undefined, context);
    setResult(errors ? { ...shown, errors } : shown);
  },
};

/** Serves GraphQL over HTTP in all its forms: GET, streams, GraphiQL, and every error of a malformed request. */
export function makeYoga(app: App, { schema, plugins }: Engine): GraphQLServer {
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
    parserAndValidationCache: false, // the list of plugins has one
    context: ({ context }) => context,
    maskedErrors: {
      maskError: (error) => maskedError(error, app.log),
    },
    plugins: [...plugins, showErrors],
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
