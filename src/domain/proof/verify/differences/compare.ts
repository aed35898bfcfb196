import type { Queryable } from '../../../../db/database.ts';
import { chainDomains } from '../../../ledger/chains.ts';
import { readChainState } from '../../../ledger/verify/chain-state.ts';
import { compareAudit } from './audit.ts';
import { extentsOf } from './chains.ts';
import { type Difference, Differences } from './difference.ts';
import { compareDpus } from './dpus.ts';
import { compareDecisions } from './events.ts';
import { type Entry, readJournalFacts } from './journal.ts';
import { comparePasskeys } from './passkeys.ts';
import { comparePolicies } from './policies.ts';
import { readPolicyHistory } from './policy-history.ts';
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
  const states = [];
  for (const domain of chainDomains) states.push(await readChainState(db, centerId, domain));
  const chains = extentsOf(centerId, states);
  const facts = await readJournalFacts(db, chains);
  await comparePolicies(db, centerId, 'journal', facts.policies, found);
  if (centerId !== null) {
    const platform = await comparePlatformPolicies(db, found);
    const withoutDpu = await compareDpus(db, chains, facts, found);
    await compareErasedRecords(db, facts, found);
    const policies = await readPolicyHistory(db, centerId, [...platform, ...facts.policies]);
    await compareDecisions(db, chains, { facts, policies, withoutDpu }, found);
  }
  await compareAudit(db, chains, found);
  await comparePasskeys(db, centerId, found);
  return found.list;
}

/** Policies above centers apply in each of them and are on the platform's own journal. */
async function comparePlatformPolicies(db: Queryable, found: Differences): Promise<Entry[]> {
  const chains = extentsOf(null, [await readChainState(db, null, 'journal')]);
  const { policies } = await readJournalFacts(db, chains);
  await comparePolicies(db, null, '0/journal', policies, found);
  return policies;
}
