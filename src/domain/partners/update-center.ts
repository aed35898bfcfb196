import { z } from 'zod';
import { isUniqueViolation } from '../../db/faults.ts';
import type { Center } from '../../db/generated/prisma/client.ts';
import { doc } from '../../lib/doc.ts';
import { DomainError, validationError } from '../../lib/errors.ts';
import { plainText } from '../../lib/text.ts';
import { requireFeatureIn } from '../centers/center-features.ts';
import type { Context } from '../context.ts';
import { transact } from '../unit-of-work.ts';
import { currentPartnerId, lockPartnerCenter } from './partner-access.ts';

const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;

export const updatePartnerCenterInput = z.object({
  name: plainText(256)
    .trim()
    .min(1)
    .nullish()
    .meta(doc('The name that people see, 1 to 256 characters.', 'Demo Rehabilitation')),
  status: z
    .enum(['ACTIVE', 'SUSPENDED'])
    .nullish()
    .describe('SUSPENDED shuts out all members, ACTIVE lets them in again.'),
});

/** Further fields that a console may change; null removes the custom domain. */
export const changePartnerCenterInput = updatePartnerCenterInput.extend({
  customDomain: z
    .string()
    .transform((text) => text.toLowerCase())
    .refine((text) => DOMAIN.test(text), 'must be a domain name such as school.example.org')
    .nullish()
    .describe('The custom domain of a WHITE_LABEL center; null removes it.'),
});

type Changes = z.infer<typeof changePartnerCenterInput>;

/** Changes one of the partner's centers. Suspending it blocks its members immediately. */
export async function updatePartnerCenter(ctx: Context, centerId: number, input: Changes): Promise<Center> {
  const partnerId = currentPartnerId(ctx);
  const update = transact.acrossTenants(ctx, async (work) => {
    const center = await lockPartnerCenter(work.db, partnerId, centerId);
    const changes = differences(center, input);
    if (Object.keys(changes).length === 0) return center;
    if (changes.customDomain) await requireFeatureIn(ctx, center.id, 'whiteLabel');
    work.audit({
      type: 'center.updated',
      centerId: center.id,
      target: String(center.id),
      detail: { from: pick(center, changes), to: changes },
    });
    return work.db.center.update({ where: { id: center.id }, data: changes });
  });
  return update.catch((error: unknown) => {
    // Only the custom domain can conflict.
    if (!isUniqueViolation(error)) throw error;
    throw new DomainError('CONFLICT', 'This custom domain belongs to another center.');
  });
}

function differences(center: Center, { name, status, customDomain }: Changes) {
  if (center.status === 'INACTIVE')
    throw new DomainError('CONFLICT', 'This center is closed permanently and cannot be changed.');
  if (customDomain && center.tenantType !== 'WHITE_LABEL') {
    throw validationError([{ path: 'customDomain', message: 'can only be set for WHITE_LABEL centers' }]);
  }
  return {
    ...(name && name !== center.name && { name }),
    ...(status && status !== center.status && { status }),
    ...(customDomain !== undefined && customDomain !== center.customDomain && { customDomain }),
  };
}

const pick = (center: Center, changes: object) =>
  Object.fromEntries(Object.keys(changes).map((key) => [key, center[key as keyof Center]]));
