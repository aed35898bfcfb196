import type { IdentityProvider } from '../../db/generated/prisma/client.ts';
import { DomainError, validationError } from '../../lib/errors.ts';
import { type Context, currentCenterId } from '../context.ts';
import type { ProviderSettings } from '../identities/settings.ts';
import { freshMetadata } from './metadata.ts';
import { deadlineFromNow } from './provider-fetch.ts';
import { checkProviderInput, type IdentityProviderInput } from './provider-input.ts';

/** The place that the secret of a center's provider is bound to. */
const secretPlace = (centerId: number) => `identity_provider:${centerId}`;

export const openClientSecret = (
  { app }: Context,
  { centerId, clientSecret }: Pick<IdentityProvider, 'centerId' | 'clientSecret'>,
) => app.vault.open(clientSecret, secretPlace(centerId));

export const sealClientSecret = ({ app }: Context, centerId: number, clientSecret: string) =>
  app.vault.seal(clientSecret, secretPlace(centerId));

export function findProvider(ctx: Context): Promise<IdentityProvider | null> {
  return ctx.db.identityProvider.findUnique({ where: { centerId: currentCenterId(ctx) } });
}

export interface SecretSettings {
  settings: ProviderSettings;
  clientSecret: string;
}

/** The input with the secret to use: the one given, or the stored one of the same issuer and client. */
export function withSecret(
  ctx: Context,
  { clientSecret, ...input }: IdentityProviderInput,
  stored: IdentityProvider | null,
): SecretSettings {
  const settings = { centerId: currentCenterId(ctx), ...input };
  if (clientSecret) return { settings, clientSecret };
  if (stored && isSameClient(settings, stored))
    return { settings, clientSecret: openClientSecret(ctx, stored) };
  throw validationError([
    {
      path: 'clientSecret',
      message: stored
        ? 'must be given with another issuer or client: the stored secret belongs to the present ones'
        : 'must be given',
    },
  ]);
}

type Client = Pick<ProviderSettings, 'issuer' | 'clientId'>;

export const isSameClient = (a: Client, b: Client) => a.issuer === b.issuer && a.clientId === b.clientId;

/** Checks everything about an input that needs no lock. Only a new issuer is asked: the present one may be away. */
export async function checkedInput(ctx: Context, input: IdentityProviderInput) {
  checkProviderInput(input, ctx.app.config.outbound);
  const stored = await findProvider(ctx);
  const checked = withSecret(ctx, input, stored);
  if (stored?.issuer !== input.issuer) await requireSoundIssuer(ctx, input.issuer);
  return checked;
}

async function requireSoundIssuer({ app }: Context, issuer: string): Promise<void> {
  const target = await app.outbound.checkTarget(issuer);
  if (!target.ok) throw validationError([{ path: 'issuer', message: target.reason }]);
  try {
    await freshMetadata(app, issuer, deadlineFromNow());
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw validationError([{ path: 'issuer', message: `cannot be used. ${error.message}` }]);
  }
}
