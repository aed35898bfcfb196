/** How tests talk to a running server: over HTTP, like any client. */
export interface TestClient {
  /** A REST call; the path begins after /api. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Any path of the server. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** A GraphQL request; resolves to the whole response with data and errors. */
  graphql(query: string, variables?: Record<string, unknown>, token?: string): Promise<GraphQLAnswer>;
}

export interface CallOptions {
  /** An access token or an API key. */
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The result of JSON.parse: tests read bodies of every shape. */
export type Parsed = ReturnType<typeof JSON.parse>;

export interface Answer {
  status: number;
  headers: Headers;
  body: Parsed;
  text: string;
}

export interface GraphQLAnswer {
  status: number;
  data: Parsed;
  errors?: { message: string; path?: (string | number)[]; extensions: { code: string; details?: unknown } }[];
}

export function makeClient(url: string): TestClient {
  return {
    fetch: (path, init) => fetch(url + path, init),
    async call(method, path, { token, body, headers } = {}) {
      const response = await fetch(`${url}/api${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json');
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: isJson ? JSON.parse(text) : undefined,
      };
    },
    async graphql(query, variables, token) {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ query, variables }),
      });
      return { status: response.status, ...((await response.json()) as Omit<GraphQLAnswer, 'status'>) };
    },
  };
}
