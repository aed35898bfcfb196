/** Whether a decision could have been sealed as it claims: its times, its approvers, and the guards of its policy. */
import { normalId } from './approver-id.ts';
import { checkJournals } from './considered.ts';
import { GUARDS, type SealedApproval } from './decision.ts';
import type { DisclosedDecision, DisclosedRejection, ShownApproval, ShownEvent } from './disclose.ts';
import type { PolicyFacts } from './effective-policy.ts';
import {
  approvalFacts,
  type DecisionFacts,
  evaluateGuards,
  isMandateGrant,
  type Level,
  requirementsOf,
  selfApproval,
} from './guards.ts';
import { Refutation } from './sealed-content.ts';
import { approvalChallenge, eventDigest } from './sealed-decision.ts';
import { webAuthnFault } from './webauthn.ts';

/** Runs a check that the runtime may not support. */
export type Attempt = (check: () => Promise<void>) => Promise<unknown>;

/** Throws a Refutation for the first rule that is violated. */
export async function checkDecision(
  decision: DisclosedDecision,
  sealedAt: string,
  attempt: Attempt = (check) => check(),
): Promise<void> {
  checkRules(decision, sealedAt);
  const { approvals, service } = decision.content;
  await checkSignatures(decision, approvals, { service, attempt, nameOf: (i) => `approvals[${i}]` });
}

/** All rules except the signatures of passkeys. */
export function checkRules(decision: DisclosedDecision, sealedAt: string): void {
  checkTimes(decision, sealedAt);
  decision.approvals.forEach((approval, i) => {
    checkApprover(approval, `approvals[${i}]`);
  });
  checkFourEyes(decision.approvals);
  checkMandate(decision, sealedAt);
  checkJournals(decision.content);
  checkGuards(decision);
}

/** The same for a decision that was not approved: a rejection needs no permission. */
export async function checkRejection(
  rejection: DisclosedRejection & { service: string },
  recordedAt: string,
  attempt: Attempt,
): Promise<void> {
  const { content, event, approvals, service } = rejection;
  checkRejectionRules(event, approvals[0]!, recordedAt);
  await checkSignatures(rejection, [content.approval], { service, attempt, nameOf: () => 'approval' });
}

/** The same without the signature. */
export function checkRejectionRules(event: ShownEvent, approval: ShownApproval, recordedAt: string): void {
  if (approval.approvedAt < event.occurredAt)
    throw new Refutation('approval was given before the decision was recorded');
  if (recordedAt < approval.approvedAt)
    throw new Refutation('the rejection was recorded before it was given');
  checkApprover(approval, 'approval');
  if (approval.by.kind === 'mandate') throw new Refutation('the mandate is not named');
}

/** Times have one form and one length, so they sort as text. */
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

function checkApprover({ approver, by }: ShownApproval, what: string): void {
  const isPerson = by.kind === 'session' || by.kind === 'passkey';
  if (isPerson && approver.type !== 'human')
    throw new Refutation(`${what} was given by a person and does not say so`);
  if (by.kind === 'system' && approver.type !== 'system')
    throw new Refutation(`${what} was given by the system and does not say so`);
  if (isPerson && by.id !== undefined && approver.id !== undefined && by.id !== approver.id)
    throw new Refutation(`${what} was given by somebody in another's name`);
  if (by.via !== undefined && !isPerson)
    throw new Refutation(`${what} was given without a session and names a provider`);
}

/** The subject as one text; undefined if the session is not from a provider, or the subject is not disclosed. */
export const identityKey = ({ by: { identity } }: Pick<ShownApproval, 'by'>): string | undefined =>
  identity && JSON.stringify([identity.issuer, identity.subject]);

/** Two approvals are distinct only if their ids, their people, their passkeys and their subjects at a provider differ. */
const FOUR_EYES: [words: string, keyOf: (approval: ShownApproval) => string | undefined][] = [
  ['are the same', ({ id }) => id],
  ['were given by the same person', ({ approver: { id } }) => (id === undefined ? id : normalId(id))],
  ['were signed by one passkey', ({ signature }) => signature?.publicKey],
  ['were given with one identity', identityKey],
];

function checkFourEyes(approvals: readonly ShownApproval[]): void {
  const seen = FOUR_EYES.map(() => new Map<string, number>());
  approvals.forEach((approval, j) => {
    const found = FOUR_EYES.flatMap(([words, keyOf], rule) => {
      const key = keyOf(approval);
      if (key === undefined) return [];
      const i = seen[rule]!.get(key);
      if (i === undefined) seen[rule]!.set(key, j);
      return i === undefined ? [] : [{ i, words }];
    }).sort((a, b) => a.i - b.i)[0];
    if (found) throw new Refutation(`approvals[${found.i}] and approvals[${j}] ${found.words}`);
  });
}

/** How long after its approval a use of a mandate may be sealed. */
export const MOST_MS_TO_SEAL = 300_000;

