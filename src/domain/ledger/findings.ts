// Findings of missing history, shared through the database: a finding of any process stops signing in all of them.

import { hostname } from 'node:os';
import type { Queryable } from '../../db/database.ts';
import { type RowOf, sql, typed } from '../../db/sql.ts';
import { acrossChains, type LedgerApp } from './ledger-app.ts';
import { SigningRefused } from './notes/faults.ts';

const FINDING_ROW = {
  /** The origin of the chain or log. */
  subject: 'text',
  /** The file, table or witness that reported the finding. Only the same source can clear it. */
  source: 'text',
  /** `lost` also stops sealing. `contradicted` means that a witness refused to cosign. */
  kind: typed<'lost' | 'contradicted'>('text'),
  signedSize: 'float8?',
  presentSize: 'float8?',
  note: 'text?',
  message: 'text',
} as const;

/** Signed history that the database lacks, or that a witness contradicts. */
export type HistoryFinding = RowOf<typeof FINDING_ROW>;

/** Thrown if signed history is missing. Nothing is signed or sealed until an administrator decides. */
export class HistoryLost extends SigningRefused {
  readonly finding: HistoryFinding;

  constructor(finding: HistoryFinding) {
    super(finding.message);
    this.finding = finding;
  }
}

const HISTORY_FINDINGS = sql('history_findings', { ...FINDING_ROW, noticedAt: 'timestamptz' })`
  SELECT subject, source, kind, signed_size::float8 AS "signedSize", present_size::float8 AS "presentSize", note, message,
         noticed_at AS "noticedAt"
  FROM history_state ORDER BY noticed_at, subject, source LIMIT 10000`;

export const readHistoryFindings = (db: Queryable) => HISTORY_FINDINGS.rows(db, {});

export const fileSource = (app: LedgerApp): string => `file ${hostname()}:${app.checkpointFile.path}`;

/** The source name of the checkpoint table, which holds a checkpoint of records that are missing from their chain. */
export const TABLE_SOURCE = 'table of checkpoints';

export const witnessSource = (name: string): string => `witness ${name}`;

const REPORT_HISTORY_FINDING = sql('report_history_finding', { isNew: 'boolean' })`
  INSERT INTO history_state AS h (subject, source, kind, signed_size, present_size, note, message)
  VALUES ($subject, $source, $kind, $signedSize, $presentSize, $note, $message)
  ON CONFLICT (subject, source) DO UPDATE SET kind = excluded.kind, signed_size = excluded.signed_size,
    present_size = excluded.present_size, note = excluded.note, message = excluded.message
  RETURNING xmax = 0 AS "isNew"`;

/** Shares a finding with every process. */
export async function reportFinding(app: LedgerApp, finding: HistoryFinding, db?: Queryable): Promise<void> {
  const { subject, source, kind, signedSize, presentSize, message: reason } = finding;
  const rows = await REPORT_HISTORY_FINDING.rows(db ?? acrossChains(app), finding);
  if (rows[0]?.isNew)
    app.log.error(
      { subject, source, kind, signedSize, presentSize, reason },
      kind === 'lost'
        ? 'signed history is missing from the database: sealing and signing stop (npm run recover -- inspect)'
        : 'a witness contradicts the log: signing stops (npm run recover -- inspect)',
    );
}

const CLEAR_HISTORY_FINDING = sql('clear_history_finding')`
  DELETE FROM history_state WHERE subject = $subject AND source = $source`;

/** Clears a finding once the source that reported it no longer finds anything missing. */
export async function clearFinding(db: Queryable, subject: string, source: string): Promise<void> {
  await CLEAR_HISTORY_FINDING.run(db, { subject, source });
}

const CLEAR_TABLE_FINDINGS = sql('clear_table_findings')`
  DELETE FROM history_state h WHERE source = $source AND NOT EXISTS (
    SELECT FROM ledger_chain c JOIN checkpoint k ON k.chain_id = c.id
    WHERE c.origin = h.subject AND k.size > c.size)`;

/** Clears findings of the checkpoint table whose records are present again. */
export async function clearTableFindings(db: Queryable): Promise<void> {
  await CLEAR_TABLE_FINDINGS.run(db, { source: TABLE_SOURCE });
}

/** Throws HistoryLost while any finding exists. Nothing may be signed then. */
export async function requireNoFindings(db: Queryable): Promise<void> {
  const [finding] = await readHistoryFindings(db);
  if (finding) throw new HistoryLost(finding);
}
