import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import { onTestFinished } from 'vitest';

/** A person at the provider: the claims besides `sub`, which is the key of the account. */
export type Account = Record<string, unknown>;

export interface CompanyProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The accounts by subject. They can change at any time. */
  accounts: Map<string, Account>;
  /** Who signs in without being asked; otherwise a page lists the accounts. */
  signInAs: string | null;
  stop(): Promise<void>;
}

/** Every claim that some account of a test has: the provider gives no others. */
const CLAIMS = [
  ...['email', 'email_verified', 'name', 'given_name', 'family_name', 'preferred_username', 'phone_number'],
  ...['groups', 'roles', 'hd', 'oid', 'tid', 'department', '_claim_names', 'hasgroups'],
];

let keys: Promise<object[]> | undefined;

/** Made once: an RSA key takes a while. */
function signingKeys(): Promise<object[]> {
  keys ??= (async () => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    return [{ ...(await exportJWK(privateKey)), kid: 'company', alg: 'RS256', use: 'sig' }];
  })();
  return keys;
}

interface Options {
  accounts?: Record<string, Account>;
  /** The public URL of the service that people sign in to. */
  home: string;
  /** Whether the ID token holds the claims; otherwise only userinfo does. */
  claimsInIdToken?: boolean;
  port?: number;
}

/** A certified provider on loopback that asks for no consent. */
export async function startCompanyProvider({
  accounts = {},
  home,
  claimsInIdToken = true,
  port = 0,
}: Options): Promise<CompanyProvider> {
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ['countersign', 'a secret: with +signs & 100% of them'];
  const fixture: CompanyProvider = {
    ...{ issuer, clientId, clientSecret, signInAs: null },
    accounts: new Map(Object.entries(accounts)),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const configuration: Configuration = {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${home}/auth/oidc/callback`],
        post_logout_redirect_uris: [`${home}/sign-in`],
        backchannel_logout_uri: `${home}/auth/oidc/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: await signingKeys() } as Configuration['jwks'] & {},
    cookies: { keys: ['a key for the cookies of a test'] },
    claims: { openid: ['sub', 'sid', 'auth_time', ...CLAIMS], email: [], profile: [] },
    conformIdTokenClaims: !claimsInIdToken,
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    // Its own dispatcher refuses loopback, where tests run.
    fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => {
      const account = fixture.accounts.get(sub);
      return account && { accountId: sub, claims: () => ({ ...account, sub }) };
    },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId!,
      });
      grant.addOIDCScope('openid email profile offline_access');
      await grant.save();
      return grant;
    },
    ttl: { Session: 3_600, Interaction: 600, Grant: 3_600, AccessToken: 600, IdToken: 600 },
  };
  const provider = new Provider(issuer, configuration);
  const serve = provider.callback();

  async function handle(...[request, response]: Parameters<typeof serve>) {
    const url = new URL(request.url!, issuer);
    if (!url.pathname.startsWith('/interaction/')) return serve(request, response);
    const { params } = await provider.interactionDetails(request, response);
    const hint = String(params['login_hint'] ?? '');
    const accountId =
      url.searchParams.get('account') ?? fixture.signInAs ?? (fixture.accounts.has(hint) ? hint : null);
    if (accountId === 'refuse') {
      return provider.interactionFinished(request, response, { error: 'access_denied' });
    }
    if (accountId !== null && fixture.accounts.has(accountId)) {
      return provider.interactionFinished(request, response, { login: { accountId } });
    }
    const links = [...fixture.accounts.keys()].map(
      (sub) => `<p><a href="${url.pathname}?account=${encodeURIComponent(sub)}">Sign in as ${sub}</a></p>`,
    );
    response.setHeader('content-type', 'text/html; charset=utf-8');
    return response.end(`<!doctype html><title>Company</title>${links.join('')}`);
  }

  return fixture;
}

/** The same, stopped automatically at the end of the test. */
export async function companyProvider(options: Options): Promise<CompanyProvider> {
  const fixture = await startCompanyProvider(options);
  onTestFinished(() => fixture.stop());
  return fixture;
}
