/** The verdict on a proof, from its text alone: no network, no trust in the sender. */
import { fromHex } from './bytes.ts';
import { chainOrigin } from './checkpoint.ts';
import { type Claims, ownContradiction } from './compare-proofs.ts';
import { checkDecision, checkRejection } from './decision-rules.ts';
import {
  CannotCheck,
  type DisclosedDecision,
  type DisclosedRejection,
  Refutation,
  type ShownApproval,
  withheldNames,
} from './disclose.ts';
import { isObject } from './form.ts';
import { requirementsOf } from './guards.ts';
import {
  isDecisionProofEvidence,
  isRejectionProofEvidence,
  PROOF_FORMAT,
  type ProofDocument,
} from './proof-document.ts';
import { proofFault } from './proof-form.ts';
import { HASH_PREFIX, recordHash } from './record.ts';
import { type JsonFault, readJson } from './strict-json.ts';
import {
  type Cosigned,
  chooseSigner,
  quorumOf,
  type Signer,
  type Trust,
  type TrustedServiceKey,
} from './trust.ts';
import type { Verdict } from './verdict.ts';
import { concludeDecision, concludeRecord, concludeRejection, type Findings } from './verdict-line.ts';
import { checkCredentials, type PasskeyAge } from './verify-credentials.ts';
import { checkErased } from './verify-erased.ts';
import { LogCheck } from './verify-log.ts';
import { checkMandateUse } from './verify-mandate.ts';
import { checkOutcome } from './verify-outcome.ts';
import { checkPolicies } from './verify-policies.ts';
import {
  checkHash,
  checkLink,
  checkShownDecision,
  checkShownRecord,
  checkShownRejection,
  isErased,
  serviceOfUrl,
  withheldOfOutcome,
  withoutErased,
} from './verify-record.ts';
import { checkIncluded, type KnownCheckpoint, readCheckpoint, seen } from './verify-tree.ts';

export type { Claims } from './compare-proofs.ts';

export type StepName =
  | 'document'
  | 'hash'
  | 'link'
  | 'content'
  | 'decision'
  | 'inclusion'
  | 'signature'
  | 'witnesses'
  | 'credentials'
  | 'policies'
  | 'erased'
  | 'outcome'
  | 'mandate';

export interface Step {
  step: StepName;
  title: string;
  verdict: 'pass' | 'fail' | 'absent';
  explanation: string;
}

export interface ProofVerdict {
  verdict: Verdict;
  /** A clause: why it is refuted, what is missing, or who signed. */
  reason: string;
  steps: Step[];
  /** None for refuted or unreadable documents. */
  claims: Claims | null;
  /** The document, unless it is unreadable. */
  document: ProofDocument | null;
}

const TITLES: Record<StepName, string> = {
  document: 'It is a proof, and every part of it is known',
  hash: 'The fingerprint fits the content',
  link: 'The record has its place in the chain',
  content: 'What you read is what was sealed',
  decision: 'The decision could be sealed as it says',
  inclusion: 'The record is in the signed log',
  signature: 'The signature is genuine',
  witnesses: 'Witnesses saw the same log',
  credentials: 'The passkeys belong to the people who approved',
  policies: 'The policies in force allowed it',
  erased: 'What was erased is on the journal',
  outcome: 'What became of it was recorded',
  mandate: 'The mandate covers it',
};

const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;

/** A step without a fault: passed, or impossible because something is missing. */
interface Passed {
  verdict: 'pass' | 'absent';
  explanation: string;
}

const pass = (explanation: string): Passed => ({ verdict: 'pass', explanation });
const absent = (explanation: string): Passed => ({ verdict: 'absent', explanation });

/** The checks in order, with what is known after each. Ends with the first failure. */
class Examination {
  readonly steps: Step[] = [];
  readonly withheld: string[] = [];
  readonly log: LogCheck;
  readonly #document: ProofDocument;
  readonly #trust: Trust;
  decision: DisclosedDecision | null = null;
  rejection: (DisclosedRejection & { service: string }) | null = null;
  origin: string | null = null;
  cosigned: Cosigned[] = [];
  ages: PasskeyAge[] = [];
  mandate: { verdict: ProofVerdict; examination: Examination | null } | null = null;
  #chain: KnownCheckpoint | null = null;
  #signed: TrustedServiceKey[] | null = null;

