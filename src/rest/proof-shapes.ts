import { z } from 'zod';
import * as enums from '../db/generated/prisma/enums.ts';
import { A_PERSON, A_PREFIXED_HASH, doc } from '../lib/doc.ts';
import { evidenceLevel, timestamp } from './schemas.ts';

/** The shapes of the Proof API, and the mapping from GraphQL results. */
const eventType = z.enum(enums.DecisionEventType).meta({ id: 'DecisionEventType' });
const eventStatus = z.enum(enums.DecisionEventStatus).meta({ id: 'DecisionEventStatus' });
const actorType = z.enum(enums.EventActorType).meta({ id: 'EventActorType' });
const approverType = z.enum(enums.ApproverType).meta({ id: 'ApproverType' });
const approvalResult = z.enum(enums.ApprovalResult).meta({ id: 'ApprovalResult' });
export const evidenceStatus = z.enum(['pending', 'sealed']).meta({ id: 'EvidenceStatus' });
export const prefixedHash = z.string().regex(/^sha256:[0-9a-f]{64}$/);

const actor = z.object({
  id: z.string().meta(doc('The id of the actor.', 'triage-bot')),
  type: actorType.describe('The kind of actor.'),
  name: z.string().optional().meta(doc('The display name.', 'Triage bot')),
});
const anyObject = z.record(z.string(), z.unknown());

const common = {
  id: z.string().meta(doc('The id of the event.', 'evt_01k9zq2m0000000000000000e1')),
  decisionId: z
    .string()
    .meta(doc('The id of the decision: your `idempotencyKey`, if given.', 'dec_01k9zq2m0000000000000000c1')),
  type: eventType.describe('The kind of decision.'),
  status: eventStatus.describe('The status.'),
  actor: actor.describe('The actor.'),
};

const contentFields = {
  action: z
    .object({
      type: z
        .string()
        .meta(doc('The action type, defined by you. Policies match it by pattern.', 'refund.grant')),
      description: z
        .string()
        .optional()
        .meta(doc('One sentence for the person who has to approve.', 'Refund order 1042 in full')),
      input: anyObject
        .optional()
        .meta(doc('The input of the action, a JSON object.', { orderId: '1042', amount: 4900 })),
      output: anyObject
        .optional()
        .meta(doc('The output of the action, a JSON object.', { refundId: 're_77' })),
    })
    .describe('The action: type, input and output.'),
  aiContext: z
    .object({
      model: z.string().optional().meta(doc('The name of the model.', 'example-1')),
      provider: z.string().optional().meta(doc('The provider of the model.', 'example-ai')),
      confidence: z.number().optional().meta(doc('The confidence of the model, from 0 to 1.', 0.93)),
      reasoning: z.string().optional().meta(doc('The reasoning of the model.', 'The order arrived damaged.')),
    })
    .optional()
    .describe('The model and its own assessment.'),
  tags: z.array(z.string()).meta(doc('Tags for searching.', ['billing'])),
  occurredAt: timestamp.describe('When it happened.'),
};

/** A decision as it was sealed. */
export const sealedEvent = z
  .object({
    ...contentFields,
    id: z.string().meta(doc('The id of the event.', 'evt_01k9zq2m0000000000000000e1')),
    decisionId: z
      .string()
      .optional()
      .meta(
        doc('The id of the decision: your `idempotencyKey`, if given.', 'dec_01k9zq2m0000000000000000c1'),
      ),
    type: eventType.describe('The kind of decision.'),
    actor: z
      .object({
        id: z.string().optional().meta(doc('The id of the actor.', 'triage-bot')),
        type: actorType.describe('The kind of actor.'),
        name: z.string().optional().meta(doc('The display name.', 'Triage bot')),
      })
      .describe('The actor.'),
    riskScore: z
      .number()
      .optional()
      .meta(
        doc(
          'The risk according to the agent, from 0 to 1. Above the threshold of the policy, a person decides.',
          0.2,
        ),
      ),
    tags: z
      .array(z.string())
      .optional()
      .meta(doc('Tags for searching.', ['billing'])),
  })
  .meta({ id: 'SealedEvent' });

