import {
  ACTOR_TYPES,
  APPROVER_TYPES,
  type PlainApproval,
  REPORTED_STATUSES,
  SIGN_IN_WAYS,
} from '@countersign/proof-kit/decision';
import { z } from 'zod';
import * as enums from '../db/generated/prisma/enums.ts';
import { A_PERSON, A_PREFIXED_HASH, doc, example } from '../lib/doc.ts';
import { evidenceLevel, ids, timestamp } from './schemas.ts';

/** The shapes of the Proof API, and the mapping from GraphQL results. */
const eventType = z.enum(enums.DecisionEventType).meta({ id: 'DecisionEventType' });
const eventStatus = z.enum(enums.DecisionEventStatus).meta({ id: 'DecisionEventStatus' });
const actorType = z.enum(ACTOR_TYPES).meta({ id: 'EventActorType' });
const approverType = z.enum(APPROVER_TYPES).meta({ id: 'ApproverType' });
const approvalResult = z.enum(enums.ApprovalResult).meta({ id: 'ApprovalResult' });
export const evidenceStatus = z.enum(['pending', 'sealed']).meta({ id: 'EvidenceStatus' });
export const prefixedHash = z.string().regex(/^sha256:[0-9a-f]{64}$/);

const actor = z
  .object({
    id: z.string().meta(example('triage-bot')),
    type: actorType,
    name: z.string().optional().meta(example('Triage bot')),
  })
  .meta({ id: 'DecisionActor' });
const anyObject = z.record(z.string(), z.unknown());

const action = z
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
      .meta(doc('What the action works with, an object.', { orderId: '1042', amount: 4900 })),
    output: anyObject.optional().meta(doc('What the action gave, an object.', { refundId: 're_77' })),
  })
  .meta({ id: 'DecisionAction' });

const aiContext = z
  .object({
    model: z.string().optional().meta(example('example-1')),
    provider: z.string().optional().meta(example('example-ai')),
    confidence: z.number().optional().meta(example(0.93)),
    reasoning: z.string().optional().meta(example('The order arrived damaged.')),
  })
  .meta({ id: 'AiContext' });

const common = {
  id: z.string().meta(ids.event),
  decisionId: z.string().meta(ids.decision),
  type: eventType,
  status: eventStatus,
  actor,
};

const contentFields = {
  action,
  aiContext: aiContext.optional().describe('The model behind the decision and its own assessment.'),
  tags: z.array(z.string()).meta(example(['billing'])),
  occurredAt: timestamp.describe('When the decision was made: the time at which it was recorded, in UTC.'),
};

/** A decision as it was sealed. */
export const sealedEvent = z
  .object({
    ...contentFields,
    id: z.string().meta(ids.event),
    decisionId: z.string().optional().meta(ids.decision),
    type: eventType,
    actor: actor.partial({ id: true }).meta({ graphqlType: 'DecisionActor' }),
    riskScore: z
      .number()
      .optional()
      .meta(
        doc(
          'The risk according to the agent, from 0 to 1. Above the threshold of the policy, a person decides.',
          0.2,
        ),
      ),
    tags: contentFields.tags.optional(),
  })
  .meta({ id: 'SealedEvent', graphqlType: 'DecisionEvent' });

const approver = z
  .object({
    id: z.string().meta(example('dr-kim')),
    type: approverType,
    name: z.string().optional().meta(example('Dr. Kim')),
  })
  .meta({ id: 'Approver' });

/** What an approval says, wherever it is shown. */
const verdict = {
  result: approvalResult,
  reason: z.string().optional().meta(example('Fits the plan.')),
};
const AUTHENTICATED_BY = 'How the approver was authenticated: API key, session, passkey or system.';
const authentication = z.object({
  kind: z.enum(enums.ApprovedByKind).describe('How the approver was authenticated.'),
  via: z
    .enum(SIGN_IN_WAYS)
    .optional()
    .describe("`oidc` if the company's identity provider signed the approver in; otherwise left out."),
});

export const approval = z
  .object({
    id: z.string().meta(ids.approval),
    approver: approver.partial({ id: true }).meta({ graphqlType: 'Approver' }),
    ...verdict,
    by: authentication
      .extend({
        id: z
          .string()
          .optional()
          .meta(doc('The id of the person (a UUID) or of the API key, `key_…`.', A_PERSON)),
        identity: z
          .object({
            issuer: z
              .string()
              .meta(
                doc(
                  'The address of the identity provider, as in its ID tokens.',
                  'https://login.example.com',
                ),
              ),
            subject: z.string().meta(doc('The id of the person at the provider.', '248289761001')),
          })
          .optional()
          .describe("The subject of the company's identity provider; only with `via`."),
      })
      .describe(AUTHENTICATED_BY),
    signature: anyObject.optional().describe("A passkey's signature over the approval."),
    approvedAt: timestamp.describe('When the approval was recorded, in UTC.'),
  })
  .meta({ id: 'SealedApproval', graphqlType: 'Approval' });

