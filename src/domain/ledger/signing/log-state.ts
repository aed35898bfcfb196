import { type HistoricKey, logOrigin } from '@countersign/proof-kit';
import { type PublishedKeys, publishedKeys } from '../keys/published.ts';
import type { LedgerApp } from '../ledger-app.ts';
import type { Head } from '../log/heads.ts';
import { publishedHead } from '../log/published.ts';
import { tryParse } from '../notes/signatures.ts';
import { acrossChains } from '../queryable.ts';
import { type WitnessReport, witnessReports } from '../witnesses/submit.ts';

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
  const [head, witnesses, published, refused] = await Promise.all([
    publishedHead(app),
    witnessReports(app),
    publishedKeys(app).catch((): PublishedKeys => ({ keys: [], history: [] })),
    readRefusal(app),
  ]);
  const origin = (head && tryParse(head.note)?.origin) ?? logOrigin(app.config.publicUrl);
  return { origin, head, witnesses, keys: published.keys, refused };
}

async function readRefusal(app: LedgerApp): Promise<LogState['refused']> {
  const { rows } = await acrossChains(app).query<{ reason: string; since: Date }>(
    'SELECT refused AS reason, at AS since FROM signing_state WHERE refused IS NOT NULL',
  );
  return rows[0] ?? null;
}
