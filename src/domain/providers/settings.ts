import type { Tx } from '../../db/database.ts';
import type { IdentityProvider } from '../../db/generated/prisma/client.ts';
import { DomainError, requireFound } from '../../lib/errors.ts';
import { type Context, currentCenterId } from '../context.ts';
import { adminAddresses } from '../email-domains/admin-addresses.ts';
import { type ProviderSettings, providerSettings } from '../identities/settings.ts';
import { endProviderSessions } from '../identity/end-provider-sessions.ts';
import { requireFreshProof } from '../identity/fresh-proof.ts';
import { currentActor } from '../identity/me.ts';
import { activeAdmin, emergencyAdmin, lockCenter } from '../memberships/seats.ts';
import { transact, type Work } from '../unit-of-work.ts';
import {
  checkedInput,
  isSameClient,
  openClientSecret,
  sealClientSecret,
  withSecret,
} from './checked-settings.ts';
import type { IdentityProviderInput } from './provider-input.ts';
import { lastTest } from './provider-tests.ts';

/** The addresses that an ADMIN enters at the provider and in the directory. */
export const providerAddresses = ({ app: { config } }: Context) => ({
  redirectUri: `${config.publicUrl}/auth/oidc/callback`,
  backchannelLogoutUri: `${config.publicUrl}/auth/oidc/backchannel-logout`,
  scimUrl: `${config.publicUrl}/scim/v2`,
});

/** Creates or changes the provider of the caller's center. Another issuer or client ends its sessions. */
export async function saveIdentityProvider(
  ctx: Context,
  input: IdentityProviderInput,
): Promise<IdentityProvider> {
  await requireFreshProof(ctx);
  await checkedInput(ctx, input);
  const centerId = currentCenterId(ctx);
  return transact.acrossTenants(ctx, async (work) => {
    await lockCenter(work.db, centerId);
    const stored = await work.db.identityProvider.findUnique({ where: { centerId } });
    // Again under the lock: another ADMIN may have saved another issuer in the meantime.
    const { settings, clientSecret } = withSecret(ctx, input, stored);
    if (settings.required) await requireEmergencyAccess(work.db, centerId);
    const secretBefore = stored && openClientSecret(ctx, stored);
    const fields = changedFields(stored && providerSettings(stored), settings);
    if (secretBefore !== clientSecret) fields.push('clientSecret');
    if (stored && fields.length === 0) return stored;
    const isReplaced = stored !== null && !isSameClient(settings, stored);
    const data = {
      ...settings,
      clientSecret: sealClientSecret(ctx, centerId, clientSecret),
      testedAt:
        stored?.testedAt && fields.every((field) => UNTESTED.includes(field))
          ? stored.testedAt
          : await lastTest(ctx, work.db, { settings, clientSecret }),
      updatedAt: ctx.now,
    };
    const saved = await work.db.identityProvider.upsert({
      where: { centerId },
      create: { ...data, createdAt: ctx.now },
      update: data,
    });
    if (isReplaced) await endProviderSessions(ctx, work, { centerId }, 'provider changed');
    await announce(ctx, work, saved, { change: stored ? 'CHANGED' : 'CREATED', fields });
    return saved;
  });
}

/** Removes the provider of the caller's center and ends its sessions. Its identities are kept for its return. */
export async function removeIdentityProvider(ctx: Context): Promise<true> {
  await requireFreshProof(ctx);
  const centerId = currentCenterId(ctx);
  await transact.acrossTenants(ctx, async (work) => {
    await lockCenter(work.db, centerId);
    const stored = await work.db.identityProvider.findUnique({ where: { centerId } });
    const removed = requireFound(stored, 'This center has no identity provider.');
    const admins = await work.db.membership.count({
      where: { ...activeAdmin, centerId, actor: { ...activeAdmin.actor, passwordHash: { not: null } } },
    });
    if (admins === 0) {
      throw new DomainError(
        'CONFLICT',
        'No active ADMIN of the center has a password, so without the provider none could sign in.',
      );
    }
    await work.db.identityProvider.delete({ where: { centerId } });
    await endProviderSessions(ctx, work, { centerId }, 'provider changed');
    await announce(ctx, work, removed, { change: 'REMOVED', fields: [] });
  });
  return true;
}

async function requireEmergencyAccess(db: Tx, centerId: number): Promise<void> {
  const marked = await db.membership.count({ where: { ...emergencyAdmin, centerId } });
  if (marked > 0) return;
  throw new DomainError(
    'CONFLICT',
    'No ADMIN has emergency access. Give it to one first, or the center could not be opened while the provider is away.',
  );
}

/** What a test does not depend on. */
const UNTESTED = ['name', 'required', 'sessionHours'];

function changedFields(before: ProviderSettings | null, after: ProviderSettings): string[] {
  const names = Object.keys(after) as (keyof ProviderSettings)[];
  return names.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after[name]));
}

interface Change {
  change: 'CREATED' | 'CHANGED' | 'REMOVED';
  fields: string[];
}

/** The audit log and all ADMINs learn of the change, and of its author. The secret is in neither. */
async function announce(
  ctx: Context,
  work: Work,
  { centerId, name, issuer, clientId }: IdentityProvider,
  { change, fields }: Change,
): Promise<void> {
  work.audit({
    type: 'center.updated',
    target: String(centerId),
    detail: { change: `identity provider ${change.toLowerCase()}`, name, issuer, clientId, fields },
  });
  const by = currentActor(ctx).actorId;
  for (const to of await adminAddresses(work.db, centerId)) {
    work.mail({
      kind: 'provider_changed',
      to,
      centerId,
      about: { centerId, actorId: by, change, name, issuer, clientId, fields },
    });
  }
}
