import { Countersign } from '../countersign.ts';
import { CountersignError } from '../error.ts';
import { serviceUrl, Transport, unreachable } from '../http.ts';
import { changeProfile, readProfile } from './profile.ts';

interface Tokens {
  data: { accessToken: string; refreshToken: string; expiresIn: number };
}

/** The client with the key from `login` or the environment. */
export async function keyClient(): Promise<Countersign> {
  const { baseUrl, apiKey } = await readProfile();
  if (!apiKey) {
    throw unauthorized('No API key: run `countersign login --api-key csk_…` or set COUNTERSIGN_API_KEY.');
  }
  return new Countersign({ baseUrl, apiKey });
}

/** Whether there is an API key to call with. */
export const hasKey = async (): Promise<boolean> => (await readProfile()).apiKey !== undefined;

/** GraphQL as the signed-in person. */
export interface PersonSession {
  baseUrl: string;
  accessToken(): Promise<string>;
  query<T>(document: string, variables?: Record<string, unknown>): Promise<T>;
}

export interface Connection<Node> {
  edges: { node: Node }[];
  pageInfo: { hasNextPage: boolean; endCursor: string };
}

/** The nodes of a connection, page by page. The document takes the cursor as `$after`. */
export async function* pagesOf<Node>(
  query: PersonSession['query'],
  document: string,
  name: string,
  variables: object,
): AsyncGenerator<Node> {
  for (let after: string | null = null; ; ) {
    const data: Record<string, Connection<Node>> = await query(document, { ...variables, after });
    const { edges, pageInfo } = data[name]!;
    for (const { node } of edges) yield node;
    if (!pageInfo.hasNextPage) return;
    after = pageInfo.endCursor;
  }
}

const unauthorized = (message: string) => new CountersignError({ code: 'UNAUTHORIZED', status: 0, message });

export async function personSession(): Promise<PersonSession> {
  const profile = await readProfile();
  const transport = new Transport({ baseUrl: profile.baseUrl });
  let { refreshToken } = profile;
  let current: { token: string; until: number } | null = null;

  async function accessToken(): Promise<string> {
    if (current && current.until > Date.now()) return current.token;
    if (!refreshToken) throw unauthorized('You are not signed in: run `countersign login`.');
    const { data } = await transport.json<Tokens>({
      method: 'POST',
      path: '/auth/refresh-token',
      body: { refreshToken },
    });
    refreshToken = data.refreshToken;
    // Saved immediately: reusing a refresh token would end the session.
    await changeProfile({ refreshToken });
    current = { token: data.accessToken, until: Date.now() + (data.expiresIn - 60) * 1_000 };
    return current.token;
  }

  return {
    baseUrl: transport.baseUrl,
    accessToken,
    query: async (document, variables) =>
      queryGraphQL(transport.baseUrl, await accessToken(), document, variables),
  };
}

/** GraphQL with the access token of a person or an API key. */
export async function queryGraphQL<T>(
  baseUrl: string,
  credential: string,
  document: string,
  variables: Record<string, unknown> = {},
): Promise<T> {
  const service = serviceUrl(baseUrl);
  const response = await fetch(`${service}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}` },
    body: JSON.stringify({ query: document, variables }),
  }).catch((cause) => {
    throw unreachable(service, cause);
  });
  const { data, errors } = (await response.json()) as {
    data?: T | null;
    errors?: { message: string; extensions?: { code?: string; details?: Record<string, unknown> } }[];
  };
  const [error] = errors ?? [];
  if (error) {
    throw new CountersignError({
      code: error.extensions?.code ?? 'INTERNAL_ERROR',
      message: error.message,
      status: response.status,
      requestId: response.headers.get('x-request-id'),
      details: error.extensions?.details ?? {},
    });
  }
  return data!;
}
