/** Checks a proof step by step, from the document alone. */
import {
  credentialsStep,
  type Examined,
  erasedStep,
  groupsStep,
  mandateStep,
  outcomeStep,
  policiesStep,
  type VerifiedGrant,
} from './attached-steps.ts';
import { fromHex } from './bytes.ts';
import { type Claims, ownContradiction } from './compare-proofs.ts';
import { checkDecision, checkRejection } from './decision-rules.ts';
import type { DisclosedDecision, DisclosedRejection, ShownApproval } from './disclose.ts';
import { isObject } from './form.ts';
import { unsaidOf } from './lacks.ts';
import { claimsOf } from './proof-claims.ts';
import { isDecisionProofEvidence, isRejectionProofEvidence, type ProofDocument } from './proof-document.ts';
import { HASH_PREFIX } from './record.ts';
import { CannotCheck, Refutation, withheldNames } from './sealed-content.ts';
import { chooseSigner, quorumOf, type Trust, type TrustedServiceKey } from './trust.ts';
import type { Findings } from './verdict-line.ts';
import { checkClosings, type DeclaredClosing } from './verify-closings.ts';
import type { PasskeyAge } from './verify-credentials.ts';
import { LogCheck, logNumberOf } from './verify-log.ts';
import {
  checkHash,
  checkLink,
  checkShownDecision,
  checkShownRecord,
  checkShownRejection,
  isErased,
  serviceOfUrl,
  withoutErased,
} from './verify-record.ts';
import { absent, failed, type Passed, pass, type Step, type StepName, TITLES } from './verify-steps.ts';
import { checkIncluded, type KnownCheckpoint, readCheckpoint, seen } from './verify-tree.ts';
import { UNWITNESSED, type WitnessTimes } from './witness-time.ts';

/** The checks in order, with what is known after each. Ends with the first failure. */
export class Examination implements Examined {
  readonly steps: Step[] = [];
  readonly withheld: string[] = [];
  readonly log: LogCheck;
  readonly document: ProofDocument;
  readonly trust: Trust;
  readonly verifyGrant: Examined['verifyGrant'];
  decision: DisclosedDecision | null = null;
  rejection: (DisclosedRejection & { service: string }) | null = null;
  origin: string | null = null;
  witnessed: WitnessTimes = UNWITNESSED;
  closings: DeclaredClosing[] = [];
  ages: PasskeyAge[] = [];
  mandate: VerifiedGrant | null = null;
  #chain: KnownCheckpoint | null = null;
  #signed: TrustedServiceKey[] | null = null;

  constructor(document: ProofDocument, trust: Trust, verifyGrant: Examined['verifyGrant']) {
    this.document = document;
    this.trust = trust;
    this.verifyGrant = verifyGrant;
    this.log = new LogCheck(document, trust);
  }