  constructor(document: ProofDocument, trust: Trust) {
    this.#document = document;
    this.#trust = trust;
    this.log = new LogCheck(document, trust);
  }

  /** The reason of the first failure, or null. */
  async run(): Promise<string | null> {
    const { evidence, erased, outcome, credentials, mandateProof } = this.#document;
    const isDecision = isDecisionProofEvidence(evidence);
    const approvals = isDecision
      ? evidence.approvals
      : isRejectionProofEvidence(evidence)
        ? [evidence.approval]
        : [];
    // Not compared with the sealed content yet: an approval may be any object.
    const byPasskey = approvals.some((approval: Partial<ShownApproval>) => approval.by?.kind === 'passkey');
    const checks: [StepName, boolean, () => Passed | Promise<Passed>][] = [
      ['hash', true, () => this.#hash()],
      ['link', true, () => this.#link()],
      ['content', true, () => this.#content()],
      ['decision', approvals.length > 0, () => this.#rules()],
      ['inclusion', true, () => this.#inclusion()],
      ['signature', true, () => this.#signature()],
      ['witnesses', true, () => this.#witnesses()],
      ['credentials', byPasskey || credentials !== undefined, () => this.#credentials()],
      ['policies', isDecision, () => this.#policies()],
      ['erased', erased !== undefined, () => this.#erased()],
      ['outcome', outcome !== undefined, () => this.#outcome()],
      ['mandate', mandateProof !== undefined || this.#namesMandate(), () => this.#mandate()],
    ];
    for (const [step, isAsked, check] of checks) {
      const reason = isAsked ? await this.#step(step, check) : null;
      if (reason !== null) return reason;
    }
    const found = ownContradiction(this.claims());
    return found === null ? null : `it contradicts itself: ${found}`;
  }

  #namesMandate(): boolean {
    return 'mandate' in this.#document.evidence;
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
      this.steps.push({ step, title, verdict: 'fail', explanation: sentence(reason) });
      return reason;
    }
  }

  #hash(): Passed {
    if (checkHash(this.#document))
      return pass(
        'The fingerprint (SHA-256) computed here from the content, the time and the preceding fingerprint is exactly the recorded one. Changing a single letter would give another.',
      );
    if (isErased(this.#document))
      return absent(
        'The content was erased. Its fingerprint is still in the chain, and proves that there was a record.',
      );
    this.withheld.push('content');
    return absent('The content is withheld in this copy, so its fingerprint cannot be computed here.');
  }

  #link(): Passed {
    checkLink(this.#document);
    const { index } = this.#document.evidence.chain;
    if (index === 0) return pass('This is the first record of its chain, so there is none before it.');
    return pass(
      `This is record number ${index} of its chain, counted from 0. The fingerprint of the record before it is part of its own, so neither can be exchanged without the other.`,
    );
  }

  #content(): Passed {
    const { evidence, record, erased = [] } = this.#document;
    if (isDecisionProofEvidence(evidence)) {
      this.decision = checkShownDecision(this.#document, evidence);
      const { service, center } = this.decision.content;
      this.origin = `${service}/chains/${center.id}/proof`;
    } else if (isRejectionProofEvidence(evidence)) {
      this.rejection = checkShownRejection(this.#document, evidence);
    } else {
      checkShownRecord(this.#document, evidence);
      if (record.content === null || isErased(this.#document)) return absent('There is no text to compare.');
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
    const { timestamp } = this.#document.record;
    const attempt = (check: () => Promise<void>) => this.log.attempt(check);
    if (this.rejection) {
      await checkRejection(this.rejection, timestamp, attempt);
      return pass('The times are in order, and the rejection is by the person it names.');
    }
    await checkDecision(this.decision!, timestamp, attempt);
    const signed = this.decision!.approvals.filter(({ signature }) => signature !== undefined).length;
    const words =
      'The times are in order, nobody approved an own decision, and every guard of the policy holds.';
    return pass(
      signed === 0 ? words : `${words} Signed by ${signed === 1 ? 'a passkey' : `${signed} passkeys`}.`,
    );
  }

  #inclusion(): Passed {
    const { inclusion, evidence } = this.#document;
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
      serviceOfUrl(this.#document, this.#document.evidence.id)
    );
  }

  async #signature(): Promise<Passed> {
    if (this.#chain === null) return absent('There is no summary whose signature could be checked.');
    const { checkpoint } = this.#document.inclusion!;
    this.#signed = await this.log.signedBy(this.#chain, checkpoint, 'inclusion.checkpoint', true);
    this.log.checkpoints.push(seen(this.#chain, checkpoint));
    if (this.#document.head === undefined) this.log.noteSigner(this.#signed, []);
    return pass(wordsOf(this.#provisionalSigner()));
  }

  #provisionalSigner(): Signer {
    const { keyId, name } = this.#document.publicKey!;
    if (this.#signed!.length === 0) return { key: `${name}+${keyId}`, trusted: 'unnamed' };
    return chooseSigner(this.#signed!, () => false);
  }

  async #witnesses(): Promise<Passed> {
    const { head, inclusion, record } = this.#document;
    const quorum = quorumOf(this.#trust);
    if (head === undefined) {
      if (quorum > 0) this.log.missing.push('head');
      return absent('The document does not show that the summary of the chain is in the log of all chains.');
    }
    const found = await this.log.witnessed(this.#chain!, inclusion!, head, {
      prefix: '',
      late: 'it was sealed after a witness saw it',
      timestamp: record.timestamp,
    });
    this.cosigned = found.cosigned;
    if (this.#signed) this.log.noteSigner(this.#signed, found.cosigned);
    if (found.signed.length > 0) this.log.noteSigner(found.signed, found.cosigned);
    const words = 'The summary of the chain is in the log of all chains, whose head the service signed.';
    const count = found.cosigned.length;
    if (count < quorum)
      return absent(`${words} Of the witnesses you trust, ${count} cosigned it; you ask for ${quorum}.`);
    if (quorum === 0) return pass(`${words} You named no witness.`);
    const { name, at } = this.cosigned.reduce((first, each) => (each.at < first.at ? each : first));
    return pass(
      `${words} ${count} of the witnesses you trust cosigned it, ${name} at ${new Date(at).toISOString()}.`,
    );
  }

  async #credentials(): Promise<Passed> {
    const { credentials = [] } = this.#document;
    const { approvals } = this.decision ?? this.rejection!;
    const found = await checkCredentials(credentials, approvals, {
      service: this.service,
      trust: this.#trust,
      log: this.log,
      nameOf: (i) => (this.rejection ? 'approval' : `approvals[${i}]`),
    });
    this.ages = found.ages;
    this.withheld.push(...found.withheld);
    const least = this.decision ? (requirementsOf(this.decision.policy.guards)?.passkeyAgeHours ?? 0) : 0;
    if (found.ages.some(({ hours }) => hours < least))
      throw new Refutation('the guard approver_authentication does not hold');
    if (!approvals.some(({ signature }) => signature))
      return absent('The signatures of passkeys are withheld.');
    if (this.log.missing.includes('registration of a passkey'))
      return absent('The document does not show when, and for whom, a passkey was registered.');
    return pass('Every passkey was registered for its person before the approval.');
  }

  async #policies(): Promise<Passed> {
    await checkPolicies(this.#document, this.decision!, { log: this.log, ages: this.ages });
    if (this.log.missing.includes('policy'))
      return absent('The document does not show the policies that were in force.');
    return pass('The guards are those of the policies in force, as the journal holds them, and they hold.');
  }

  async #erased(): Promise<Passed> {
    const subject = this.decision
      ? { eventId: this.decision.event.id }
      : this.rejection
        ? { eventId: this.rejection.event.id }
        : { dpuId: this.#document.evidence.id };
    const center = this.decision?.content.center.id ?? this.#chain?.parts.chain?.center ?? null;
    await checkErased(this.#document, subject, { service: this.service, center, log: this.log });
    return pass('The journal says what was erased, when and by whom.');
  }

  async #outcome(): Promise<Passed> {
    const { outcome } = this.#document;
    const { service, center } = this.decision!.content;
    const withheld = checkOutcome(outcome!, this.decision!, this.#document);
    const journal = chainOrigin(`https://${service}`, center.id, 'journal');
    await this.log.attached('outcome', outcome!, (origin) => origin === journal);
    this.withheld.push(...withheldOfOutcome(this.#document, withheld));
    if (outcome!.inclusion === undefined)
      return absent('What became of the decision is not yet in a signed summary of the journal.');
    return pass('What became of the decision is on the journal of its center, word for word.');
  }

  async #mandate(): Promise<Passed> {
    const { mandateProof } = this.#document;
    if (this.decision!.content.mandate === undefined)
      throw new Refutation('mandateProof is there without a mandate');
    if (mandateProof === undefined) {
      this.log.missing.push('mandateProof');
      return absent('The document does not show the decision that granted the mandate.');
    }
    if (isObject(mandateProof) && Object.hasOwn(mandateProof, 'mandateProof'))
      throw new Refutation('mandateProof: mandateProof is unknown');
    const { verdict, examination } = await verifyValue(mandateProof, null, this.#trust);
    if (verdict.verdict === 'refuted' || verdict.verdict === 'unreadable')
      throw new Refutation(`mandateProof: ${verdict.reason}`);
    this.mandate = { verdict, examination };
    const granted = examination!.decision;
    if (granted === null) throw new Refutation('mandateProof is of another decision');
    await checkMandateUse(
      this.decision!,
      { decision: granted, sealedAt: (mandateProof as ProofDocument).record.timestamp },
      { trust: this.#trust, log: this.log },
    );
    if (verdict.verdict === 'partial')
      this.log.missing.push(`mandateProof (${verdict.reason.replace(/; outcome: [a-z ]+$/, '')})`);
    return pass('The decision that granted the mandate is proven too, and this use is within its limits.');
  }

  findings(): Findings {
    const { log, withheld, cosigned, ages } = this;
    const signers = [...log.signers, ...(this.mandate?.examination?.log.signers ?? [])];
    return { document: this.#document, trust: this.#trust, log, signers, withheld, cosigned, ages };
  }

  claims(): Claims {
    const { evidence, outcome } = this.#document;
    const { hash, previousHash, index } = evidence.chain;
    const { log, origin, decision, rejection } = this;
    const isTrusted = log.signers.length > 0 && log.signers.every(({ trusted }) => trusted === 'trusted');
    const { mandate } = decision?.content ?? {};
    const eventId = (decision ?? rejection)?.event.id;
    const granting = this.mandate?.verdict.claims;
    return {
      origin,
      index,
      hash,
      previousHash,
      checkpoints: [...log.checkpoints, ...(granting?.checkpoints ?? [])],
      isTrusted,
      attached: [
        ...log.records.map((record) => ({
          ...record,
          hash: HASH_PREFIX + record.hash,
          previousHash: record.previousHash === '' ? null : HASH_PREFIX + record.previousHash,
        })),
        ...(granting && granting.origin !== null
          ? [{ ...granting, origin: granting.origin }, ...(granting.attached ?? [])].map(
              ({ origin: of, index: at, hash: own, previousHash: before }) => ({
                origin: of,
                index: at,
                hash: own,
                previousHash: before,
              }),
            )
          : []),
      ],
      ...(eventId !== undefined && {
        decision: {
          service: this.service,
          eventId,
          isRejected: rejection !== null,
          ...(outcome && { outcome: recordHash(outcome.record) }),
        },
      }),
      ...(mandate && { mandateUse: { id: mandate.id, use: mandate.use } }),
    };
  }
}

function wordsOf({ key, trusted }: Signer): string {
  if (trusted === 'trusted')
    return `The summary of the chain carries a valid signature of ${key}, a key you trust.`;
  if (trusted === 'unvouched')
    return `The summary of the chain carries a valid signature of ${key}, for which nobody but its service vouches.`;
  return `The summary is signed with ${key}, which this document brings along itself. To be sure whose key that is, compare it with the one the service publishes.`;
}

const MAX_BYTES = 4 * 1024 * 1024;

/** Why a value is not a proof of this format, as a clause. */
function formatFault(value: unknown): string | null {
  if (!isObject(value) || value['@type'] !== 'DecisionProof') return 'it is no decision proof';
  const { format } = value;
  if (format === undefined) return 'written in an older format';
  if (typeof format !== 'string') return 'it is no decision proof';
  if (format !== PROOF_FORMAT) return `written in format ${[...format].slice(0, 40).join('')}`;
  if (value['version'] !== '2.0') return 'it is of another version of the format';
  for (const name of ['evidence', 'verification', 'record'])
    if (!isObject(value[name])) return `it has no ${name}`;
  return null;
}

/** Checks the bytes of a file of unknown origin. Never throws. */
export async function verifyProofBytes(bytes: Uint8Array, trust: Trust = {}): Promise<ProofVerdict> {
  if (bytes.length > MAX_BYTES) return unreadable('it is larger than 4 MiB');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return unreadable('it begins with a byte-order mark');
  try {
    return verifyProof(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), trust);
  } catch {
    return unreadable('it is not UTF-8 text');
  }
}

/** Checks a text of unknown origin. Never throws. */
export async function verifyProof(text: string, trust: Trust = {}): Promise<ProofVerdict> {
  if (text.length > MAX_BYTES || new TextEncoder().encode(text).length > MAX_BYTES)
    return unreadable('it is larger than 4 MiB');
  if (text.startsWith('\ufeff')) return unreadable('it begins with a byte-order mark');
  let read: ReturnType<typeof readJson>;
  try {
    read = readJson(text);
  } catch (error) {
    return unreadable((error as JsonFault).message);
  }
  return (await verifyValue(read.value, read.ambiguity, trust)).verdict;
}

async function verifyValue(
  value: unknown,
  ambiguity: string | null,
  trust: Trust,
): Promise<{ verdict: ProofVerdict; examination: Examination | null }> {
  const isNone = formatFault(value);
  if (isNone !== null) return { verdict: unreadable(isNone), examination: null };
  const reason = ambiguity ?? proofFault(value as Record<string, unknown>);
  if (reason !== null) {
    const steps = [failedDocument(reason)];
    return {
      verdict: { verdict: 'refuted', reason, steps, claims: null, document: null },
      examination: null,
    };
  }
  const document = value as ProofDocument;
  const examination = new Examination(document, trust);
  const first: Step = {
    step: 'document',
    title: TITLES.document,
    ...pass('It is a decision proof with everything that belongs to one, and nothing else.'),
  };
  const failure = await examination.run();
  const steps = [first, ...examination.steps];
  if (failure !== null)
    return { verdict: { verdict: 'refuted', reason: failure, steps, claims: null, document }, examination };
  const findings = examination.findings();
  const { decision, rejection } = examination;
  const conclusion: { verdict: Verdict; reason: string } = decision
    ? concludeDecision(findings, decision)
    : rejection
      ? concludeRejection(findings, rejection)
      : concludeRecord(findings);
  return { verdict: { ...conclusion, steps, claims: examination.claims(), document }, examination };
}

function unreadable(reason: string): ProofVerdict {
  return { verdict: 'unreadable', reason, steps: [failedDocument(reason)], claims: null, document: null };
}

function failedDocument(reason: string): Step {
  return { step: 'document', title: TITLES.document, verdict: 'fail', explanation: sentence(reason) };
}
