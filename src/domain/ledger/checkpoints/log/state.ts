import { type HistoricKey, logOrigin } from '@countersign/proof-kit';
import { sql } from '../../../../db/sql.ts';
import type { LedgerApp } from '../../ledger-app.ts';
import { type PublishedKeys, publishedKeys } from '../keys/published.ts';
import { acrossChains } from '../queryable.ts';
import { tryParse } from '../signatures.ts';
import { type WitnessReport, witnessReports } from '../witnesses/submit.ts';
import type { Head } from './heads.ts';
import { publishedHead } from './published.ts';

/** The state of the log, for the operator. */
export interface LogState {
  origin: string;
  /** The public head; null before anything was signed. */
  head: Head | null;
  witnesses: WitnessReport[];
  keys: HistoricKey[];
  /** Why signing is stopped or incomplete, and since when; null if everything is signed. */
  refused: { reason: string; since: Date } | null;
}

export async function readLogState(app: LedgerApp): Promise<LogState> {
  const [head, witnesses, published, [refused = null]] = await Promise.all([
    publishedHead(app),
    witnessReports(app),
    publishedKeys(app).catch((): PublishedKeys => ({ keys: [], history: [] })),
    REFUSAL.rows(acrossChains(app), {}),
  ]);
  const origin = (head && tryParse(head.note)?.origin) ?? logOrigin(app.config.publicUrl);
  return { origin, head, witnesses, keys: published.keys, refused };
}

const REFUSAL = sql('log_refusal', { reason: 'text', since: 'timestamptz' })`
  SELECT refused AS reason, at AS since FROM signing_state WHERE refused IS NOT NULL`;
