// Counts the uses of mandates again, from the sealed records of a center in the order of its proof chain.

import { decisionForm, type SealedDecision, type SealedMandate } from '@countersign/proof-kit/decision';
import { MOST_MS_TO_SEAL } from '@countersign/proof-kit/decision-rules';
import { isMandateGrant } from '@countersign/proof-kit/guards';
import type { Queryable } from '../../../../../db/database.ts';
import { sql, typed } from '../../../../../db/sql.ts';
import { parseJson } from '../../../../../lib/json.ts';
import { CLOCK_TOLERANCE_MS } from '../../../../policies/order.ts';
import type { MandateTerms } from '../../../mandates/terms.ts';
import { type CenterChains, chainRanges } from './chains.ts';
import type { Differences } from './difference.ts';
import { eventOf } from './dpus.ts';
import type { Entry, JournalFacts } from './journal.ts';
import { sizesIn } from './sealed-policy.ts';

const CHUNK = 1_000;

/** What the chains say about a mandate, by the decision that granted it. */
export interface Tally {
  /** The id under which its uses were sealed. */
  id: string | null;
  used: number;
  /** How many uses there are. More than `used` if a number is repeated. */
  count: number;
  spent: number;
  /** The hash of the last use, and its place on the proof chain. */
  last: string;
  lastIndex: number | null;
}

export const emptyTally = (): Tally => ({
  id: null,
  used: 0,
  count: 0,
  spent: 0,
  last: '',
  lastIndex: null,
});

// Contents are canonical JSON, in which a quotation mark within a text is escaped.
const SEALED = sql('sealed_under_mandates', {
  index: 'int',
  hash: 'text',
  timestamp: 'text',
  content: 'text',
})`
  SELECT r.index, r.hash, r.timestamp, r.content FROM ledger_record r
  WHERE r.chain_id = $chainId AND r.index >= $from::int AND r.index < $to::int
    AND (strpos(r.content, '"mandate":{') > 0 OR strpos(r.content, '"type":"mandate.grant"') > 0)
  ORDER BY r.index`;

// The rows of grants and uses are compared with their own records like any other.
const TERMS = sql('terms_of_grants', { id: 'text', terms: typed<MandateTerms | null>('json') })`
  SELECT e.id, e.large -> 'action.input' AS terms FROM decision_event e
  WHERE e.id = ANY ($ids) AND e.center_id = $centerId`;

const AMOUNTS = sql('amounts_of_uses', {
  id: 'text',
  amount: typed<number | null>('json'),
  isErased: 'boolean',
})`
  SELECT e.id, CASE WHEN json_typeof(p.value) = 'number' THEN p.value END AS amount,
         coalesce(jsonb_exists(e.erased::jsonb, 'action.input'), false) AS "isErased"
  FROM unnest($ids::text[], $members::text[]) AS u(id, member)
  JOIN decision_event e ON e.id = u.id
  CROSS JOIN LATERAL (SELECT e.large #> (ARRAY['action.input'] || string_to_array(u.member, '.')) AS value) p`;

const BY_MANDATE = { table: 'decision_event', chain: 'proof', member: 'mandate' } as const;

interface SealedUse {
  index: number;
  hash: string;
  at: string;
  sealed: SealedDecision & { mandate: SealedMandate };
  terms: MandateTerms | null;
  /** Undefined if it was erased or cannot be known; null if the input does not have it. */
  amount: number | null | undefined;
}

