import { columnsOf, pages, type RowOf, sql, typed } from '../../../db/sql.ts';
import { DomainError, requireFound, validationError } from '../../../lib/errors.ts';
import { looksLikeId, newId } from '../../../lib/ids.ts';
import type { CursorWindow } from '../../../lib/paging.ts';
import { announceDecisions } from '../../announcements.ts';
import { type Context, currentCenterId, ownRows } from '../../context.ts';
import { sealedName } from '../../identity/sealed-name.ts';
import { authoredEntry } from '../../ledger/chains/journal.ts';
import { beginPolicyChange } from '../../ledger/sealer/policy-order.ts';
import { authorOf } from '../../principal.ts';
import { transact } from '../../unit-of-work.ts';
import type { EventContent } from '../content.ts';
import type { ProofContext } from '../decision-context.ts';
import { findDecisionEvents } from '../read/list-events.ts';
import { insertEventsIn } from '../record/insert-events.ts';
import { draftDecision, reserveStorage } from '../record/record.ts';
import type { DecisionEventView } from '../row.ts';
import { keysFor, MANDATE_KEYS } from './mandate-keys.ts';
import { agentKey, GRANT, isExhausted, type MandateTerms, type RequestMandateInput } from './terms.ts';

const DAY_MS = 86_400_000;
const MOST_DAYS = 366;

export type MandateStatus = 'pending' | 'active' | 'exhausted' | 'expired' | 'revoked' | 'rejected';

export interface RequestedMandate {
  mandateId: string;
  eventId: string;
  status: 'pending';
}

/** Records the decision that would grant a mandate, which waits for a person's approval. */
export async function requestMandate(
  ctx: ProofContext,
  input: RequestMandateInput,
): Promise<RequestedMandate> {
  checkTerms(ctx, input);
  const centerId = currentCenterId(ctx);
  const mandateId = newId('mnd', ctx.now.getTime());
  const { validFrom, validUntil, ...rest } = input;
  const terms: MandateTerms = {
    mandateId,
    ...(rest as Omit<MandateTerms, 'mandateId' | 'keys' | 'validFrom' | 'validUntil'>),
    keys: await keysFor(ctx, input.keys),
    ...(validFrom && { validFrom: validFrom.toISOString() }),
    validUntil: validUntil.toISOString(),
  };
  const draft = draftDecision(
    ctx,
    {
      type: GRANT.type,
      actor: requesterActor(ctx),
      action: { type: GRANT.action, description: input.reason, input: { ...terms } },
    },
    { awaitsApproval: true, expiresAt: validUntil },
  );
  // The transaction marks the caller's Idempotency-Key as completed.
  draft.claim = null;
  await reserveStorage(ctx, draft);
  const eventId = draft.event.id;
  const requested = await transact(ctx, async (work): Promise<RequestedMandate> => {
    await insertEventsIn(work.db, [draft]);
    await work.db.mandate.create({
      data: { id: mandateId, centerId, eventId, agentKey: agentKey(input.agent.id), createdAt: ctx.now },
    });
    return { mandateId, eventId, status: 'pending' };
  });
  announceDecisions(ctx.app.bus, centerId, [requested.eventId]);
  return requested;
}

function checkTerms(ctx: ProofContext, { condition, validFrom, validUntil }: RequestMandateInput): void {
  const fault = condition === undefined ? null : ctx.app.sandbox.conditionProblem(condition);
  if (fault !== null) throw validationError([{ path: 'condition', message: fault }]);
  const problem = (path: string, message: string) => validationError([{ path, message }]);
  if (validUntil <= ctx.now) throw problem('validUntil', 'must be in the future');
  if (validUntil.getTime() - ctx.now.getTime() > MOST_DAYS * DAY_MS) {
    throw problem('validUntil', `must be at most ${MOST_DAYS} days away`);
  }
  if (validFrom && validFrom >= validUntil) throw problem('validFrom', 'must be before validUntil');
}

function requesterActor({ principal, now }: Context): EventContent['actor'] {
  if (principal.kind === 'actor') {
    return { id: principal.actorId, type: 'human', name: sealedName(principal, now) };
  }
  const { id = 'countersign' } = authorOf(principal);
  return { id, type: 'system' };
}

const OWN_ROW = {
  id: 'text',
  eventId: 'text',
  used: 'int',
  spent: 'float8',
  revokedAt: 'timestamptz?',
  createdAt: 'timestamptz',
} as const;
const MANDATE_ROW = {
  ...OWN_ROW,
  status: 'decision_event_status',
  /** Null once the input of the granting decision is erased. The mandate then allows nothing. */
  terms: typed<MandateTerms | null>('json'),
  keys: typed<string[]>('jsonb'),
} as const;
type MandateRow = RowOf<typeof MANDATE_ROW>;

export interface MandateView extends Omit<MandateRow, 'status'> {
  status: MandateStatus;
}

