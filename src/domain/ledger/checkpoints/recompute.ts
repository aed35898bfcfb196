import { Frontier, recordHash } from '@countersign/proof-kit';
import { type RowOf, sql } from '../../../db/sql.ts';
import { sha256Bytes } from '../../../lib/crypto.ts';
import type { Queryable } from './queryable.ts';

const BATCH = 2_000;

const RECORDS = sql('records_to_recompute', {
  index: 'int',
  content: 'text',
  previousHash: 'text?',
  hash: 'text',
  timestamp: 'text',
})`
  SELECT index, content, previous_hash AS "previousHash", hash, timestamp
  FROM ledger_record WHERE chain_id = $chainId AND index >= $from ORDER BY index LIMIT ${BATCH}`;
type RecordRow = RowOf<typeof RECORDS>;

interface Recomputed {
  /** The number of records before the first gap. */
  length: number;
  /** The first index with a wrong hash, a wrong link or no record; null if there is none. */
  brokenAt: number | null;
  headHash: string | null;
  /** The root over the stored hashes at each requested size, in hex. Sizes beyond the chain are absent. */
  roots: Map<number, string>;
}

/** Reads a whole chain in bounded memory and recomputes everything in this process, not in the database. */
export async function recomputeChain(
  db: Queryable,
  chainId: number,
  sizes: Iterable<number> = [],
): Promise<Recomputed> {
  const wanted = new Set(sizes);
  const tree = new Frontier(sha256Bytes);
  const roots = new Map<number, string>();
  let brokenAt: number | null = null;
  let previous: string | null = null;
  for (;;) {
    const rows: RecordRow[] = await RECORDS.rows(db, { chainId, from: tree.size });
    for (const row of rows) {
      if (row.index !== tree.size)
        return { length: tree.size, brokenAt: brokenAt ?? tree.size, headHash: previous, roots };
      if (brokenAt === null && !isSound(row, previous)) brokenAt = row.index;
      tree.append(Buffer.from(row.hash, 'hex'));
      previous = row.hash;
      if (wanted.has(tree.size)) roots.set(tree.size, Buffer.from(tree.root()).toString('hex'));
    }
    if (rows.length < BATCH) return { length: tree.size, brokenAt, headHash: previous, roots };
  }
}

function isSound(row: RecordRow, previous: string | null): boolean {
  if (row.previousHash !== previous) return false;
  try {
    return recordHash({ ...row, previousHash: previous ?? '' }, sha256Bytes) === row.hash;
  } catch {
    // The row is not even a well-formed record.
    return false;
  }
}
