import type { SealedMandate } from '@countersign/proof-kit/decision';
import type { PoolClient } from '../../../db/database.ts';
import { type RowOf, type Statement, sql, typed } from '../../../db/sql.ts';
import { DomainError } from '../../../lib/errors.ts';
import { currentCenterId, ownRows } from '../../context.ts';
import { isGrant } from '../../policies/mandate-grant.ts';
import type { EventContent } from '../content.ts';
import type { ProofContext } from '../decision-context.ts';
import { MANDATE_KEYS } from './mandate-keys.ts';
import { NOT_USED, type NotUsed, type UnusedMandate, unused } from './not-used.ts';
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

/** How long a mandate that has ended is still named to its agent. */
const RECENT_MS = 7 * 86_400_000;

const VALID_UNTIL = `e.large #>> '{action.input,validUntil}'`;
const IS_USABLE = `m.revoked_at IS NULL AND e.status = 'sealed' AND ${VALID_UNTIL} >= $occurredAt
    AND m.used < coalesce((e.large #>> '{action.input,maxUses}')::int, m.used + 1)`;

/** Those that can be used come first, oldest first; then those that wait or have ended recently, newest first. */
const MANDATES_OF_AGENT = sql('mandates_of_agent', {
  id: 'text',
  used: 'int',
  spent: 'float8',
  /** Why none of its uses is possible, apart from the terms. */
  obstacle: typed<NotUsed | null>('text'),
  terms: typed<MandateTerms>('json'),
})`
  SELECT m.id, m.used, m.spent, e.large -> 'action.input' AS terms,
    CASE WHEN m.revoked_at IS NOT NULL THEN 'revoked' WHEN e.status <> 'sealed' THEN 'pending' END AS obstacle
  FROM mandate m, ${GRANT}
  WHERE m.center_id = $centerId AND m.agent_key = $agent AND e.status <> 'rejected'
    AND ${VALID_UNTIL} >= $recently AND (m.revoked_at IS NULL OR m.revoked_at >= $recently::timestamptz)
    AND ${MANDATE_KEYS} ? $keyId
  ORDER BY CASE WHEN ${IS_USABLE} THEN m.id END, m.id DESC LIMIT ${MOST_TRIED}`;

/** The mandates of an agent and a key that match a call. */
export interface MatchingMandates {
  covers: CoveringMandate[];
  /** Those whose terms or state exclude the call. */
  unused: UnusedMandate[];
}

/** The mandates that match an agent's call with the caller's key. Those of other keys are not looked at. */
export async function matchingMandates(ctx: ProofContext, event: EventContent): Promise<MatchingMandates> {
  const { principal } = ctx;
  const matching: MatchingMandates = { covers: [], unused: [] };
  if (principal.kind !== 'apiKey') return matching;
  const rows = await MANDATES_OF_AGENT.rows(ownRows(ctx), {
    centerId: currentCenterId(ctx),
    agent: agentKey(event.actor.id),
    keyId: principal.keyId,
    occurredAt: event.occurredAt,
    recently: new Date(Date.parse(event.occurredAt) - RECENT_MS).toISOString(),
  });
  for (const { id, obstacle, terms, ...used } of rows) {
    if (!coversAction(terms, event)) continue;
    const cover = obstacle ?? (await coverOf(ctx, { id, terms, ...used }, event));
    if (typeof cover === 'string') matching.unused.push(unused(id, cover));
    else matching.covers.push(cover);
  }
  return matching;
}

/** How a granted mandate covers a call that it matches, or why it does not. */
export async function coverOf(
  ctx: ProofContext,
  { id, terms, ...used }: Consumption & { id: string; terms: MandateTerms },
  { action, riskScore, occurredAt }: Pick<EventContent, 'action' | 'riskScore' | 'occurredAt'>,
): Promise<CoveringMandate | NotUsed> {
  if (isGrant(action.type)) return 'grants';
  const amount = amountOf(terms, action.input);
  if (amount === undefined) return 'no_amount';
  const usage = usageAfter(terms, used, { amount, at: occurredAt });
  if (typeof usage === 'string') return usage;
  const { condition } = terms;
  if (condition === undefined) return { id, amount };
  const scope = { input: action.input ?? {}, riskScore: riskScore ?? null };
  const { holds } = await ctx.app.sandbox.tryCondition(currentCenterId(ctx), condition, scope);
  if (holds) return { id, amount };
  return holds === null ? 'condition_failed' : 'condition_not_met';
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

/** A mandate does not allow another use: the limit that a concurrent call reached, or a change. */
export class MandateRefused extends DomainError {
  readonly reason: NotUsed;

  constructor(reason: NotUsed) {
    super('CONFLICT', NOT_USED[reason]);
    this.reason = reason;
  }
}

/** Throws if the mandate does not allow another use. The caller then falls back to normal approval. */
export function useMandate(mandate: LockedMandate, amount: number | null, at: string): MandateUse {
  const { terms, revoked_at: revokedAt } = mandate;
  if (!terms || revokedAt !== null) throw new MandateRefused('revoked');
  const consumption = usageAfter(terms, mandate, { amount, at });
  if (typeof consumption === 'string') throw new MandateRefused(consumption);
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
