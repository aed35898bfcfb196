import { z } from 'zod';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { adminAddresses } from '../email-domains/admin-addresses.ts';
import { lockCenter } from '../memberships/seats.ts';
import { transact } from '../unit-of-work.ts';

export const endRequirementInput = z.object({
  domain: z.string().trim().toLowerCase().min(1).max(256),
});

/** Lets passwords and passkeys open a center again whose provider is away, for an operator with a shell. */
export async function endProviderRequirement(
  ctx: Context,
  { domain: centerDomain }: z.infer<typeof endRequirementInput>,
): Promise<{ centerName: string; provider: string; wasRequired: boolean }> {
  return transact.acrossTenants(ctx, async (work) => {
    const center = await work.db.center.findUnique({
      where: { centerDomain, identityProvider: { isNot: null } },
    });
    if (!center) {
      throw new DomainError(
        'NOT_FOUND',
        `No center with the domain ${centerDomain} has an identity provider.`,
      );
    }
    const { id: centerId, name: centerName } = center;
    await lockCenter(work.db, centerId);
    const before = await work.db.identityProvider.findUniqueOrThrow({ where: { centerId } });
    const { name, issuer, clientId, required: wasRequired } = before;
    if (!wasRequired) return { centerName, provider: name, wasRequired };
    await work.db.identityProvider.update({ where: { centerId }, data: { required: false } });
    const fields = ['required'];
    work.audit({
      type: 'center.updated',
      target: String(centerId),
      centerId,
      detail: { change: 'identity provider changed', name, issuer, clientId, fields },
    });
    const about = { centerId, actorId: null, change: 'CHANGED' as const, name, issuer, clientId, fields };
    for (const to of await adminAddresses(work.db, centerId)) {
      work.mail({ kind: 'provider_changed', to, centerId, about });
    }
    return { centerName, provider: name, wasRequired };
  });
}
