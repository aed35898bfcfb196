import type { Tx } from '../../db/database.ts';
import { DomainError } from '../../lib/errors.ts';

/**
 * Refuses a suspended account, to its owner only: call it after the password or the passkey was checked. The row stays locked,
 * so that a suspension at the same moment ends the session that is being opened.
 */
export async function requireNotSuspended(tx: Tx, actorId: string): Promise<void> {
  const [actor] = await tx.$queryRaw<{ suspended: boolean }[]>`
    SELECT suspended_at IS NOT NULL AS suspended FROM actor WHERE id = ${actorId}::uuid FOR SHARE`;
  if (!actor?.suspended) return;
  throw new DomainError('FORBIDDEN', 'This account is suspended; contact the operator of the service.');
}
