import { effectivePolicy, type Policy } from '@countersign/proof-kit/effective-policy';
import { announceDecisions } from '../../announcements.ts';
import { currentCenterId } from '../../context.ts';
import { type PolicyEvaluation, policyViolation } from '../../policies/evaluate.ts';
import { policiesInForce } from '../../policies/in-force.ts';
import { isGrant } from '../../policies/mandate-grant.ts';
import { unattendedOutcome } from '../../policies/unattended.ts';
import { transact } from '../../unit-of-work.ts';
import type { ApprovalContent, EventContent } from '../content.ts';
import type { ProofContext } from '../decision-context.ts';
import type { EventDraft } from '../draft.ts';
import type { AgentDecisionInput } from '../input.ts';
import { type NotUsed, obstacleIn, type UnusedMandate, unused } from '../mandates/not-used.ts';
import { type CoveringMandate, matchingMandates } from '../mandates/use.ts';
import { insertEventsIn } from '../record/insert-events.ts';
import { draftDecision, existingEvent, freshView, reserveStorage } from '../record/record.ts';
import type { DecisionEventView } from '../row.ts';
import { approvalRequested, autoSeal, SERVICE } from './auto-seal.ts';
import { evaluateDecision } from './evaluate-approval.ts';
import { mandateUsedBy, sealUnderMandate, type UsedMandate } from './seal-under-mandate.ts';

/** How long the request has to seal the decision before a job does. */
const JOB_AFTER_MS = 5_000;

export interface AgentDecision {
  event: DecisionEventView;
  /** An idempotent replay may find the decision rejected. */
  outcome: 'completed' | 'awaiting_approval' | 'rejected';
  /** False if the idempotency key already had this decision. */
  created: boolean;
  /** The mandate that approved it, and what remained of it then. */
  mandate: UsedMandate | null;
  /** A mandate that matches the call but did not approve it; null if one did, or none matches. */
  unusedMandate: UnusedMandate | null;
}

/**
 * Accepts an agent's decision. If the policy allows it, it is sealed immediately with the service as approver; otherwise it
 * waits for a person. A decision that cannot be sealed at the moment stays recorded, and a retry with the same key or a job
 * seals it.
 */
export async function decide(
  ctx: ProofContext,
  input: AgentDecisionInput,
  idempotencyKey: string | null,
): Promise<AgentDecision> {
  const { event, created, covers, unused: excluded } = await recordAgentDecision(ctx, input, idempotencyKey);
  const attempt = await sealUnderMandate(ctx, event, covers);
  if ('mandate' in attempt) {
    const { event: sealed, mandate } = attempt;
    return { event: sealed, outcome: outcomeOf(sealed), created, mandate, unusedMandate: null };
  }
  const settled = await autoSeal(ctx, event);
  const outcome = outcomeOf(settled);
  // A repeated call may find a decision that was settled under other circumstances.
  const isCurrent = created || outcome === 'awaiting_approval';
  return {
    event: settled,
    outcome,
    created,
    mandate: created ? null : await mandateUsedBy(ctx, settled),
    unusedMandate: isCurrent ? ([...attempt, ...excluded][0] ?? null) : null,
  };
}

function outcomeOf({ status, awaitsApproval }: DecisionEventView): AgentDecision['outcome'] {
  if (status === 'rejected') return 'rejected';
  return awaitsApproval && status !== 'sealed' ? 'awaiting_approval' : 'completed';
}

async function recordAgentDecision(ctx: ProofContext, input: AgentDecisionInput, key: string | null) {
  const { agent, expiresInSeconds, ...members } = input;
  const centerId = currentCenterId(ctx);
  const draft = draftDecision(
    ctx,
    { ...members, type: 'agent_execution', actor: { ...agent, type: 'ai_agent' } },
    {
      source: 'AGENT',
      expiresAt: new Date(ctx.now.getTime() + expiresInSeconds * 1_000),
      ...(key !== null && { key: { value: key, body: input } }),
    },
  );
  await reserveStorage(ctx, draft);
  const [policies, mandates] = await Promise.all([
    policiesInForce(ctx.app.db, centerId),
    matchingMandates(ctx, draft.event),
  ]);
  const evaluation = evaluateDecision(policies, draft.event, [serviceApproval(draft.event)]);
  const outcome = unattendedOutcome(evaluation);
  const grants = isGrant(draft.event.action.type);
  const needsPerson = outcome === 'awaiting_approval' || grants;
  const { covers, blocked } = byPolicies(policies, draft.event, mandates.covers);
  // If the mandate turns out to be used up, the decision waits for a person after all.
  draft.awaitsApproval = needsPerson && covers.length === 0;
  const isAllowed = outcome !== 'refused';
  const created =
    draft.awaitsApproval || !isAllowed
      ? await recordWaiting(ctx, draft, evaluation, isAllowed)
      : await recordToSeal(ctx, draft);
  const recorded = created ? freshView(draft) : await existingEvent(ctx, draft);
  return { created, covers, unused: [...blocked, ...mandates.unused], event: recorded };
}

/** Records a decision that waits for a person, and announces it. A decision that the policy forbids is not recorded. */
async function recordWaiting(
  ctx: ProofContext,
  draft: EventDraft,
  evaluation: PolicyEvaluation,
  isAllowed: boolean,
): Promise<boolean> {
  const created = await transact(ctx, async (work) => {
    const results = await insertEventsIn(work.db, [draft]);
    if (results.get(draft.event.id) !== 'written') return false;
    if (!isAllowed) throw policyViolation(evaluation);
    const event = freshView(draft);
    const rule = isGrant(event.head.action.type) ? 'mandate_grant' : ruleOf(evaluation);
    work.emit('agent.approval.requested', approvalRequested(event, rule));
    return true;
  });
  if (created) announceDecisions(ctx.app.bus, draft.centerId, [draft.event.id]);
  return created;
}

/** Records a decision that will be sealed immediately, batched with those of other callers. */
function recordToSeal(ctx: ProofContext, draft: EventDraft): Promise<boolean> {
  draft.sealJobAt = new Date(ctx.now.getTime() + JOB_AFTER_MS).toISOString();
  return ctx.app.recorder.record(draft);
}

/** The service's own approval, to test whether the policy accepts it. */
function serviceApproval({ occurredAt }: EventContent): ApprovalContent {
  const by = { kind: 'system' } as const;
  return { id: 'service', approver: SERVICE, result: 'approved', by, approvedAt: occurredAt };
}

/** The mandates with which the guards that they cannot replace pass too, and those with which they do not. */
function byPolicies(policies: readonly Policy[], event: EventContent, mandates: readonly CoveringMandate[]) {
  const covers = mandates.filter(({ id }) => takesMandate(policies, event, id));
  const obstacle: NotUsed =
    obstacleIn(effectivePolicy(policies, { actionType: event.action.type })) ?? 'needs_more';
  const blocked = mandates.filter((each) => !covers.includes(each)).map(({ id }) => unused(id, obstacle));
  return { covers, blocked };
}

function takesMandate(policies: readonly Policy[], event: EventContent, id: string): boolean {
  const approver = { id, type: 'system' } as const;
  const by = { kind: 'mandate', id } as const;
  const approval = { id: 'mandate', approver, result: 'approved', by, approvedAt: event.occurredAt } as const;
  return evaluateDecision(policies, event, [approval], true).verdict === 'pass';
}

const ruleOf = ({ policy }: PolicyEvaluation) =>
  policy.guards.find(({ verdict }) => verdict !== 'pass')?.guard ?? 'policy';
