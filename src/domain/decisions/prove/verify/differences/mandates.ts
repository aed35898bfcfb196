// Compares the rows of mandates, from which the service decides whether another use is allowed, with what the chains say.

import type { Queryable } from '../../../../../db/database.ts';
import { sql } from '../../../../../db/sql.ts';
import type { CenterChains } from './chains.ts';
import type { Difference, Differences } from './difference.ts';
import type { JournalFacts } from './journal.ts';
import { compareMandateUses, emptyTally } from './mandate-uses.ts';

const PAGE = 1_000;

const ROWS = sql('compare_mandates', {
  id: 'text',
  eventId: 'text',
  used: 'int',
  spent: 'float8',
  lastUse: 'text',
  revokedAt: 'timestamptz?',
  /** The id in the terms that were granted; null in terms of earlier releases and if they were erased. */
  granted: 'text?',
})`
  SELECT m.id, m.event_id AS "eventId", m.used, m.spent, m.last_use AS "lastUse", m.revoked_at AS "revokedAt",
         e.large #>> '{action.input,mandateId}' AS granted
  FROM mandate m LEFT JOIN decision_event e ON e.id = m.event_id
  WHERE m.center_id = $centerId AND m.id > $after ORDER BY m.id LIMIT ${PAGE}`;

/** `hasUses`: whether the center has decisions under a mandate, so that their records are read even if no row is left. */
export async function compareMandates(
  db: Queryable,
  chains: CenterChains & { centerId: number },
  { facts, hasUses }: { facts: JournalFacts; hasUses: boolean },
  found: Differences,
): Promise<void> {
  const { centerId } = chains;
  const { revocations } = facts;
  let rows = await ROWS.rows(db, { centerId, after: '' });
  if (rows.length === 0 && !hasUses && revocations.size === 0) return;
  const tallies = await compareMandateUses(db, chains, facts, found);
  const seen = new Set<string>();
  while (rows.length > 0 && !found.full) {
    for (const { id, eventId, granted, ...row } of rows) {
      seen.add(eventId);
      const { used, spent, last, lastIndex: index } = tallies.get(eventId) ?? emptyTally();
      const revocation = revocations.get(eventId);
      const name = (member: string, at: Pick<Difference, 'chain' | 'index'>) =>
        found.add({ table: 'mandate', id, ...at, member });
      if ((granted ?? id) !== id) name('eventId', { chain: 'proof', index });
      if (row.used !== used) name('used', { chain: 'proof', index });
      if (row.spent !== spent) name('spent', { chain: 'proof', index });
      if (row.lastUse !== last) name('lastUse', { chain: 'proof', index });
      if ((row.revokedAt === null) !== (revocation === undefined))
        name('revokedAt', { chain: 'journal', index: revocation?.index ?? null });
    }
    rows = await ROWS.rows(db, { centerId, after: rows.at(-1)!.id });
  }
  if (found.full) return;
  for (const [eventId, { id, lastIndex: index }] of tallies)
    if (!seen.has(eventId)) found.add({ table: 'mandate', id: id!, chain: 'proof', index, member: null });
  for (const [eventId, { content, index }] of revocations) {
    if (seen.has(eventId) || tallies.has(eventId)) continue;
    found.add({ table: 'mandate', id: String(content['mandateId']), chain: 'journal', index, member: null });
  }
}
