import { canonicalJson } from '@countersign/proof-kit/canonical';
import { z } from 'zod';
import { isUniqueViolation } from '../../db/faults.ts';
import { DomainError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type Context, currentCenterId } from '../context.ts';
import { recordDpuIn } from '../dpus/append-dpu.ts';
import { requireMember } from '../memberships/require-member.ts';
import { callerOf } from '../principal.ts';
import { transact } from '../unit-of-work.ts';

export const certificateInput = z.object({
  learnerId: z.uuid().describe('The id of the holder, a UUID, who must be an active member of the center.'),
  title: z
    .string()
    .trim()
    .min(1)
    .max(256)
    .describe('What the certificate is for, as printed on it, 1 to 256 characters.'),
  courseRef: z
    .string()
    .trim()
    .min(1)
    .max(256)
    .describe('The course, as it is named on the learning host, 1 to 256 characters.'),
});

/** The names of learners, as far as the center knows them. */
export async function learnerNames(ctx: Context, ids: string[]): Promise<Map<string, string>> {
  const people = await ctx.db.actor.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true },
  });
  return new Map(people.map(({ id, name }) => [id, name]));
}

/** Issues a certificate. It is final immediately: its decision record is sealed with it. */
export async function issueCertificate(ctx: Context, input: z.infer<typeof certificateInput>) {
  const id = newId('crt');
  const dpuId = newId('dpu');
  const facts = { ...input, issuedAt: ctx.now.toISOString() };
  return transact(ctx, async (work) => {
    await requireMember(work.db, input.learnerId, 'learnerId');
    const certificate = await work.db.certificate.create({
      data: { id, centerId: currentCenterId(ctx), dpuId, ...facts, issuedAt: ctx.now, createdAt: ctx.now },
    });
    work.emit('certificate.issued', { certificateId: id, ...facts, dpuId });
    await recordDpuIn(ctx, work, {
      id: dpuId,
      content: canonicalJson({ certificate: { id, ...facts }, issuedBy: callerOf(ctx.principal).id }),
      evidenceLevel: 'AUDIT_READY',
      referenceType: 'lms-event',
      referenceId: id,
    });
    return certificate;
  }).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw new DomainError('CONFLICT', 'This learner already has a certificate of this course.');
  });
}
