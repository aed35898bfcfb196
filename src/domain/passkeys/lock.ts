import type { PoolClient } from '../../db/database.ts';
import { type Statement, sql } from '../../db/sql.ts';

/** A passkey that cannot be removed before the transaction ends. */
export interface LockedPasskey {
  registeredAt: Date;
  removedAt: Date | null;
}

const LOCK_PASSKEYS = sql<{ credential_id: string; created_at: Date; removed_at: Date | null }>(
  'lock_passkeys',
)`
  SELECT credential_id, created_at, removed_at FROM lock_passkeys($credentialIds::text[], $wait::boolean)`;

/** Locks passkeys by their credential ids. Skips those locked by another transaction, unless `wait` is set. */
export async function lockPasskeys(
  client: PoolClient,
  credentialIds: string[],
  wait: boolean,
): Promise<Map<string, LockedPasskey>> {
  if (credentialIds.length === 0) return new Map();
  const rows = await LOCK_PASSKEYS.rows(client, { credentialIds: [...new Set(credentialIds)], wait });
  return new Map(
    rows.map((row) => [row.credential_id, { registeredAt: row.created_at, removedAt: row.removed_at }]),
  );
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
