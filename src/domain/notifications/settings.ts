import { z } from 'zod';
import { MailFrequency } from '../../db/generated/prisma/enums.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context, Infrastructure } from '../context.ts';

export interface NotificationSettings {
  mail: MailFrequency;
}

const DEFAULT: NotificationSettings = { mail: 'IMMEDIATELY' };

export const notificationSettingsInput = z.object({
  mail: z
    .enum(MailFrequency)
    .describe('How often requests and questions that you can decide are announced by mail.'),
});

export async function getNotificationSettings(ctx: Context): Promise<NotificationSettings> {
  return settingOf(ctx.app, actorIdOf(ctx));
}

export async function settingOf({ db }: Infrastructure, actorId: string): Promise<NotificationSettings> {
  const setting = await db.acrossTenants.notificationSetting.findUnique({ where: { actorId } });
  return setting ?? DEFAULT;
}

/** The first daily mail comes with the next round, not immediately. */
export async function saveNotificationSettings(
  ctx: Context,
  { mail }: z.infer<typeof notificationSettingsInput>,
): Promise<NotificationSettings> {
  const actorId = actorIdOf(ctx);
  return ctx.app.db.acrossTenants.notificationSetting.upsert({
    where: { actorId },
    create: { actorId, mail, digestAt: ctx.now },
    update: { mail, digestAt: ctx.now },
  });
}

/** The given people who want immediate mails. */
export async function peopleToMail(
  { db }: Infrastructure,
  actorIds: readonly string[],
): Promise<Set<string>> {
  const others = await db.acrossTenants.notificationSetting.findMany({
    where: { actorId: { in: [...actorIds] }, mail: { not: 'IMMEDIATELY' } },
    select: { actorId: true },
  });
  const excluded = new Set(others.map(({ actorId }) => actorId));
  return new Set(actorIds.filter((id) => !excluded.has(id)));
}

function actorIdOf({ principal }: Context): string {
  if (principal.kind !== 'actor') throw new DomainError('UNAUTHORIZED', 'Sign in first.');
  return principal.actorId;
}
