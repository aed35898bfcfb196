import { sha256Bytes } from '../../../lib/crypto.ts';
import { growTree, growthInputs, leafHash } from '../../../proof-kit/index.ts';
import { HistoryChanged } from './finding.ts';
import { insertNodes, type Queryable, readNodes, storedSize } from './tree-store.ts';

/** Bounds memory and the length of a statement; a batch that is in stays in if the process dies after it. */
const BATCH = 1_000;

interface NewRecord {
  index: number;
  hash: string;
  previousHash: string | null;
  sound: boolean;
}

/**
 * Grows the stored tree of a chain up to a size. Whoever calls holds the chain's checkpoint lock. Each new record is
 * recomputed and must follow on the one before: what goes into the tree is going to be signed. Answers with the hash of
 * the last record.
 */
export async function growStoredTree(db: Queryable, chainId: number, toSize: number): Promise<string | null> {
  let size = await storedSize(db, chainId);
  if (size > toSize) {
    throw new HistoryChanged('cut_tail', toSize, `the tree covers ${size} records, the chain has ${toSize}`);
  }
  let previous = await hashOfLast(db, chainId, size);
  while (size < toSize) {
    const end = Math.min(size + BATCH, toSize);
    const records = await readRecords(db, chainId, size, end);
    for (let index = size; index < end; index++) {
      const record = records[index - size];
      if (!record || record.index !== index || !record.sound || record.previousHash !== previous) {
        throw new HistoryChanged('broken_record', index, `record ${index} is missing, altered or unlinked`);
      }
      previous = record.hash;
    }
    const hashes = records.map((record) => Buffer.from(record.hash, 'hex'));
    const older = await readNodes(db, chainId, growthInputs(size, end));
    await insertNodes(db, chainId, growTree(size, hashes, older, sha256Bytes));
    size = end;
  }
  return previous;
}

/** The hash of the last record in the tree, which must still be the one that went into it. */
async function hashOfLast(db: Queryable, chainId: number, size: number): Promise<string | null> {
  if (size === 0) return null;
  const { rows } = await db.query<{ hash: string }>(
    'SELECT hash FROM ledger_record WHERE chain_id = $1 AND index = $2',
    [chainId, size - 1],
  );
  const hash = rows[0]?.hash;
  const leaf = (await readNodes(db, chainId, [{ level: 0, index: size - 1 }]))(0, size - 1);
  if (!hash || !leafHash(Buffer.from(hash, 'hex'), sha256Bytes).every((byte, i) => byte === leaf[i])) {
    throw new HistoryChanged('rewritten', size - 1, `record ${size - 1} is not the one in the tree`);
  }
  return hash;
}

async function readRecords(db: Queryable, chainId: number, from: number, to: number): Promise<NewRecord[]> {
  const { rows } = await db.query<NewRecord>({
    name: 'ledger_records_for_tree',
    text: `SELECT index, hash, previous_hash AS "previousHash",
             hash = encode(sha256(convert_to(content || coalesce(previous_hash, '') || timestamp, 'UTF8')), 'hex') AS sound
           FROM ledger_record WHERE chain_id = $1 AND index >= $2 AND index < $3 ORDER BY index`,
    values: [chainId, from, to],
  });
  return rows;
}
