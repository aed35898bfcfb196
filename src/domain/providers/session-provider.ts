import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import type { ActorPrincipal } from '../principal.ts';
import { providerMetadata } from './metadata.ts';

/** A page waits for this answer, and without it only a link is missing. */
const WAIT_MS = 2_000;

export interface SessionProvider {
  name: string;
  /** Where to sign out at the provider too; null if it offers no such address. */
  logoutUrl: string | null;
}

/** The provider that opened the session of a person; null if a password or a passkey did. */
export async function sessionProvider(
  { app }: Context,
  { identity }: ActorPrincipal,
): Promise<SessionProvider | null> {
  if (identity === null) return null;
  const provider = await app.db.acrossTenants.identityProvider.findUnique({
    where: { centerId: identity.centerId },
    select: { name: true, issuer: true, clientId: true },
  });
  if (!provider) return null;
  const address = await endSessionAddress(app, provider.issuer);
  if (address === null) return { name: provider.name, logoutUrl: null };
  address.searchParams.set('client_id', provider.clientId);
  address.searchParams.set('post_logout_redirect_uri', `${app.config.publicUrl}/sign-in`);
  return { name: provider.name, logoutUrl: address.href };
}

async function endSessionAddress(app: Context['app'], issuer: string): Promise<URL | null> {
  try {
    const metadata = await providerMetadata(app, issuer, performance.now() + WAIT_MS);
    const address = URL.parse(metadata.end_session_endpoint ?? '');
    const isWeb =
      address?.protocol === 'https:' || (address?.protocol === 'http:' && app.config.outbound.allowHttp);
    return isWeb ? address : null;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
