/**
 * The guards of a policy: what each requires of a decision, and its finding. The service evaluates them before it seals, and a
 * verifier evaluates them again from the sealed content. The detail of a guard is therefore a fixed sentence that states the
 * requirement and nothing that could be withheld or erased: no score, no name.
 */
import { normalId } from './approver-id.ts';
import { GUARDS, type SealedGuard } from './decision.ts';
import {
  type ApprovalFacts,
  type Authentication,
  countSeats,
  isStrongEnough,
  parseQuorums,
  type Quorum,
  quorumText,
  withoutRecentPasskeys,
} from './quorum.ts';

export { type ApprovalFacts, AUTHENTICATIONS, type Authentication, approvalFacts } from './quorum.ts';

export type GuardName = (typeof GUARDS)[number];

export const LEVELS = ['DRAFT', 'DOCUMENTED', 'AUDIT_READY'] as const;
export type Level = (typeof LEVELS)[number];

/** pending: further approvals can still satisfy the guard; fail: nothing can. */
export type GuardVerdict = 'pass' | 'fail' | 'pending';

export interface GuardFinding extends Finding {
  guard: GuardName;
}

/** What a policy can require, apart from a quorum. A demand that is absent or null is not set. */
export interface PolicyDemands {
  minimumEvidenceLevel?: Level | null;
  humanReviewForAi?: boolean | null;
  /** 0..1: a higher risk needs human approval. */
  riskThreshold?: number | null;
  /** A decision without a risk score counts as having the highest risk. */
  riskRequired?: boolean | null;
  dualApproval?: boolean | null;
  /** How approvers must be authenticated: asserted by an API key, by a session, or by a signature. */
  approverAuthentication?: Authentication | null;
  /** How long before the approval a passkey must have been registered to count as SIGNED. */
  passkeyAgeHours?: number | null;
}

/** What the policies together require; absent, null or false means not required. */
export interface Requirements extends PolicyDemands {
  /** Whether any policy covers the action. */
  policyExists: boolean;
  /** The quorum of the narrowest policy first, then wider ones that are enforced. */
  quorums?: readonly Quorum[] | null;
}

const MAX_PASSKEY_AGE_HOURS = 720;

export interface DecisionFacts {
  eventType: string;
  actorId: string | undefined;
  actorType: string;
  hasAiContext: boolean;
  /** Null: no risk score. Undefined: the score is withheld. */
  riskScore: number | null | undefined;
  evidenceLevel: Level;
  occurredAt?: string | undefined;
  approvals: readonly ApprovalFacts[];
  /** A mandate replaces human approval. */
  underMandate?: boolean | undefined;
  /** The decision grants a mandate: a signed-in human must approve it, whatever the policies require. */
  grantsMandate?: boolean | undefined;
}

/** Whether a decision of this type about this action grants a mandate. */
export const isMandateGrant = (eventType: string, actionType: string): boolean =>
  eventType === 'policy_decision' && actionType === 'mandate.grant';

const AI_TYPES = ['ai_recommendation', 'agent_execution'];

/** However it is labeled: by its actor, by its model information, or by its type. */
function isAiDecision({ actorType, hasAiContext, eventType }: DecisionFacts): boolean {
  return actorType === 'ai_agent' || hasAiContext || AI_TYPES.includes(eventType);
}

interface Finding {
  verdict: GuardVerdict;
  detail: string;
}

const pass = (detail: string): Finding => ({ verdict: 'pass', detail });
const fail = (detail: string): Finding => ({ verdict: 'fail', detail });

const NOT_REQUIRED = 'not required';
const NOT_REQUIRED_FINDING = pass(NOT_REQUIRED);

/** One finding per guard, always all of them, in the order of `GUARDS`. */
export function evaluateGuards(asked: Requirements, given: DecisionFacts): GuardFinding[] {
  const facts = { ...given, approvals: withoutRecentPasskeys(given.approvals, asked.passkeyAgeHours ?? 0) };
  const findings: Record<GuardName, Finding> = {
    policy_existence: asked.policyExists
      ? pass('a policy covers this action')
      : fail('no policy covers this action'),
    evidence_level: asked.minimumEvidenceLevel
      ? evidenceLevel(asked.minimumEvidenceLevel, facts)
      : NOT_REQUIRED_FINDING,
    human_review: humanReview(asked, facts),
    risk_threshold:
      asked.riskThreshold === undefined || asked.riskThreshold === null
        ? NOT_REQUIRED_FINDING
        : risk(asked.riskThreshold, asked.riskRequired ?? false, facts),
    dual_approval: asked.dualApproval ? twoApprovers(facts) : NOT_REQUIRED_FINDING,
    approver_authentication: asked.approverAuthentication
      ? authentication(asked.approverAuthentication, asked.passkeyAgeHours ?? 0, facts)
      : NOT_REQUIRED_FINDING,
    quorum: asked.quorums?.length ? quorum(asked.quorums, facts) : NOT_REQUIRED_FINDING,
  };
  return GUARDS.map((guard) => ({ guard, ...findings[guard] }));
}

