import { z } from 'zod';
import type { Center, IdentityProvider } from '../../db/generated/prisma/client.ts';
import type { SignInPurpose } from '../../db/generated/prisma/enums.ts';
import { DomainError, requireFound } from '../../lib/errors.ts';
import { parseJson } from '../../lib/json.ts';
import type { Context } from '../context.ts';
import { providerSettings } from '../identities/settings.ts';
import { openClientSecret, type SecretSettings } from './checked-settings.ts';

/** What is known of a sign-in when it fails, so that the error can lead to the right page and reach the right center. */
export interface SignInScene {
  center: Pick<Center, 'id' | 'centerDomain'> | null;
  purpose: SignInPurpose;
  testId: string | null;
}

export interface ProviderOfCenter extends SecretSettings {
  center: Center;
  provider: IdentityProvider;
}

/** The provider of a center that can be entered. */
export async function openProvider(
  ctx: Context,
  where: { id: number } | { centerDomain: string },
  scene: SignInScene,
): Promise<ProviderOfCenter> {
  const center = await openCenter(ctx, where, scene);
  const provider = await ctx.app.db.acrossTenants.identityProvider.findUnique({
    where: { centerId: center.id },
  });
  if (!provider) throw new DomainError('CENTER_NOT_FOUND', 'This center has no identity provider.');
  return {
    center,
    provider,
    settings: providerSettings(provider),
    clientSecret: openClientSecret(ctx, provider),
  };
}

async function openCenter(
  { app }: Context,
  where: { id: number } | { centerDomain: string },
  scene: SignInScene,
): Promise<Center> {
  const center = await app.db.acrossTenants.center.findUnique({ where });
  if (!center || center.status === 'INACTIVE') throw new DomainError('CENTER_NOT_FOUND', 'Center not found.');
  scene.center = center;
  if (center.status === 'SUSPENDED') throw new DomainError('CENTER_SUSPENDED', 'This center is suspended.');
  return center;
}

/** The place that the settings of a test are bound to. */
export const testPlace = (testId: string) => `provider_test:${testId}`;

const sealedSettings = z.object({
  settings: z.custom<SecretSettings['settings']>((value) => typeof value === 'object'),
  clientSecret: z.string(),
});

export const sealTested = ({ app }: Context, testId: string, tested: SecretSettings) =>
  app.vault.seal(JSON.stringify(tested), testPlace(testId));

export const openTested = ({ app }: Context, { id, settings }: { id: string; settings: string }) =>
  sealedSettings.parse(parseJson(app.vault.open(settings, testPlace(id))));

/** The settings of a test, which may not be saved yet. */
export async function settingsOfTest(
  ctx: Context,
  testId: string,
  scene: SignInScene,
): Promise<SecretSettings & { center: Center }> {
  const test = await ctx.app.db.acrossTenants.providerTest.findUnique({
    where: { id: testId, expiresAt: { gt: ctx.now } },
  });
  const { centerId, settings, id } = requireFound(test, 'This test has expired; begin another one.');
  return { center: await openCenter(ctx, { id: centerId }, scene), ...openTested(ctx, { id, settings }) };
}
