// What processes have found missing from the database, shared in it: any finding stops signing in all of them.
import { hostname } from 'node:os';
import { sql } from '../../../../db/sql.ts';
import type { LedgerApp } from '../../ledger-app.ts';
import { SigningRefused } from '../keys/refused.ts';
import { everyChain, type Queryable } from '../queryable.ts';

/** Signed history that the database does not have, or that a witness contradicts. */
export interface HistoryFinding {
  /** The origin of the chain or log. */
  subject: string;
  /** The file, table or witness that knows better: a finding is cleared only by the source that reported it. */
  source: string;
  /** `lost` stops sealing too. `contradicted` is a witness that refused to cosign. */
  kind: 'lost' | 'contradicted';
  signedSize: number | null;
  presentSize: number | null;
  /** The signed checkpoint, where it is known. */
  note: string | null;
  message: string;
}

/** Thrown where signed history is missing: nothing is signed or sealed until an administrator has decided. */
export class HistoryLost extends SigningRefused {
  readonly finding: HistoryFinding;

  constructor(finding: HistoryFinding) {
    super(finding.message);
    this.finding = finding;
  }
}

const HISTORY_FINDINGS = sql<{
  subject: string;
  source: string;
  kind: HistoryFinding['kind'];
  signedSize: string | null;
  presentSize: string | null;
  note: string | null;
  message: string;
  noticedAt: Date;
}>('history_findings')`
  SELECT subject, source, kind, signed_size AS "signedSize", present_size AS "presentSize", note, message,
         noticed_at AS "noticedAt"
  FROM history_state ORDER BY noticed_at, subject, source LIMIT 10000`;

export async function readHistoryFindings(db: Queryable): Promise<(HistoryFinding & { noticedAt: Date })[]> {
  const rows = await HISTORY_FINDINGS.rows(db, {});
  const numberOf = (size: string | null) => (size === null ? null : Number(size));
  return rows.map((row) => ({
    ...row,
    signedSize: numberOf(row.signedSize),
    presentSize: numberOf(row.presentSize),
  }));
}

/** The file of this process, by the name under which its findings are shared. */
export const fileSource = (app: LedgerApp): string => `file ${hostname()}:${app.checkpointFile.path}`;

/** The table of checkpoints: it has one of records that their chain does not have. */
export const TABLE_SOURCE = 'table of checkpoints';

/** A witness, by the name under which its findings are shared. */
export const witnessSource = (name: string): string => `witness ${name}`;

const REPORT_HISTORY_FINDING = sql<{ isNew: boolean }>('report_history_finding')`
  INSERT INTO history_state AS h (subject, source, kind, signed_size, present_size, note, message)
  VALUES ($subject, $source, $kind, $signedSize, $presentSize, $note, $message)
  ON CONFLICT (subject, source) DO UPDATE SET kind = excluded.kind, signed_size = excluded.signed_size,
    present_size = excluded.present_size, note = excluded.note, message = excluded.message
  RETURNING xmax = 0 AS "isNew"`;

/** Tells every process. */
export async function reportFinding(app: LedgerApp, finding: HistoryFinding, db?: Queryable): Promise<void> {
  const { subject, source, kind, signedSize, presentSize, note, message } = finding;
  const rows = await REPORT_HISTORY_FINDING.rows(db ?? everyChain(app), {
    subject,
    source,
    kind,
    signedSize,
    presentSize,
    note,
    message,
  });
  if (rows[0]?.isNew)
    app.log.error(
      { subject, source, kind, signedSize, presentSize, reason: message },
      kind === 'lost'
        ? 'signed history is missing from the database: sealing and signing stop (npm run recover -- inspect)'
        : 'a witness contradicts the log: signing stops (npm run recover -- inspect)',
    );
}

const CLEAR_HISTORY_FINDING = sql('clear_history_finding')`
  DELETE FROM history_state WHERE subject = $subject AND source = $source`;

/** Takes a finding back: the source that reported it no longer finds anything missing. */
export async function clearFinding(db: Queryable, subject: string, source: string): Promise<void> {
  await CLEAR_HISTORY_FINDING.run(db, { subject, source });
}

const CLEAR_TABLE_FINDINGS = sql('clear_table_findings')`
  DELETE FROM history_state h WHERE source = $source AND NOT EXISTS (
    SELECT FROM ledger_chain c JOIN checkpoint k ON k.chain_id = c.id
    WHERE c.origin = h.subject AND k.size > c.size)`;

/** Takes back what the table of checkpoints had reported, where the records are there again. */
export async function clearTableFindings(db: Queryable): Promise<void> {
  await CLEAR_TABLE_FINDINGS.run(db, { source: TABLE_SOURCE });
}

/** Throws HistoryLost while any process has reported a finding: then nothing may be signed. */
export async function requireNoFindings(db: Queryable): Promise<void> {
  const [finding] = await readHistoryFindings(db);
  if (finding) throw new HistoryLost(finding);
}
