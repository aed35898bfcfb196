import type { SealedMandate } from '@countersign/proof-kit/sealed-decision';
import type { PoolClient } from '../../db/database.ts';
import type { Statement } from '../../db/sql.ts';
import { DomainError } from '../../lib/errors.ts';
import { currentCenterId, ownRows } from '../context.ts';
import type { EventContent } from './content.ts';
import {
  afterUse,
  agentKey,
  amountOf,
  type Consumption,
  coversAction,
  type MandateTerms,
} from './mandate-terms.ts';
import type { ProofContext } from './proof-context.ts';

/** A mandate that covers a call, as far as its terms tell; whether enough of it is left is decided when it is sealed. */
export interface Cover {
  id: string;
  /** What the call takes from the budget; null without one. */
  amount: number | null;
}

/** One agent rarely has more at a time; the oldest are used first. */
const MOST_TRIED = 20;

/** The mandates that may approve an agent's call. */
export async function coveringMandates(ctx: ProofContext, event: EventContent): Promise<Cover[]> {
  const centerId = currentCenterId(ctx);
  const { rows } = await ownRows(ctx).query<Consumption & { id: string; terms: MandateTerms }>({
    name: 'mandates_of_agent',
    text: `SELECT m.id, m.used, m.spent, e.action_input AS terms FROM mandate m JOIN decision_event e ON e.id = m.event_id
           WHERE m.center_id = $1 AND m.agent_key = $2 AND m.revoked_at IS NULL AND e.status = 'sealed'
             AND e.action_input IS NOT NULL AND e.action_input->>'validUntil' >= $3
             AND m.used < coalesce((e.action_input->>'maxUses')::int, m.used + 1)
           ORDER BY m.id LIMIT ${MOST_TRIED}`,
    values: [centerId, agentKey(event.actor.id), event.occurredAt],
  });
  const covers: Cover[] = [];
  for (const { id, terms, ...used } of rows) {
    const amount = amountOf(terms, event.action.input);
    if (amount === undefined || !coversAction(terms, event)) continue;
    if (!afterUse(terms, used, { amount, at: event.occurredAt })) continue;
    const scope = { input: event.action.input ?? {}, riskScore: event.riskScore ?? null };
    const { condition } = terms;
    if (condition !== undefined && !(await ctx.app.sandbox.conditionHolds(centerId, condition, scope)))
      continue;
    covers.push({ id, amount });
  }
  return covers;
}

/** A mandate whose row is locked until the end of the transaction. */
export interface LockedMandate extends Consumption {
  id: string;
  center_id: number;
  event_id: string;
  revoked_at: Date | null;
  terms: MandateTerms | null;
  /** When the decision that grants it was sealed. */
  granted_at: string;
}

const LOCK = `
  SELECT m.id, m.center_id, m.event_id, m.used, m.spent, m.revoked_at, e.action_input AS terms, r.timestamp AS granted_at
  FROM mandate m
  JOIN decision_event e ON e.id = m.event_id AND e.status = 'sealed'
  JOIN dpu d ON d.id = e.dpu_id
  JOIN ledger_record r ON r.chain_id = d.chain_id AND r.index = d.index
  WHERE m.id = ANY ($1) ORDER BY m.id FOR UPDATE OF m`;

/** Locks mandates in a stable order, by id. Those that another transaction holds are left out unless it waits for them. */
export async function lockMandates(
  client: PoolClient,
  ids: string[],
  wait: boolean,
): Promise<Map<string, LockedMandate>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<LockedMandate>({
    name: wait ? 'lock_mandates' : 'lock_free_mandates',
    text: wait ? LOCK : `${LOCK} SKIP LOCKED`,
    values: [[...new Set(ids)].sort()],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** A use as it is sealed, with what the mandate came to by it. */
export interface MandateUse {
  sealed: SealedMandate;
  terms: MandateTerms;
  consumption: Consumption;
}

/** Throws where the mandate does not allow another use; the caller takes the ordinary way then. */
export function useMandate(mandate: LockedMandate, amount: number | null, at: string): MandateUse {
  const { terms, revoked_at: revokedAt } = mandate;
  const consumption = terms && revokedAt === null ? afterUse(terms, mandate, { amount, at }) : null;
  if (!terms || !consumption) throw new DomainError('CONFLICT', 'The mandate does not cover this call.');
  const { used: use, spent } = consumption;
  const sealed = { id: mandate.id, eventId: mandate.event_id, use, ...(terms.budget && { spent }) };
  return { sealed, terms, consumption };
}

/** Writes what mandates came to. Uses come in their order: the last of a mandate counts. */
export function usesStatement(uses: MandateUse[]): Statement {
  const last = [...new Map(uses.map((use) => [use.sealed.id, use])).values()];
  return {
    name: 'write_mandate_uses',
    text: `UPDATE mandate m SET used = u.used, spent = u.spent
           FROM unnest($1::text[], $2::int[], $3::float8[]) u(id, used, spent) WHERE m.id = u.id`,
    values: [
      last.map(({ sealed }) => sealed.id),
      last.map(({ consumption }) => consumption.used),
      last.map(({ consumption }) => consumption.spent),
    ],
  };
}
