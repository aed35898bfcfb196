import type { Prisma } from '../../db/database.ts';
import type { Context } from '../context.ts';
import { currentActor } from '../identity/me.ts';
import { childIdsInCenter } from '../memberships/guardians.ts';

/** Which certificates of the center the caller reads: staff all, a PARENT also those of the linked children, a CHILD their own. */
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
