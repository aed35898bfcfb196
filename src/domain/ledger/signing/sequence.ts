import { formatCheckpoint } from '@countersign/proof-kit';
import type { Queryable } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { fileSource, HistoryLost, requireNoFindings, TABLE_SOURCE } from '../findings.ts';
import { type Keyring, signText } from '../keys/ring.ts';
import { inTransaction, type LedgerApp } from '../ledger-app.ts';
import { insertTiles, lockLog, logLeaf, readEdge } from '../log/current-log.ts';
import { type Finding, HistoryChanged, SigningRefused } from '../notes/faults.ts';
import { signedAboutChain } from '../notes/signed-before.ts';
import { type Grown, type Growth, growChain, planGrowth } from '../tree/grow.ts';
import { insertNodesOf, readNodesOf, readRecordsOf } from '../tree/nodes.ts';
import {
  type DueChain,
  dueChains,
  insertCheckpoints,
  type NewCheckpoint,
  namedChains,
} from './read-chains.ts';

/** Chains and records per transaction. Limits memory, and how long others wait for the log's lock. */
const CHAINS = 1_000;
const RECORDS = 20_000;

/** Which chains: those that are due after an id, or given ones. */
export type Selection = { after: number } | { ids: number[] };

interface Sequenced {
  /** The number of checkpoints added to the log. */
  made: number;
  /** The last chain examined; null if there are no more. */
  last: number | null;
  /** Chains with more records than fit in one pass. Repeating the same selection continues with them. */
  unfinished: boolean;
  findings: Map<number, Finding>;
  /** The chains that were examined and found intact. */
  sound: number[];
}

/**
 * Grows the trees of many chains, signs their checkpoints and appends these to the head log, in one transaction of a few
 * statements. Nothing is published before a head covers it. A faulty chain does not block the others; a key missing from the
 * key history stops the whole round.
 */
export function sequence(app: LedgerApp, ring: Keyring, selection: Selection): Promise<Sequenced> {
  return inTransaction(app, async (db) => {
    await lockLog(db);
    await requireNoFindings(db);
    const chains =
      'ids' in selection
        ? await namedChains(db, ring, selection.ids)
        : await dueChains(db, ring, selection.after, CHAINS);
    const findings = new Map<number, Finding>();
    const growths = await planAll(app, ring, chains, findings);
    const grown = await growAll(app, db, growths, findings);
    const made = await signAll(db, ring, grown);
    return {
      made,
      last: chains.at(-1)?.id ?? null,
      unfinished: grown.some(({ growth }) => growth.target < growth.chain.size),
      findings,
      sound: grown.map(({ growth }) => growth.chain.id),
    };
  });
}

/** Records a fault of one chain. Faults that affect all chains, such as a lost tail, stop the round. */
function note(
  app: LedgerApp,
  findings: Map<number, Finding>,
  { id, origin, size }: DueChain,
  error: unknown,
): void {
  if (!(error instanceof HistoryChanged)) throw error;
  if (error.finding.kind === 'unknown_key') throw new SigningRefused(error.message, { cause: error });
  if (error.lost !== null)
    throw new HistoryLost({
      subject: origin,
      source: error.lost.source === 'file' ? fileSource(app) : TABLE_SOURCE,
      kind: 'lost',
      signedSize: error.lost.size,
      presentSize: size,
      note: null,
      message: `${origin}: ${error.message}`,
    });
  findings.set(id, { ...error.finding, message: `${origin}: ${error.finding.message}` });
}

async function planAll(
  app: LedgerApp,
  ring: Keyring,
  chains: DueChain[],
  findings: Map<number, Finding>,
): Promise<Growth<DueChain>[]> {
  const growths: Growth<DueChain>[] = [];
  let room = RECORDS;
  for (const chain of chains) {
    try {
      const commitments = await signedAboutChain(chain, ring, app.checkpointFile);
      const growth = planGrowth(chain, commitments, room);
      growths.push(growth);
      room = Math.max(1, room - (growth.target - chain.treeSize));
    } catch (error) {
      note(app, findings, chain, error);
    }
  }
  return growths;
}

interface GrownChain {
  growth: Growth<DueChain>;
  grown: Grown;
}

async function growAll(
  app: LedgerApp,
  db: Queryable,
  growths: Growth<DueChain>[],
  findings: Map<number, Finding>,
): Promise<GrownChain[]> {
  if (growths.length === 0) return [];
  const records = await readRecordsOf(
    db,
    growths.flatMap((growth) => growth.records),
  );
  const nodes = await readNodesOf(
    db,
    growths.flatMap((growth) => growth.nodes),
  );
  const done: GrownChain[] = [];
  for (const growth of growths) {
    try {
      done.push({ growth, grown: growChain(growth, records.get(growth.chain.id) ?? [], nodes) });
    } catch (error) {
      note(app, findings, growth.chain, error);
    }
  }
  await insertNodesOf(
    db,
    done.flatMap(({ grown }) => grown.added),
  );
  return done;
}

async function signAll(db: Queryable, ring: Keyring, done: GrownChain[]): Promise<number> {
  const ready = done.filter(({ growth: { chain, target } }) => {
    return target === chain.size && !chain.isSigned;
  });
  if (ready.length === 0) return 0;
  const edge = await readEdge(db);
  const rows: NewCheckpoint[] = [];
  for (const { growth, grown } of ready) {
    const { id: chainId, origin, size, headHash } = growth.chain;
    const signers = ring.signersFor(origin);
    rows.push({
      id: newId('chk'),
      chainId,
      size,
      rootHash: Buffer.from(grown.root).toString('hex'),
      headHash,
      note: await signText(formatCheckpoint({ origin, size, root: grown.root }), signers),
      keyId: signers[0]!.keyId,
      logIndex: edge.size + rows.length,
    });
  }
  const tiles = edge.append(rows.map((row) => logLeaf(row.note)));
  await insertCheckpoints(db, rows, new Date());
  await insertTiles(db, tiles);
  return rows.length;
}
