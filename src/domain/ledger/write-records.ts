import type { Statement } from '../../db/sql.ts';
import { type AuditRow, auditSql } from '../audit/append.ts';
import { type Head, type LinkedRecord, recordsSql } from './chains.ts';
import { dpusSql, type NewDpuRow } from './new-dpu.ts';

/** Linked records with the rows that stand beside them. */
export interface NewRecords {
  records: LinkedRecord[];
  dpus: NewDpuRow[];
  audit: AuditRow[];
}

const WRITE = `WITH ${recordsSql('$1', '$2')}, ${dpusSql('$3', '$4')}, ${auditSql('$5')} SELECT 1`;

/** Writes them, moves the heads on and brings the counts up to date, whatever their number. */
export function recordsStatement({ records, dpus, audit }: NewRecords, heads: Head[], at: Date): Statement {
  return {
    name: 'write_records',
    text: WRITE,
    values: [
      // As bytes, outside the heap: a text this long would be kept among the old objects until the next full collection.
      Buffer.from(JSON.stringify(records)),
      JSON.stringify(heads),
      JSON.stringify(dpus),
      at.toISOString(),
      JSON.stringify(audit),
    ],
  };
}
