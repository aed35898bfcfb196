import type { Queryable } from '../../../../db/database.ts';
import { chainDomains } from '../../../ledger/chains.ts';
import { readChainState } from '../../../ledger/verify/chain-state.ts';
import { compareAudit } from './audit.ts';
import { extentsOf } from './chains.ts';
import { type Difference, Differences } from './difference.ts';
import { compareDpus } from './dpus.ts';
import { compareDecisions } from './events.ts';
import { readJournalFacts } from './journal.ts';
import { comparePolicies } from './policies.ts';

/**
 * Compares the rows that people see of a center with what its chains hold, in pages of bounded size and on one state of the
 * database. Null stands for the platform's own rows.
 */
export async function findDifferences(db: Queryable, centerId: number | null): Promise<Difference[]> {
  const found = new Differences();
  const states = [];
  for (const domain of chainDomains) states.push(await readChainState(db, centerId, domain));
  const chains = extentsOf(centerId, states);
  const facts = await readJournalFacts(db, chains);
  await comparePolicies(db, centerId, 'journal', facts.policies, found);
  if (centerId !== null) {
    await comparePlatformPolicies(db, found);
    const withoutDpu = await compareDpus(db, chains, facts, found);
    await compareDecisions(db, chains, facts, withoutDpu, found);
  }
  await compareAudit(db, chains, found);
  return found.list;
}

/** Policies above centers are in force in each of them, and stand on the platform's own journal. */
async function comparePlatformPolicies(db: Queryable, found: Differences): Promise<void> {
  const chains = extentsOf(null, [await readChainState(db, null, 'journal')]);
  const { policies } = await readJournalFacts(db, chains);
  await comparePolicies(db, null, '0/journal', policies, found);
}
