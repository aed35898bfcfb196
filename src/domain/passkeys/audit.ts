import type { Db, Tx } from '../../db/database.ts';
import type { LedgerRecord, Passkey } from '../../db/generated/prisma/client.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { mailAddressOf } from '../email-domains/mail-address.ts';
import { currentActor } from '../identity/me.ts';
import { callerOf, centerIdOf } from '../principal.ts';
import type { Work } from '../unit-of-work.ts';

type Change = 'registered' | 'removed';

const entryOf = ({ id, fingerprint, name }: Passkey, change: Change) => ({
  type: 'api_key.changed' as const,
  target: id,
  detail: { change, kind: 'passkey', name, fingerprint },
});

/**
 * A passkey belongs to a person, not a center, so its changes are on the platform's own audit chain. The current center also
 * gets an entry, where its members can see it. The owner is named if no one is signed in.
 */
export function auditPasskey(
  { principal }: Context,
  work: Work,
  passkey: Passkey,
  change: Change,
  owner = callerOf(principal),
): void {
  const entry = { ...entryOf(passkey, change), actor: owner };
  work.audit({ ...entry, centerId: null });
  const centerId = centerIdOf(principal);
  if (centerId !== null) work.audit({ ...entry, centerId });
}

export async function mailOwner(
  ctx: Context,
  work: Work,
  { name, fingerprint }: Passkey,
  kind: 'passkey_registered' | 'passkey_removed',
): Promise<void> {
  const { actorId, email, shownEmail, homeCenterId } = currentActor(ctx);
  const to = await mailAddressOf(work.db, { email, contactEmail: shownEmail, homeCenterId });
  if (to) work.mail({ kind, to, about: { actorId, name, fingerprint } });
}

/** The position of a passkey's registration on the platform's audit chain, even if the passkey was removed since. */
export async function placeOfPasskey(
  db: Db | Tx,
  { id, actorId }: Pick<Passkey, 'id' | 'actorId'>,
): Promise<Pick<LedgerRecord, 'chainId' | 'index' | 'hash'> | null> {
  const entry = await db.auditEntry.findFirst({
    where: { centerId: null, actorId, type: 'api_key.changed', target: id },
    orderBy: { id: 'asc' },
  });
  if (!entry) return null;
  const { chainId, index } = entry;
  const record = await db.ledgerRecord.findUnique({ where: { chainId_index: { chainId, index } } });
  if (!record)
    throw new DomainError('CHAIN_BROKEN', 'The registration of a passkey is missing from its chain.');
  return { chainId, index, hash: record.hash };
}
