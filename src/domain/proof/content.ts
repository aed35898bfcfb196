import type {
  ApprovalResult,
  ApproverType,
  DecisionEventType,
  EventActorType,
} from '../../db/generated/prisma/enums.ts';
import { sha256Hex } from '../../lib/crypto.ts';
import { canonicalJson } from '../../proof-kit/canonical.ts';

/** What a decision event says, in the form that is hashed. Absent fields are left out. */
export interface EventContent {
  id: string;
  decisionId: string;
  type: DecisionEventType;
  actor: { id: string; type: EventActorType; name?: string };
  action: {
    type: string;
    description?: string;
    input?: Record<string, unknown>;
    output?: Record<string, unknown>;
  };
  aiContext?: { model?: string; provider?: string; confidence?: number; reasoning?: string };
  tags: string[];
  occurredAt: string;
}

export interface ApprovalContent {
  id: string;
  approver: { id: string; type: ApproverType; name?: string };
  result: ApprovalResult;
  reason?: string;
  approvedAt: string;
}

/** The policy under which a decision was sealed: which one, at which version, and what each guard said. */
export interface PolicyContent {
  id: string;
  version: number;
  guards: Record<string, unknown>;
}

/** The whole content of a sealed decision. */
export interface SealedDecision {
  event: EventContent;
  approvals: ApprovalContent[];
  policy: PolicyContent;
}

/** What an approver approves: any other content has another hash. */
export function contentHashOf(event: EventContent): string {
  return sha256Hex(canonicalJson(event));
}
