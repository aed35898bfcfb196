import type { PoolClient } from '../../db/database.ts';
import type { Statement } from '../../db/sql.ts';

/** A passkey that cannot be removed before the transaction ends. */
export interface LockedPasskey {
  registeredAt: Date;
  removedAt: Date | null;
}

/** Locks passkeys by their credential ids. Those that another transaction holds are left out unless it waits for them. */
export async function lockPasskeys(
  client: PoolClient,
  credentialIds: string[],
  wait: boolean,
): Promise<Map<string, LockedPasskey>> {
  if (credentialIds.length === 0) return new Map();
  const { rows } = await client.query<{ credential_id: string; created_at: Date; removed_at: Date | null }>({
    name: 'lock_passkeys',
    text: 'SELECT credential_id, created_at, removed_at FROM lock_passkeys($1::text[], $2::boolean)',
    values: [[...new Set(credentialIds)], wait],
  });
  return new Map(
    rows.map((row) => [row.credential_id, { registeredAt: row.created_at, removedAt: row.removed_at }]),
  );
}

/** Notes when passkeys approved. */
export function passkeysUsed(uses: { credentialId: string; at: string }[]): Statement {
  return {
    name: 'touch_passkeys',
    text: 'SELECT touch_passkeys($1::text[], $2::timestamptz[])',
    values: [uses.map(({ credentialId }) => credentialId), uses.map(({ at }) => at)],
  };
}
