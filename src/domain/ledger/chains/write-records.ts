import { type Statement, sql } from '../../../db/sql.ts';
import { type AuditRow, auditColumns, auditSql } from '../../audit/append.ts';
import type { EventData } from '../../events/catalog.ts';
import { type Head, headColumns, type LinkedRecord, recordColumns, recordsSql } from './chains.ts';
import { dpuColumns, dpusSql, type NewDpuRow } from './new-dpu.ts';

interface NewRecords {
  records: LinkedRecord[];
  dpus: NewDpuRow[];
  audit: AuditRow[];
}

const WRITE = sql('write_records')`
  WITH ${recordsSql(recordColumns.from('records'), headColumns.from('heads'))},
       ${dpusSql(dpuColumns.from('dpus'), '$at')},
       ${auditSql(auditColumns.from('audit'))}
  SELECT 1`;

/** Inserts the records and rows, advances the heads and updates the counts in one statement. */
export function recordsStatement({ records, dpus, audit }: NewRecords, heads: Head[], at: Date): Statement {
  return WRITE.with({
    at: at.toISOString(),
    records: recordColumns.values(records),
    heads: headColumns.values(heads),
    dpus: dpuColumns.values(dpus),
    audit: auditColumns.values(audit),
  });
}

/** The payload of `dpu.sealed`, sent when a record becomes sealed. */
export function sealedData(
  dpuId: string,
  chainHash: string,
  domain: string,
  actorId: string,
): EventData<'dpu.sealed'> {
  return { dpuId, chainHash, domain, actorId };
}
