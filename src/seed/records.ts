import type { App } from '../app.ts';
import type { Actor, Center } from '../db/generated/prisma/client.ts';
import type { Vertical } from '../db/generated/prisma/enums.ts';
import { recordAttendance } from '../domain/attendance/record.ts';
import { issueCertificate } from '../domain/certificates/issue.ts';
import { type Context, systemContext } from '../domain/context.ts';
import { requestSeal } from '../domain/decisions/approve/admission.ts';
import { recordDecision } from '../domain/decisions/record/record.ts';
import { recordDpu } from '../domain/dpus/append-dpu.ts';
import type { EvidenceLevel } from '../domain/ledger/chains/levels.ts';
import { createPolicy } from '../domain/policies/edit.ts';
import { DEMO_TIMEZONE } from './centers.ts';
import { decisionsOf } from './decisions.ts';
import { memberContext } from './principals.ts';

interface DemoRecord {
  content: string;
  evidenceLevel: EvidenceLevel;
  tags: string[];
}

const HOURS: DemoRecord = {
  content: 'Opening hours of this season: Monday to Friday, 9:00 to 17:00.',
  evidenceLevel: 'AUDIT_READY',
  tags: ['operations'],
};
const documented = (content: string): DemoRecord => ({
  content,
  evidenceLevel: 'DOCUMENTED',
  tags: ['members'],
});
const draft = (content: string): DemoRecord => ({
  content,
  evidenceLevel: 'DRAFT',
  tags: ['planning', 'draft'],
});

const recordsByVertical: Partial<Record<Vertical, DemoRecord[]>> = {
  rehabilitation: [
    HOURS,
    documented('A patient was admitted after the first interview with the guardian.'),
    draft('Therapy plan 2026-042 was drafted.'),
  ],
  education: [
    HOURS,
    documented('Learner 1187 was enrolled after a placement test.'),
    draft('The timetable of the next term was drafted.'),
  ],
};
const generalRecords = [
  HOURS,
  documented('Case 77 was opened after a home visit.'),
  draft('The support plan of case 77 was drafted.'),
];

/** Records on the platform chain, unless the center has any. */
export async function ensureRecords(app: App, center: Center): Promise<void> {
  const ctx = systemContext(app, 'seed', center.id);
  if ((await ctx.db.dpu.count({ where: { domain: 'platform' } })) > 0) return;
  for (const [i, record] of (recordsByVertical[center.vertical] ?? generalRecords).entries()) {
    await recordDpu(ctx, {
      ...record,
      referenceType: 'demo',
      referenceId: `demo-${i + 1}`,
      metadata: { reason: 'Part of the demonstration data.' },
    });
  }
}

/**
 * A policy of the rehabilitation center, unless it already has one: a person reviews an agent's changes to a therapy plan. It
 * is created before the decisions, which are evaluated by it.
 */
export async function ensurePolicy(app: App, actors: Map<string, Actor>, rehab: Center): Promise<void> {
  const ctx = await memberContext(app, actors.get('admin@demo.test')!, rehab.id);
  if (!ctx || (await ctx.db.policy.count({ where: { centerId: rehab.id } })) > 0) return;
  await createPolicy(ctx, {
    scope: 'CENTER',
    name: 'Therapy plans',
    actionPattern: 'therapy.*',
    guards: { humanReviewForAi: true },
  });
}

/** The patient's first block of sessions: its last attendance and its certificate. */
export async function ensureCompletedBlock(
  app: App,
  actors: Map<string, Actor>,
  rehab: Center,
): Promise<void> {
  const ctx = await memberContext(app, actors.get('instructor@demo.test')!, rehab.id);
  const childId = actors.get('child@demo.test')!.id;
  if (!ctx || (await ctx.db.certificate.count()) > 0) return;
  if ((await ctx.db.membership.count({ where: { actorId: childId, status: 'ACTIVE' } })) === 0) return;
  await recordAttendance(ctx, {
    attendeeId: childId,
    sessionRef: 'Occupational therapy, session 8',
    method: 'manual',
    occurredAt: lastWorkday(ctx.now),
  });
  await issueCertificate(ctx, {
    learnerId: childId,
    title: 'First block of occupational therapy',
    courseRef: 'occupational-therapy-1',
  });
}

/** 14:00 UTC, an afternoon in Berlin, of the last working day before a time. */
function lastWorkday(now: Date): Date {
  const day = new Date(now);
  do day.setUTCDate(day.getUTCDate() - 1);
  while ([0, 6].includes(day.getUTCDay()));
  day.setUTCHours(14, 0, 0, 0);
  return day;
}

/** Decision events, the first of them sealed. Their idempotency keys prevent duplicates. */
export async function ensureDecisions(app: App, center: Center): Promise<string | null> {
  const ctx = systemContext(app, 'seed', center.id);
  const known = await sealedEventId(ctx);
  if (known) return known;
  const appointment = await ctx.db.booking.findFirst({
    orderBy: { startsAt: 'asc' },
    select: { startsAt: true, note: true },
  });
  for (const { input, approval } of decisionsOf(center.vertical, DEMO_TIMEZONE, appointment)) {
    const { event } = await recordDecision(ctx, input);
    // Reported with an API key: the service itself cannot approve on behalf of a person.
    if (approval && event.status === 'recorded')
      await requestSeal(ctx, event.id, approval, { by: { kind: 'api_key', id: 'seed' } });
  }
  return sealedEventId(ctx);
}

async function sealedEventId({ db }: Context): Promise<string | null> {
  const event = await db.decisionEvent.findFirst({
    where: { status: 'sealed' },
    orderBy: { id: 'asc' },
    select: { id: true },
  });
  return event?.id ?? null;
}
