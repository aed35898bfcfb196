// A decision that an ADMIN records to practice an approval. It is sealed and proven like any other, but says itself that no
// agent asked for it, approves no action, and can be neither claimed nor executed. Its content is fixed.

import type { Db, Tx } from '../../../db/database.ts';
import { announceDecisions } from '../../announcements.ts';
import { type Context, currentCenterId } from '../../context.ts';
import { lockCenter } from '../../memberships/seats.ts';
import { transact } from '../../unit-of-work.ts';
import type { ProofContext } from '../decision-context.ts';
import { PRACTICE_TYPE } from '../practice-type.ts';
import { getDecisionEvent } from '../read/list-events.ts';
import { insertEventsIn } from '../record/insert-events.ts';
import { draftDecision, type RecordedDecision, reserveStorage } from '../record/record.ts';

const DAY_MS = 86_400_000;

const CONTENT = {
  type: 'custom',
  // Not the ADMIN, who could not approve their own request.
  actor: { id: 'practice', type: 'ai_agent', name: 'Practice agent' },
  action: {
    type: PRACTICE_TYPE,
    description: 'A practice request of an administrator. No agent asked for it, and nothing is executed.',
    input: { executed: 'nothing', purpose: 'practice' },
  },
  aiContext: { reasoning: 'Practice: approve or reject this request to see its record and its proof.' },
  tags: ['practice'],
} as const;

/** Records a practice request, or returns the one that is still open. */
export async function requestPractice(ctx: ProofContext): Promise<RecordedDecision> {
  const centerId = currentCenterId(ctx);
  const draft = draftDecision(
    ctx,
    { ...CONTENT, tags: [...CONTENT.tags] },
    { awaitsApproval: true, expiresAt: new Date(ctx.now.getTime() + DAY_MS) },
  );
  // The transaction marks the caller's Idempotency-Key as completed.
  draft.claim = null;
  await reserveStorage(ctx, draft);
  const { id, created } = await transact(ctx, async (work) => {
    await lockCenter(work.db, centerId);
    const open = await openPractice(ctx, work.db);
    if (open !== null) return { id: open, created: false };
    await insertEventsIn(work.db, [draft]);
    const { id } = draft.event;
    await work.db.practiceRequest.create({ data: { eventId: id, centerId } });
    work.audit({ type: 'center.updated', target: id, detail: { change: 'practice request' } });
    return { id, created: true };
  });
  if (created) announceDecisions(ctx.app.bus, centerId, [id]);
  return { event: await getDecisionEvent(ctx, id), created };
}

/** The practice request of the center that waits for an approval; null if none does. */
export async function openPractice({ now }: Context, db: Db | Tx): Promise<string | null> {
  const open = await db.practiceRequest.findFirst({
    where: { event: { status: { in: ['recorded', 'approved'] }, expiresAt: { gt: now } } },
    orderBy: { eventId: 'desc' },
  });
  return open?.eventId ?? null;
}

/** The newest practice request that a person has decided; null if none was. */
export async function decidedPractice(db: Db | Tx): Promise<string | null> {
  const byPerson = { NOT: { content: { path: ['by', 'kind'], equals: 'system' } } };
  const decided = await db.practiceRequest.findFirst({
    where: { event: { status: { in: ['sealed', 'rejected'] }, approvals: { some: byPerson } } },
    orderBy: { eventId: 'desc' },
  });
  return decided?.eventId ?? null;
}
