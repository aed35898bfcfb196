import type { Db } from '../../db/database.ts';
import type { NoticeOccasion } from '../../db/generated/prisma/enums.ts';
import { type Infrastructure, systemContext } from '../context.ts';
import { ruledDecisions } from '../decisions/approve/seats.ts';
import { isFinal } from '../decisions/approve/system-rejection.ts';
import { type ApprovingMember, approvalsFor } from '../decisions/approve/waiting.ts';
import { type Texts, textsOf } from '../decisions/read/contents.ts';
import { findDecisionEvents } from '../decisions/read/list-events.ts';
import type { DecisionEventView } from '../decisions/row.ts';
import { type MailContent, safeText } from '../mail/layout.ts';
import type { MailTemplates } from '../mail/templates.ts';
import { approvalRightsOf } from '../memberships/approval-rights.ts';
import { isNeeded } from './approvers.ts';
import { settingOf } from './settings.ts';

/** Decisions listed in a mail. For the rest it gives the number. */
const MOST_NAMED = 20;
const MOST_COUNTED = 1_000;

interface Waiting {
  event: DecisionEventView;
  centerId: number;
  centerDomain: string;
}

/** Mails about decisions. They disclose the action type, the description and a link, and cannot be used to approve. */
export const approvalMails: Pick<MailTemplates, 'approvals_waiting' | 'approvals_digest'> = {
  async approvals_waiting({ actorId }, { app, mailId, now }) {
    const notices = await noticesOf(app.db.acrossTenants, actorId, mailId);
    if ((await settingOf(app, actorId)).mail !== 'IMMEDIATELY') return null;
    const waiting: Waiting[] = [];
    for (const [centerId, ofCenter] of Map.groupBy(notices, (notice) => notice.centerId)) {
      const ids = [...new Set(ofCenter.map(({ eventId }) => eventId))];
      waiting.push(...(await stillNeeded(app, centerId, actorId, ids, now)));
    }
    const isReminder = (id: string) =>
      notices.some(({ eventId, occasion }) => eventId === id && occasion === 'REMINDER');
    const urgent = waiting.filter(({ event }) => isReminder(event.id));
    if (urgent.length === 0) return contentOf(app, waiting, 'waiting for your approval');
    const rest = waiting.filter(({ event }) => !isReminder(event.id));
    return contentOf(app, [...urgent, ...rest], 'waiting for your approval and expiring soon');
  },

  async approvals_digest({ actorId }, { app, now }) {
    if ((await settingOf(app, actorId)).mail !== 'DAILY') return null;
    const memberships = await app.db.acrossTenants.membership.findMany({
      where: { actorId, status: 'ACTIVE' },
      select: { centerId: true },
      orderBy: { centerId: 'asc' },
    });
    const waiting: Waiting[] = [];
    for (const { centerId } of memberships) {
      const ctx = { ...systemContext(app, 'notifications', centerId), now };
      const found = await approverIn(app, centerId, actorId, now);
      if (!found) continue;
      const window = { limit: MOST_COUNTED, after: undefined, before: undefined };
      const approvals = await approvalsFor(ctx, found.approver, window);
      waiting.push(...approvals.map(({ event }) => ({ event, centerId, centerDomain: found.centerDomain })));
    }
    return contentOf(app, waiting, 'waiting for your approval');
  },
};

/** The decisions of this mail: those of an earlier attempt, and those in no other mail. */
async function noticesOf(db: Db, actorId: string, mailId: string) {
  await db.decisionNotice.updateMany({ where: { actorId, mailId: null }, data: { mailId } });
  return db.decisionNotice.findMany({
    where: { mailId },
    select: { eventId: true, centerId: true, occasion: true },
    orderBy: { createdAt: 'asc' },
  }) satisfies Promise<{ occasion: NoticeOccasion }[]>;
}

/** The person as a member of the center; null unless both the membership and the center are active. */
async function approverIn(
  app: Infrastructure,
  centerId: number,
  actorId: string,
  now: Date,
): Promise<{ approver: ApprovingMember; centerDomain: string } | null> {
  const membership = await app.db.acrossTenants.membership.findFirst({
    where: { actorId, centerId, status: 'ACTIVE', center: { status: 'ACTIVE' } },
    include: { center: true },
  });
  if (!membership) return null;
  const rightsById = await approvalRightsOf(app.db.declared([centerId]), [membership.id], now);
  const rights = rightsById.get(membership.id);
  return rights ? { approver: { actorId, rights }, centerDomain: membership.center.centerDomain } : null;
}

/** The given decisions that still need the person's approval. */
async function stillNeeded(
  app: Infrastructure,
  centerId: number,
  actorId: string,
  eventIds: readonly string[],
  now: Date,
): Promise<Waiting[]> {
  const found = await approverIn(app, centerId, actorId, now);
  if (!found) return [];
  const { approver, centerDomain } = found;
  const ctx = { ...systemContext(app, 'notifications', centerId), now };
  const events = (await findDecisionEvents(ctx, eventIds)).filter((event) => !isFinal(event));
  return (await ruledDecisions(ctx, events))
    .filter((decision) => isNeeded(decision, approver, now))
    .map(({ view: event }) => ({ event, centerId, centerDomain }));
}

async function contentOf(
  app: Infrastructure,
  waiting: readonly Waiting[],
  state: string,
): Promise<MailContent | null> {
  const { publicUrl } = app.config;
  const [first] = waiting;
  if (!first) return null;
  const one = waiting.length === 1;
  const subject = one ? `A decision is ${state}` : `${countOf(waiting)} decisions are ${state}`;
  const more = waiting.length - MOST_NAMED;
  return {
    subject,
    lead: `${subject}.`,
    facts: await factsOf(app, waiting.slice(0, MOST_NAMED)),
    actions: [...Map.groupBy(waiting, ({ centerDomain }) => centerDomain)].map(([domain, ofCenter]) => ({
      label: ofCenter.length === 1 ? 'View the decision' : 'View the decisions',
      url: approvalsLink(publicUrl, domain, ofCenter.length === 1 ? ofCenter[0]!.event.id : null),
    })),
    notes: [
      ...(more > 0 ? [`And ${more} more.`] : []),
      'You approve or reject in the console, never in a mail. Choose how often we write under “Your account”.',
    ],
  };
}

/** Type and description of each decision. */
async function factsOf(app: Infrastructure, named: readonly Waiting[]): Promise<[string, string][]> {
  const texts = new Map<DecisionEventView, Texts>();
  for (const [centerId, ofCenter] of Map.groupBy(named, (each) => each.centerId)) {
    const ctx = systemContext(app, 'notifications', centerId);
    const events = ofCenter.map(({ event }) => event);
    for (const [event, read] of await textsOf(ctx, events)) texts.set(event, read);
  }
  return named.map(({ event }) => [
    safeText(event.head.action.type),
    safeText(texts.get(event)?.action.description ?? ''),
  ]);
}

const countOf = ({ length }: readonly Waiting[]) =>
  length < MOST_COUNTED ? length : `${MOST_COUNTED} or more`;

/** The console's list of pending decisions, with one decision opened. */
export function approvalsLink(publicUrl: string, centerDomain: string, eventId: string | null): string {
  const url = new URL(`/c/${encodeURIComponent(centerDomain)}/approvals`, publicUrl);
  if (eventId !== null) url.searchParams.set('event', eventId);
  return url.href;
}
