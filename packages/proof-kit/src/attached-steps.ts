/** The steps for what a document attaches to its record: passkeys, policies, erasures, the outcome and the mandate. */
import { chainOriginOf } from './checkpoint.ts';
import type { DisclosedDecision, DisclosedRejection } from './disclose.ts';
import { isObject } from './form.ts';
import { requirementsOf } from './guards.ts';
import type { ProofDocument } from './proof-document.ts';
import { Refutation } from './sealed-content.ts';
import type { Trust } from './trust.ts';
import { checkCredentials, type PasskeyAge } from './verify-credentials.ts';
import { checkErased } from './verify-erased.ts';
import { checkGroups } from './verify-groups.ts';
import type { LogCheck } from './verify-log.ts';
import { checkMandateUse } from './verify-mandate.ts';
import { checkOutcome } from './verify-outcome.ts';
import { checkPolicies } from './verify-policies.ts';
import { withheldOfOutcome } from './verify-record.ts';
import { absent, type Passed, type ProofVerdict, pass } from './verify-steps.ts';

/** What the earlier steps have found, and where these steps add to it. */
export interface Examined {
  readonly document: ProofDocument;
  readonly trust: Trust;
  readonly log: LogCheck;
  readonly service: string;
  /** The center of the record; null if the document does not show it. */
  readonly center: number | null;
  readonly decision: DisclosedDecision | null;
  readonly rejection: DisclosedRejection | null;
  readonly withheld: string[];
  readonly verifyGrant: VerifyGrant;
  ages: PasskeyAge[];
  mandate: VerifiedGrant | null;
}

/** The proof of the decision that granted a mandate, verified like any other. */
export interface VerifiedGrant {
  verdict: ProofVerdict;
  examination: Pick<Examined, 'decision' | 'log'> | null;
}

type VerifyGrant = (proof: unknown) => Promise<VerifiedGrant>;

/** The passkeys that signed belong to their people, and are old enough. */
export async function credentialsStep(examined: Examined): Promise<Passed> {
  const { credentials = [] } = examined.document;
  const { approvals } = examined.decision ?? examined.rejection!;
  const nameOf = (i: number) => (examined.rejection ? 'approval' : `approvals[${i}]`);
  const { service, trust, log } = examined;
  const journals = examined.decision?.policy.journals;
  const found = await checkCredentials(credentials, approvals, { service, trust, log, journals }, nameOf);
  examined.ages = found.ages;
  examined.withheld.push(...found.withheld);
  const least = examined.decision
    ? (requirementsOf(examined.decision.policy.guards)?.passkeyAgeHours ?? 0)
    : 0;
  if (found.ages.some(({ hours }) => hours < least))
    throw new Refutation('the guard approver_authentication does not hold');
  if (!approvals.some(({ signature }) => signature))
    return absent('The signatures of passkeys are withheld.');
  if (examined.log.missing.includes('registration of a passkey'))
    return absent('The document does not show when, and for whom, a passkey was registered.');
  return pass('Every passkey was registered for its person before the approval.');
}

/** The guards follow from the policies that the service considered. */
export async function policiesStep(examined: Examined): Promise<Passed> {
  await checkPolicies(examined.document, examined.decision!, examined);
  const { missing } = examined.log;
  if (missing.includes('policy.considered'))
    return absent(
      'The decision does not say which policies the service considered: it was sealed before format 4.',
    );
  if (missing.includes('policy'))
    return absent('The document does not show all policies that the service considered.');
  return pass(
    'The guards follow from the policies that the service considered, as the journal holds them, and they hold. That there was no other policy is the word of the service.',
  );
}

/** Those who filled seats of groups were members, or stood in for members. */
export async function groupsStep(examined: Examined): Promise<Passed> {
  const withheld = await checkGroups(examined.document, examined.decision!, examined);
  examined.withheld.push(...withheld);
  const { missing } = examined.log;
  if (missing.includes('group') || missing.includes('delegation'))
    return absent('The document does not show all groups and delegations of the seats that were filled.');
  if (withheld.length > 0)
    return absent('The people of the groups and delegations are withheld, or some of them are.');
  return pass(
    'Each approver of a seat with a group is a member of it, or stood in for one, as the journal of the center holds groups and delegations. Who belongs to a group is the word of the center and its service.',
  );
}

/** The journal names what was erased. */
export async function erasedStep(examined: Examined): Promise<Passed> {
  const { event } = examined.decision ?? examined.rejection ?? {};
  const subject = event ? { eventId: event.id } : { dpuId: examined.document.evidence.id };
  await checkErased(examined.document, subject, examined);
  return pass('The journal says what was erased, when and by whom.');
}

/** The outcome is on the journal. */
export async function outcomeStep(examined: Examined): Promise<Passed> {
  const { outcome } = examined.document;
  const { service, center } = examined.decision!.content;
  const withheld = checkOutcome(outcome!, examined.decision!, examined.document);
  const journal = chainOriginOf(service, center.id, 'journal');
  await examined.log.attached('outcome', outcome!, (origin) => origin === journal);
  examined.withheld.push(...withheldOfOutcome(examined.document, withheld));
  if (outcome!.inclusion === undefined)
    return absent('What became of the decision is not yet in a signed summary of the journal.');
  return pass('What became of the decision is on the journal of its center, word for word.');
}

/** The mandate was granted by a decision that is proven too, and covers this use. */
export async function mandateStep(examined: Examined): Promise<Passed> {
  const { mandateProof, record } = examined.document;
  const decision = examined.decision!;
  const { mandate } = decision.content;
  if (mandate === undefined) throw new Refutation('mandateProof is there without a mandate');
  if (mandate.previous === undefined) examined.log.missing.push('mandate.previous');
  if (mandateProof === undefined) {
    examined.log.missing.push('mandateProof');
    return absent('The document does not show the decision that granted the mandate.');
  }
  if (isObject(mandateProof) && Object.hasOwn(mandateProof, 'mandateProof'))
    throw new Refutation('mandateProof: mandateProof is unknown');
  const { verdict, examination } = await examined.verifyGrant(mandateProof);
  if (verdict.verdict === 'refuted' || verdict.verdict === 'unreadable')
    throw new Refutation(`mandateProof: ${verdict.reason}`);
  examined.mandate = { verdict, examination };
  const granted = examination!.decision;
  if (granted === null) throw new Refutation('mandateProof is of another decision');
  const grant = { decision: granted, sealedAt: mandateProof.record.timestamp };
  await checkMandateUse({ decision, sealedAt: record.timestamp }, grant, examined);
  if (verdict.verdict === 'partial') {
    examined.log.missing.push(`mandateProof (${verdict.reason.replace(/; outcome: [a-z ]+$/, '')})`);
    return absent('The document does not show all of the decision that granted the mandate.');
  }
  return pass('The decision that granted the mandate is proven too, and this use is within its limits.');
}
