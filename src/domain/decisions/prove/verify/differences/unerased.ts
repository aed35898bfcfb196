// Members that were erased according to the journal but are present again: restored from a backup, or never deleted.

import type { Queryable } from '../../../../../db/database.ts';
import { sql } from '../../../../../db/sql.ts';
import type { Salts } from '../../../content.ts';
import type { Differences } from './difference.ts';
import type { JournalFacts } from './journal.ts';

/** By path, the index of the journal entry that recorded the erasure. */
type ErasedPaths = ReadonlyMap<string, number>;

/** The index of the first entry whose member, or a salt that would reveal it, is present again; null if there is none. */
export function unerasedAt(
  paths: ErasedPaths | undefined,
  content: object,
  { salts, prefix }: { salts: Salts; prefix: string },
): number | null {
  for (const [path, index] of paths ?? []) {
    if (!path.startsWith(prefix)) continue;
    if (path in salts || isThere(content, path.slice(prefix.length))) return index;
  }
  return null;
}

/** NOT NULL columns hold an empty string or list after erasure. */
function isThere(content: object, path: string): boolean {
  let value: unknown = content;
  for (const name of path.split('.')) value = (value as { [name: string]: unknown } | undefined)?.[name];
  if (value === undefined || value === null || value === '') return false;
  return !(Array.isArray(value) && value.length === 0);
}

const RECORDS = sql('unerased_records', { id: 'text' })`
  SELECT d.id FROM dpu d LEFT JOIN ledger_record r ON r.chain_id = d.chain_id AND r.index = d.index
  WHERE d.id = ANY ($ids) AND d.domain = 'platform' AND (d.erased_at IS NULL OR r.content <> '')
  ORDER BY d.id LIMIT 100`;

const BATCH = 5_000;

/** Platform records whose content was erased but is present again. */
export async function compareErasedRecords(
  db: Queryable,
  { erasedPaths }: JournalFacts,
  found: Differences,
): Promise<void> {
  const places = new Map(
    [...erasedPaths].flatMap(([id, paths]) => [...paths.values()].map((at) => [id, at])),
  );
  const ids = [...places.keys()];
  for (let from = 0; from < ids.length && !found.full; from += BATCH) {
    const rows = await RECORDS.rows(db, { ids: ids.slice(from, from + BATCH) });
    for (const { id } of rows)
      found.add({ table: 'dpu', id, chain: 'journal', index: places.get(id)!, member: 'erased' });
  }
}
