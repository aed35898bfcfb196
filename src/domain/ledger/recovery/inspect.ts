// Compares what was signed, according to every available source, with what the database holds.

import { parseOrigin } from '@countersign/proof-kit';
import type { Queryable } from '../../../db/database.ts';
import { type RowOf, sql } from '../../../db/sql.ts';
import { NEWEST_FIRST } from '../chains/checkpoint-row.ts';
import { type HistoryFinding, readHistoryFindings } from '../findings.ts';
import type { Keyring } from '../keys/ring.ts';
import type { LedgerApp } from '../ledger-app.ts';
import { type Logs, syncClosedLogs } from '../log/closed-logs.ts';
import { logSize, newestHead } from '../log/current-log.ts';
import { isFiled } from '../notes/file.ts';
import { compareWithCheckpoints } from '../verify/compare.ts';
import { sourceOf } from '../verify/source.ts';
import { headsOfWitnesses } from '../witnesses/ask.ts';
import { checkWitnesses } from '../witnesses/submit.ts';

/** A chain or log: the largest signed size reported by any source, and its actual size. */
export interface Inspected {
  origin: string;
  signedSize: number;
  presentSize: number;
  /** A description of the fault; null if everything signed is present. */
  fault: string | null;
}

export interface InspectedChain extends Inspected {
  /**
   * How many signed records are left for certain: the newest signed size in the database. Records above it may have been written
   * after the loss, in the place of signed ones.
   */
  keptSize: number;
}

export interface Inspection {
  logs: Logs;
  log: Inspected & {
    /** The signed head with the largest size, if its note is known. */
    head: string | null;
  };
  /** Every chain that was ever signed. */
  chains: InspectedChain[];
  findings: HistoryFinding[];
}

export const isAffected = ({ log, findings, chains }: Inspection): boolean =>
  log.fault !== null || findings.length > 0 || chains.some(({ fault }) => fault !== null);

/** The caller must hold the log's lock, so that nothing is signed in the meantime. */
export async function inspectHistory(app: LedgerApp, db: Queryable, ring: Keyring): Promise<Inspection> {
  await checkWitnesses(app);
  await app.checkpointFile.refresh();
  const logs = await syncClosedLogs(app, db, ring);
  const findings = await readHistoryFindings(db);
  const log = await inspectLog(app, db, ring, logs, findings);
  return { logs, log, chains: await inspectChains(app, db, findings), findings };
}

async function inspectLog(
  app: LedgerApp,
  db: Queryable,
  ring: Keyring,
  { origin }: Logs,
  findings: HistoryFinding[],
): Promise<Inspection['log']> {
  const newest = await newestHead(db);
  const filed = app.checkpointFile.find(origin);
  const line = filed && (await app.checkpointFile.read(filed));
  const about = findings.filter(({ subject }) => subject === origin);
  const notes = [
    { size: newest?.size ?? 0, note: newest?.note ?? null },
    { size: filed?.size ?? 0, note: line?.text ?? null },
    ...about.map(({ signedSize, note }) => ({ size: signedSize ?? 0, note })),
    // A witness that has seen more than any file here shows the head that it cosigned.
    ...(about.length > 0 ? await headsOfWitnesses(app, origin, ring) : []),
  ];
  const signedSize = Math.max(...notes.map(({ size }) => size));
  // The largest head whose text is available. Of some witnesses, only the size is known.
  const [known] = notes.filter(({ note }) => note !== null).sort((a, b) => b.size - a.size);
  const presentSize = await logSize(db);
  const short = signedSize > presentSize ? `${signedSize - presentSize} entries are missing` : null;
  return {
    origin,
    signedSize,
    presentSize,
    fault: about[0]?.message ?? short,
    head: known?.note ?? null,
  };
}

const CHAINS = sql('chains_to_inspect', {
  id: 'int',
  centerId: 'int?',
  domain: 'chain_domain',
  origin: 'text',
  size: 'int',
  signedSize: 'int?',
  note: 'text?',
})`
  SELECT c.id, c.center_id AS "centerId", c.domain, c.origin, c.size, k.size AS "signedSize", k.note
  FROM ledger_chain c LEFT JOIN LATERAL (
    SELECT size, note FROM checkpoint WHERE chain_id = c.id ORDER BY ${NEWEST_FIRST} LIMIT 1) k ON true
  WHERE c.origin IS NOT NULL ORDER BY c.center_id NULLS FIRST, c.domain`;

async function inspectChains(
  app: LedgerApp,
  db: Queryable,
  findings: HistoryFinding[],
): Promise<InspectedChain[]> {
  const rows = await CHAINS.rows(db, {});
  const inspected: InspectedChain[] = [];
  for (const row of rows) inspected.push(await inspectChain(app, row, findings));
  // A chain created and signed within the lost tail is missing completely, or has not been named again yet.
  const known = new Set(rows.map(({ origin }) => origin));
  const gone = new Set([...app.checkpointFile.origins(), ...findings.map(({ subject }) => subject)]);
  for (const origin of gone) {
    if (known.has(origin) || !parseOrigin(origin)?.chain) continue;
    const presentSize = await unnamedSize(db, origin);
    const signedSize = signedSizeOf(app, origin, findings);
    const fault = signedSize > presentSize ? `${signedSize - presentSize} records are missing` : null;
    inspected.push({ origin, signedSize, presentSize, keptSize: 0, fault });
  }
  return inspected;
}

async function inspectChain(
  app: LedgerApp,
  row: RowOf<typeof CHAINS>,
  findings: HistoryFinding[],
): Promise<InspectedChain> {
  const { id: chainId, centerId, domain, origin, size: presentSize, note } = row;
  const signedSize = Math.max(row.signedSize ?? 0, signedSizeOf(app, origin, findings));
  const keptSize = Math.min(presentSize, row.signedSize ?? 0);
  const sizes = { origin, signedSize, presentSize, keptSize };
  const short = signedSize > presentSize ? `${signedSize - presentSize} records are missing` : null;
  const filed = app.checkpointFile.find(origin);
  const isSame = isFiled(filed, row.signedSize, note);
  const found = findings.find(({ subject }) => subject === origin)?.message ?? short;
  if (found !== null || !filed || isSame) return { ...sizes, fault: found };
  const finding = await compareWithCheckpoints(sourceOf(app), { chainId, centerId, domain });
  // If only the checkpoint is missing from the table, the next round signs it again. No record is missing.
  const fault = finding && finding.kind !== 'missing_checkpoint' ? finding.message : null;
  return { ...sizes, fault };
}

function signedSizeOf(app: LedgerApp, origin: string, findings: HistoryFinding[]): number {
  const reported = findings.flatMap(({ subject, signedSize }) =>
    subject === origin && signedSize !== null ? [signedSize] : [],
  );
  return Math.max(0, app.checkpointFile.find(origin)?.size ?? 0, ...reported);
}

const SIZE_OF_CHAIN = sql('size_of_chain', { size: 'int' })`
  SELECT size FROM ledger_chain WHERE coalesce(center_id, 0) = $center AND domain::text = $domain`;

async function unnamedSize(db: Queryable, origin: string): Promise<number> {
  const { center, domain } = parseOrigin(origin)!.chain!;
  const [chain] = await SIZE_OF_CHAIN.rows(db, { center, domain });
  return chain?.size ?? 0;
}
