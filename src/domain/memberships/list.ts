import { z } from 'zod';
import { ActorRole, MembershipStatus } from '../../db/generated/prisma/enums.ts';
import { pages, type RowOf, sql } from '../../db/sql.ts';
import { type CursorWindow, MOST_COUNTED } from '../../lib/paging.ts';
import { escapeLike, lowerCase, plainText } from '../../lib/text.ts';
import { type Context, currentCenterId, ownRows } from '../context.ts';
import { type MemberView, memberInclude, memberView, type ShownRow } from './view.ts';

export const memberFilter = z.object({
  role: z.enum(ActorRole).nullish().describe('Only memberships with this role.'),
  status: z.enum(MembershipStatus).nullish().describe('Only memberships with this status.'),
  search: plainText(200).nullish().describe('Only people whose email or name contains this text.'),
});

export type MemberFilter = z.infer<typeof memberFilter>;

const CHOSEN = `center_id = $centerId AND ($role::actor_role IS NULL OR role = $role)
  AND ($status::membership_status IS NULL OR status = $status) AND ($search::text IS NULL OR shown LIKE $search)`;

const LISTED_ROW = {
  id: 'text',
  centerId: 'int',
  actorId: 'uuid?',
  invitedEmail: 'text?',
  invitedName: 'text?',
  role: 'actor_role',
  pendingRole: 'actor_role?',
  status: 'membership_status',
  specialties: 'text[]',
  emergencyAccess: 'boolean',
  invitedAt: 'timestamptz',
  acceptedAt: 'timestamptz?',
  activatedAt: 'timestamptz?',
  endedAt: 'timestamptz?',
  /** Null before the invitation is accepted. */
  actorName: 'text?',
  email: 'text?',
  phone: 'text?',
  contactPhone: 'text?',
  contactEmail: 'text?',
  homeCenterId: 'int?',
  centerName: 'text',
  centerDomain: 'text',
  /** For a pending invitation; null if no mail was sent. */
  mailStatus: 'mail_status?',
  mailDoneAt: 'timestamptz?',
} as const;
const listSql = (order: 'ASC' | 'DESC') => `
  SELECT m.id, m.center_id AS "centerId", m.actor_id AS "actorId", m.invited_email AS "invitedEmail",
    m.invited_name AS "invitedName", m.role, m.pending_role AS "pendingRole", m.status, m.specialties, m.emergency_access AS "emergencyAccess", m.invited_at AS "invitedAt",
    m.accepted_at AS "acceptedAt", m.activated_at AS "activatedAt", m.ended_at AS "endedAt",
    a.name AS "actorName", a.email, a.phone, a.contact_phone AS "contactPhone", a.contact_email AS "contactEmail", a.home_center_id AS "homeCenterId",
    c.name AS "centerName", c.center_domain AS "centerDomain",
    mail.status AS "mailStatus", mail.done_at AS "mailDoneAt"
  FROM (SELECT * FROM membership
    WHERE ${CHOSEN} AND ($after::text IS NULL OR id < $after) AND ($before::text IS NULL OR id > $before)
    ORDER BY id ${order} LIMIT $limit) m
  JOIN center c ON c.id = m.center_id
  LEFT JOIN actor a ON a.id = m.actor_id
  LEFT JOIN LATERAL (SELECT status, done_at FROM mail WHERE membership_id = m.id
    ORDER BY created_at DESC LIMIT 1) mail ON m.status = 'INVITED'
  ORDER BY m.id ${order}`;
const readPage = pages(null, LISTED_ROW, listSql);
const COUNT = sql(null, { total: 'int' })`
  SELECT count(*)::int AS total FROM (SELECT FROM membership WHERE ${CHOSEN} LIMIT ${MOST_COUNTED}) AS counted`;

const chosenBy = (ctx: Context, { role, status, search }: MemberFilter) => ({
  centerId: currentCenterId(ctx),
  role: role ?? null,
  status: status ?? null,
  search: search?.trim() ? `%${inShown(search.trim())}%` : null,
});

/**
 * The memberships of the caller's center, newest first. Searches run on every keystroke, so one statement reads everything
 * shown; Prisma would need four.
 */
export async function listMembers(
  ctx: Context,
  filter: MemberFilter,
  window: CursorWindow,
): Promise<MemberView[]> {
  const rows = await readPage(ownRows(ctx), window, chosenBy(ctx, filter));
  return rows.map((row) => memberView(toShown(row)));
}

function toShown(row: RowOf<typeof LISTED_ROW>): ShownRow {
  const { actorName: name, email, phone, contactPhone, contactEmail, homeCenterId, mailStatus } = row;
  return {
    ...row,
    actor: name === null ? null : { name, email, phone, contactPhone, contactEmail, homeCenterId },
    center: { name: row.centerName, centerDomain: row.centerDomain },
    mails: mailStatus ? [{ status: mailStatus, doneAt: row.mailDoneAt }] : [],
  };
}

/** The number of memberships, counted up to a limit. */
export async function countMembers(ctx: Context, filter: MemberFilter): Promise<number> {
  const [row] = await COUNT.rows(ownRows(ctx), chosenBy(ctx, filter));
  return row!.total;
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
