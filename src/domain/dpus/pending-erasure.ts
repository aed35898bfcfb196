// Erasure by two: where a center asks for it, one ADMIN requests an erasure and another one confirms it.

import { type SealedAuthor, sealAuthor } from '@countersign/proof-kit/author';
import type { JsonValue } from '@countersign/proof-kit/canonical';
import { sqlIn } from '../../db/sql.ts';
import { DomainError } from '../../lib/errors.ts';
import { newSalt } from '../../lib/salt.ts';
import { type Context, currentCenterId, ownRows } from '../context.ts';
import { type Author, authorOf } from '../principal.ts';
import type { Work } from '../unit-of-work.ts';

export interface PendingErasure {
  /** The decision or the record of the platform. */
  subject: string;
  /** Null: all members. */
  fields: string[] | null;
  reason: string;
  requestedBy: string;
  requestedAt: Date;
}

/** Who asked for an erasure and, where the center asks for two, who confirmed it. */
export interface ErasureAuthors {
  by: Author;
  confirmedBy?: SealedAuthor;
}

const COLUMNS = `subject, fields, reason, requested_by AS "requestedBy", requested_at AS "requestedAt"`;

/** The member of the journal entry that names who confirmed. */
export function named(confirmedBy: SealedAuthor | undefined): { confirmedBy?: JsonValue } {
  return confirmedBy ? { confirmedBy: confirmedBy as unknown as JsonValue } : {};
}

/** Whether the erasure was only requested. The setting is locked, so that it cannot change meanwhile. */
export async function requestIfTwoNeeded(
  ctx: Context,
  work: Work,
  { subject, fields, reason }: Pick<PendingErasure, 'subject' | 'fields' | 'reason'>,
): Promise<boolean> {
  const sql = sqlIn(work.db);
  const centerId = currentCenterId(ctx);
  const [center] = await sql.rows<{ needsTwo: boolean }>({
    name: 'erasure_needs_two',
    text: `SELECT coalesce((settings->>'erasureNeedsTwo')::boolean, false) AS "needsTwo" FROM center WHERE id = $1::int FOR SHARE`,
    values: [centerId],
  });
  if (!center?.needsTwo) return false;
  const { kind, id } = authorOf(ctx.principal);
  if (kind !== 'session' || id === undefined)
    throw new DomainError('FORBIDDEN', 'Only a signed-in administrator can request an erasure here.');
  const written = await sql.rows({
    name: 'request_erasure',
    text: `INSERT INTO pending_erasure (subject, center_id, fields, reason, requested_by, requested_at)
           VALUES ($1, $2::int, $3::text[], $4, $5::uuid, $6::timestamptz) ON CONFLICT DO NOTHING RETURNING subject`,
    values: [subject, centerId, fields, reason, id, ctx.now.toISOString()],
  });
  if (written.length === 0)
    throw new DomainError(
      'CONFLICT',
      'An erasure was requested already and waits for another administrator.',
    );
  const detail = { change: 'erasure requested', fields, reason };
  work.audit({ type: 'center.updated', target: subject, detail });
  return true;
}

/** The request of another ADMIN. Throws where there is none, or where the caller made it. */
export async function requireRequest(ctx: Context, work: Work, subject: string): Promise<PendingErasure> {
  const [request] = await sqlIn(work.db).rows<PendingErasure>({
    name: 'erasure_request',
    text: `SELECT ${COLUMNS} FROM pending_erasure WHERE subject = $1 AND center_id = $2::int`,
    values: [subject, currentCenterId(ctx)],
  });
  if (!request) throw new DomainError('NOT_FOUND', 'No erasure waits for confirmation.');
  const { kind, id } = authorOf(ctx.principal);
  if (kind !== 'session' || id === request.requestedBy)
    throw new DomainError('FORBIDDEN', 'Another administrator must confirm the erasure.');
  return request;
}

/** The same, and takes it: of two who confirm, one does. */
export async function takeRequest(
  ctx: Context,
  work: Work,
  subject: string,
): Promise<PendingErasure & { authors: ErasureAuthors }> {
  const request = await requireRequest(ctx, work, subject);
  const taken = await sqlIn(work.db).rows({
    name: 'take_erasure_request',
    text: 'DELETE FROM pending_erasure WHERE subject = $1 AND center_id = $2::int RETURNING subject',
    values: [subject, currentCenterId(ctx)],
  });
  if (taken.length === 0) throw new DomainError('NOT_FOUND', 'No erasure waits for confirmation.');
  const confirmedBy = sealAuthor(authorOf(ctx.principal), { salt: () => newSalt() }).sealed;
  return { ...request, authors: { by: { kind: 'session', id: request.requestedBy }, confirmedBy } };
}

/** The requests about some decisions or records, by their ids. */
export async function pendingErasures(
  ctx: Context,
  subjects: readonly string[],
): Promise<Map<string, PendingErasure>> {
  const { rows } = await ownRows(ctx).query<PendingErasure>({
    name: 'pending_erasures',
    text: `SELECT ${COLUMNS} FROM pending_erasure WHERE subject = ANY ($1)`,
    values: [subjects],
  });
  return new Map(rows.map((row) => [row.subject, row]));
}
