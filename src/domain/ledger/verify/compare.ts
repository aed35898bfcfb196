import type { Queryable } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { NEWEST_FIRST } from '../chains/checkpoint-row.ts';
import { CLOSED_LOGS, isSignedClosing } from '../log/closed-logs.ts';
import { logLeaf } from '../log/current-log.ts';
import { parseStoredClosing } from '../notes/closing.ts';
import { type Finding, HistoryChanged, SigningRefused } from '../notes/faults.ts';
import type { CheckpointFile } from '../notes/file.ts';
import type { VerifyingRing } from '../notes/signatures.ts';
import {
  type Commitment,
  cutTail,
  type SignedChain,
  signedAboutChain,
  storedCommitment,
} from '../notes/signed-before.ts';
import { requireStoredKept } from '../tree/kept.ts';
import { diagnose } from './diagnose.ts';
import type { LedgerSource } from './source.ts';

/** Identifies a chain by name as well, so that a deleted chain can be checked too. */
interface NamedChain {
  /** Null if the chain does not exist. */
  chainId: number | null;
  centerId: number | null;
  domain: string;
}

/**
 * Checks that a chain still matches every checkpoint in the table, the newest one in the file outside the database, and the
 * head log. Walking the chain alone cannot detect a truncated tail, a history rewritten to its end, or a deleted chain.
 * Assumes that the walk found all hashes and links correct; then a few reads per checkpoint are enough, regardless of the
 * chain's length.
 */
export async function compareWithCheckpoints(
  source: LedgerSource,
  named: NamedChain,
): Promise<Finding | null> {
  const { db } = source;
  const { chainId } = named;
  const unreadable = await source.file.refresh().catch(refusal);
  if (unreadable) return { kind: 'missing_checkpoint', index: 0, message: unreadable.message };
  const chain = await readChain(source, named);
  const file = await acceptedFile(source, chain.origin);
  const filed = file.find(chain.origin);
  if (await isLoggedElsewhere(db, chain.origin, chainId)) return renamed(chain.origin);
  if (chain.note === null && !filed) return null;
  try {
    const ring = await knownKeys(source);
    // Read the checkpoints before the length: records always exist before they are signed.
    const newest = await signedAboutChain(chain, ring, file);
    const length = chainId === null ? 0 : await lengthOf(db, chainId);
    if (chainId !== null) {
      const finding = await compareStored(db, { ...chain, chainId }, length, ring);
      if (finding) return finding;
    }
    for (const commitment of newest) {
      if (commitment.size > length) return cutTail(commitment, length).finding;
      const finding = chainId === null ? null : await keeps(db, chainId, commitment.size, [commitment]);
      if (finding) return finding;
    }
    const kept = chain.signedSize ?? 0;
    return filed && filed.size > kept ? lost(filed.size, kept) : null;
  } catch (error) {
    if (error instanceof HistoryChanged) return error.finding;
    throw error;
  }
}

/** The file, ignoring what it says about a chain whose loss has been accepted since. The file may not know of that yet. */
async function acceptedFile({ db, file, ring }: LedgerSource, origin: string): Promise<CheckpointFile> {
  const rows = await CLOSED_LOGS.rows(db, {});
  const known = file.statements();
  for (const { statement } of rows) {
    if (known.includes(statement)) continue;
    const parsed = parseStoredClosing(statement);
    const isAbout = parsed?.chains.some((chain) => chain.origin === origin);
    if (isAbout && isSignedClosing(parsed!.note, parsed!.origin, await ring()))
      return { ...file, find: () => undefined };
  }
  return file;
}

function refusal(error: unknown): SigningRefused {
  if (error instanceof SigningRefused) return error;
  throw error;
}

/** The keys whose signatures count. If the key history is invalid or missing, every key is unknown. */
async function knownKeys(source: LedgerSource): Promise<VerifyingRing> {
  try {
    return await source.ring();
  } catch (error) {
    if (!(error instanceof SigningRefused)) throw error;
    throw new HistoryChanged('unknown_key', 0, error.message);
  }
}

const PAGE = 200;

/** If the checkpoint's tile of the head log is full, the log must hold exactly this checkpoint at its index. */
const STORED = sql('compare_checkpoints', {
  signedSize: 'int',
  log: 'int',
  logIndex: 'float8',
  signedRoot: 'text',
  note: 'text',
  rightHead: 'boolean?',
  /** The leaf in the log's tile; null if the tile is not full yet. */
  logged: 'bytea?',
})`
  SELECT c.size AS "signedSize", c.log, c.log_index::float8 AS "logIndex", c.root_hash AS "signedRoot", c.note, c.head_hash = r.hash AS "rightHead",
         substring(t.hashes FROM ((c.log_index % 256) * 32 + 1)::int FOR 32) AS logged
  FROM checkpoint c
  LEFT JOIN ledger_record r ON r.chain_id = c.chain_id AND r.index = c.size - 1
  LEFT JOIN log_tile t ON t.log = c.log AND t.level = 0 AND t.index = c.log_index / 256
  WHERE c.chain_id = $chainId AND (c.size, c.log, c.log_index) > ($size::int, $log::int, $logIndex::bigint)
  ORDER BY c.size, c.log, c.log_index LIMIT ${PAGE}`;

