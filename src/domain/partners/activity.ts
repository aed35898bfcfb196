import type { Prisma } from '../../db/database.ts';
import type { AuditEntry, Payment } from '../../db/generated/prisma/client.ts';
import { validationError } from '../../lib/errors.ts';
import { type AskedPage, type CursorWindow, type Page, readPage } from '../../lib/paging.ts';
import type { Context } from '../context.ts';
import { sumTallies, tallyKeys } from '../tallies/tally.ts';
import { currentPartnerId } from './partner-access.ts';

/** The position of an item in a list ordered by time. */
interface MomentKey {
  occurredAt: Date;
  id: string;
}

/** Everything on one side of an item. The separate bound on the time lets PostgreSQL use an index. */
function beforeOrAfter({ occurredAt, id }: MomentKey, side: 'lt' | 'gt') {
  return {
    occurredAt: side === 'lt' ? { lte: occurredAt } : { gte: occurredAt },
    OR: [{ occurredAt: { [side]: occurredAt } }, { occurredAt, id: { [side]: id } }],
  };
}

/** A page of the payments for the partner's centers, newest first. */
export function sliceOfPayments(
  ctx: Context,
  { limit, after, before, inverted }: CursorWindow<MomentKey>,
): Promise<Payment[]> {
  const direction = inverted ? 'asc' : 'desc';
  return ctx.reads.acrossTenants.payment.findMany({
    where: {
      partnerId: currentPartnerId(ctx),
      AND: [after ? beforeOrAfter(after, 'lt') : {}, before ? beforeOrAfter(before, 'gt') : {}],
    },
    orderBy: [{ occurredAt: direction }, { id: direction }],
    take: limit,
  });
}

/** The payments with these ids that are for the partner's centers. */
export function paymentsById(ctx: Context, ids: string[]): Promise<Payment[]> {
  return ctx.reads.acrossTenants.payment.findMany({
    where: { id: { in: ids }, partnerId: currentPartnerId(ctx) },
    orderBy: { id: 'asc' },
  });
}

/** Whole days in UTC, both ends inclusive, as YYYY-MM-DD. */
export interface DayRange {
  startDate?: string | null | undefined;
  endDate?: string | null | undefined;
}

const FIRST_DAY = '0000-01-01';
const LAST_DAY = '9999-12-31';
const DAY_MS = 86_400_000;

function checked({ startDate, endDate }: DayRange) {
  const [first, last] = [startDate ?? FIRST_DAY, endDate ?? LAST_DAY];
  if (first > last) throw validationError([{ path: 'endDate', message: 'must not come before startDate' }]);
  return { first, last };
}

/** Exact for any number of entries: the sum of the daily counts. */
export function countAudit(ctx: Context, range: DayRange): Promise<number> {
  const { first, last } = checked(range);
  const partnerId = currentPartnerId(ctx);
  return sumTallies(
    ctx.reads.declared([]),
    tallyKeys.auditOn(partnerId, first),
    tallyKeys.auditOn(partnerId, last),
  );
}

/** A page of audit entries of the partner's centers and the partner itself, newest first. */
export async function listAudit(
  ctx: Context,
  { startDate, endDate, ...asked }: DayRange & AskedPage,
): Promise<Page<AuditEntry>> {
  const range = { startDate, endDate };
  return readPage(asked, await countAudit(ctx, range), (window) => sliceOfAudit(ctx, range, window));
}

/** A range of them, for pages and connections. */
export function sliceOfAudit(
  ctx: Context,
  range: DayRange,
  { limit, skip = 0, after, before, inverted }: CursorWindow<MomentKey>,
): Promise<AuditEntry[]> {
  checked(range);
  const direction = inverted ? 'asc' : 'desc';
  return ctx.reads.acrossTenants.auditEntry.findMany({
    where: {
      partnerId: currentPartnerId(ctx),
      AND: [days(range), after ? beforeOrAfter(after, 'lt') : {}, before ? beforeOrAfter(before, 'gt') : {}],
    },
    orderBy: [{ occurredAt: direction }, { id: direction }],
    take: limit,
    skip,
  });
}

/** The entries with these ids that are the partner's, in the order they were written. */
export function auditById(ctx: Context, ids: string[]): Promise<AuditEntry[]> {
  return ctx.reads.acrossTenants.auditEntry.findMany({
    where: { id: { in: ids }, partnerId: currentPartnerId(ctx) },
    orderBy: { id: 'asc' },
  });
}

function days({ startDate, endDate }: DayRange): Prisma.AuditEntryWhereInput {
  return {
    occurredAt: {
      ...(startDate && { gte: new Date(startDate) }),
      ...(endDate && { lt: new Date(new Date(endDate).getTime() + DAY_MS) }),
    },
  };
}