/** A mandate approves alone and in its own name, and its uses are linked and sealed at once. */
function checkMandate({ content: { mandate }, approvals }: DisclosedDecision, sealedAt: string): void {
  const isMandated = approvals.some(({ by }) => by.kind === 'mandate');
  if (isMandated !== (mandate !== undefined))
    throw new Refutation(isMandated ? 'the mandate is not named' : 'the mandate did not approve');
  if (!mandate) return;
  if (approvals.length !== 1) throw new Refutation('a mandate approved together with others');
  const { approver, by, approvedAt } = approvals[0]!;
  if (approver.type !== 'system')
    throw new Refutation('approvals[0] was given by a mandate and does not say so');
  if ([approver.id, by.id].some((id) => id !== undefined && id !== mandate.id))
    throw new Refutation('approvals[0] was given by another mandate');
  if (mandate.previous !== undefined && (mandate.previous === '') !== (mandate.use === 1))
    throw new Refutation('the first use of a mandate, and no other, has no predecessor');
  if (Date.parse(sealedAt) - Date.parse(approvedAt) > MOST_MS_TO_SEAL)
    throw new Refutation('the use of a mandate was sealed more than 300 seconds after its approval');
}

/** The known score: null if none was sealed, undefined if it is or may be withheld. */
export function riskScoreOf({ event, withheld }: DisclosedDecision): number | null | undefined {
  if (event.riskScore !== undefined) return event.riskScore;
  const mayBeWithheld = withheld.some(({ certain, possible }) =>
    [...certain, ...possible].includes('riskScore'),
  );
  return mayBeWithheld ? undefined : null;
}

export function factsOf(decision: DisclosedDecision, level = sealedLevel(decision)): DecisionFacts {
  const { event, approvals } = decision;
  return {
    eventType: event.type,
    actorId: event.actor.id,
    actorType: event.actor.type,
    hasAiContext: event.aiContext !== undefined,
    riskScore: riskScoreOf(decision),
    evidenceLevel: level,
    occurredAt: event.occurredAt,
    approvals: approvals.map(approvalFacts),
    underMandate: decision.content.mandate !== undefined,
    beforeFormat4: decision.policy.journals === undefined,
    grantsMandate: isMandateGrant(event.type, event.action.type),
  };
}

/** The same for policies. `passkeyAge` is the age in hours of the passkey that signed an approval, if it is known. */
export function policyFacts(
  decision: DisclosedDecision,
  passkeyAge: (approval: number) => number | undefined,
): PolicyFacts {
  const facts = factsOf(decision);
  const approvals = facts.approvals.map((each, i) => ({ ...each, passkeyAgeHours: passkeyAge(i) }));
  return { ...facts, actionType: decision.event.action.type, approvals };
}

/** Only the service knew how complete the evidence was; that it was enough is read from the detail. */
function sealedLevel({ policy }: DisclosedDecision): Level {
  return (/^level (\w+),/.exec(policy.guards[1]!.detail)?.[1] ?? 'AUDIT_READY') as Level;
}

/** Evaluates the decision again by what its guards say was required, and expects the same findings. */
function checkGuards(decision: DisclosedDecision): void {
  const { guards } = decision.policy;
  guards.forEach(({ guard }, i) => {
    if (guard !== GUARDS[i]) throw new Refutation(`policy.guards[${i}] is not ${GUARDS[i]}`);
  });
  const asked = requirementsOf(guards);
  if (asked === null) throw new Refutation('a guard of the policy says something that no guard says');
  const facts = factsOf(decision);
  evaluateGuards(asked, facts).forEach((finding, i) => {
    const isUnknown = finding.guard === 'risk_threshold' && facts.riskScore === undefined;
    const isSame = finding.verdict === 'pass' && finding.detail === guards[i]!.detail;
    if (!isUnknown && !isSame) throw new Refutation(`the guard ${finding.guard} does not hold`);
  });
  if (facts.riskScore === undefined) checkUnknownRisk(guards[3]!.detail, facts);
  const own = selfApproval(asked, facts);
  if (own !== -1) throw new Refutation(`approvals[${own}] was given by the actor of the decision itself`);
}

/** For a withheld score the guard still says whether it required a person. */
function checkUnknownRisk(detail: string, { approvals, underMandate = false }: DecisionFacts): void {
  const askedForHuman = detail.endsWith(': approval by a human: given');
  const mandated = detail.endsWith(': under a mandate');
  const lacksHuman = askedForHuman && !approvals.some(({ approverType }) => approverType === 'human');
  if (lacksHuman || (mandated && !underMandate))
    throw new Refutation('the guard risk_threshold does not hold');
}

async function checkSignatures(
  { content, approvals, signatures }: DisclosedDecision | DisclosedRejection,
  sealed: readonly SealedApproval[],
  { service, attempt, nameOf }: { service: string; attempt: Attempt; nameOf: (i: number) => string },
): Promise<void> {
  for (const [i, { signature }] of approvals.entries()) {
    if (signature === undefined) continue;
    await attempt(async () => {
      const challenge = approvalChallenge(sealed[i]!, eventDigest(content.event), signatures[i]!);
      const found = await webAuthnFault(signature, { challenge, service });
      if (found !== null) throw new Refutation(`the signature of ${nameOf(i)} does not hold: ${found}`);
    });
  }
}
