import type { Queryable } from '../../../db/database.ts';
import type { Checkpoint } from '../../../db/generated/prisma/client.ts';
import { NotOnReplica } from '../../../db/replica.ts';
import { sql } from '../../../db/sql.ts';
import { makeBatcher } from '../../../lib/batcher.ts';
import { CHECKPOINT_COLUMNS, CHECKPOINT_ROW, checkpointOf, NEWEST_FIRST } from '../chains/checkpoint-row.ts';
import { acrossChains, type LedgerApp } from '../ledger-app.ts';
import { type Finding, HistoryChanged } from '../notes/faults.ts';
import { signChains } from './round.ts';

const LATEST_CHECKPOINT = sql('latest_checkpoint', CHECKPOINT_ROW)`
  SELECT ${CHECKPOINT_COLUMNS} FROM checkpoint
  WHERE chain_id = $chainId AND log_index < (SELECT max(h.size) FROM log_head h WHERE h.log = checkpoint.log)
  ORDER BY ${NEWEST_FIRST} LIMIT 1`;

/** The newest checkpoint of a chain that a head of the log covers. */
export async function latestCheckpoint(db: Queryable, chainId: number): Promise<Checkpoint | undefined> {
  const [row] = await LATEST_CHECKPOINT.rows(db, { chainId });
  return row && checkpointOf(row);
}

/** The log of the newest checkpoint that covers a record. */
const NEWEST_LOG = `SELECT log FROM checkpoint WHERE chain_id = $chainId AND size > $index ORDER BY ${NEWEST_FIRST} LIMIT 1`;

const COSIGNED_CHECKPOINT = sql('cosigned_checkpoint', CHECKPOINT_ROW)`
  SELECT ${CHECKPOINT_COLUMNS} FROM checkpoint
  WHERE chain_id = $chainId AND size > $index AND log = (${NEWEST_LOG}) AND log_index < (
    SELECT c.size FROM (SELECT size, key_id, name FROM log_cosignature WHERE log = (${NEWEST_LOG})
                        ORDER BY size DESC LIMIT 500) c
    JOIN unnest($keyIds::text[], $names::text[]) AS w(key_id, name) ON w.key_id = c.key_id AND w.name = c.name
    GROUP BY c.size ORDER BY count(*) DESC, c.size DESC LIMIT 1)
  ORDER BY ${NEWEST_FIRST} LIMIT 1`;

/** The newest checkpoint that covers a record and is itself covered by the head that most witnesses have recently cosigned. */
export async function cosignedCheckpoint(
  app: LedgerApp,
  chainId: number,
  index: number,
): Promise<Checkpoint | undefined> {
  const { witnesses } = app.config;
  if (witnesses.length === 0) return undefined;
  const [row] = await COSIGNED_CHECKPOINT.rows(acrossChains(app), {
    chainId,
    index,
    keyIds: witnesses.map(({ keyId }) => keyId),
    names: witnesses.map(({ name }) => name),
  });
  return row && checkpointOf(row);
}

/**
 * Signs the current state of a chain: its size and the root of the tree over all its records. Returns the newest checkpoint,
 * which is an older one if nothing was added since; null for a chain without records. A signer must never sign two
 * contradictory views. So if the chain is inconsistent with anything signed before, in the table or the file, nothing is
 * signed and HistoryChanged is thrown.
 */
export async function makeCheckpoint(app: LedgerApp, chainId: number): Promise<Checkpoint | null> {
  const { findings } = await signChains(app, [chainId]);
  const finding = findings.get(chainId);
  if (finding) throw new HistoryChanged(finding.kind, finding.index, finding.message);
  return (await latestCheckpoint(acrossChains(app), chainId)) ?? null;
}

type SignChain = (chainId: number) => Promise<Finding | undefined>;

const signers = new WeakMap<LedgerApp, SignChain>();
const ATTEMPTS = 3;

/**
 * The newest checkpoint of a chain that covers a record. If there is none, signs one now. Throws HistoryChanged if it cannot
 * be signed.
 */
export async function ensureCheckpoint(app: LedgerApp, chainId: number, index: number): Promise<Checkpoint> {
  const signChain = signers.get(app) ?? makeSignChain(app);
  signers.set(app, signChain);
  for (let attempt = 1; ; attempt++) {
    const latest = await latestCheckpoint(acrossChains(app), chainId);
    if (latest && latest.size > index) return latest;
    if (app.db.isReplica) throw new NotOnReplica();
    if (attempt > ATTEMPTS) throw new Error(`no checkpoint covers record ${index} of chain ${chainId}`);
    const finding = await signChain(chainId);
    if (finding) throw new HistoryChanged(finding.kind, finding.index, finding.message);
  }
}

/** Callers in this process that arrive during a round share the next one, which starts when it ends. */
function makeSignChain(app: LedgerApp): SignChain {
  return makeBatcher<number, Finding | undefined>(
    async (chainIds) => {
      const { findings } = await signChains(app, [...new Set(chainIds)]);
      return chainIds.map((chainId) => findings.get(chainId));
    },
    { most: Number.POSITIVE_INFINITY, concurrency: 1, retryAlone: () => false },
  );
}
