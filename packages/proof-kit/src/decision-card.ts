/**
 * What a person must see of a decision: what was asked and by whom, who approved it and how, under which policies, and what
 * became of it. The console, the proof page, mail and print show these members in this order and in these words. They add only
 * their own form: times, colors, links.
 */
import type { ApprovedByKind } from './decision.ts';
import type { Authentication } from './guards.ts';

/** How a center describes a type of action: `settings.actionTypes`. */
export interface ActionTypeWords {
  /** An action type such as `refund.grant`. */
  type: string;
  /** The type in words: `Refund`. */
  label: string;
  /** Members of `action.input`, by dotted path. */
  members: readonly { path: string; label: string; unit?: string | null | undefined }[];
}

/** A person, agent, service or key. A withheld or erased member is undefined. */
export interface CardParty {
  type: string;
  id?: string | undefined;
  /** The given name, or the present name of the key or person that the id names. */
  name?: string | undefined;
}

export interface CardApproval {
  approver: CardParty;
  result: 'approved' | 'rejected';
  by: { kind: ApprovedByKind };
  /** The name of the API key that asserted the approval, if the reader may know it. */
  assertedBy?: string | undefined;
  reason?: string | undefined;
  /** ISO 8601, UTC. */
  approvedAt: string;
}

/** A seat of a quorum. `filledBy` has indexes of approvals. */
export interface CardSeat {
  /** Null: any human. */
  group: string | null;
  groupName?: string | undefined;
  count: number;
  authentication: Authentication;
  filledBy: readonly number[];
  open: boolean;
}

export interface CardGuard {
  guard: string;
  verdict: string;
  detail: string;
  policy?: string | undefined;
  /** The name of the policy, if the reader may know it. */
  policyName?: string | undefined;
  version?: number | undefined;
}

/** The facts, as the API and proof documents give them. */
export interface CardFacts {
  /** The kind of decision: `agent_execution`. */
  type: string;
  actor: CardParty;
  /** The API key or person that recorded it, if that is another than the actor. */
  requestedBy?: CardParty | undefined;
  /** ISO 8601, UTC. */
  occurredAt: string;
  action: {
    type: string;
    description?: string | undefined;
    input?: unknown;
    output?: unknown;
  };
  riskScore?: number | undefined;
  confidence?: number | undefined;
  /** Why the model decided so. */
  reasoning?: string | undefined;
  model?: string | undefined;
  guards: readonly CardGuard[];
  seats: readonly CardSeat[];
  approvals: readonly CardApproval[];
  outcome?: { status: string; recordedAt: string; output?: unknown } | undefined;
  /** Paths that this copy withholds or that were erased: the card says so instead of leaving them out. */
  withheld: readonly string[];
  erased: readonly string[];
  /** How the center describes this type of action. */
  words?: ActionTypeWords | undefined;
}
