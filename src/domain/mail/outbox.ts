import type { Tx } from '../../db/database.ts';
import { DomainError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { enqueue } from '../../queue/enqueue.ts';
import type { Infrastructure } from '../context.ts';
import { type MailDraft, type MailKind, mailKinds, REFUSABLE_MAILS } from './draft.ts';

const HOUR_MS = 3_600_000;

/** Changes that need a mail cannot be made if no mail transport is configured. */
function requireMail({ config }: Pick<Infrastructure, 'config'>): void {
  if (config.mail.target) return;
  throw new DomainError('SERVICE_UNAVAILABLE', 'This operation sends mail, but MAIL_URL is not set.');
}

/** Mails that a person requests on behalf of a center. */
const BY_CENTERS: MailKind[] = ['invitation', 'role_change', 'identity_link'];

/** Mails with repetitive content: one is not sent soon after another to the same address and center. */
const SPACED_OUT: MailKind[] = ['password_reset', 'calendar_request', 'calendar_clash'];

/**
 * Adds a mail to the outbox in the caller's transaction: it is sent if and only if that commits. Each cause has its own quota.
 * Too many invitations of one center, or to one address, are refused. Links to set a password are rate limited: a repeated
 * request is not sent too soon, because the earlier link still works. So are calendar notices. Mails about pending decisions
 * are rate limited too, and the next one lists everything since. Notices about changes to a person's account have no quota, so
 * that no one can suppress them.
 */
export async function postMail(app: Infrastructure, tx: Tx, draft: MailDraft, now: Date): Promise<void> {
  const { kind, to, centerId = null } = draft;
  const { invitations, mail } = app.config.rates;
  if (REFUSABLE_MAILS.includes(kind)) requireMail(app);
  else if (!app.config.mail.target) return;
  if (BY_CENTERS.includes(kind)) {
    if (centerId !== null) {
      await lockFor(tx, `invitations:${centerId}`);
      const full = await fullUntil(tx, { centerId, kind: { in: BY_CENTERS } }, invitations, now);
      if (full) throw tooMany(`A center may send ${invitations} invitations an hour`, full, now);
    }
    await lockFor(tx, `mail:${to}`);
    const full = await fullUntil(tx, { recipient: to, kind: { in: BY_CENTERS } }, mail, now);
    if (full) throw tooMany(`This address can receive ${mail} invitations an hour`, full, now);
  }
  if (SPACED_OUT.includes(kind) && mail > 0) {
    await lockFor(tx, `mail:${to}`);
    const since = new Date(now.getTime() - HOUR_MS / mail);
    const recent = { recipient: to, kind, centerId, createdAt: { gt: since } };
    if ((await tx.mail.count({ where: recent })) > 0) return;
  }
  let runAt = now;
  if (kind === 'approvals_waiting') {
    await lockFor(tx, `mail:${to}`);
    const last = await tx.mail.findFirst({
      where: { recipient: to, kind, status: { not: 'DROPPED' } },
      orderBy: { createdAt: 'desc' },
    });
    if (last?.status === 'WAITING') return;
    if (last && mail > 0) {
      const spaced = (last.doneAt ?? last.createdAt).getTime() + HOUR_MS / mail;
      runAt = new Date(Math.max(now.getTime(), spaced));
    }
  }
  const id = newId('mal');
  await tx.mail.create({
    data: {
      id,
      kind,
      recipient: to,
      centerId,
      membershipId: 'membershipId' in draft.about ? draft.about.membershipId : null,
      about: mailKinds[kind].parse(draft.about),
      createdAt: now,
      nextAttemptAt: runAt,
    },
  });
  await enqueue(tx, 'send_mail', { mailId: id }, { runAt });
}

/** Concurrent counts are serialized. */
async function lockFor(tx: Tx, what: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${what}, 0))`;
}

/** When the next mail is allowed, if the hourly limit was reached; otherwise null. 0 means no limit. */
async function fullUntil(
  tx: Tx,
  where: { centerId?: number; recipient?: string; kind: { in: MailKind[] } },
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
