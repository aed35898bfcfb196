import type { Tx } from '../../db/database.ts';
import { DomainError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { enqueue } from '../../queue/enqueue.ts';
import type { App } from '../app.ts';
import { ASKED_BY_OTHERS, type MailDraft, mailKinds } from './draft.ts';

const HOUR_MS = 3_600_000;

/** Mails that a change needs cannot be promised where there is no way to send them. */
export function requireMail({ config }: Pick<App, 'config'>): void {
  if (config.mail.target) return;
  throw new DomainError('SERVICE_UNAVAILABLE', 'Mail is not set up here (MAIL_URL), and this needs it.');
}

/**
 * Puts a mail into the outbox in the caller's transaction: it is sent if and only if that commits. Too many to one
 * address, or too many invitations of one center, are refused; what concerns somebody's own account waits instead.
 */
export async function postMail(app: App, tx: Tx, draft: MailDraft, now: Date): Promise<void> {
  const { kind, to, centerId = null } = draft;
  const { invitations, mail } = app.config.rates;
  const refusable = ASKED_BY_OTHERS.includes(kind);
  if (refusable) requireMail(app);
  else if (!app.config.mail.target) return;
  if (kind === 'invitation' && centerId !== null) {
    await lockFor(tx, `invitations:${centerId}`);
    const full = await fullUntil(tx, { centerId, kind }, invitations, now);
    if (full) throw tooMany(`A center may send ${invitations} invitations an hour`, full, now);
  }
  await lockFor(tx, `mail:${to}`);
  const full = await fullUntil(tx, { recipient: to }, mail, now);
  if (full && refusable) throw tooMany(`This address gets ${mail} mails an hour at most`, full, now);
  const id = newId('mal');
  const nextAttemptAt = full ?? now;
  await tx.mail.create({
    data: {
      id,
      kind,
      recipient: to,
      centerId,
      membershipId: 'membershipId' in draft.about ? draft.about.membershipId : null,
      about: mailKinds[kind].parse(draft.about),
      createdAt: now,
      nextAttemptAt,
    },
  });
  await enqueue(tx, 'send_mail', { mailId: id }, { runAt: nextAttemptAt });
}

/** Two that count at once count one after the other. */
async function lockFor(tx: Tx, what: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${what}, 0))`;
}

/** When there is room again, if so many such mails were posted within the last hour; else null. 0 is no limit. */
async function fullUntil(
  tx: Tx,
  where: { centerId: number; kind: string } | { recipient: string },
  most: number,
  now: Date,
): Promise<Date | null> {
  if (most === 0) return null;
  const hourAgo = new Date(now.getTime() - HOUR_MS);
  const [decisive] = await tx.mail.findMany({
    where: { ...where, createdAt: { gt: hourAgo } },
    orderBy: { createdAt: 'desc' },
    skip: most - 1,
    take: 1,
  });
  return decisive ? new Date(decisive.createdAt.getTime() + HOUR_MS) : null;
}

function tooMany(rule: string, until: Date, now: Date): DomainError {
  const retryAfter = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000));
  return new DomainError('RATE_LIMITED', `${rule}; wait ${retryAfter} seconds.`, { retryAfter });
}
