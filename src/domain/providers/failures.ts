import type { ProviderFailure } from '../../db/generated/prisma/client.ts';
import type { ErrorCode } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type Context, currentCenterId } from '../context.ts';

const MAX_FAILURES = 20;

/** The newest failed sign-ins of the caller's center. */
export function listFailures(ctx: Context): Promise<ProviderFailure[]> {
  return ctx.db.providerFailure.findMany({
    where: { centerId: currentCenterId(ctx) },
    orderBy: { id: 'desc' },
    take: MAX_FAILURES,
  });
}

/** Keeps a failed sign-in for the ADMINs of the center, and drops the oldest ones. */
export async function noteFailure(
  { app, now, requestId }: Context,
  centerId: number,
  { code, message }: { code: ErrorCode; message: string },
): Promise<void> {
  const db = app.db.acrossTenants;
  await db.providerFailure.create({
    data: { id: newId('pfl'), centerId, at: now, code, reason: message, requestId },
  });
  const oldest = await db.providerFailure.findFirst({
    where: { centerId },
    orderBy: { id: 'desc' },
    skip: MAX_FAILURES - 1,
    select: { id: true },
  });
  if (oldest) await db.providerFailure.deleteMany({ where: { centerId, id: { lt: oldest.id } } });
}
