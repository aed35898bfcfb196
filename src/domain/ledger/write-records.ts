import { fromAll } from '../../db/recordset.ts';
import type { Statement } from '../../db/sql.ts';
import { type AuditRow, auditColumns, auditSql } from '../audit/append.ts';
import { type Head, headColumns, type LinkedRecord, recordColumns, recordsSql } from './chains.ts';
import { dpuColumns, dpusSql, type NewDpuRow } from './new-dpu.ts';

/** Linked records with the rows that stand beside them. */
interface NewRecords {
  records: LinkedRecord[];
  dpus: NewDpuRow[];
  audit: AuditRow[];
}

const [RECORDS, HEADS, DPUS, AUDIT] = fromAll(2, recordColumns, headColumns, dpuColumns, auditColumns);
const WRITE = `WITH ${recordsSql(RECORDS, HEADS)}, ${dpusSql(DPUS, '$1')}, ${auditSql(AUDIT)} SELECT 1`;

/** Writes them, moves the heads on and brings the counts up to date, whatever their number. */
export function recordsStatement({ records, dpus, audit }: NewRecords, heads: Head[], at: Date): Statement {
  return {
    name: 'write_records',
    text: WRITE,
    values: [
      at.toISOString(),
      ...recordColumns.values(records),
      ...headColumns.values(heads),
      ...dpuColumns.values(dpus),
      ...auditColumns.values(audit),
    ],
  };
}
