import { type TestApp, type TestAppOptions, testApp } from '../../helpers/app.ts';
import type { Parsed, TestClient } from '../../helpers/client.ts';
import { freePort } from '../../helpers/free-port.ts';
import { type Visited, Visitor } from './visitor.ts';

/** A service whose public URL is the address at which it listens, as sign-ins at a provider need it. */
export async function testAppAtPublicUrl(options: TestAppOptions = {}): Promise<TestApp & { home: string }> {
  const port = await freePort();
  const home = `http://127.0.0.1:${port}`;
  const house = await testApp({ ...options, port, env: { PUBLIC_URL: home, ...options.env } });
  return Object.assign(house, { home });
}

interface Client {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

const SAVE = `mutation ($input: IdentityProviderInput!) {
  saveIdentityProvider(input: $input) { name issuer clientId required testedAt }
}`;

/** Sets up the provider of the caller's center. Resolves to the whole answer. */
export const saveProvider = (
  { graphql }: TestClient,
  token: string,
  { issuer, clientId, clientSecret }: Client,
  settings: Record<string, unknown> = {},
) =>
  graphql(
    SAVE,
    {
      input: {
        name: 'Company Login',
        issuer,
        clientId,
        clientSecret,
        defaultRole: 'INSTRUCTOR',
        ...settings,
      },
    },
    token,
  );

export interface SignInOptions {
  next?: string;
  visitor?: Visitor;
  /** Further parameters of the start. */
  query?: Record<string, string>;
}

/** Signs in at the provider of a center and comes back: the page that the browser ends up at, with its cookies. */
export async function signInThroughProvider(
  { config }: Pick<TestApp, 'config'>,
  center: { centerDomain: string },
  account: string,
  { next, visitor = new Visitor(), query = {} }: SignInOptions = {},
): Promise<Visited & { visitor: Visitor; token: string | undefined; error: string | null }> {
  const home = config.publicUrl;
  const parameters = new URLSearchParams({ center: center.centerDomain, ...(next && { next }), ...query });
  return goThroughProvider(home, `${home}/auth/oidc/start?${parameters}`, account, visitor);
}

/** The same from any start address, such as that of a test. */
export async function goThroughProvider(
  home: string,
  start: string,
  account: string,
  visitor = new Visitor(),
) {
  const first = await visitor.open(start, home);
  const isAsked = first.url.pathname.startsWith('/interaction/');
  if (isAsked) first.url.searchParams.set('account', account);
  const visited = isAsked ? await visitor.open(first.url, home) : first;
  return {
    ...visited,
    hops: [...first.hops, ...(isAsked ? visited.hops : [])],
    visitor,
    token: visitor.cookie(home, 'auth_token'),
    error: visited.url.searchParams.get('error'),
  };
}

/** Who a token belongs to. */
export async function whoIs({ graphql }: TestClient, token: string | undefined): Promise<Parsed> {
  const { data, errors } = await graphql(
    '{ me { actorId name email centerDomain role authorizedDomains } }',
    {},
    token,
  );
  return errors ? errors[0]!.extensions.code : data.me;
}
