import type { Db } from '../../db/database.ts';
import type { Infrastructure } from '../context.ts';
import { type MailContent, type MailItem, safeText } from '../mail/layout.ts';
import type { MailTemplates } from '../mail/templates.ts';
import { approvalsLink, questionItem, requestItems } from './mail-items.ts';
import { settingOf } from './settings.ts';
import { allWaiting, MAX_COUNTED, stillWaiting, type WaitingItems } from './waiting-for.ts';

/** Requests and questions listed in a mail. For the rest it gives the number. */
const MAX_LISTED = 20;

/** Mails about requests and questions. Each item links to the console; a mail cannot be used to decide. */
export const approvalMails: Pick<MailTemplates, 'approvals_waiting' | 'approvals_digest'> = {
  async approvals_waiting({ actorId }, { app, mailId, now }) {
    const notices = await noticesOf(app.db.acrossTenants, actorId, mailId);
    if ((await settingOf(app, actorId)).mail !== 'IMMEDIATELY') return null;
    const waiting = await waitingOf(app, actorId, notices, now);
    const reminded = new Set(
      notices.flatMap(({ isReminder, eventId }) => (isReminder ? (eventId ?? []) : [])),
    );
    const urgent = waiting.requests.filter(({ event }) => reminded.has(event.id));
    if (urgent.length === 0) return contentOf(app, waiting, '', now);
    const rest = waiting.requests.filter(({ event }) => !reminded.has(event.id));
    return contentOf(app, { ...waiting, requests: [...urgent, ...rest] }, ' and expiring soon', now);
  },

  async approvals_digest({ actorId }, { app, now }) {
    if ((await settingOf(app, actorId)).mail !== 'DAILY') return null;
    return contentOf(app, await allWaiting(app, actorId, now), '', now);
  },
};

interface Notice {
  centerId: number;
  eventId?: string;
  executionId?: string;
  isReminder: boolean;
}

/** What this mail is about: the notices of an earlier attempt, and those in no other mail. */
async function noticesOf(db: Db, actorId: string, mailId: string): Promise<Notice[]> {
  const unsent = { where: { actorId, mailId: null }, data: { mailId } };
  await db.decisionNotice.updateMany(unsent);
  await db.questionNotice.updateMany(unsent);
  const chosen = { where: { mailId }, orderBy: { createdAt: 'asc' } } as const;
  const decisions = await db.decisionNotice.findMany(chosen);
  const questions = await db.questionNotice.findMany(chosen);
  return [
    ...decisions.map(({ centerId, eventId, occasion }) => ({
      centerId,
      eventId,
      isReminder: occasion === 'REMINDER',
    })),
    ...questions.map(({ centerId, executionId }) => ({ centerId, executionId, isReminder: false })),
  ];
}

/** What still waits of the notices. If there were too many to note them all, it is everything that waits. */
async function waitingOf(
  app: Infrastructure,
  actorId: string,
  notices: readonly Notice[],
  now: Date,
): Promise<WaitingItems> {
  if (notices.length >= MAX_COUNTED) return allWaiting(app, actorId, now);
  const waiting: WaitingItems = { requests: [], questions: [] };
  for (const [centerId, ofCenter] of Map.groupBy(notices, (notice) => notice.centerId)) {
    const eventIds = new Set(ofCenter.flatMap(({ eventId }) => eventId ?? []));
    const executionIds = new Set(ofCenter.flatMap(({ executionId }) => executionId ?? []));
    const told = { eventIds: [...eventIds], executionIds: [...executionIds] };
    const { requests, questions } = await stillWaiting(app, centerId, actorId, told, now);
    waiting.requests.push(...requests);
    waiting.questions.push(...questions);
  }
  return waiting;
}

async function contentOf(
  app: Infrastructure,
  { requests, questions }: WaitingItems,
  also: string,
  now: Date,
): Promise<MailContent | null> {
  const all = [...questions, ...requests];
  const [first] = all;
  if (!first) return null;
  const { publicUrl } = app.config;
  const domains = new Map(all.map(({ center }) => [center.domain, center.name]));
  const place = domains.size === 1 ? `in ${safeText(first.center.name)}` : `in ${domains.size} centers`;
  const subject = `${whatWaits(requests.length, questions.length)} ${place} ${all.length === 1 ? 'is' : 'are'} waiting for you${also}`;
  const listed = requests.slice(0, MAX_LISTED);
  const items: MailItem[] = [
    ...(await requestItems(app, listed, now)),
    ...questions.slice(0, MAX_LISTED - listed.length).map((question) => questionItem(publicUrl, question)),
  ];
  const more = all.length - items.length;
  return {
    subject,
    lead: `${subject}.`,
    facts: [],
    items,
    actions:
      more > 0
        ? [...domains].map(([domain, name]) => ({
            label: domains.size === 1 ? 'Open all requests' : `Open all requests of ${safeText(name)}`,
            url: approvalsLink(publicUrl, domain, null),
          }))
        : [],
    notes: [
      ...(more > 0 ? [`And ${more} more.`] : []),
      'You decide in the console, never in a mail. Choose how often we write under “Your account”.',
    ],
  };
}

/** Such as `3 requests and a question`. */
function whatWaits(requests: number, questions: number): string {
  const parts = [countOf(requests, 'request'), countOf(questions, 'question')].filter((part) => part !== '');
  const words = parts.join(' and ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function countOf(count: number, noun: string): string {
  if (count === 0) return '';
  if (count === 1) return `a ${noun}`;
  return count < MAX_COUNTED ? `${count} ${noun}s` : `${MAX_COUNTED} or more ${noun}s`;
}
