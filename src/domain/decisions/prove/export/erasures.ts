import { type AttachedRecord, type Erased, makeDisclosure } from '@countersign/proof-kit';
import { sql } from '../../../../db/sql.ts';
import { signedProof } from '../../../ledger/signing/signed-proof.ts';
import type { ProofContext } from '../../decision-context.ts';

/** An erased member, as marked in its row. */
interface ErasedMark {
  path: string;
  at: string;
  reason: string | null;
}

const ERASURES_OF_SUBJECT = sql('erasures_of_subject', {
  chainId: 'int',
  index: 'int',
  content: 'text',
  previousHash: 'text?',
  hash: 'text',
  timestamp: 'text',
  byKind: 'approved_by_kind',
  byId: 'text?',
  salt: 'text?',
})`
  SELECT r.chain_id AS "chainId", r.index, r.content, r.previous_hash AS "previousHash", r.hash, r.timestamp,
         b.by_kind AS "byKind", b.by_id AS "byId", b.salt
  FROM journal_by b JOIN ledger_record r ON r.chain_id = b.chain_id AND r.index = b.index
  WHERE b.subject = $id AND b.kind = 'erased' ORDER BY r.index`;

/**
 * Erased members with their journal entries and authors. An entry shared by several members is read and signed once. `mayShow`
 * decides whether the author's id is disclosed.
 */
export async function exportedErasures(
  { app }: ProofContext,
  subject: { id: string; centerId: number },
  marks: readonly ErasedMark[],
  { isSigned, mayShow }: { isSigned: boolean; mayShow: (path: string) => boolean },
): Promise<Erased[]> {
  if (marks.length === 0) return [];
  const rows = await ERASURES_OF_SUBJECT.rows(app.db.declared([subject.centerId]), { id: subject.id });
  const entries = await Promise.all(
    rows.map(async (row) => {
      const { byKind, byId, salt, timestamp } = row;
      const shown = byId !== null && salt !== null && mayShow('erased.by.id');
      const place = { chainId: row.chainId, chainIndex: row.index, chainHash: row.hash };
      const signed = isSigned ? await signedProof(app, place) : null;
      const journal: AttachedRecord = {
        record: { content: row.content, previousHash: row.previousHash ?? '', timestamp },
        disclosures: shown ? [makeDisclosure(salt, 'id', byId)] : [],
        ...(signed && { inclusion: signed.inclusion, ...(signed.head && { head: signed.head }) }),
      };
      const { fields } = JSON.parse(row.content) as { fields: string[] };
      return { fields, timestamp, by: { kind: byKind, ...(shown && { id: byId }) }, journal };
    }),
  );
  return marks.map((mark) => {
    const entry = entries.find(
      ({ fields, timestamp }) => timestamp === mark.at && fields.includes(mark.path),
    );
    return { ...mark, ...(entry && { by: entry.by, journal: entry.journal }) };
  });
}
