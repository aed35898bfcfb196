import { DECISION_DOMAIN } from '@countersign/proof-kit';
import type { Queryable } from '../../../../../db/database.ts';
import type { Dpu } from '../../../../../db/generated/prisma/client.ts';
import { sql } from '../../../../../db/sql.ts';
import { compareAudit } from './audit.ts';
import { readChains } from './chains.ts';
import { type Difference, Differences } from './difference.ts';
import { compareDpus, comparePlatformDpu, eventOf } from './dpus.ts';
import { compareDecisions, compareSealedDecision } from './events.ts';
import { type Entry, readJournalFacts } from './journal.ts';
import { compareMandates } from './mandates.ts';
import { comparePasskeys } from './passkeys.ts';
import { comparePolicies } from './policies.ts';
import { findPolicyHistory, readPolicyHistory } from './policy-history.ts';
import { findSeatHistory, readSeatHistory } from './seat-history.ts';
import { compareSeats } from './seats.ts';
import { compareErasedRecords } from './unerased.ts';

/**
 * Compares the visible rows of a center with its chains, in pages of bounded size and on one snapshot. Null means the
 * platform's own rows. `known` are differences found earlier.
 */
export async function findDifferences(
  db: Queryable,
  centerId: number | null,
  known: readonly Difference[] = [],
): Promise<Difference[]> {
  const found = new Differences();
  for (const difference of known) found.add(difference);
  const chains = await readChains(db, centerId);
  const facts = await readJournalFacts(db, chains);
  await comparePolicies(db, centerId, 'journal', facts.policies, found);
  if (centerId !== null) {
    const platform = await comparePlatformPolicies(db, found);
    const withoutDpu = await compareDpus(db, chains, facts, found);
    await compareErasedRecords(db, facts, found);
    const policies = await readPolicyHistory(db, centerId, { own: facts.policies, platform });
    const seats = await readSeatHistory(db, chains, facts.seats);
    await compareSeats(db, centerId, seats, found);
    const hasUses = await compareDecisions(db, chains, { facts, policies, seats, withoutDpu }, found);
    await compareMandates(db, { ...chains, centerId }, { facts, hasUses }, found);
  }
  await compareAudit(db, chains, found);
  await comparePasskeys(db, centerId, found);
  return found.list;
}

/** Policies above centers apply in each of them and are on the platform's own journal. */
async function comparePlatformPolicies(db: Queryable, found: Differences): Promise<Entry[]> {
  const chains = await readChains(db, null, ['journal']);
  const { policies } = await readJournalFacts(db, chains);
  await comparePolicies(db, null, '0/journal', policies, found);
  return policies;
}

/** The same comparison for one record: whether its row and, for a decision, all that belongs to it match what was sealed. */
export async function matchesSealed(db: Queryable, dpu: Dpu): Promise<boolean> {
  const chains = await readChains(db, dpu.centerId);
  const found = new Differences();
  if (dpu.domain !== DECISION_DOMAIN) {
    const facts = await readJournalFacts(db, chains, dpu.id);
    await comparePlatformDpu(db, chains, facts, dpu.index, found);
    await compareErasedRecords(db, facts, found);
    return found.count === 0;
  }
  const eventId = await sealedEventAt(db, dpu);
  if (eventId === '') return false;
  const facts = await readJournalFacts(db, chains, eventId);
  const policies = await findPolicyHistory(db, dpu.centerId);
  const seats = await findSeatHistory(db, chains);
  const ownDpu = await compareSealedDecision(db, chains, { facts, policies, seats }, eventId, found);
  return ownDpu === dpu.id && found.count === 0;
}

const CONTENT_AT = sql('content_at', { content: 'text' })`
  SELECT content FROM ledger_record WHERE chain_id = $chainId AND index = $index`;

async function sealedEventAt(db: Queryable, { chainId, index }: Dpu): Promise<string> {
  const rows = await CONTENT_AT.rows(db, { chainId, index });
  return rows[0] ? eventOf(rows[0].content) : '';
}