/** Reports uses that their mandate does not allow, and returns what the chains say about each mandate. */
export async function compareMandateUses(
  db: Queryable,
  { centerId, proof }: CenterChains,
  { revocations }: JournalFacts,
  found: Differences,
): Promise<Map<string, Tally>> {
  const tallies = new Map<string, Tally>();
  const grants = new Set<string>();
  const termsById = new Map<string, MandateTerms | null>();
  for (const [from, to] of chainRanges(proof, CHUNK)) {
    const rows = await SEALED.rows(db, { chainId: proof!.id, from, to });
    const records = rows.flatMap(({ content, timestamp: at, ...row }) => {
      const sealed = parseJson(content);
      if (decisionForm(sealed, '') === null) return [{ ...row, at, sealed: sealed as never as SealedDecision }];
      // No verifier reads it, but it may have been used.
      found.add({ ...BY_MANDATE, id: eventOf(content), index: row.index });
      return [];
    });
    const asked = records.flatMap(({ sealed: { mandate } }) =>
      mandate && !termsById.has(mandate.eventId) ? [mandate.eventId] : [],
    );
    if (asked.length > 0)
      for (const { id, terms } of await TERMS.rows(db, { centerId, ids: [...new Set(asked)] }))
        termsById.set(id, terms);
    const uses = records.filter(isUse).map((use) => {
      return { ...use, terms: termsById.get(use.sealed.mandate.eventId) ?? null };
    });
    const amounts = await amountsOf(db, uses);
    const useAt = new Map(uses.map((use) => [use.index, use]));
    for (const { index, sealed } of records) {
      if (isMandateGrant(sealed.event.type, sealed.event.action.type)) grants.add(sealed.event.id);
      const use = useAt.get(index);
      if (!use) continue;
      const { eventId } = use.sealed.mandate;
      const tally = tallies.get(eventId) ?? emptyTally();
      tallies.set(eventId, tally);
      const amount = amounts.get(sealed.event.id);
      const isAllowed = counts(tally, { ...use, amount }) && isValidAt(use, revocations.get(eventId));
      if (!isAllowed || !grants.has(eventId))
        found.add({ ...BY_MANDATE, id: sealed.event.id, index });
    }
  }
  return tallies;
}

function isUse<T extends { sealed: SealedDecision }>(
  record: T,
): record is T & { sealed: SealedDecision & { mandate: SealedMandate } } {
  return record.sealed.mandate !== undefined;
}

/** What each use deducts from the budget, by decision. Without an entry, that is unknown. */
async function amountsOf(
  db: Queryable,
  uses: readonly Omit<SealedUse, 'amount'>[],
): Promise<Map<string, number | null>> {
  const budgeted = uses.flatMap(({ sealed, terms }) =>
    terms?.budget ? [{ id: sealed.event.id, member: terms.budget.member }] : [],
  );
  if (budgeted.length === 0) return new Map();
  const rows = await AMOUNTS.rows(db, {
    ids: budgeted.map(({ id }) => id),
    members: budgeted.map(({ member }) => member),
  });
  return new Map(rows.flatMap(({ id, amount, isErased }) => (isErased ? [] : [[id, amount]])));
}

/** Adds a use to the tally. Whether number, predecessor and total follow from the uses before it, and are within the limits. */
function counts(tally: Tally, { index, hash, sealed: { mandate }, terms, amount }: SealedUse): boolean {
  const { id, use, previous, spent = 0 } = mandate;
  const isNext = use === tally.used + 1 && (previous ?? tally.last) === tally.last;
  const isOwn = id === (terms?.mandateId ?? tally.id ?? id);
  const isSum =
    amount === undefined ? spent >= tally.spent : amount !== null && spent === tally.spent + amount;
  tally.count++;
  const isWithin =
    tally.count <= (terms?.maxUses ?? tally.count) &&
    use <= (terms?.maxUses ?? use) &&
    spent <= (terms?.budget?.limit ?? spent);
  tally.id ??= id;
  tally.used = Math.max(tally.used, use);
  tally.spent = Math.max(tally.spent, spent);
  tally.last = hash;
  tally.lastIndex = index;
  return isNext && isOwn && isSum && isWithin;
}

/** Whether a use was sealed within the dates of its mandate, and before its revocation. */
function isValidAt({ sealed, at, terms }: Omit<SealedUse, 'amount'>, revocation: Entry | undefined): boolean {
  const { approvedAt } = sealed.approvals[0]!;
  if (Date.parse(at) - Date.parse(approvedAt) > MOST_MS_TO_SEAL) return false;
  if (terms && (at > terms.validUntil || approvedAt < (terms.validFrom ?? approvedAt))) return false;
  if (!revocation) return true;
  // The journal was read under a lock that revocations wait for. Decisions sealed before format 4 name no sizes.
  const size = sizesIn(sealed)?.own ?? 0;
  return revocation.index >= size && Date.parse(at) <= Date.parse(revocation.timestamp) + CLOCK_TOLERANCE_MS;
}