const SELECT = `SELECT ${columnsOf('m', OWN_ROW)}, e.status, e.large -> 'action.input' AS terms,
    ${MANDATE_KEYS} AS keys
  FROM mandate m JOIN decision_event e ON e.id = m.event_id WHERE m.center_id = $centerId`;
const BY_ID = sql('mandate_by_id', MANDATE_ROW)`${SELECT} AND m.id = $id`;
const readPage = pages(
  'mandates',
  MANDATE_ROW,
  (order) => `
    ${SELECT} AND ($after::text IS NULL OR m.id < $after) AND ($before::text IS NULL OR m.id > $before)
    ORDER BY m.id ${order} LIMIT $limit`,
);

/** More than a center grants at a time; a simulation looks at the newest. */
const MOST_ACTIVE = 200;
const ACTIVE = sql('active_mandates_by_center', MANDATE_ROW)`
  ${SELECT} AND m.revoked_at IS NULL AND e.status = 'sealed' AND e.large #>> '{action.input,validUntil}' >= $now
  ORDER BY m.id DESC LIMIT ${MOST_ACTIVE}`;
const BY_EVENT = sql('mandates_by_event', MANDATE_ROW)`${SELECT} AND m.event_id = ANY ($eventIds)`;

/** The granting decision is the only source for whether a mandate was granted. */
function statusOf({ status, terms, revokedAt, ...used }: MandateRow, now: Date): MandateStatus {
  if (status === 'rejected') return 'rejected';
  if (revokedAt !== null || terms === null) return 'revoked';
  if (status !== 'sealed') return 'pending';
  if (isExhausted(terms, used)) return 'exhausted';
  return terms.validUntil < now.toISOString() ? 'expired' : 'active';
}

const toView = (row: MandateRow, now: Date): MandateView => ({ ...row, status: statusOf(row, now) });

export async function getMandate(ctx: Context, id: string): Promise<MandateView> {
  const centerId = currentCenterId(ctx);
  const [row] = looksLikeId(id) ? await BY_ID.rows(ownRows(ctx), { centerId, id }) : [];
  return toView(requireFound(row, 'Mandate not found.'), ctx.now);
}

/** Newest first. */
export async function listMandates(ctx: Context, window: CursorWindow): Promise<MandateView[]> {
  const rows = await readPage(ownRows(ctx), window, { centerId: currentCenterId(ctx) });
  return rows.map((row) => toView(row, ctx.now));
}

/** Those that approve calls within their limits, newest first. */
export async function activeMandates(ctx: Context): Promise<MandateView[]> {
  const rows = await ACTIVE.rows(ownRows(ctx), {
    centerId: currentCenterId(ctx),
    now: ctx.now.toISOString(),
  });
  return rows.map((row) => toView(row, ctx.now)).filter(({ status }) => status === 'active');
}

/** The mandates that decisions grant or would grant, by event id. */
export async function mandatesOfEvents(
  ctx: Context,
  eventIds: readonly string[],
): Promise<Map<string, MandateView>> {
  const rows = await BY_EVENT.rows(ownRows(ctx), { centerId: currentCenterId(ctx), eventIds });
  return new Map(rows.map((row) => [row.eventId, toView(row, ctx.now)]));
}

const USES_OF_MANDATE = sql('uses_of_mandate', { eventId: 'text' })`
  SELECT event_id AS "eventId" FROM approval
  WHERE content #>> '{by,kind}' = 'mandate' AND content #>> '{by,id}' = $id AND center_id = $centerId ORDER BY created_at DESC, id DESC LIMIT $limit`;

/** The decisions that a mandate approved, newest first. */
export async function usesOfMandate(ctx: Context, id: string, limit: number): Promise<DecisionEventView[]> {
  const rows = await USES_OF_MANDATE.rows(ownRows(ctx), { id, centerId: currentCenterId(ctx), limit });
  return findDecisionEvents(
    ctx,
    rows.map(({ eventId }) => eventId),
  );
}

/**
 * Revokes a mandate for every use that is not sealed yet, in all processes. Like a change of policies, it waits for seals in
 * progress, so that the sizes of the journal that a use names tell whether it was sealed before the revocation.
 */
export async function revokeMandate(ctx: Context, id: string, reason?: string): Promise<MandateView> {
  const { eventId, status } = await getMandate(ctx, id);
  if (status === 'rejected')
    throw new DomainError('CONFLICT', 'The mandate was rejected, so there is nothing to revoke.');
  const centerId = currentCenterId(ctx);
  await transact(ctx, async (work) => {
    const revokedAt = await beginPolicyChange(work.db, centerId, ctx.now);
    work.notBefore(revokedAt);
    const { count } = await work.db.mandate.updateMany({
      where: { id, revokedAt: null },
      data: { revokedAt, revokeReason: reason ?? null },
    });
    if (count === 0) throw new DomainError('CONFLICT', 'The mandate was already revoked.');
    const content = { kind: 'mandate', change: 'revoked', mandateId: id, eventId } as const;
    work.journal(authoredEntry(centerId, id, { author: authorOf(ctx.principal), content }));
  });
  return getMandate(ctx, id);
}
