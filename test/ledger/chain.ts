import { recordHash } from '@countersign/proof-kit/record';
import type { App } from '../../src/app.ts';
import { SealUnavailable } from '../../src/domain/ledger/sealer/transaction.ts';

export interface Row {
  index: number;
  content: string;
  previous_hash: string | null;
  hash: string;
  timestamp: string;
}

/** The rows of a chain in order. */
export async function rowsOf(app: App, centerId: number, domain = 'platform'): Promise<Row[]> {
  const { rows } = await app.db.declared('acrossTenants').query<Row>(
    `SELECT r.index, r.content, r.previous_hash, r.hash, r.timestamp FROM ledger_record r
     JOIN ledger_chain c ON c.id = r.chain_id WHERE c.center_id = $1 AND c.domain = $2::text::chain_domain ORDER BY r.index`,
    [centerId, domain],
  );
  return rows;
}

/** Recomputes a chain outside the database: every index, link and hash must be right. */
export function isSound(rows: Row[]): boolean {
  return rows.every(({ content, previous_hash, hash, timestamp, index }, i) => {
    const previousHash = rows[i - 1]?.hash ?? '';
    const right = recordHash({ content, previousHash, timestamp });
    return index === i && (previous_hash ?? '') === previousHash && hash === right;
  });
}

/** Seals again while someone else holds the chain head for so long that the wait for it times out. */
export async function untilSealed<T>(seal: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await seal();
    } catch (error) {
      if (!(error instanceof SealUnavailable) || error.unknown || attempt === 20) throw error;
    }
  }
}
