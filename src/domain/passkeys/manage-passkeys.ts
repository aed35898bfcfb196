import type { PoolClient, Prisma } from '../../db/database.ts';
import type { Passkey } from '../../db/generated/prisma/client.ts';
import { type RowOf, type Statement, sql } from '../../db/sql.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { requireFreshProof } from '../identity/fresh-proof.ts';
import { currentActor } from '../identity/me.ts';
import { requireOwnSessionOfAccount } from '../identity/reach.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { auditPasskey, mailOwner } from './audit.ts';

/** The caller's passkeys, oldest first. */
export function listPasskeys(ctx: Context): Promise<Passkey[]> {
  return ctx.app.db.acrossTenants.passkey.findMany({
    where: { actorId: currentActor(ctx).actorId, removedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

/** Removes the passkeys that a person does not keep. Returns the removed ones. */
export async function removeOtherPasskeys(
  ctx: Context,
  work: Work,
  owner: { id: string; email: string | null },
  keep: readonly string[],
): Promise<Passkey[]> {
  const removed = await remove(ctx, work, { actorId: owner.id, id: { notIn: [...keep] } });
  for (const passkey of removed) auditPasskey(ctx, work, passkey, 'removed', owner);
  return removed;
}

/** Dated after everything that the passkeys have signed, so that those signatures stay valid. */
async function remove(ctx: Context, work: Work, where: Prisma.PasskeyWhereInput): Promise<Passkey[]> {
  const live = await work.db.passkey.findMany({ where: { ...where, removedAt: null }, select: { id: true } });
  const ids = live.map(({ id }) => id).sort();
  const locked = await work.db.$queryRaw<{ id: string; used: Date | null }[]>`
    SELECT id, last_used_at AS used FROM passkey WHERE id = ANY (${ids}) AND removed_at IS NULL ORDER BY id FOR UPDATE`;
  const moments = locked.map(({ used }) => used?.getTime() ?? 0);
  const removedAt = new Date(Math.max(ctx.now.getTime(), ...moments));
  work.notBefore(removedAt);
  return work.db.passkey.updateManyAndReturn({
    where: { id: { in: locked.map(({ id }) => id) } },
    data: { removedAt },
  });
}

/** Removes a passkey of the caller. It no longer gives access, but existing signatures stay valid. */
export async function removePasskey(ctx: Context, id: string): Promise<Passkey> {
  const { actorId } = currentActor(ctx);
  requireOwnSessionOfAccount(ctx);
  await requireFreshProof(ctx);
  return transact.acrossTenants(ctx, async (work) => {
    const [passkey] = await remove(ctx, work, { id, actorId });
    if (!passkey) throw new DomainError('NOT_FOUND', 'Passkey not found.');
    auditPasskey(ctx, work, passkey, 'removed');
    await mailOwner(ctx, work, passkey, 'passkey_removed');
    return passkey;
  });
}

const LOCK_PASSKEYS = sql('lock_passkeys', {
  credentialId: 'text',
  registeredAt: 'timestamptz',
  removedAt: 'timestamptz?',
})`
  SELECT credential_id AS "credentialId", created_at AS "registeredAt", removed_at AS "removedAt" FROM lock_passkeys($credentialIds::text[], $wait::boolean)`;

/** A passkey that cannot be removed before the transaction ends. */
export type LockedPasskey = RowOf<typeof LOCK_PASSKEYS>;

/** Locks passkeys by their credential ids. Skips those locked by another transaction, unless `wait` is set. */
export async function lockPasskeys(
  client: PoolClient,
  credentialIds: string[],
  wait: boolean,
): Promise<Map<string, LockedPasskey>> {
  if (credentialIds.length === 0) return new Map();
  const rows = await LOCK_PASSKEYS.rows(client, { credentialIds: [...new Set(credentialIds)], wait });
  return new Map(rows.map((row) => [row.credentialId, row]));
}

const TOUCH_PASSKEYS = sql('touch_passkeys')`
  SELECT touch_passkeys($credentialIds::text[], $ats::timestamptz[])`;

/** Records when passkeys approved. */
export function passkeysUsed(uses: { credentialId: string; at: string }[]): Statement {
  return TOUCH_PASSKEYS.with({
    credentialIds: uses.map(({ credentialId }) => credentialId),
    ats: uses.map(({ at }) => at),
  });
}
