// What waits for a person, in all centers that they belong to.
import type { Db } from '../../db/database.ts';
import type { ActorRole } from '../../db/generated/prisma/enums.ts';
import { type Context, type Infrastructure, systemContext } from '../context.ts';
import { approvalsFor, openDecisions } from '../decisions/approve/waiting.ts';
import type { DecisionEventView } from '../decisions/row.ts';
import { type ApprovingMember, approvalRightsOf } from '../memberships/approval-rights.ts';
import { isNews } from './approvers.ts';

/** A mail says `1000 or more` from here on. */
export const MAX_COUNTED = 1_000;

interface CenterOfPerson {
  id: number;
  domain: string;
  name: string;
}

interface WaitingRequest {
  center: CenterOfPerson;
  event: DecisionEventView;
}

export interface WaitingQuestion {
  center: CenterOfPerson;
  executionId: string;
  workflow: string;
  prompt: string;
  askedAt: Date;
}

export interface WaitingItems {
  requests: WaitingRequest[];
  questions: WaitingQuestion[];
}

/** A person as a member of a center. */
interface Member {
  ctx: Context;
  center: CenterOfPerson;
  approver: ApprovingMember;
  role: ActorRole;
}

/** The person as a member of the center; null unless membership, center and account are active. */
async function memberIn(
  app: Infrastructure,
  centerId: number,
  actorId: string,
  now: Date,
): Promise<Member | null> {
  const membership = await app.db.acrossTenants.membership.findFirst({
    where: {
      actorId,
      centerId,
      status: 'ACTIVE',
      center: { status: 'ACTIVE' },
      actor: { suspendedAt: null },
    },
    include: { center: true },
  });
  if (!membership) return null;
  const rightsById = await approvalRightsOf(app.db.declared([centerId]), [membership.id], now);
  const rights = rightsById.get(membership.id);
  const { centerDomain: domain, name } = membership.center;
  return rights
    ? {
        ctx: { ...systemContext(app, 'notifications', centerId), now },
        center: { id: centerId, domain, name },
        approver: { actorId, rights },
        role: membership.role,
      }
    : null;
}

/** Those of the given decisions and executions of a center that still wait for the person, and are news. */
export async function stillWaiting(
  app: Infrastructure,
  centerId: number,
  actorId: string,
  told: { eventIds: readonly string[]; executionIds: readonly string[] },
  now: Date,
): Promise<WaitingItems> {
  const member = await memberIn(app, centerId, actorId, now);
  if (!member) return { requests: [], questions: [] };
  const { ctx, center, approver } = member;
  const decisions = told.eventIds.length > 0 ? await openDecisions(ctx, told.eventIds) : [];
  return {
    requests: decisions
      .filter((decision) => isNews(decision, approver, now))
      .map(({ view: event }) => ({ center, event })),
    questions:
      told.executionIds.length > 0
        ? await questionsIn(app.db.acrossTenants, member, { in: [...told.executionIds] })
        : [],
  };
}

/** Everything that waits for the person. */
export async function allWaiting(app: Infrastructure, actorId: string, now: Date): Promise<WaitingItems> {
  const memberships = await app.db.acrossTenants.membership.findMany({
    where: { actorId, status: 'ACTIVE' },
    select: { centerId: true },
    orderBy: { centerId: 'asc' },
  });
  const all: WaitingItems = { requests: [], questions: [] };
  for (const { centerId } of memberships) {
    const member = await memberIn(app, centerId, actorId, now);
    if (!member) continue;
    const approvals = await approvalsFor(member.ctx, member.approver, { limit: MAX_COUNTED });
    all.requests.push(...approvals.map(({ event }) => ({ center: member.center, event })));
    all.questions.push(...(await questionsIn(app.db.acrossTenants, member)));
  }
  return all;
}

/** The questions of workflows that the member's role can answer. */
async function questionsIn(
  db: Db,
  { center, role }: Member,
  id?: { in: string[] },
): Promise<WaitingQuestion[]> {
  const open = { status: 'WAITING', kind: 'human_review' } as const;
  const executions = await db.workflowExecution.findMany({
    where: { centerId: center.id, status: 'AWAITING_REVIEW', ...(id && { id }), steps: { some: open } },
    select: {
      id: true,
      workflow: { select: { name: true } },
      steps: { where: open, select: { input: true, startedAt: true }, take: 1 },
    },
    orderBy: { id: 'desc' },
    take: MAX_COUNTED,
  });
  return executions.flatMap(({ id: executionId, workflow, steps: [step] }) => {
    const { prompt, roles } = (step?.input ?? {}) as { prompt?: string; roles?: string[] };
    if (!step || !roles?.includes(role)) return [];
    return { center, executionId, workflow: workflow.name, prompt: prompt ?? '', askedAt: step.startedAt };
  });
}
