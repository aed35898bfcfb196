import type { Prisma } from '../../db/database.ts';
import type { Context } from '../context.ts';
import { currentActor } from '../identity/me.ts';
import { childIdsInCenter } from '../memberships/guardians.ts';

/**
 * Which of the center's certificates the caller may read: staff all, a PARENT also those of linked children, a CHILD their
 * own.
 */
export async function visibleCertificates(ctx: Context): Promise<Prisma.CertificateWhereInput> {
  const { center, familyIds } = currentActor(ctx);
  switch (center.open && center.role) {
    case 'ADMIN':
    case 'INSTRUCTOR':
      return {};
    case 'PARENT':
      return { learnerId: { in: [...familyIds, ...(await childIdsInCenter(ctx))] } };
    default:
      return { learnerId: { in: familyIds } };
  }
}
