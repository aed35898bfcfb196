import type { Tx } from '../../db/database.ts';
import { DomainError } from '../../lib/errors.ts';
import { takeSeat } from '../memberships/seats.ts';
import { ScimError } from './errors.ts';

/** Throws 403 unless one more active user fits the subscription: a conflict would tell the directory to look for a duplicate. */
export async function takeSeatForUser(tx: Tx, centerId: number): Promise<void> {
  try {
    await takeSeat(tx, centerId);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'CONFLICT') throw new ScimError(403, error.message);
    throw error;
  }
}