/** An approval or rejection within a decision. */
const approvalSummary = z
  .object({
    approvalId: z.string().meta(ids.approval),
    approver,
    ...verdict,
    by: authentication.describe(AUTHENTICATED_BY),
    createdAt: timestamp,
  })
  .meta({ id: 'ApprovalSummary', graphqlType: 'Approval' });

export const APPROVALS = /* GraphQL */ `approvals {
  id approver { id type name } result reason by createdAt
}`;

interface Approval<Approver, Result> {
  id: string;
  approver: Approver;
  result: Result;
  reason: string | null;
  by: Pick<PlainApproval['by'], 'kind' | 'via'>;
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
  by: { kind: by.kind, ...(by.via !== undefined && { via: by.via }) },
  result,
  ...(reason !== null && { reason }),
  createdAt,
});

const A_RECEIPT = 'proof.example/receipts\nrecorded\nevt_01k9zq2m0000000000000000e1\n…';

/** Members of a decision that REST omits while GraphQL has null. */
export const expiresAt = timestamp.meta(
  doc('When the decision is rejected unless it is approved before, in UTC.', '2026-11-15T09:32:00.000Z'),
);
export const claimedAt = timestamp.meta(
  doc('When the requester claimed the decision for execution, in UTC.', '2026-11-15T09:30:00.000Z'),
);
export const receipt = z
  .string()
  .optional()
  .meta(doc('A signed receipt with the position of the record on its chain.', A_RECEIPT));

export const argumentsDigest = prefixedHash.meta(
  doc(
    '`sha256:` followed by the hex digest of the canonical `action.input`, that is, of the exact arguments.',
    'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
  ),
);

/** Whether a decision is sealed, and where. */
export const sealState = {
  status: evidenceStatus,
  chainHash: prefixedHash
    .nullable()
    .meta(
      doc(
        'The hash of the record on its chain, `sha256:` and 64 hex digits; null until it is sealed.',
        A_PREFIXED_HASH,
      ),
    ),
  chainIndex: z.int().nullable().meta(example(41)),
};

export const chainPlace = z
  .object({
    hash: prefixedHash.meta(doc('The hash of this record, `sha256:` and 64 hex digits.', A_PREFIXED_HASH)),
    previousHash: prefixedHash
      .nullable()
      .meta(doc('The hash of the previous record, `sha256:` and 64 hex digits; null for the first.', null)),
    index: z.int().meta(example(41)),
    domain: z.string().meta(doc('The name of the chain: platform, proof, audit or journal.', 'proof')),
  })
  .meta({ id: 'ChainPlace' });

export const decisionEvent = z
  .object({
    ...common,
    ...contentFields,
    evidence: z
      .object({ id: z.string().meta(example('evd_01k9zq2m0000000000000000v1')), ...sealState })
      .meta({ id: 'EvidenceState' }),
    createdAt: timestamp,
    updatedAt: timestamp,
    argumentsDigest: argumentsDigest.optional(),
    expiresAt: expiresAt.optional(),
    claimedAt: claimedAt.optional(),
    approvals: z.array(approvalSummary),
    outcome: z
      .object({
        status: z.enum(REPORTED_STATUSES),
        output: anyObject.optional().meta(example({ refundId: 're_77' })),
        recordedAt: timestamp,
      })
      .optional()
      .describe('What became of the decision, as its requester reported it.'),
  })
  .meta({ id: 'DecisionEvent' });

export const recordedEvent = decisionEvent
  .extend({ receipt })
  .meta({ id: 'RecordedDecisionEvent', graphqlType: 'DecisionEvent' });

export const decisionClaim = z
  .object({ eventId: z.string().meta(ids.event), claimedAt, receipt })
  .meta({ id: 'DecisionClaim' });

export const decisionEventSummary = z
  .object({
    ...common,
    action: action.pick({ type: true }),
    tags: contentFields.tags,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'DecisionEventSummary' });

export const approvalOutcome = z
  .object({
    approvalId: z.string().meta(ids.approval),
    decisionId: z.string().meta(ids.decision),
    approver,
    ...verdict,
    evidenceLevel,
    sealedHash: prefixedHash
      .nullable()
      .meta(
        doc(
          'The hash of the record on its chain, `sha256:` and 64 hex digits; null until the decision is sealed.',
          A_PREFIXED_HASH,
        ),
      ),
    sealedAt: timestamp.nullable(),
    createdAt: timestamp,
    receipt,
  })
  .meta({ id: 'Approval', graphqlType: 'ApprovalOutcome' });

export const decisionOutcome = z
  .object({
    eventId: z.string().meta(ids.event),
    status: z.enum(REPORTED_STATUSES),
    recordedAt: timestamp,
    journalIndex: z.int().meta(example(57)),
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