function evidenceLevel(minimum: Level, { evidenceLevel: level }: DecisionFacts): Finding {
  const detail = `level ${level}, at least ${minimum} required`;
  return LEVELS.indexOf(level) >= LEVELS.indexOf(minimum) ? pass(detail) : fail(detail);
}

const NO_AI = 'not a decision of an AI';
const HUMAN_REVIEW = 'review of an AI decision by a human';

const GRANT = 'grant of a mandate by a human';

function humanReview({ humanReviewForAi }: Requirements, facts: DecisionFacts): Finding {
  if (facts.grantsMandate) return byApproval(facts, hasSignedInHuman(facts), GRANT);
  if (!humanReviewForAi) return NOT_REQUIRED_FINDING;
  return isAiDecision(facts) ? byHuman(facts, HUMAN_REVIEW) : pass(NO_AI);
}

const NO_SCORE = 'no risk score given';
const atMost = (threshold: number): string => `risk at most ${threshold}`;
const over = (threshold: number): string => `risk over ${threshold}: approval by a human`;
const UNRATED = 'risk not rated: approval by a human';

function risk(threshold: number, required: boolean, facts: DecisionFacts): Finding {
  const { riskScore } = facts;
  if (riskScore === null || riskScore === undefined) {
    if (!required || threshold >= 1) return pass(NO_SCORE);
    return byHuman(facts, UNRATED);
  }
  if (riskScore <= threshold) return pass(atMost(threshold));
  return byHuman(facts, over(threshold));
}

const TWO_APPROVERS = 'approval by two different approvers';

function twoApprovers(facts: DecisionFacts): Finding {
  return byApproval(facts, countApprovers(facts) >= 2, TWO_APPROVERS);
}

/** People only, by their ids in normal form; withheld ids get the benefit of the doubt. */
function countApprovers(facts: DecisionFacts): number {
  const people = approved(facts).filter(({ approverType }) => approverType === 'human');
  const ids = people.map(({ approverId }) => approverId);
  const known = new Set(ids.filter((id) => id !== undefined).map(normalId));
  return known.size + ids.filter((id) => id === undefined).length;
}

const atLeast = (asked: Authentication, ageHours: number): string =>
  asked === 'SIGNED' && ageHours > 0
    ? `approvers at least SIGNED, passkeys at least ${ageHours} hours old`
    : `approvers at least ${asked}`;

/** Every approval that counts must be authenticated this way: a weaker one stays on record. */
function authentication(asked: Authentication, ageHours: number, facts: DecisionFacts): Finding {
  const detail = atLeast(asked, ageHours);
  const isWeak = ({ byKind }: ApprovalFacts) => !isStrongEnough(byKind, asked);
  return approved(facts).some(isWeak) ? fail(detail) : pass(detail);
}

function quorum(quorums: readonly Quorum[], facts: DecisionFacts): Finding {
  const need = quorumText(quorums);
  if (facts.underMandate) return pass(need + UNDER_A_MANDATE);
  const isFilled = !countSeats(quorums, facts).some(({ isOpen }) => isOpen);
  return byApproval(facts, isFilled, need, 'filled');
}

const UNDER_A_MANDATE = ': under a mandate';

function byHuman(facts: DecisionFacts, need: string): Finding {
  return facts.underMandate ? pass(need + UNDER_A_MANDATE) : byApproval(facts, hasHuman(facts), need);
}

/** A rejection is final, so a missing approval can no longer be given. */
function byApproval(facts: DecisionFacts, satisfied: boolean, need: string, done = 'given'): Finding {
  if (facts.approvals.some(({ result }) => result === 'rejected')) return fail(`${need}: rejected`);
  return satisfied ? pass(`${need}: ${done}`) : { verdict: 'pending', detail: `${need}: awaited` };
}

function hasHuman(facts: DecisionFacts): boolean {
  return approved(facts).some(({ approverType }) => approverType === 'human');
}

