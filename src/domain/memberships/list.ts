import { z } from 'zod';
import { ActorRole, MembershipStatus } from '../../db/generated/prisma/enums.ts';
import { type CursorWindow, MOST_COUNTED } from '../../lib/paging.ts';
import { escapeLike, lowerCase, plainText } from '../../lib/text.ts';
import { type Context, currentCenterId, ownRows } from '../context.ts';
import { type MemberView, memberInclude, memberView, type ShownRow } from './view.ts';

export const memberFilter = z.object({
  role: z.enum(ActorRole).nullish().describe('Only those with this role.'),
  status: z.enum(MembershipStatus).nullish().describe('Only memberships with this status.'),
  search: plainText(200).nullish().describe('Only people whose email or name contains this text.'),
});

export type MemberFilter = z.infer<typeof memberFilter>;

/**
 * The memberships of the caller's center, newest first. Searches run on every keystroke, so one statement reads everything
 * shown; Prisma would need four.
 */
export async function listMembers(
  ctx: Context,
  filter: MemberFilter,
  { after, before, limit, inverted }: CursorWindow,
): Promise<MemberView[]> {
  const values: unknown[] = [];
  const conditions = chosen(ctx, filter, values);
  if (after) conditions.push(`id < $${values.push(after)}`);
  if (before) conditions.push(`id > $${values.push(before)}`);
  const order = inverted ? 'ASC' : 'DESC';
  const { rows } = await ownRows(ctx).query<ListedRow>({
    text: `SELECT m.id, m.center_id AS "centerId", m.actor_id AS "actorId", m.invited_email AS "invitedEmail",
        m.invited_name AS "invitedName", m.role, m.pending_role AS "pendingRole", m.status, m.specialties, m.invited_at AS "invitedAt",
        m.accepted_at AS "acceptedAt", m.activated_at AS "activatedAt", m.ended_at AS "endedAt",
        a.name AS "actorName", a.email, a.phone, a.contact_phone AS "contactPhone",
        c.name AS "centerName", c.center_domain AS "centerDomain",
        mail.status AS "mailStatus", mail.done_at AS "mailDoneAt"
      FROM (SELECT * FROM membership WHERE ${conditions.join(' AND ')}
        ORDER BY id ${order} LIMIT $${values.push(limit)}) m
      JOIN center c ON c.id = m.center_id
      LEFT JOIN actor a ON a.id = m.actor_id
      LEFT JOIN LATERAL (SELECT status, done_at FROM mail WHERE membership_id = m.id
        ORDER BY created_at DESC LIMIT 1) mail ON m.status = 'INVITED'
      ORDER BY m.id ${order}`,
    values,
  });
  return rows.map((row) => memberView(toShown(row)));
}

interface ListedRow extends Omit<ShownRow, 'actor' | 'center' | 'mails'> {
  /** Null before the invitation is accepted. */
  actorName: string | null;
  email: string | null;
  phone: string | null;
  contactPhone: string | null;
  centerName: string;
  centerDomain: string;
  /** For a pending invitation; null if no mail was sent. */
  mailStatus: ShownRow['mails'][number]['status'] | null;
  mailDoneAt: Date | null;
}

function toShown(row: ListedRow): ShownRow {
  const { actorName: name, email, phone, contactPhone, mailStatus } = row;
  return {
    ...row,
    actor: name === null ? null : { name, email, phone, contactPhone },
    center: { name: row.centerName, centerDomain: row.centerDomain },
    mails: mailStatus ? [{ status: mailStatus, doneAt: row.mailDoneAt }] : [],
  };
}

/** The number of memberships, counted up to a limit. */
export async function countMembers(ctx: Context, filter: MemberFilter): Promise<number> {
  const values: unknown[] = [];
  const conditions = chosen(ctx, filter, values).join(' AND ');
  const { rows } = await ownRows(ctx).query<{ total: number }>({
    text: `SELECT count(*)::int AS total
      FROM (SELECT FROM membership WHERE ${conditions} LIMIT $${values.push(MOST_COUNTED)}) AS counted`,
    values,
  });
  return rows[0]!.total;
}

/** The filter as SQL conditions. Their parameters are added to the values. */
function chosen(ctx: Context, { role, status, search }: MemberFilter, values: unknown[]): string[] {
  const conditions = [`center_id = $${values.push(currentCenterId(ctx))}`];
  if (role) conditions.push(`role = $${values.push(role)}::actor_role`);
  if (status) conditions.push(`status = $${values.push(status)}::membership_status`);
  const words = search?.trim();
  if (words) conditions.push(`shown LIKE $${values.push(`%${inShown(words)}%`)}`);
  return conditions;
}

/**
 * Searches only what is displayed, or a search would reveal more. The database keeps that text in lower case (migration
 * search).
 */
export const peopleMatching = (search: string) => ({ shown: { contains: inShown(search) } });

const inShown = (search: string) => escapeLike(lowerCase(search));

/** One membership of the caller's center: an ADMIN sees all of them, others their own. */
export async function findMember(ctx: Context, id: string): Promise<MemberView | null> {
  const { principal } = ctx;
  if (principal.kind !== 'actor' || !principal.center.open) return null;
  const all = principal.center.role === 'ADMIN';
  const row = await ctx.db.membership.findUnique({
    where: { id, ...(!all && { actorId: { in: principal.familyIds } }) },
    include: memberInclude,
  });
  return row && memberView(row);
}