export const approver = z.object({
  id: z.string().meta(doc('The id of the approver.', 'dr-kim')),
  type: approverType.describe('The kind of approver.'),
  name: z.string().optional().meta(doc('The display name.', 'Dr. Kim')),
});

export const approval = z
  .object({
    id: z.string().meta(doc('The id of the approval.', 'apr_01k9zq2m0000000000000000a1')),
    approver: z
      .object({
        id: z.string().optional().meta(doc('The id of the approver.', 'dr-kim')),
        type: approverType.describe('The kind of approver.'),
        name: z.string().optional().meta(doc('The display name.', 'Dr. Kim')),
      })
      .describe('The approver.'),
    result: approvalResult.describe('Whether it is approved or rejected.'),
    reason: z.string().optional().meta(doc('The reason.', 'Fits the plan.')),
    by: z
      .object({
        kind: z.enum(enums.ApprovedByKind).describe('How the approver was identified.'),
        id: z.string().optional().meta(doc('The id of the person or the key.', A_PERSON)),
      })
      .describe('How the approver was authenticated: API key, session, passkey or system.'),
    signature: anyObject.optional().describe("A passkey's signature over the approval."),
    approvedAt: timestamp.describe('When the approval was given.'),
  })
  .meta({ id: 'SealedApproval' });

/** An approval or rejection within a decision. */
const approvalSummary = z
  .object({
    approvalId: z.string().meta(doc('The id of the approval.', 'apr_01k9zq2m0000000000000000a1')),
    approver: approver.describe('The approver.'),
    result: approvalResult.describe('Whether it is approved or rejected.'),
    reason: z.string().optional().meta(doc('The reason.', 'Fits the plan.')),
    by: z
      .object({ kind: z.enum(enums.ApprovedByKind).describe('How the approver was identified.') })
      .describe('How the approver was authenticated: API key, session, passkey or system.'),
    createdAt: timestamp.describe('When it was created.'),
  })
  .meta({ id: 'ApprovalSummary' });

export const APPROVALS = /* GraphQL */ `approvals {
  id approver { id type name } result reason by createdAt
}`;

interface Approval<Approver, Result> {
  id: string;
  approver: Approver;
  result: Result;
  reason: string | null;
  by: { kind: enums.ApprovedByKind };
  createdAt: string;
}

export const showApproval = <Approver extends object, Result>({
  id,
  approver,
  by,
  reason,
  result,
  createdAt,
}: Approval<Approver, Result>) => ({
  approvalId: id,
  approver: present(approver),
  by: { kind: by.kind },
  result,
  ...(reason !== null && { reason }),
  createdAt,
});

const A_RECEIPT = 'proof.example/receipts\nrecorded\nevt_01k9zq2m0000000000000000e1\n…';

/** The service's signed promise that a record is on its chain. */
export const receipt = z
  .string()
  .optional()
  .meta(doc('A signed receipt with the position of the record on its chain.', A_RECEIPT));

/** Whether a decision is sealed, and where. */
export const sealState = {
  status: evidenceStatus.describe('The status.'),
  chainHash: prefixedHash
    .nullable()
    .meta(doc('The hash that links the record into its chain.', A_PREFIXED_HASH)),
  chainIndex: z.int().nullable().meta(doc('The position in the chain, counted from 0.', 41)),
};

