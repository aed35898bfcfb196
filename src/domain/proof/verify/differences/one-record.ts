// The same comparison for a single record: its own row and, for a decision, everything that belongs to it.

import { DECISION_DOMAIN } from '@countersign/proof-kit';
import type { Queryable } from '../../../../db/database.ts';
import type { Dpu } from '../../../../db/generated/prisma/client.ts';
import { sql } from '../../../../db/sql.ts';
import { chainDomains } from '../../../ledger/chains.ts';
import { readChainState } from '../../../ledger/verify/chain-state.ts';
import { extentsOf } from './chains.ts';
import { Differences } from './difference.ts';
import { comparePlatformDpu, eventOf } from './dpus.ts';
import { compareSealedDecision } from './events.ts';
import { readJournalFacts } from './journal.ts';
import { findPolicyHistory } from './policy-history.ts';
import { compareErasedRecords } from './unerased.ts';

/** Whether the visible rows of a record match what was sealed. */
export async function matchesSealed(db: Queryable, dpu: Dpu): Promise<boolean> {
  const states = [];
  for (const domain of chainDomains) states.push(await readChainState(db, dpu.centerId, domain));
  const chains = extentsOf(dpu.centerId, states);
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
  const ownDpu = await compareSealedDecision(db, chains, { facts, policies }, eventId, found);
  return ownDpu === dpu.id && found.count === 0;
}

const CONTENT_AT = sql<{ content: string }>('content_at')`
  SELECT content FROM ledger_record WHERE chain_id = $chainId AND index = $index`;

async function sealedEventAt(db: Queryable, { chainId, index }: Dpu): Promise<string> {
  const rows = await CONTENT_AT.rows(db, { chainId, index });
  return rows[0] ? eventOf(rows[0].content) : '';
}
