// The journal: a chain of each center that takes a small record for everything that could otherwise vanish.
import { sqlIn, type Transaction } from '../../db/sql.ts';
import { canonicalJson, type JsonValue } from '../../proof-kit/canonical.ts';
import type { Place } from './chains.ts';

/**
 * What an entry is about:
 * - `recorded`: a decision came in; holds the digest of its sealed event
 * - `approved`: the first of two approvals; `rejected`: the last word on a decision, expiry included
 * - `outcome`: a sealed decision was carried out, or could not be
 * - `erased`: values were deleted from a decision or a record
 * - `policy`: a version of a policy
 * - `dpu`: what stands beside records of the platform: their level, reference, tags and notes
 * - `key`: a signing key came or went
 */
export type JournalKind =
  | 'recorded'
  | 'approved'
  | 'rejected'
  | 'outcome'
  | 'erased'
  | 'policy'
  | 'dpu'
  | 'key';

/** Never holds an unsalted digest of anything that can be erased. */
export type JournalContent = { kind: JournalKind } & { [name: string]: JsonValue | undefined };

/** Null stands for the platform's own journal: what belongs to no center. */
export interface JournalEntry {
  centerId: number | null;
  content: JournalContent;
}

/** The exact text that is hashed. */
export function journalText(content: JournalContent): string {
  return canonicalJson(content);
}

/**
 * Appends entries in the caller's transaction, in one round trip whatever their number; gives their places in the order
 * of the entries. From here to the commit the heads of the journals are locked, so call it late.
 */
export async function appendJournal(tx: Transaction, entries: JournalEntry[], at: Date): Promise<Place[]> {
  // Always in the same order of centers, so that two transactions cannot deadlock.
  const order = [...entries.keys()].sort(
    (a, b) => (entries[a]!.centerId ?? 0) - (entries[b]!.centerId ?? 0) || a - b,
  );
  const counts = new Map<number | null, number>();
  for (const { centerId } of entries) counts.set(centerId, (counts.get(centerId) ?? 0) + 1);
  const centers = [...counts.keys()].sort((a, b) => (a ?? 0) - (b ?? 0));
  const timestamp = at.toISOString();
  const rows = await sqlIn(tx).rows<Omit<Place, 'timestamp'>>({
    name: 'append_journal',
    text: `
      SELECT a.chain_id AS "chainId", a.index, a.hash, a.previous_hash AS "previousHash"
      FROM ledger_append_each(
        ARRAY (SELECT ledger_chain_for(c.id, 'journal') FROM unnest($1::int[]) WITH ORDINALITY AS c(id, place) ORDER BY c.place),
        $2::int[], $3::text[], $4::text) a
      ORDER BY a.place`,
    values: [
      centers,
      centers.map((center) => counts.get(center)!),
      order.map((i) => journalText(entries[i]!.content)),
      timestamp,
    ],
  });
  const places = new Array<Place>(entries.length);
  order.forEach((i, n) => {
    places[i] = { ...rows[n]!, timestamp };
  });
  return places;
}
