import type { SealedMandate } from '@countersign/proof-kit/decision';
import type { PoolClient } from '../../../db/database.ts';
import { type RowOf, type Statement, sql, typed } from '../../../db/sql.ts';
import { DomainError } from '../../../lib/errors.ts';
import { currentCenterId, ownRows } from '../../context.ts';
import type { EventContent } from '../content.ts';
import type { ProofContext } from '../decision-context.ts';
import { MANDATE_KEYS } from './mandate-keys.ts';
import {
  agentKey,
  amountOf,
  type Consumption,
  coversAction,
  type MandateTerms,
  usageAfter,
} from './terms.ts';

/** A mandate whose terms cover a call. Whether enough of it remains is decided when the decision is sealed. */
export interface CoveringMandate {
  id: string;
  /** What the call deducts from the budget; null without a budget. */
  amount: number | null;
}

/** An agent rarely has more at a time. The oldest are used first. */
const MOST_TRIED = 20;

/**
 * The decision that granted a mandate, found by its id. OFFSET keeps PostgreSQL from starting with all sealed decisions instead,
 * which it does as long as it believes that there are few.
 */
const GRANT = `LATERAL (SELECT * FROM decision_event WHERE id = m.event_id OFFSET 0) e`;

const MANDATES_OF_AGENT = sql('mandates_of_agent', {
  id: 'text',
  used: 'int',
  spent: 'float8',
  terms: typed<MandateTerms>('json'),
})`
  SELECT m.id, m.used, m.spent, e.large -> 'action.input' AS terms FROM mandate m, ${GRANT}
  WHERE m.center_id = $centerId AND m.agent_key = $agent AND m.revoked_at IS NULL AND e.status = 'sealed'
    AND e.large #>> '{action.input,validUntil}' >= $occurredAt AND ${MANDATE_KEYS} ? $keyId
    AND m.used < coalesce((e.large #>> '{action.input,maxUses}')::int, m.used + 1)
  ORDER BY m.id LIMIT ${MOST_TRIED}`;

/** The mandates that may approve an agent's call with the caller's key. */
export async function coveringMandates(ctx: ProofContext, event: EventContent): Promise<CoveringMandate[]> {
  const { principal } = ctx;
  if (principal.kind !== 'apiKey') return [];
  const centerId = currentCenterId(ctx);
  const rows = await MANDATES_OF_AGENT.rows(ownRows(ctx), {
    centerId,
    agent: agentKey(event.actor.id),
    keyId: principal.keyId,
    occurredAt: event.occurredAt,
  });
  const covers: CoveringMandate[] = [];
  for (const { id, terms, ...used } of rows) {
    const amount = amountOf(terms, event.action.input);
    if (amount === undefined || !coversAction(terms, event)) continue;
    if (!usageAfter(terms, used, { amount, at: event.occurredAt })) continue;
    const scope = { input: event.action.input ?? {}, riskScore: event.riskScore ?? null };
    const { condition } = terms;
    if (condition !== undefined && !(await ctx.app.sandbox.conditionHolds(centerId, condition, scope)))
      continue;
    covers.push({ id, amount });
  }
  return covers;
}

const LOCKED_ROW = {
  id: 'text',
  center_id: 'int',
  event_id: 'text',
  used: 'int',
  spent: 'float8',
  revoked_at: 'timestamptz?',
  last_use: 'text',
  terms: typed<MandateTerms | null>('json'),
  /** When the granting decision was sealed. */
  granted_at: 'text',
} as const;
/** A mandate whose row is locked until the end of the transaction. */
export type LockedMandate = RowOf<typeof LOCKED_ROW>;

const lockSql = (lockedRows: '' | 'SKIP LOCKED') => `
  SELECT m.id, m.center_id, m.event_id, m.used, m.spent, m.revoked_at, m.last_use, e.large -> 'action.input' AS terms, r.timestamp AS granted_at
  FROM mandate m
  JOIN ${GRANT} ON e.status = 'sealed'
  JOIN dpu d ON d.id = e.dpu_id
  JOIN ledger_record r ON r.chain_id = d.chain_id AND r.index = d.index
  WHERE m.id = ANY ($ids) ORDER BY m.id FOR UPDATE OF m ${lockedRows}`;
const LOCK = sql('lock_mandates', LOCKED_ROW)`${lockSql('')}`;
const LOCK_FREE = sql('lock_free_mandates', LOCKED_ROW)`${lockSql('SKIP LOCKED')}`;

/** Locks mandates in order of id. Skips those locked by another transaction, unless `wait` is set. */
export async function lockMandates(
  client: PoolClient,
  ids: string[],
  wait: boolean,
): Promise<Map<string, LockedMandate>> {
  if (ids.length === 0) return new Map();
  const rows = await (wait ? LOCK : LOCK_FREE).rows(client, { ids: [...new Set(ids)].sort() });
  return new Map(rows.map((row) => [row.id, row]));
}

/** A use as it is sealed, with the mandate's new totals. The use before it is known when the record is linked. */
export interface MandateUse {
  sealed: Omit<SealedMandate, 'previous'>;
  terms: MandateTerms;
  consumption: Consumption;
}

/** Throws if the mandate does not allow another use. The caller then falls back to normal approval. */
export function useMandate(mandate: LockedMandate, amount: number | null, at: string): MandateUse {
  const { terms, revoked_at: revokedAt } = mandate;
  const consumption = terms && revokedAt === null ? usageAfter(terms, mandate, { amount, at }) : null;
  if (!terms || !consumption) throw new DomainError('CONFLICT', 'The mandate does not cover this call.');
  const { used: use, spent } = consumption;
  const sealed = { id: mandate.id, eventId: mandate.event_id, use, ...(terms.budget && { spent }) };
  return { sealed, terms, consumption };
}

const WRITE_MANDATE_USES = sql('write_mandate_uses')`
  UPDATE mandate m SET used = u.used, spent = u.spent, last_use = u.hash
  FROM unnest($ids::text[], $used::int[], $spent::float8[], $hashes::text[]) u(id, used, spent, hash) WHERE m.id = u.id`;

/** Writes the new totals of mandates and the hash of the last use. Uses are in order, so the last one of each mandate counts. */
export function usesStatement(uses: (MandateUse & { hash: string })[]): Statement {
  const last = [...new Map(uses.map((use) => [use.sealed.id, use])).values()];
  return WRITE_MANDATE_USES.with({
    ids: last.map(({ sealed }) => sealed.id),
    used: last.map(({ consumption }) => consumption.used),
    spent: last.map(({ consumption }) => consumption.spent),
    hashes: last.map(({ hash }) => hash),
  });
}
