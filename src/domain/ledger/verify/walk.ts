import { availableParallelism } from 'node:os';
import { sql } from '../../../db/sql.ts';
import { mapConcurrently } from '../../../lib/semaphore.ts';
import { type ChainState, firstDisagreement } from './chain-state.ts';
import { checkRange, isInFuture, type Range, type RangeFinding } from './check-range.ts';
import type { LedgerSource } from './source.ts';

export interface ChainReport {
  domain: string;
  valid: boolean;
  /** The number of records found. */
  chainLength: number;
  genesisHash: string | null;
  headHash: string | null;
  brokenAt: number | null;
  /** Records whose timestamp precedes their predecessor's or is in the future; truncated if there are many. */
  misdated: number[];
}

const MOST_MISDATED = 100;

export interface Progress {
  domain: string;
  checked: number;
  total: number;
}

/** Rows per query: about ten milliseconds of work, and the concatenated hashes fit a core's cache. */
const CHUNK = 5_000;
/** Concurrent queries of one walk. The database often shares this machine, and two more than its cores keep it busy. */
const CONCURRENCY = Math.min(4, availableParallelism() + 2);

/** Walks a whole chain in ranges, reports progress, and stops at the first bad index. */
export async function* walkChain(
  source: LedgerSource,
  state: ChainState,
): AsyncGenerator<Progress, ChainReport> {
  const { domain, genesisHash, size } = state;
  const disagreement = firstDisagreement(state);
  const total = (state.highest ?? -1) + 1;
  const walk = yield* walkRanges(source, state, total);
  // The size is right but the hash differs: the head row or the last record was changed.
  const headBroken = total === size && walk.lastHash !== state.headHash ? Math.max(0, size - 1) : null;
  const faults = [walk.bad, disagreement, headBroken].filter((index) => index !== null);
  const brokenAt = faults.length > 0 ? Math.min(...faults) : null;
  return {
    domain,
    valid: brokenAt === null,
    chainLength: brokenAt === null ? size : await countRecords(source, state),
    genesisHash,
    headHash: state.headHash,
    brokenAt,
    misdated: brokenAt === null ? await misdated(source, state, walk.backwards) : [],
  };
}

/** Ranges are checked concurrently and reported in order, so the first fault reported is the first in the chain. */
export async function* walkRanges(
  source: LedgerSource,
  state: ChainState,
  end: number,
): AsyncGenerator<Progress, RangeFinding> {
  const { domain } = state;
  let checked = 0;
  let lastHash: string | null = null;
  const backwards: number[] = [];
  const findings = mapConcurrently(rangesTo(end), CONCURRENCY, (range) => checkRange(source, state, range));
  for await (const finding of findings) {
    checked += finding.found;
    if (finding.bad !== null) return { ...finding, found: checked, backwards };
    backwards.push(...finding.backwards.slice(0, MOST_MISDATED - backwards.length));
    lastHash = finding.lastHash;
    yield { domain, checked, total: end };
  }
  return { found: checked, bad: null, lastHash, backwards };
}

const TIME_OF_LAST = sql('time_of_last', { timestamp: 'text' })`
  SELECT timestamp FROM ledger_record WHERE chain_id = $chainId AND index = $size::int - 1`;

/** A record dated in the future is detected by its successor running backwards, unless it is the last. */
async function misdated({ db }: LedgerSource, { chainId, size }: ChainState, backwards: number[]) {
  const rows = await TIME_OF_LAST.rows(db, { chainId, size });
  return rows[0] && isInFuture(rows[0].timestamp, new Date()) ? [...backwards, size - 1] : backwards;
}

export async function drain<T>(walk: AsyncGenerator<unknown, T>): Promise<T> {
  for (;;) {
    const step = await walk.next();
    if (step.done) return step.value;
  }
}

function* rangesTo(end: number): Generator<Range> {
  for (let from = 0; from < end; from += CHUNK) yield { from, to: Math.min(end, from + CHUNK) };
}

const COUNT_RECORDS = sql('count_records', { count: 'int' })`
  SELECT count(*)::int AS count FROM ledger_record WHERE chain_id = $chainId`;

async function countRecords({ db }: LedgerSource, { chainId }: ChainState): Promise<number> {
  const [records] = await COUNT_RECORDS.rows(db, { chainId });
  return records!.count;
}
