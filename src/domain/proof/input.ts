import { z } from 'zod';
import {
  ApprovalResult,
  ApproverType,
  DecisionEventStatus,
  DecisionEventType,
  EventActorType,
  OutcomeStatus,
} from '../../db/generated/prisma/enums.ts';
import { actionType, identifier, jsonObject, longText, MOST_TAGS, name, tag } from './text.ts';

const action = z.strictObject({
  type: actionType,
  description: longText.optional(),
  input: jsonObject.optional(),
  output: jsonObject.optional(),
});

const aiContext = z.strictObject({
  model: longText.optional(),
  provider: longText.optional(),
  confidence: z.number().min(0).max(1).optional(),
  reasoning: longText.optional(),
});

const tags = z.array(tag).max(MOST_TAGS);

// A member that is silently dropped would be missing from the proof: unknown members are refused.

/** A decision as the caller reports it. It happened when it is recorded: decisions cannot be backdated. */
export const recordDecisionInput = z.strictObject({
  type: z.enum(DecisionEventType),
  actor: z.strictObject({ id: identifier, type: z.enum(EventActorType), name: name.optional() }),
  action,
  aiContext: aiContext.optional(),
  tags: tags.optional(),
  idempotencyKey: identifier.optional(),
});

export type RecordDecisionInput = z.output<typeof recordDecisionInput>;

export const addApprovalInput = z.strictObject({
  approver: z.strictObject({ id: identifier, type: z.enum(ApproverType), name: name.optional() }),
  result: z.enum(ApprovalResult),
  reason: longText.optional(),
});

export type AddApprovalInput = z.output<typeof addApprovalInput>;

/** A decision of an agent, which it wants settled at once if the policy lets it. */
export const agentDecisionInput = z.strictObject({
  agent: z.strictObject({ id: identifier, name: name.optional() }),
  action,
  aiContext: aiContext.optional(),
  riskScore: z.number().min(0).max(1).optional(),
  tags: tags.optional(),
  /** How long it may wait for an approval; then silence is a rejection. */
  expiresInSeconds: z.int().min(10).max(604_800).default(86_400),
});

export type AgentDecisionInput = z.output<typeof agentDecisionInput>;

/** What became of a sealed decision, for the very arguments that were decided on. */
export const outcomeInput = z.strictObject({
  status: z.enum(OutcomeStatus),
  argumentsDigest: z.string().regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hex digits'),
  output: jsonObject.optional(),
});

export type OutcomeInput = z.output<typeof outcomeInput>;

export const listDecisionsInput = z.object({
  type: z.enum(DecisionEventType).optional(),
  status: z.enum(DecisionEventStatus).optional(),
  tag: tag.optional(),
});

/** What GraphQL can ask for besides: people look for things in more ways than programs. */
export const findDecisionsInput = listDecisionsInput.extend({
  statuses: z.array(z.enum(DecisionEventStatus)).min(1).optional(),
  search: z.string().trim().min(1).max(200).optional(),
  from: z.date().optional(),
  to: z.date().optional(),
});

export type EventFilter = z.output<typeof findDecisionsInput>;
