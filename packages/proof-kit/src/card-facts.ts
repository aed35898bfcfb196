/** What is known of a decision, for its card: the API and proof documents give the same facts. */
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
  /** `human`, `ai_agent`, `service`, `system` or `api_key`. */
  type: string;
  id?: string | undefined;
  /** The given name, or the present name of the key or person that the id names. */
  name?: string | undefined;
}

export interface CardApproval {
  approver: CardParty;
  result: 'approved' | 'rejected';
  /** `via` is there if a company's provider signed the approver in; `identity` names the provider, unless it is withheld or erased. */
  by: { kind: ApprovedByKind; via?: 'oidc' | undefined; identity?: { issuer: string } | undefined };
  /** The name of the API key that asserted the approval, if the reader may know it. */
  assertedBy?: string | undefined;
  /** The person whose delegate approved. */
  onBehalfOf?: CardParty | undefined;
  /** Whether the seat was open to a further group because the time of its own was up. */
  isEscalated?: boolean | undefined;
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
  status: 'recorded' | 'approved' | 'sealed' | 'rejected';
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
  provider?: string | undefined;
  tags?: readonly string[] | undefined;
  guards: readonly CardGuard[];
  seats: readonly CardSeat[];
  approvals: readonly CardApproval[];
  /** The mandate that approved it: how many uses and how much of the budget it had taken after this one. */
  mandate?: { id: string; use: number; spent?: number | undefined } | undefined;
  outcome?: { status: string; recordedAt: string; by?: CardParty | undefined; output?: unknown } | undefined;
  /** Whether the facts come from a proof document, which may be older than what the service knows. */
  isCopy?: boolean | undefined;
  /** Paths that this copy withholds or that were erased: the card says so instead of leaving them out. */
  withheld: readonly string[];
  /** Paths of members that a copy withholds, unless there were none: it only shows how many members are withheld. */
  unclear?: readonly string[] | undefined;
  erased: readonly { path: string; at?: string | undefined; reason?: string | undefined }[];
  /** How the center describes this type of action. */
  words?: ActionTypeWords | undefined;
  /** Present names by id, of keys, people, groups and agents that the texts and arguments mention. */
  names?: Readonly<Record<string, string>> | undefined;
}
