import type { Tx } from '../../db/database.ts';
import { validationError } from '../../lib/errors.ts';

/** Throws unless the person named by an input field belongs to the center. */
export async function requireMember(db: Tx, actorId: string, path: string): Promise<void> {
  const membership = await db.membership.findFirst({ where: { actorId, status: 'ACTIVE' } });
  if (!membership) throw validationError([{ path, message: 'must be an active member of the center' }]);
}
