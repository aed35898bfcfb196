import { z } from 'zod';
import * as enums from '../db/generated/prisma/enums.ts';
import { evidenceLevel, timestamp } from './schemas.ts';

/** The shapes of the Proof API, and how GraphQL's answers are brought into them. */
const eventType = z.enum(enums.DecisionEventType).meta({ id: 'DecisionEventType' });
const eventStatus = z.enum(enums.DecisionEventStatus).meta({ id: 'DecisionEventStatus' });
const actorType = z.enum(enums.EventActorType).meta({ id: 'EventActorType' });
const approverType = z.enum(enums.ApproverType).meta({ id: 'ApproverType' });
const approvalResult = z.enum(enums.ApprovalResult).meta({ id: 'ApprovalResult' });
export const evidenceStatus = z.enum(['pending', 'sealed']).meta({ id: 'EvidenceStatus' });
export const prefixedHash = z.string().regex(/^sha256:[0-9a-f]{64}$/);

const actor = z.object({ id: z.string(), type: actorType, name: z.string().optional() });
const anyObject = z.record(z.string(), z.unknown());

const common = {
  id: z.string(),
  decisionId: z.string(),
  type: eventType,
  status: eventStatus,
  actor,
};

const said = {
  action: z.object({
    type: z.string(),
    description: z.string().optional(),
    input: anyObject.optional(),
    output: anyObject.optional(),
  }),
  aiContext: z
    .object({
      model: z.string().optional(),
      provider: z.string().optional(),
      confidence: z.number().optional(),
      reasoning: z.string().optional(),
    })
    .optional(),
  tags: z.array(z.string()),
  occurredAt: timestamp,
};

/** A decision as it was sealed. */
export const sealedEvent = z
  .object({
    ...said,
    id: z.string(),
    decisionId: z.string().optional(),
    type: eventType,
    actor: z.object({ id: z.string().optional(), type: actorType, name: z.string().optional() }),
    riskScore: z.number().optional(),
    tags: z.array(z.string()).optional(),
  })
  .meta({ id: 'SealedEvent' });

export const approver = z.object({ id: z.string(), type: approverType, name: z.string().optional() });

export const approval = z
  .object({
    id: z.string(),
    approver: z.object({ id: z.string().optional(), type: approverType, name: z.string().optional() }),
    result: approvalResult,
    reason: z.string().optional(),
    by: z.object({ kind: z.enum(enums.ApprovedByKind), id: z.string().optional() }),
    signature: anyObject.optional(),
    approvedAt: timestamp,
  })
  .meta({ id: 'SealedApproval' });

/** An approval or rejection as the decision itself shows it. */
const approvalSummary = z
  .object({
    approvalId: z.string(),
    approver,
    result: approvalResult,
    reason: z.string().optional(),
    by: z.object({ kind: z.enum(enums.ApprovedByKind) }),
    createdAt: timestamp,
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

/** A signed note: the service's word that a record is kept. */
const receipt = z.string().optional();

export const decisionEvent = z
  .object({
    ...common,
    ...said,
    evidence: z.object({
      id: z.string(),
      status: evidenceStatus,
      chainHash: prefixedHash.nullable(),
      chainIndex: z.int().nullable(),
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
    argumentsDigest: prefixedHash.optional(),
    expiresAt: timestamp.optional(),
    claimedAt: timestamp.optional(),
    approvals: z.array(approvalSummary),
    outcome: z
      .object({
        status: z.enum(enums.OutcomeStatus),
        output: anyObject.optional(),
        recordedAt: timestamp,
      })
      .optional(),
  })
  .meta({ id: 'DecisionEvent' });

export const recordedEvent = decisionEvent.extend({ receipt }).meta({ id: 'RecordedDecisionEvent' });

export const decisionClaim = z
  .object({ eventId: z.string(), claimedAt: timestamp, receipt })
  .meta({ id: 'DecisionClaim' });

export const decisionEventSummary = z
  .object({
    ...common,
    action: z.object({ type: z.string() }),
    tags: z.array(z.string()),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'DecisionEventSummary' });

export const approvalOutcome = z
  .object({
    approvalId: z.string(),
    decisionId: z.string(),
    approver,
    result: approvalResult,
    reason: z.string().optional(),
    evidenceLevel,
    sealedHash: prefixedHash.nullable(),
    sealedAt: timestamp.nullable(),
    createdAt: timestamp,
    receipt,
  })
  .meta({ id: 'Approval' });

export const decisionOutcome = z
  .object({
    eventId: z.string(),
    status: z.enum(enums.OutcomeStatus),
    recordedAt: timestamp,
    journalIndex: z.int(),
    receipt,
  })
  .meta({ id: 'DecisionOutcome' });

/** Hashes carry their algorithm on these paths. */
export function prefixed(hash: string): string;
export function prefixed(hash: string | null): string | null;
export function prefixed(hash: string | null): string | null {
  return hash === null ? null : `sha256:${hash}`;
}

/** An object whose members of null are left out. */
export type Present<T> = { [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : never]?: Exclude<T[K], null>;
};

/** GraphQL answers null for what is not there; here it is left out. Free-form values are not looked into. */
export function present<T extends object>(value: T): Present<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null)) as Present<T>;
}
