import { ACTOR_TYPES, APPROVER_TYPES, REPORTED_STATUSES } from '@countersign/proof-kit/decision';
import { z } from 'zod';
import { ApprovalResult, DecisionEventStatus, DecisionEventType } from '../../db/generated/prisma/enums.ts';
import { doc } from '../../lib/doc.ts';
import { isPractice, PRACTICE_TYPE } from './practice-type.ts';
import { actionType, identifier, jsonObject, longText, MOST_TAGS, name, tag } from './text.ts';

const action = z.strictObject({
  type: actionType
    .refine((type) => !isPractice(type), `${PRACTICE_TYPE} is reserved for practice requests`)
    .meta(
      doc(
        'The action type, defined by you, such as `refund.grant`. Policies match it by pattern. Single spaces are allowed inside; a segment between dots has letters of one script only: Latin, Greek or Cyrillic. At most 10,000 characters. `practice.request` is reserved.',
        'refund.grant',
      ),
    ),
  description: longText
    .optional()
    .meta(
      doc(
        'One sentence for the person who has to approve, at most 10,000 characters.',
        'Refund order 1042 in full',
      ),
    ),
  input: jsonObject
    .optional()
    .meta(
      doc('What the action works with: a JSON object of at most 256 KiB.', { orderId: '1042', amount: 4900 }),
    ),
  output: jsonObject
    .optional()
    .meta(doc('What the action gave: a JSON object of at most 256 KiB.', { refundId: 're_77' })),
});

const aiContext = z.strictObject({
  model: longText.optional().meta(doc('The name of the model, at most 10,000 characters.', 'example-1')),
  provider: longText
    .optional()
    .meta(doc('The company or service that runs the model, at most 10,000 characters.', 'example-ai')),
  confidence: z.number().min(0).max(1).optional().meta(doc('How sure the model is, from 0 to 1.', 0.93)),
  reasoning: longText
    .optional()
    .meta(doc('Why the model decided so, at most 10,000 characters.', 'The order arrived damaged.')),
});

const tags = z.array(tag).max(MOST_TAGS);

// Unknown members are rejected: silently dropping one would leave it out of the proof.

/** A decision as reported by the caller. It is dated when it is recorded; decisions cannot be backdated. */
export const recordDecisionInput = z.strictObject({
  type: z.enum(DecisionEventType).describe('What kind of decision it is.'),
  actor: z
    .strictObject({
      id: identifier.meta(doc('The id of the actor in your own system, at most 256 bytes.', 'triage-bot')),
      type: z.enum(ACTOR_TYPES).meta(doc('What kind of actor decided.', 'ai_agent')),
      name: name.optional().meta(doc('The name that people see, 1 to 256 characters.', 'Triage bot')),
    })
    .describe('Who or what decided.'),
  action: action.describe('What was decided: its type, input and output.'),
  aiContext: aiContext
    .optional()
    .describe('The model behind the decision and its own assessment; omitted if there was none.'),
  tags: tags.optional().meta(doc('Tags to search by, at most 50 of 1 to 64 characters.', ['billing'])),
  idempotencyKey: identifier
    .optional()
    .meta(
      doc(
        'A key of at most 256 bytes that identifies this decision, so that repeated calls record it once.',
        'order-1042-refund',
      ),
    ),
});

export type RecordDecisionInput = z.output<typeof recordDecisionInput>;

export const addApprovalInput = z.strictObject({
  approver: z
    .strictObject({
      id: identifier.meta(doc('The id of the approver in your own system, at most 256 bytes.', 'dr-kim')),
      type: z.enum(APPROVER_TYPES).meta(doc('Whether a person or a system approves.', 'human')),
      name: name.optional().meta(doc('The name that people see, 1 to 256 characters.', 'Dr. Kim')),
    })
    .describe('Who approves or rejects, as your own system identified them.'),
  result: z.enum(ApprovalResult).describe('Whether the approver approves or rejects.'),
  reason: longText
    .optional()
    .meta(doc('Why, at most 10,000 characters; stored with the decision.', 'Fits the plan.')),
});

export type AddApprovalInput = z.output<typeof addApprovalInput>;

/** A decision of an agent, to be settled immediately if the policy allows it. */
export const agentDecisionInput = z.strictObject({
  agent: z
    .strictObject({
      id: identifier.meta(doc('The id of the agent in your own system, at most 256 bytes.', 'refund-agent')),
      name: name.optional().meta(doc('The name that people see, 1 to 256 characters.', 'Refund agent')),
    })
    .describe('The agent, as your own system identifies it.'),
  action: action.describe('What was decided: its type, input and output.'),
  aiContext: aiContext
    .optional()
    .describe('The model behind the decision and its own assessment; omitted if there was none.'),
  riskScore: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta(
      doc(
        'The risk according to the agent, from 0 to 1. Above the threshold of the policy, a person decides.',
        0.2,
      ),
    ),
  tags: tags.optional().meta(doc('Tags to search by, at most 50 of 1 to 64 characters.', ['billing'])),
  /** How long it may wait for an approval. Then it is rejected. */
  expiresInSeconds: z
    .int()
    .min(10)
    .max(604_800)
    .default(86_400)
    .meta(
      doc(
        'Seconds to wait for an approval before the decision is rejected, 10 to 604,800. Default: 86,400, one day.',
        86400,
      ),
    ),
});

export type AgentDecisionInput = z.output<typeof agentDecisionInput>;

/** The outcome of a sealed decision, for exactly the arguments that were approved. */
export const outcomeInput = z.strictObject({
  status: z.enum(REPORTED_STATUSES).describe('Whether the action was executed or failed.'),
  argumentsDigest: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hex digits')
    .meta(
      doc(
        '`sha256:` followed by the hex digest of the canonical `action.input`, that is, of the exact arguments.',
        'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
      ),
    ),
  output: jsonObject
    .optional()
    .meta(doc('What the action gave: a JSON object of at most 256 KiB.', { refundId: 're_77' })),
});

export type OutcomeInput = z.output<typeof outcomeInput>;

export const listDecisionsInput = z.object({
  type: z.enum(DecisionEventType).optional().describe('Only decisions of this kind.'),
  status: z.enum(DecisionEventStatus).optional().describe('Only decisions with this status.'),
  tag: tag.optional().meta(doc('Only decisions that have exactly this tag.', 'billing')),
});

/** Additional filters in GraphQL, for people's searches. */
export const findDecisionsInput = listDecisionsInput.extend({
  statuses: z.array(z.enum(DecisionEventStatus)).min(1).optional(),
  search: z.string().trim().min(1).max(200).optional(),
  from: z.date().optional(),
  to: z.date().optional(),
});

export type EventFilter = z.output<typeof findDecisionsInput>;
