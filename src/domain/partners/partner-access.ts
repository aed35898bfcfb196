import type { Db, Tx } from '../../db/database.ts';
import type { Center } from '../../db/generated/prisma/client.ts';
import { DomainError } from '../../lib/errors.ts';
import { centerNotFound } from '../centers/find.ts';
import type { Context } from '../context.ts';
import { lockCenter } from '../memberships/seats.ts';

/** The partner of the calling account. */
export function currentPartnerId({ principal }: Context): string {
  if (principal.kind === 'actor' && principal.partner) return principal.partner.id;
  throw new DomainError('INSUFFICIENT_ROLE', 'Only accounts of a partner may do this.');
}

/** One of the partner's centers. Another partner's is reported as not found. */
export async function findPartnerCenter(db: Db | Tx, partnerId: string, centerId: number): Promise<Center> {
  const center = await db.center.findFirst({ where: { id: centerId, partnerId } });
  if (!center) throw centerNotFound();
  return center;
}

/** The same, locked until the commit. */
export async function lockPartnerCenter(tx: Tx, partnerId: string, centerId: number): Promise<Center> {
  const { id } = await findPartnerCenter(tx, partnerId, centerId);
  await lockCenter(tx, id);
  return tx.center.findUniqueOrThrow({ where: { id } });
}
