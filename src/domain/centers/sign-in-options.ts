import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { centerOfAddress } from '../email-domains/trust.ts';
import { publicInfo } from './read-centers.ts';

/** How people sign in to a center. */
export interface SignInOptions {
  /** Whether passwords and passkeys open it for everyone, and not in an emergency only. */
  password: boolean;
  /** The company's provider; null without one. */
  oidc: { name: string; startUrl: string } | null;
}

const PASSWORD_ONLY: SignInOptions = { password: true, oidc: null };

export const emailField = plainText(320).trim();

/** The sign-in options of centers, by domain. */
export async function signInOptionsOf(
  { app }: Context,
  domains: string[],
): Promise<Map<string, SignInOptions>> {
  const providers = await app.db.acrossTenants.identityProvider.findMany({
    where: { center: { centerDomain: { in: domains } } },
    select: { name: true, required: true, center: { select: { centerDomain: true } } },
  });
  const configured = providers.map(({ name, required, center }): [string, SignInOptions] => [
    center.centerDomain,
    { password: !required, oidc: { name, startUrl: startUrl(app.config.publicUrl, center.centerDomain) } },
  ]);
  return new Map([
    ...domains.map((domain): [string, SignInOptions] => [domain, PASSWORD_ONLY]),
    ...configured,
  ]);
}

function startUrl(publicUrl: string, center: string): string {
  const url = new URL('/auth/oidc/start', publicUrl);
  url.searchParams.set('center', center);
  return url.href;
}

/**
 * The sign-in options of a center; without its name, of the center that has verified the domain of an address; without either, of
 * the center that the browser visited last. Whether an account has the address makes no difference.
 */
export async function findSignInOptions(
  ctx: Context,
  { center, email }: { center?: string | null | undefined; email?: string | null | undefined },
  lastVisited: string | null,
): Promise<SignInOptions> {
  if (!center && !email && lastVisited)
    return findSignInOptions(ctx, { center: lastVisited }, null).catch(() => PASSWORD_ONLY);
  if (center) {
    const { centerDomain } = await publicInfo(ctx, center);
    const options = (await signInOptionsOf(ctx, [centerDomain])).get(centerDomain)!;
    if (options.oidc || !email) return options;
  }
  return email ? optionsOfAddress(ctx, email) : PASSWORD_ONLY;
}

async function optionsOfAddress(ctx: Context, email: string): Promise<SignInOptions> {
  const db = ctx.app.db.acrossTenants;
  const id = await centerOfAddress(db, email);
  const center = id === null ? null : await db.center.findUnique({ where: { id, status: 'ACTIVE' } });
  if (!center) return PASSWORD_ONLY;
  return (await signInOptionsOf(ctx, [center.centerDomain])).get(center.centerDomain)!;
}
