import type { Queryable } from '../../db/database.ts';
import { recordset } from '../../db/recordset.ts';
import { type RowOf, sql } from '../../db/sql.ts';

export interface DeliveryKey {
  webhookId: string;
  eventId: string;
}

export const keyColumns = recordset<DeliveryKey>({ webhookId: 'text', eventId: 'text' });

/** The oldest and the newest event. With these bounds, a custom plan opens only the partitions that contain the events. */
export function eventBounds(keys: readonly DeliveryKey[]): { oldest: string; newest: string } {
  const ids = keys.map(({ eventId }) => eventId).toSorted();
  return { oldest: ids[0] ?? '', newest: ids.at(-1) ?? '' };
}

/** The condition on an event id, for statements with these bounds as parameters. */
export const inEventRange = (id: string) => `${id} BETWEEN $oldest AND $newest`;

const LOAD_DUE = sql('webhooks_load_due', {
  place: 'bigint',
  webhookId: 'text',
  eventId: 'text',
  centerId: 'int',
  /** The number of attempts so far. */
  attempts: 'int',
  url: 'text',
  /** Inactive and deleted webhooks receive nothing more. */
  wanted: 'boolean',
  secret: 'text',
  previousSecret: 'text?',
  previousSecretExpiresAt: 'timestamptz?',
  type: 'text',
  /** In ISO 8601. */
  createdAt: 'text',
  data: 'text',
})`
  SELECT k.place, d.webhook_id AS "webhookId", d.event_id AS "eventId", d.center_id AS "centerId", d.attempts,
         w.url, w.active AND w.deleted_at IS NULL AS wanted, w.secret, w.previous_secret AS "previousSecret",
         w.previous_secret_expires_at AS "previousSecretExpiresAt",
         e.type, e.data::text AS data,
         to_char(e.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt"
  FROM ${keyColumns.from('keys')} k
  JOIN delivery d ON d.webhook_id = k."webhookId" AND d.event_id = k."eventId" AND ${inEventRange('d.event_id')}
  JOIN webhook w ON w.id = d.webhook_id
  JOIN platform_event e ON e.id = d.event_id AND ${inEventRange('e.id')}
  WHERE d.next_attempt_at <= now() + interval '1 second'`;

/** Everything that an attempt needs, read at the time of sending. */
export type DueDelivery = RowOf<typeof LOAD_DUE>;

/**
 * The delivery if it is due. Null if it was delivered or has failed for good, or was deferred to a time for which another job
 * exists. Uses the database's clock, as the jobs do; the extra second covers rounding.
 */
export async function loadDue(db: Queryable, keys: DeliveryKey[]): Promise<(DueDelivery | null)[]> {
  const rows = await LOAD_DUE.rows(db, { ...eventBounds(keys), keys: keyColumns.values(keys) });
  const found: (DueDelivery | null)[] = keys.map(() => null);
  for (const row of rows) found[Number(row.place) - 1] = row;
  return found;
}