/** Checks every checkpoint in the table, smallest first. */
async function compareStored(
  db: Queryable,
  chain: SignedChain & { chainId: number },
  length: number,
  ring: VerifyingRing,
): Promise<Finding | null> {
  for (let after = { size: -1, log: 0, logIndex: 0 }; ; ) {
    const rows = await STORED.rows(db, { chainId: chain.chainId, ...after });
    const commitments = rows.map((row) => storedCommitment({ ...chain, ...row }, ring));
    const reached = commitments.filter(({ size }) => size <= length);
    const { size } = reached.at(-1) ?? { size: 0 };
    const finding = size > 0 ? await keeps(db, chain.chainId, size, reached) : null;
    if (finding) return finding;
    const cut = commitments.find((commitment) => commitment.size > length);
    if (cut) return cutTail(cut, length).finding;
    const other = rows.find(
      ({ rightHead, logged, note }) => !rightHead || (logged && Buffer.compare(logged, logLeaf(note)) !== 0),
    );
    if (other) return unlike(other.signedSize);
    if (rows.length < PAGE) return null;
    const { signedSize, log, logIndex } = rows.at(-1)!;
    after = { size: signedSize, log, logIndex };
  }
}

const LOGGED_ELSEWHERE = sql('logged_elsewhere')`
  SELECT FROM checkpoint WHERE split_part(note, E'\\n', 1) = $origin AND chain_id IS DISTINCT FROM $chainId LIMIT 1`;

/** Whether the head log has checkpoints of this name that belong to another chain. If so, one of the chains was renamed. */
async function isLoggedElsewhere(db: Queryable, origin: string, chainId: number | null): Promise<boolean> {
  const rows = await LOGGED_ELSEWHERE.rows(db, { origin, chainId });
  return rows.length > 0;
}

function renamed(origin: string): Finding {
  const message = `the head log has checkpoints of ${origin} that belong to another chain of the database`;
  return { kind: 'other_origin', index: 0, message };
}

function unlike(size: number): Finding {
  const message = `the checkpoint of size ${size} in the table is not the one that was logged`;
  return { kind: 'forged_checkpoint', index: Math.max(0, size - 1), message };
}

/** Reports the first record that no checkpoint in the table covers any more. */
function lost(size: number, kept: number): Finding {
  const message = `the file holds a checkpoint of size ${size} that the table has lost`;
  return { kind: 'missing_checkpoint', index: kept, message };
}

/** Checking against the stored tree is fast. Only if that fails is the chain recomputed, to find the cause. */
async function keeps(
  db: Queryable,
  chainId: number,
  size: number,
  commitments: Commitment[],
): Promise<Finding | null> {
  try {
    await requireStoredKept(db, chainId, size, commitments);
    return null;
  } catch (error) {
    if (!(error instanceof HistoryChanged)) throw error;
    return diagnose(db, chainId, commitments, error.message);
  }
}

const SIGNED_CHAIN = sql('signed_chain', {
  origin: 'text?',
  signedSize: 'int?',
  signedRoot: 'text?',
  note: 'text?',
})`
  SELECT c.origin, k.size AS "signedSize", k.root_hash AS "signedRoot", k.note
  FROM (SELECT $chainId::int AS id) named LEFT JOIN ledger_chain c ON c.id = named.id
  LEFT JOIN LATERAL (
    SELECT size, root_hash, note FROM checkpoint WHERE chain_id = named.id ORDER BY ${NEWEST_FIRST} LIMIT 1) k ON true`;

/** A chain that has no name yet, or was deleted, is looked up under the name it would have. */
async function readChain(
  { db, originOf }: LedgerSource,
  { chainId, centerId, domain }: NamedChain,
): Promise<SignedChain> {
  const [chain] = await SIGNED_CHAIN.rows(db, { chainId });
  return { ...chain!, centerId, domain, origin: chain!.origin ?? originOf(centerId, domain) };
}

const LENGTH = sql('length_of_chain', { length: 'int' })`
  SELECT coalesce(max(index) + 1, 0) AS length FROM ledger_record WHERE chain_id = $chainId`;

async function lengthOf(db: Queryable, chainId: number): Promise<number> {
  const [chain] = await LENGTH.rows(db, { chainId });
  return chain!.length;
}
