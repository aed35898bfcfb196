import type { Queryable } from '../../db/database.ts';
import { recordset } from '../../db/recordset.ts';
import { sql } from '../../db/sql.ts';

export interface DeliveryKey {
  webhookId: string;
  eventId: string;
}

export const keyColumns = recordset<DeliveryKey>({ webhookId: 'text', eventId: 'text' });

/** The oldest and the newest event: with these bounds a custom plan opens only the partitions where the events are. */
export function eventBounds(keys: readonly DeliveryKey[]): { oldest: string; newest: string } {
  const ids = keys.map(({ eventId }) => eventId).toSorted();
  return { oldest: ids[0] ?? '', newest: ids.at(-1) ?? '' };
}

/** The condition on the id of an event, for statements with these bounds as parameters. */
export const within = (id: string) => `${id} BETWEEN $oldest AND $newest`;

/** All that an attempt needs to know, read at the moment of sending. */
export interface DueDelivery extends DeliveryKey {
  centerId: number;
  /** Attempts made so far. */
  attempts: number;
  url: string;
  /** Switched off or deleted webhooks receive nothing more. */
  wanted: boolean;
  secret: string;
  previousSecret: string | null;
  previousSecretExpiresAt: Date | null;
  type: string;
  /** In ISO 8601. */
  createdAt: string;
  data: string;
}

const LOAD_DUE = sql<DueDelivery & { place: string }>('webhooks_load_due')`
  SELECT k.place, d.webhook_id AS "webhookId", d.event_id AS "eventId", d.center_id AS "centerId", d.attempts,
         w.url, w.active AND w.deleted_at IS NULL AS wanted, w.secret, w.previous_secret AS "previousSecret",
         w.previous_secret_expires_at AS "previousSecretExpiresAt",
         e.type, e.data::text AS data,
         to_char(e.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt"
  FROM ${keyColumns.from('keys')} k
  JOIN delivery d ON d.webhook_id = k."webhookId" AND d.event_id = k."eventId" AND ${within('d.event_id')}
  JOIN webhook w ON w.id = d.webhook_id
  JOIN platform_event e ON e.id = d.event_id AND ${within('e.id')}
  WHERE d.next_attempt_at <= now() + interval '1 second'`;

/**
 * What is due, or null: delivered or given up already, or put off to a time for which another job exists. The clock is
 * the database's, as for the jobs themselves; the second covers rounding.
 */
export async function loadDue(db: Queryable, keys: DeliveryKey[]): Promise<(DueDelivery | null)[]> {
  const rows = await LOAD_DUE.rows(db, { ...eventBounds(keys), keys: keyColumns.values(keys) });
  const found: (DueDelivery | null)[] = keys.map(() => null);
  for (const row of rows) found[Number(row.place) - 1] = row;
  return found;
}