  /** The reason of the first failure, or null. */
  async run(): Promise<string | null> {
    const { evidence, erased, outcome, credentials, groups, delegations, mandateProof } = this.document;
    const isDecision = isDecisionProofEvidence(evidence);
    const approvals = isDecision
      ? evidence.approvals
      : isRejectionProofEvidence(evidence)
        ? [evidence.approval]
        : [];
    // Not compared with the sealed content yet: an approval may be any object.
    const byPasskey = approvals.some((approval: Partial<ShownApproval>) => approval.by?.kind === 'passkey');
    const hasGroups = groups !== undefined || delegations !== undefined || approvals.some(mayNameGroup);
    const checks: [StepName, boolean, () => Passed | Promise<Passed>][] = [
      ['hash', true, () => this.#hash()],
      ['link', true, () => this.#link()],
      ['content', true, () => this.#content()],
      ['decision', approvals.length > 0, () => this.#rules()],
      ['inclusion', true, () => this.#inclusion()],
      ['signature', true, () => this.#signature()],
      ['witnesses', true, () => this.#witnesses()],
      ['closings', this.#isInLaterLog(), () => this.#followsClosings()],
      ['credentials', byPasskey || credentials !== undefined, () => credentialsStep(this)],
      ['policies', isDecision, () => policiesStep(this)],
      ['groups', isDecision && hasGroups, () => groupsStep(this)],
      ['erased', erased !== undefined, () => erasedStep(this)],
      ['outcome', outcome !== undefined, () => outcomeStep(this)],
      ['mandate', mandateProof !== undefined || this.#namesMandate(), () => mandateStep(this)],
    ];
    for (const [step, isAsked, check] of checks) {
      const reason = isAsked ? await this.#step(step, check) : null;
      if (reason !== null) return reason;
    }
    const found = ownContradiction(this.claims());
    return found === null ? null : `it contradicts itself: ${found}`;
  }

  #namesMandate(): boolean {
    return 'mandate' in this.document.evidence;
  }

  async #step(step: StepName, check: () => Passed | Promise<Passed>): Promise<string | null> {
    const title = TITLES[step];
    try {
      this.steps.push({ step, title, ...(await check()) });
      return null;
    } catch (error) {
      if (error instanceof CannotCheck) {
        this.log.cannot.add(error.message);
        this.steps.push({ step, title, ...absent(`This browser cannot check ${error.message}.`) });
        return null;
      }
      const reason =
        error instanceof Refutation ? error.message : 'it holds something that cannot be checked';
      this.steps.push(failed(step, reason));
      return reason;
    }
  }

  #hash(): Passed {
    if (checkHash(this.document))
      return pass(
        'The fingerprint (SHA-256) computed here from the content, the time and the preceding fingerprint is exactly the recorded one. Changing a single letter would give another.',
      );
    if (isErased(this.document))
      return absent(
        'The content was erased. Its fingerprint is still in the chain, and proves that there was a record.',
      );
    this.withheld.push('content');
    return absent('The content is withheld in this copy, so its fingerprint cannot be computed here.');
  }

  #link(): Passed {
    checkLink(this.document);
    const { index } = this.document.evidence.chain;
    if (index === 0) return pass('This is the first record of its chain, so there is none before it.');
    return pass(
      `This is record ${index + 1} of its chain. The fingerprint of the record before it is part of its own, so neither can be exchanged without the other.`,
    );
  }

  #content(): Passed {
    const { evidence, record, erased = [] } = this.document;
    if (isDecisionProofEvidence(evidence)) {
      this.decision = checkShownDecision(this.document, evidence);
      const { service, center } = this.decision.content;
      this.origin = `${service}/chains/${center.id}/proof`;
    } else if (isRejectionProofEvidence(evidence)) {
      this.rejection = checkShownRejection(this.document, evidence);
    } else {
      checkShownRecord(this.document, evidence);
      if (record.content === null || isErased(this.document)) return absent('There is no text to compare.');
      return pass(
        'The text you read is the recorded text. Its level was set beside the record and is not part of it.',
      );
    }
    const { withheld } = this.decision ?? this.rejection!;
    const names = withheldNames(withoutErased(withheld, erased));
    this.withheld.push(...names);
    if (names.length + erased.length === 0)
      return pass('The decision and its approvals, as you read them, are word for word what was sealed.');
    return pass(
      'Everything you read of the decision and its approvals is word for word what was sealed. What is withheld or erased is sealed too, but not in this copy.',
    );
  }

  async #rules(): Promise<Passed> {
    const { timestamp } = this.document.record;
    const attempt = (check: () => Promise<void>) => this.log.attempt(check);
    if (this.rejection) {
      await checkRejection(this.rejection, timestamp, attempt);
      const unsaid = unsaidOf(this.rejection);
      if (unsaid.length > 0) return absent(`The times are in order. It cannot be said ${unsaid.join(', ')}.`);
      return pass('The times are in order, and the rejection is from the account that it names.');
    }
    await checkDecision(this.decision!, timestamp, attempt);
    const signed = this.decision!.approvals.filter(({ signature }) => signature !== undefined).length;
    const unsaid = unsaidOf(this.decision!);
    if (unsaid.length > 0)
      return absent(
        `The times are in order, and every guard of the policy holds as far as this copy shows. It cannot be said ${unsaid.join(', ')}.`,
      );
    const words =
      'The times are in order, no one approved their own request, and every guard of the policy holds.';
    return pass(
      signed === 0 ? words : `${words} Signed by ${signed === 1 ? 'a passkey' : `${signed} passkeys`}.`,
    );
  }

  #inclusion(): Passed {
    const { inclusion, evidence } = this.document;
    if (inclusion === undefined) {
      this.log.missing.push('inclusion');
      return absent(
        'No signed summary of the chain covers this record yet, or the document leaves it out. Nothing in it shows that the service really keeps this record.',
      );
    }
    const checkpoint = readCheckpoint(inclusion.checkpoint, 'inclusion.checkpoint');
    const { service, chain } = checkpoint.parts;
    if (chain?.domain !== evidence.chain.domain || chain.center === 0)
      throw new Refutation(`inclusion.checkpoint is about another chain: ${checkpoint.origin}`);
    if (this.origin !== null && this.origin !== checkpoint.origin)
      throw new Refutation(`the decision was not sealed for the chain ${checkpoint.origin}`);
    if (this.service !== service)
      throw new Refutation('verification.verifyUrl is not the address of this record');
    if (inclusion.leafIndex !== evidence.chain.index)
      throw new Refutation('inclusion.leafIndex is not the place of the record');
    checkIncluded(fromHex(evidence.chain.hash.slice(HASH_PREFIX.length)), inclusion, checkpoint, 'inclusion');
    this.#chain = checkpoint;
    this.origin = checkpoint.origin;
    return pass(
      `The record is one of the ${checkpoint.size} that the summary of the chain ${checkpoint.origin} covers. Removing or changing any of them would give another summary.`,
    );
  }

  /** The host of the service, which `#content` found to match the record's URL. */
  get service(): string {
    return (
      this.decision?.content.service ??
      this.rejection?.service ??
      serviceOfUrl(this.document, this.document.evidence.id)
    );
  }

  get center(): number | null {
    return this.decision?.content.center.id ?? this.#chain?.parts.chain?.center ?? null;
  }

  async #signature(): Promise<Passed> {
    if (this.#chain === null) return absent('There is no summary whose signature could be checked.');
    const { checkpoint } = this.document.inclusion!;
    this.#signed = await this.log.signedBy(this.#chain, checkpoint, 'inclusion.checkpoint', true);
    this.log.checkpoints.push(seen(this.#chain, checkpoint));
    if (this.document.head === undefined) this.log.noteSigner(this.#signed, UNWITNESSED);
    return this.#signedBy();
  }

  /** Whether the signature of a retired key counts is known only once the witnesses are. */
  #signedBy(): Passed {
    const { keyId, name } = this.document.publicKey!;
    const signed = this.#signed!;
    const words = 'The summary of the chain carries a valid signature of';
    if (signed.length === 0)
      return absent(
        `${words} ${name}+${keyId}, a key that this document brings along itself. Compare it with the one that the service publishes, or enter a key you trust.`,
      );
    const now = this.trust.now ?? new Date().toISOString();
    const { key, trusted } = chooseSigner(signed, (until) => until < now);
    if (trusted === 'trusted') return pass(`${words} ${key}, a key you trust.`);
    if (trusted === 'unvouched') return absent(`${words} ${key}, for which only its own service vouches.`);
    return absent(
      `${words} ${key}, which was retired since. It counts only if witnesses that you trust saw the log before.`,
    );
  }

  async #witnesses(): Promise<Passed> {
    const { head, inclusion, record } = this.document;
    const quorum = quorumOf(this.trust);
    if (head === undefined) {
      if (quorum > 0) this.log.missing.push('head');
      return absent('The document does not show that the summary of the chain is in the log of all chains.');
    }
    const chain = { ...this.#chain!, signed: this.#signed };
    const late = 'it was sealed after a witness saw it';
    const { timestamp } = record;
    this.witnessed = await this.log.witnessed(chain, inclusion!, head, { prefix: '', late, timestamp });
    const words = 'The summary of the chain is in the log of all chains, whose head the service signed.';
    const { counted, existedBy } = this.witnessed;
    const count = counted.length;
    if (count < quorum)
      return absent(`${words} Of the witnesses you trust, ${count} cosigned it; you ask for ${quorum}.`);
    if (quorum === 0)
      return absent(
        `${words} You named no witness, so only the service says that everyone is shown the same log.`,
      );
    return pass(
      `${words} ${count} of the witnesses you trust cosigned it; it existed by ${new Date(existedBy!).toISOString()}.`,
    );
  }

  #isInLaterLog(): boolean {
    const { head } = this.document;
    return head !== undefined && (head.closings !== undefined || logNumberOf(head) !== 1);
  }

  async #followsClosings(): Promise<Passed> {
    this.closings = await checkClosings(this.document.head!, this.service, this.log);
    if (this.closings.length === 0)
      return absent('The log follows one that the service closed, and the document does not show why.');
    return pass('The service declared, in signed statements, why it closed each log before this one.');
  }

  findings(): Findings {
    const { log, withheld, witnessed, ages, closings } = this;
    const signers = [...log.signers, ...(this.mandate?.examination?.log.signers ?? [])];
    const grant = this.mandate?.examination?.decision ?? null;
    const { document, trust } = this;
    return { document, trust, log, signers, withheld, witnessed, ages, closings, grant };
  }

  claims(): Claims {
    const { log, origin, decision, rejection, service, closings } = this;
    const { verdict, examination } = this.mandate ?? {};
    const grant = { claims: verdict?.claims ?? null, decision: examination?.decision ?? null };
    return claimsOf(this.document, { log, origin, decision, rejection, service, closings, grant });
  }
}

/** Of an approval that may be any object. */
function mayNameGroup({ seat, alsoSeats, delegation, escalation }: Partial<ShownApproval>): boolean {
  const seats: unknown[] = [seat].concat(alsoSeats ?? []);
  const hasGroup = seats.some((each) => isObject(each) && each['group'] !== undefined);
  return hasGroup || delegation !== undefined || escalation !== undefined;
}
