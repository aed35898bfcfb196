import type { FieldFault } from '../../lib/errors.ts';
import type { ProviderSettings } from '../identities/settings.ts';

/**
 * Issuers at which anyone can open an account. Without a required claim, everyone in the world could sign in to the center.
 * By host; null if every path of the host is open to anyone.
 */
const OPEN_TO_ANYONE: Record<string, string | null> = {
  'accounts.google.com': null,
  'appleid.apple.com': null,
  'account.apple.com': null,
  'www.facebook.com': null,
  'www.linkedin.com': null,
  'gitlab.com': null,
  'api.login.yahoo.com': null,
  'login.yahoo.com': null,
  'id.twitch.tv': null,
  'access.line.me': null,
  'slack.com': null,
  'login.salesforce.com': null,
  'www.paypal.com': null,
  'auth.atlassian.com': null,
  // The tenant of personal Microsoft accounts.
  'login.microsoftonline.com': '9188040d-6c67-4c5b-b112-36a304b66dad',
};

/** Microsoft's addresses for several tenants: the issuer in their tokens is that of the tenant, never this one. */
const SEVERAL_TENANTS = ['common', 'organizations', 'consumers'];

/** Why settings would let strangers in; null if they do not. */
export function publicIssuerFault({
  issuer,
  requiredClaims,
}: Pick<ProviderSettings, 'issuer' | 'requiredClaims'>): FieldFault | null {
  const { hostname, pathname } = new URL(issuer);
  const host = hostname.replace(/\.+$/, '');
  const tenant =
    pathname
      .split('/')
      .find((part) => part !== '')
      ?.toLowerCase() ?? '';
  if (isMicrosoft(host) && SEVERAL_TENANTS.includes(tenant)) {
    return {
      path: 'issuer',
      message: 'must be the issuer of your own tenant: https://login.microsoftonline.com/{tenant id}/v2.0',
    };
  }
  if (host === 'accounts.google.com') {
    if (requiredClaims.some(({ claim }) => claim === 'hd')) return null;
    return {
      path: 'requiredClaims',
      message: 'must contain the claim hd with the domain of your organization: anyone has a Google account',
    };
  }
  if (!Object.hasOwn(OPEN_TO_ANYONE, host) || requiredClaims.length > 0) return null;
  const open = OPEN_TO_ANYONE[host];
  if (open !== null && open !== tenant) return null;
  return {
    path: 'requiredClaims',
    message: 'must name a claim that only members of your organization have: this issuer is open to anyone',
  };
}

const isMicrosoft = (host: string) => host === 'login.microsoftonline.com' || host === 'sts.windows.net';
