import type { Erased } from '@countersign/proof-kit';
import type { ApprovedByKind } from '../../../../db/generated/prisma/enums.ts';
import { sql } from '../../../../db/sql.ts';
import type { ProofContext } from '../../decision-context.ts';
import {
  attachedRecord,
  type Disclosed,
  RECORD_COLUMNS,
  RECORD_ROW,
  shownAuthor,
} from './attached-record.ts';

const ERASURES_OF_SUBJECT = sql('erasures_of_subject', {
  ...RECORD_ROW,
  kind: 'approved_by_kind',
  id: 'text?',
  salt: 'text?',
  confirmedBy: 'text?',
  confirmedSalt: 'text?',
})`
  SELECT ${RECORD_COLUMNS}, b.by_kind AS kind, b.by_id AS id, b.salt,
    b.confirmed_by AS "confirmedBy", b.confirmed_salt AS "confirmedSalt"
  FROM journal_by b JOIN ledger_record r ON r.chain_id = b.chain_id AND r.index = b.index
  WHERE b.subject = $id AND b.kind = 'erased' ORDER BY r.index`;

type ErasureContent = { fields: string[]; confirmedBy?: { kind: ApprovedByKind } };

/**
 * Erased members with their journal entries and authors. An entry shared by several members is read and signed once. `mayShow`
 * decides whether the author's id is disclosed.
 */
export async function exportedErasures(
  ctx: ProofContext,
  subject: { id: string; centerId: number },
  marks: readonly Pick<Erased, 'path' | 'at' | 'reason'>[],
  { isSigned, mayShow }: Disclosed,
): Promise<Erased[]> {
  if (marks.length === 0) return [];
  const rows = await ERASURES_OF_SUBJECT.rows(ctx.app.db.declared([subject.centerId]), { id: subject.id });
  const entries = await Promise.all(
    rows.map(async (row) => {
      const content = JSON.parse(row.content) as ErasureContent;
      const { by, disclosures } = shownAuthor(row, mayShow('erased.by.id'));
      const { confirmedBy: id, confirmedSalt: salt } = row;
      const second =
        content.confirmedBy &&
        shownAuthor({ kind: content.confirmedBy.kind, id, salt }, mayShow('erased.confirmedBy.id'));
      const journal = {
        ...(await attachedRecord(ctx, row, isSigned)),
        disclosures: [...disclosures, ...(second?.disclosures ?? [])],
      };
      const shown = { by, ...(second && { confirmedBy: second.by }), journal };
      return { fields: content.fields, timestamp: row.timestamp, shown };
    }),
  );
  return marks.map((mark) => {
    const entry = entries.find(
      ({ fields, timestamp }) => timestamp === mark.at && fields.includes(mark.path),
    );
    return { ...mark, ...entry?.shown };
  });
}
