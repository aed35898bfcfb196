/** Whether a sealed decision could have been sealed as it says: its times, its approvers, and the guards of its policy. */
import { isSamePerson } from './approver-id.ts';
import { type DisclosedDecision, Refutation, type ShownApproval } from './disclose.ts';
import {
  type DecisionFacts,
  GUARDS,
  judgeGuards,
  type Level,
  requirementsOf,
  selfApproval,
} from './guards.ts';
import { approvalChallenge, eventDigest } from './sealed-decision.ts';
import { webAuthnFault } from './webauthn.ts';

/** Throws a Refutation for the first rule that does not hold. */
export async function checkDecision(decision: DisclosedDecision, sealedAt: string): Promise<void> {
  checkTimes(decision, sealedAt);
  decision.approvals.forEach(checkApprover);
  checkFourEyes(decision.approvals);
  checkGuards(decision);
  await checkSignatures(decision);
}

/** Times are of one form and one length: their order is that of their texts. */
function checkTimes({ event, approvals }: DisclosedDecision, sealedAt: string): void {
  let before = event.occurredAt;
  approvals.forEach(({ approvedAt }, i) => {
    if (approvedAt < before) {
      const what = i === 0 ? 'the decision was recorded' : `approvals[${i - 1}]`;
      throw new Refutation(`approvals[${i}] was given before ${what}`);
    }
    before = approvedAt;
  });
  if (sealedAt < before) throw new Refutation('the decision was sealed before it was approved');
}

function checkApprover({ approver, by }: ShownApproval, i: number): void {
  const isPerson = by.kind === 'session' || by.kind === 'passkey';
  if (isPerson && approver.type !== 'human')
    throw new Refutation(`approvals[${i}] was given by a person and does not say so`);
  if (by.kind === 'system' && approver.type !== 'system')
    throw new Refutation(`approvals[${i}] was given by the system and does not say so`);
  if (isPerson && by.id !== undefined && approver.id !== undefined && by.id !== approver.id)
    throw new Refutation(`approvals[${i}] was given by somebody in another's name`);
}

function checkFourEyes(approvals: readonly ShownApproval[]): void {
  approvals.forEach((later, j) => {
    approvals.slice(0, j).forEach((earlier, i) => {
      if (later.id === earlier.id) throw new Refutation(`approvals[${i}] and approvals[${j}] are the same`);
      const [a, b] = [earlier.approver.id, later.approver.id];
      if (a !== undefined && b !== undefined && isSamePerson(a, b))
        throw new Refutation(`approvals[${i}] and approvals[${j}] were given by the same person`);
    });
  });
}

/** The score as far as it is known: null where none was sealed, undefined where it is withheld or may be. */
function riskScoreOf({ event, withheld }: DisclosedDecision): number | null | undefined {
  if (event.riskScore !== undefined) return event.riskScore;
  const mayBeWithheld = withheld.some(({ certain, possible }) =>
    [...certain, ...possible].includes('riskScore'),
  );
  return mayBeWithheld ? undefined : null;
}

function factsOf(decision: DisclosedDecision, level: Level): DecisionFacts {
  const { event, approvals } = decision;
  return {
    eventType: event.type,
    actorId: event.actor.id,
    actorType: event.actor.type,
    hasAiContext: event.aiContext !== undefined,
    riskScore: riskScoreOf(decision),
    evidenceLevel: level,
    approvals: approvals.map(({ approver, result, by }) => ({
      approverId: approver.id,
      approverType: approver.type,
      result,
      byKind: by.kind,
    })),
  };
}

/** Judges the decision again, by what its guards say was asked, and expects the same findings. */
function checkGuards(decision: DisclosedDecision): void {
  const { guards } = decision.policy;
  guards.forEach(({ guard }, i) => {
    if (guard !== GUARDS[i]) throw new Refutation(`policy.guards[${i}] is not ${GUARDS[i]}`);
  });
  const asked = requirementsOf(guards);
  if (asked === null) throw new Refutation('a guard of the policy says something that no guard says');
  // How complete the evidence was, only the service could tell; that it was enough is read from the words.
  const level = /^level (\w+),/.exec(guards[1]!.detail)?.[1] ?? 'AUDIT_READY';
  const facts = factsOf(decision, level as Level);
  judgeGuards(asked, facts).forEach((finding, i) => {
    const isUnknown = finding.guard === 'risk_threshold' && facts.riskScore === undefined;
    const isSame = finding.verdict === 'pass' && finding.detail === guards[i]!.detail;
    if (!isUnknown && !isSame) throw new Refutation(`the guard ${finding.guard} does not hold`);
  });
  if (facts.riskScore === undefined) checkUnknownRisk(guards[3]!.detail, facts);
  const own = selfApproval(asked, facts);
  if (own !== -1) throw new Refutation(`approvals[${own}] was given by the actor of the decision itself`);
}

/** Of a score that is withheld the guard still says whether it asked for a person. */
function checkUnknownRisk(detail: string, { approvals }: DecisionFacts): void {
  const askedForHuman = detail.endsWith(': approval by a human: given');
  if (askedForHuman && !approvals.some(({ approverType }) => approverType === 'human'))
    throw new Refutation('the guard risk_threshold does not hold');
}

async function checkSignatures({ content, approvals, signatures }: DisclosedDecision): Promise<void> {
  const digest = eventDigest(content.event);
  for (const [i, { signature }] of approvals.entries()) {
    if (signature === undefined) continue;
    const challenge = approvalChallenge(content.approvals[i]!, digest, signatures[i]);
    const found = await webAuthnFault(signature, { challenge, service: content.service });
    if (found !== null) throw new Refutation(`the signature of approvals[${i}] does not hold: ${found}`);
  }
}
