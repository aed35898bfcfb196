// Two-person erasure: if a center requires it, one ADMIN requests an erasure and another one confirms it.

import { type RowOf, sql } from '../../db/sql.ts';
import { DomainError } from '../../lib/errors.ts';
import { type Context, currentCenterId, ownRows } from '../context.ts';
import { type Author, authorOf } from '../principal.ts';
import type { Work } from '../unit-of-work.ts';

const PENDING_ERASURE = {
  /** The decision or the platform record. */
  subject: 'text',
  /** Null means all members. */
  fields: 'text[]?',
  reason: 'text',
  requestedBy: 'uuid',
  requestedAt: 'timestamptz',
} as const;

export type PendingErasure = RowOf<typeof PENDING_ERASURE>;

/** Who requested an erasure and, if the center requires two people, who confirmed it. */
export interface ErasureAuthors {
  by: Author;
  confirmedBy?: Author;
}

const COLUMNS = `subject, fields, reason, requested_by AS "requestedBy", requested_at AS "requestedAt"`;

const ERASURE_NEEDS_TWO = sql('erasure_needs_two', { needsTwo: 'boolean' })`
  SELECT coalesce((settings->>'erasureNeedsTwo')::boolean, false) AS "needsTwo" FROM center WHERE id = $centerId::int FOR SHARE`;

const REQUEST_ERASURE = sql('request_erasure')`
  INSERT INTO pending_erasure (subject, center_id, fields, reason, requested_by, requested_at)
  VALUES ($subject, $centerId::int, $fields::text[], $reason, $id::uuid, $now::timestamptz) ON CONFLICT DO NOTHING`;

/** Whether the erasure was only requested. The setting is locked, so that it cannot change in the meantime. */
export async function requestIfTwoNeeded(
  ctx: Context,
  work: Work,
  { subject, fields, reason }: Pick<PendingErasure, 'subject' | 'fields' | 'reason'>,
): Promise<boolean> {
  const centerId = currentCenterId(ctx);
  const [center] = await ERASURE_NEEDS_TWO.rows(work.db, { centerId });
  if (!center?.needsTwo) return false;
  const { kind, id } = authorOf(ctx.principal);
  if (kind !== 'session' || id === undefined)
    throw new DomainError('FORBIDDEN', 'Only a signed-in administrator can request an erasure here.');
  const written = await REQUEST_ERASURE.run(work.db, {
    subject,
    centerId,
    fields,
    reason,
    id,
    now: ctx.now.toISOString(),
  });
  if (written === 0)
    throw new DomainError(
      'CONFLICT',
      'An erasure was already requested and is waiting for another administrator.',
    );
  const detail = { change: 'erasure requested', fields, reason };
  work.audit({ type: 'center.updated', target: subject, detail });
  return true;
}

const ERASURE_REQUEST = sql('erasure_request', PENDING_ERASURE)`
  SELECT ${COLUMNS} FROM pending_erasure WHERE subject = $subject AND center_id = $centerId::int`;

/** Another ADMIN's request. Throws if there is none, or if the caller made it. */
export async function requireErasureRequest(
  ctx: Context,
  work: Work,
  subject: string,
): Promise<PendingErasure> {
  const [request] = await ERASURE_REQUEST.rows(work.db, { subject, centerId: currentCenterId(ctx) });
  if (!request) throw new DomainError('NOT_FOUND', 'No erasure is waiting for confirmation.');
  const { kind, id } = authorOf(ctx.principal);
  if (kind !== 'session' || id === request.requestedBy)
    throw new DomainError('FORBIDDEN', 'Another administrator must confirm the erasure.');
  return request;
}

const TAKE_ERASURE_REQUEST = sql('take_erasure_request')`
  DELETE FROM pending_erasure WHERE subject = $subject AND center_id = $centerId::int`;

/** The same, and consumes it: of two concurrent confirmations, one succeeds. */
export async function consumeErasureRequest(
  ctx: Context,
  work: Work,
  subject: string,
): Promise<PendingErasure & { authors: ErasureAuthors }> {
  const request = await requireErasureRequest(ctx, work, subject);
  const taken = await TAKE_ERASURE_REQUEST.run(work.db, { subject, centerId: currentCenterId(ctx) });
  if (taken === 0) throw new DomainError('NOT_FOUND', 'No erasure is waiting for confirmation.');
  const by = { kind: 'session', id: request.requestedBy } as const;
  return { ...request, authors: { by, confirmedBy: authorOf(ctx.principal) } };
}

const PENDING_ERASURES = sql('pending_erasures', PENDING_ERASURE)`
  SELECT ${COLUMNS} FROM pending_erasure WHERE subject = ANY ($subjects)`;

/** The requests about some decisions or records, by their ids. */
export async function pendingErasures(
  ctx: Context,
  subjects: readonly string[],
): Promise<Map<string, PendingErasure>> {
  const rows = await PENDING_ERASURES.rows(ownRows(ctx), { subjects });
  return new Map(rows.map((row) => [row.subject, row]));
}
