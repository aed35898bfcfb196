// Counts the uses of mandates again, from the sealed records of a center in the order of its proof chain.

import { decisionForm, type SealedDecision, type SealedMandate } from '@countersign/proof-kit/decision';
import { MOST_MS_TO_SEAL } from '@countersign/proof-kit/decision-rules';
import { isMandateGrant } from '@countersign/proof-kit/guards';
import type { Queryable } from '../../../../../db/database.ts';
import { type RowOf, sql, typed } from '../../../../../db/sql.ts';
import { parseJson } from '../../../../../lib/json.ts';
import { CLOCK_TOLERANCE_MS } from '../../../../ledger/sealer/policy-order.ts';
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
const SEALED_ROW = { index: 'int', hash: 'text', timestamp: 'text', content: 'text' } as const;
const SEALED = sql('sealed_under_mandates', SEALED_ROW)`
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

interface SealedRecord {
  index: number;
  hash: string;
  at: string;
  sealed: SealedDecision;
}

interface SealedUse extends SealedRecord {
  mandate: SealedMandate;
  /** Null if they were erased. */
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
    const records = decisionsIn(rows, found);
    await readTerms(db, centerId, records, termsById);
    const amounts = await amountsOf(db, records, termsById);
    for (const record of records) {
      const { event, mandate } = record.sealed;
      if (isMandateGrant(event.type, event.action.type)) grants.add(event.id);
      if (!mandate) continue;
      const tally = tallies.get(mandate.eventId) ?? emptyTally();
      tallies.set(mandate.eventId, tally);
      const terms = termsById.get(mandate.eventId) ?? null;
      const use = { ...record, mandate, terms, amount: amounts.get(event.id) };
      const isAllowed = counts(tally, use) && isValidAt(use, revocations.get(mandate.eventId));
      if (!isAllowed || !grants.has(mandate.eventId))
        found.add({ ...BY_MANDATE, id: event.id, index: record.index });
    }
  }
  return tallies;
}

function decisionsIn(rows: readonly RowOf<typeof SEALED_ROW>[], found: Differences): SealedRecord[] {
  return rows.flatMap(({ content, timestamp: at, ...row }) => {
    const sealed: unknown = parseJson(content);
    if (decisionForm(sealed, '') === null) return [{ ...row, at, sealed: sealed as SealedDecision }];
    // No verifier reads it, but the mandate may have been used for it.
    found.add({ ...BY_MANDATE, id: eventOf(content), index: row.index });
    return [];
  });
}

/** Adds the terms of the grants that are not known yet. */
async function readTerms(
  db: Queryable,
  centerId: number | null,
  records: readonly SealedRecord[],
  termsById: Map<string, MandateTerms | null>,
): Promise<void> {
  const ids = records.flatMap(({ sealed: { mandate } }) =>
    mandate && !termsById.has(mandate.eventId) ? [mandate.eventId] : [],
  );
  if (ids.length === 0) return;
  for (const { id, terms } of await TERMS.rows(db, { centerId, ids: [...new Set(ids)] }))
    termsById.set(id, terms);
}

/** What each use deducts from the budget, by decision. Without an entry, that is unknown. */
async function amountsOf(
  db: Queryable,
  records: readonly SealedRecord[],
  termsById: ReadonlyMap<string, MandateTerms | null>,
): Promise<Map<string, number | null>> {
  const budgeted = records.flatMap(({ sealed: { event, mandate } }) => {
    const budget = mandate && termsById.get(mandate.eventId)?.budget;
    return budget ? [{ id: event.id, member: budget.member }] : [];
  });
  if (budgeted.length === 0) return new Map();
  const rows = await AMOUNTS.rows(db, {
    ids: budgeted.map(({ id }) => id),
    members: budgeted.map(({ member }) => member),
  });
  return new Map(rows.flatMap(({ id, amount, isErased }) => (isErased ? [] : [[id, amount]])));
}

/** Adds a use to the tally. Whether number, predecessor and total follow from the uses before it, and are within the limits. */
function counts(tally: Tally, { index, hash, mandate, terms, amount }: SealedUse): boolean {
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
function isValidAt({ sealed, at, terms }: SealedUse, revocation: Entry | undefined): boolean {
  const { approvedAt } = sealed.approvals[0]!;
  if (Date.parse(at) - Date.parse(approvedAt) > MOST_MS_TO_SEAL) return false;
  if (terms && (at > terms.validUntil || approvedAt < (terms.validFrom ?? approvedAt))) return false;
  if (!revocation) return true;
  // The journal was read under a lock that revocations wait for. Decisions sealed before format 4 name no sizes.
  const size = sizesIn(sealed)?.own ?? 0;
  return revocation.index >= size && Date.parse(at) <= Date.parse(revocation.timestamp) + CLOCK_TOLERANCE_MS;
}
