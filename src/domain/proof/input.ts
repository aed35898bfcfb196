import { z } from 'zod';
import {
  ApprovalResult,
  ApproverType,
  DecisionEventStatus,
  DecisionEventType,
  EventActorType,
} from '../../db/generated/prisma/enums.ts';
import { jsonObject, longText, MOST_TAGS, name, tag, text } from './text.ts';

const action = z.object({
  type: text(10_000, 1),
  description: longText.optional(),
  input: jsonObject.optional(),
  output: jsonObject.optional(),
});

const aiContext = z.object({
  model: longText.optional(),
  provider: longText.optional(),
  confidence: z.number().min(0).max(1).optional(),
  reasoning: longText.optional(),
});

const tags = z.array(tag).max(MOST_TAGS);

/** A decision as the caller reports it. When it happened is when we record it: nobody can backdate. */
export const recordDecisionInput = z.object({
  type: z.enum(DecisionEventType),
  actor: z.object({ id: name, type: z.enum(EventActorType), name: name.optional() }),
  action,
  aiContext: aiContext.optional(),
  tags: tags.optional(),
  idempotencyKey: name.optional(),
});

export type RecordDecisionInput = z.output<typeof recordDecisionInput>;

export const addApprovalInput = z.object({
  approver: z.object({ id: name, type: z.enum(ApproverType), name: name.optional() }),
  result: z.enum(ApprovalResult),
  reason: longText.optional(),
});

export type AddApprovalInput = z.output<typeof addApprovalInput>;

/** A decision of an agent, which it wants settled at once if the policy lets it. */
export const agentDecisionInput = z.object({
  agent: z.object({ id: name, name: name.optional() }),
  action,
  aiContext: aiContext.optional(),
  riskScore: z.number().min(0).max(1).optional(),
  tags: tags.optional(),
});

export type AgentDecisionInput = z.output<typeof agentDecisionInput>;

export const listDecisionsInput = z.object({
  type: z.enum(DecisionEventType).optional(),
  status: z.enum(DecisionEventStatus).optional(),
  tag: tag.optional(),
});

export type DecisionFilter = z.output<typeof listDecisionsInput>;