/** An API key may name any approver, also one that its holder made up. */
function hasSignedInHuman(facts: DecisionFacts): boolean {
  return approved(facts).some(
    ({ approverType, byKind }) => approverType === 'human' && isStrongEnough(byKind, 'SESSION'),
  );
}

function approved({ approvals }: DecisionFacts): ApprovalFacts[] {
  return approvals.filter(({ result }) => result === 'approved');
}

/**
 * The index of the first self-approval, or -1. An AI actor never approves its own decision. Under human review, dual approval
 * or a quorum, and for the grant of a mandate, no actor of any kind does, and no delegate on the actor's behalf.
 */
export function selfApproval(
  asked: Pick<Requirements, 'humanReviewForAi' | 'dualApproval' | 'quorums'>,
  facts: DecisionFacts,
): number {
  const holds =
    facts.actorType === 'ai_agent' ||
    (facts.grantsMandate ?? false) ||
    (asked.dualApproval ?? false) ||
    (asked.quorums ?? []).length > 0 ||
    ((asked.humanReviewForAi ?? false) && isAiDecision(facts));
  const { actorId } = facts;
  if (!holds || actorId === undefined) return -1;
  const own = normalId(actorId);
  return facts.approvals.findIndex(
    ({ result, approverId, onBehalfOf }) =>
      result === 'approved' &&
      [approverId, onBehalfOf].some((id) => id !== undefined && normalId(id) === own),
  );
}

/** The requirements, parsed from the details of sealed guards; null for an unknown sentence. */
export function requirementsOf(
  guards: readonly Pick<SealedGuard, 'guard' | 'detail'>[],
): Requirements | null {
  const asked: Requirements = { policyExists: false };
  for (const { guard, detail } of guards) {
    const reader = Object.hasOwn(READERS, guard) ? READERS[guard as GuardName] : null;
    if (!reader || (detail !== NOT_REQUIRED && !reader(detail, asked))) return null;
  }
  return asked;
}

/** Each records the requirement of its sentence, or reports that the sentence is unknown. */
const READERS: Record<GuardName, (detail: string, asked: Requirements) => boolean> = {
  policy_existence(detail, asked) {
    asked.policyExists = detail === 'a policy covers this action';
    return asked.policyExists;
  },
  evidence_level(detail, asked) {
    const parts =
      /^level (DRAFT|DOCUMENTED|AUDIT_READY), at least (DRAFT|DOCUMENTED|AUDIT_READY) required$/.exec(detail);
    if (!parts) return false;
    asked.minimumEvidenceLevel = parts[2] as Level;
    return true;
  },
  human_review(detail, asked) {
    if (detail === `${GRANT}: given`) return true;
    asked.humanReviewForAi = true;
    return detail === NO_AI || isGivenOrMandated(detail, HUMAN_REVIEW);
  },
  risk_threshold(detail, asked) {
    if (detail === NO_SCORE) {
      // Without a score, the threshold does not matter.
      asked.riskThreshold = 1;
      return true;
    }
    if (isGivenOrMandated(detail, UNRATED)) {
      asked.riskThreshold = 0;
      asked.riskRequired = true;
      return true;
    }
    const parts = /^risk (?:at most (\S+)|over (\S+): approval by a human: (?:given|under a mandate))$/.exec(
      detail,
    );
    const written = parts?.[1] ?? parts?.[2];
    const threshold = Number(written);
    if (written === undefined || String(threshold) !== written || !(threshold >= 0 && threshold <= 1))
      return false;
    asked.riskThreshold = threshold;
    return true;
  },
  dual_approval(detail, asked) {
    asked.dualApproval = true;
    return detail === `${TWO_APPROVERS}: given`;
  },
  approver_authentication(detail, asked) {
    const parts =
      /^approvers at least (?:(ASSERTED|SESSION|SIGNED)|SIGNED, passkeys at least ([1-9]\d{0,2}) hours old)$/.exec(
        detail,
      );
    if (!parts || Number(parts[2] ?? 0) > MAX_PASSKEY_AGE_HOURS) return false;
    asked.approverAuthentication = (parts[1] ?? 'SIGNED') as Authentication;
    asked.passkeyAgeHours = Number(parts[2] ?? 0);
    return true;
  },
  quorum(detail, asked) {
    const [, need] = /^(.+): (?:filled|under a mandate)$/.exec(detail) ?? [];
    asked.quorums = need === undefined ? null : parseQuorums(need);
    return asked.quorums !== null;
  },
};

function isGivenOrMandated(detail: string, need: string): boolean {
  return detail === `${need}: given` || detail === need + UNDER_A_MANDATE;
}