export const decisionEvent = z
  .object({
    ...common,
    ...contentFields,
    evidence: z
      .object({
        id: z.string().meta(doc('The id of the evidence.', 'evd_01k9zq2m0000000000000000v1')),
        ...sealState,
      })
      .describe('The evidence of the decision.'),
    createdAt: timestamp.describe('When it was created.'),
    updatedAt: timestamp.describe('When it last changed.'),
    argumentsDigest: prefixedHash
      .optional()
      .meta(
        doc(
          '`sha256:` followed by the hex digest of the canonical `action.input`, that is, of the exact arguments.',
          'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
        ),
      ),
    expiresAt: timestamp.optional().meta(doc('When it expires.', '2026-11-15T09:32:00.000Z')),
    claimedAt: timestamp
      .optional()
      .meta(doc('When the decision was claimed for execution.', '2026-11-15T09:30:00.000Z')),
    approvals: z.array(approvalSummary).describe('All approvals, oldest first.'),
    outcome: z
      .object({
        status: z.enum(enums.OutcomeStatus).describe('The status.'),
        output: anyObject
          .optional()
          .meta(doc('The output of the action, a JSON object.', { refundId: 're_77' })),
        recordedAt: timestamp.describe('When it was reported.'),
      })
      .optional()
      .describe('The reported outcome, if any.'),
  })
  .meta({ id: 'DecisionEvent' });

export const recordedEvent = decisionEvent.extend({ receipt }).meta({ id: 'RecordedDecisionEvent' });

export const decisionClaim = z
  .object({
    eventId: z.string().meta(doc('The id of the event.', 'evt_01k9zq2m0000000000000000e1')),
    claimedAt: timestamp.meta(
      doc('When the decision was claimed for execution.', '2026-11-15T09:30:00.000Z'),
    ),
    receipt,
  })
  .meta({ id: 'DecisionClaim' });

export const decisionEventSummary = z
  .object({
    ...common,
    action: z
      .object({
        type: z
          .string()
          .meta(doc('The action type, defined by you. Policies match it by pattern.', 'refund.grant')),
      })
      .describe('The action: type, input and output.'),
    tags: z.array(z.string()).meta(doc('Tags for searching.', ['billing'])),
    createdAt: timestamp.describe('When it was created.'),
    updatedAt: timestamp.describe('When it last changed.'),
  })
  .meta({ id: 'DecisionEventSummary' });

export const approvalOutcome = z
  .object({
    approvalId: z.string().meta(doc('The id of the approval.', 'apr_01k9zq2m0000000000000000a1')),
    decisionId: z
      .string()
      .meta(
        doc('The id of the decision: your `idempotencyKey`, if given.', 'dec_01k9zq2m0000000000000000c1'),
      ),
    approver: approver.describe('The approver.'),
    result: approvalResult.describe('Whether it is approved or rejected.'),
    reason: z.string().optional().meta(doc('The reason.', 'Fits the plan.')),
    evidenceLevel: evidenceLevel.describe('The evidence level. It can only rise.'),
    sealedHash: prefixedHash.nullable().meta(doc('The hash of the sealed record, or null.', A_PREFIXED_HASH)),
    sealedAt: timestamp.nullable().describe('When it was sealed, or null.'),
    createdAt: timestamp.describe('When it was created.'),
    receipt,
  })
  .meta({ id: 'Approval' });

export const decisionOutcome = z
  .object({
    eventId: z.string().meta(doc('The id of the event.', 'evt_01k9zq2m0000000000000000e1')),
    status: z.enum(enums.OutcomeStatus).describe('The status.'),
    recordedAt: timestamp.describe('When it was reported.'),
    journalIndex: z.int().meta(doc("The index of its entry on the center's journal, from 0.", 57)),
    receipt,
  })
  .meta({ id: 'DecisionOutcome' });

/** Hashes have an algorithm prefix on these paths. */
export function prefixed(hash: string): string;
export function prefixed(hash: string | null): string | null;
export function prefixed(hash: string | null): string | null {
  return hash === null ? null : `sha256:${hash}`;
}

/** An object without its null members. */
export type Present<T> = { [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : never]?: Exclude<T[K], null>;
};

/** Members that are null in GraphQL are omitted here. Free-form values are left unchanged. */
export function present<T extends object>(value: T): Present<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null)) as Present<T>;
}
