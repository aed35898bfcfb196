import { canonicalJson } from '@countersign/proof-kit/canonical';
import { z } from 'zod';
import { isUniqueViolation } from '../../db/faults.ts';
import { newId } from '../../lib/ids.ts';
import { type Context, currentCenterId } from '../context.ts';
import { recordDpuIn } from '../dpus/append-dpu.ts';
import { requireMember } from '../memberships/require-member.ts';
import { callerOf } from '../principal.ts';
import { transact } from '../unit-of-work.ts';

export const attendanceMethods = ['qr', 'workshop', 'manual'] as const;

export const attendanceInput = z.object({
  attendeeId: z
    .uuid()
    .describe('The id of the attendee, a UUID, who must be an active member of the center.'),
  sessionRef: z
    .string()
    .trim()
    .min(1)
    .max(256)
    .describe('The attended session, as it is named on the learning host, 1 to 256 characters.'),
  method: z.enum(attendanceMethods).describe('How the attendance was confirmed.'),
  occurredAt: z.date().nullish().describe('When the attendance took place. Default: now.'),
});

/** Confirms attendance, with a decision record as proof. Confirming it again has no effect. */
export async function recordAttendance(ctx: Context, input: z.infer<typeof attendanceInput>) {
  const { attendeeId, sessionRef } = input;
  const known = () =>
    ctx.db.attendance.findUnique({
      where: {
        centerId_attendeeId_sessionRef: { centerId: currentCenterId(ctx), attendeeId, sessionRef },
      },
    });
  const earlier = await known();
  if (earlier) return earlier;
  try {
    return await confirm(ctx, input);
  } catch (error) {
    // A concurrent request confirmed the same attendance.
    const theirs = isUniqueViolation(error) ? await known() : null;
    if (theirs) return theirs;
    throw error;
  }
}

async function confirm(ctx: Context, input: z.infer<typeof attendanceInput>) {
  const id = newId('att');
  const dpuId = newId('dpu');
  const occurredAt = input.occurredAt ?? ctx.now;
  const { attendeeId, sessionRef, method } = input;
  const facts = { attendeeId, sessionRef, method, occurredAt: occurredAt.toISOString() };
  return transact(ctx, async (work) => {
    await requireMember(work.db, attendeeId, 'attendeeId');
    const attendance = await work.db.attendance.create({
      data: { id, centerId: currentCenterId(ctx), dpuId, ...facts, occurredAt, createdAt: ctx.now },
    });
    work.emit('attendance.verified', { attendanceId: id, ...facts, dpuId });
    await recordDpuIn(ctx, work, {
      id: dpuId,
      content: canonicalJson({
        attendance: { id, ...facts },
        confirmedBy: callerOf(ctx.principal).id,
      }),
      evidenceLevel: 'DOCUMENTED',
      referenceType: 'lms-attendance',
      referenceId: id,
    });
    return attendance;
  });
}
