import type { Mail } from '../../db/generated/prisma/client.ts';
import type { Sent } from '../../lib/mail/message.ts';
import { enqueue } from '../../queue/enqueue.ts';
import { brandsOf } from '../branding/brand.ts';
import type { Infrastructure } from '../context.ts';
import { type MailKind, mailKinds } from './draft.ts';
import { type MailBrand, render } from './layout.ts';
import type { MailContext, MailTemplates } from './templates.ts';

/**
 * Makes one attempt to send a mail. It is written again for each attempt, with new tokens. Tokens of an attempt with an
 * unknown result stay valid, because that mail may have arrived.
 */
export async function sendMail(app: Infrastructure, mailId: string, templates: MailTemplates): Promise<void> {
  const mail = await app.db.acrossTenants.mail.findUnique({ where: { id: mailId } });
  if (mail?.status !== 'WAITING') return;
  const sent = await attempt(app, mail, templates);
  if (sent === null) return settle(app, mail, { status: 'DROPPED' });
  app.log.info({ mail: mail.id, kind: mail.kind, attempt: mail.attempts + 1, ...sent }, 'mail');
  if (sent.outcome === 'sent') return settle(app, mail, { status: 'SENT' });
  if (sent.outcome === 'refused') return settle(app, mail, { status: 'FAILED', problem: sent.reason });
  return tryLater(app, mail, sent.reason);
}

async function attempt(app: Infrastructure, mail: Mail, templates: MailTemplates): Promise<Sent | null> {
  const { transport, config } = app;
  if (!transport) return { outcome: 'later', reason: 'MAIL_URL is not set' };
  const now = new Date();
  const kind = mail.kind as MailKind;
  const write = templates[kind] as (
    facts: unknown,
    occasion: MailContext,
  ) => ReturnType<MailTemplates[MailKind]>;
  const content = await write(mailKinds[kind].parse(mail.about), {
    app,
    mailId: mail.id,
    to: mail.recipient,
    now,
  });
  if (!content) return null;
  const { id, recipient: to } = mail;
  return transport.send({
    id,
    from: config.mail.from,
    to,
    at: now,
    ...render(content, config.publicUrl, await brandOf(app, mail)),
  });
}

/** The brand of the center that a mail is about. */
async function brandOf({ db, config }: Infrastructure, mail: Mail): Promise<MailBrand | undefined> {
  const { membershipId } = mail;
  const centerId =
    mail.centerId ??
    (membershipId &&
      (await db.acrossTenants.membership.findUnique({ where: { id: membershipId } }))?.centerId);
  if (!centerId) return undefined;
  const brands = await brandsOf(db.declared('acrossTenants'), [centerId], config.enforcePlanFeatures);
  const brand = brands.get(centerId);
  return brand && { name: brand.name, accent: brand.colors?.shades[7] ?? null };
}

type SendResult = { status: 'SENT' | 'FAILED' | 'DROPPED'; problem?: string };

async function settle(
  { db }: Infrastructure,
  { id, attempts }: Mail,
  { status, problem }: SendResult,
): Promise<void> {
  await db.acrossTenants.mail.update({
    where: { id },
    data: {
      status,
      problem: problem ?? null,
      attempts: status === 'DROPPED' ? attempts : attempts + 1,
      doneAt: new Date(),
      nextAttemptAt: null,
    },
  });
}

/** Uses its own schedule: the queue's would wait too long at first and give up too soon. */
async function tryLater(app: Infrastructure, mail: Mail, problem: string): Promise<void> {
  const { retryDelays } = app.config.mail;
  const delay = retryDelays[mail.attempts];
  if (delay === undefined) return settle(app, mail, { status: 'FAILED', problem });
  const nextAttemptAt = new Date(Date.now() + delay * 1_000);
  await app.db.acrossTenants.$transaction(async (tx) => {
    await tx.mail.update({
      where: { id: mail.id },
      data: { attempts: mail.attempts + 1, problem, nextAttemptAt },
    });
    await enqueue(tx, 'send_mail', { mailId: mail.id }, { runAt: nextAttemptAt });
  });
}
