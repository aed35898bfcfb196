/** The verdict on a proof, from its text alone: no network, no trust in whoever handed it over. */
import { fromHex, utf8 } from './bytes.ts';
import { checkDecision } from './decision-rules.ts';
import { type DisclosedDecision, Refutation, withheldNames } from './disclose.ts';
import { isObject } from './form.ts';
import { isDecisionProofEvidence, type ProofDocument } from './proof-document.ts';
import { proofFault } from './proof-form.ts';
import { HASH_PREFIX } from './record.ts';
import { type JsonFault, readJson } from './strict-json.ts';
import { countWitnesses, quorumOf, type Signer, signerOf, type Trust, Unsupported } from './trust.ts';
import type { Verdict } from './verdict.ts';
import { checkOutcome } from './verify-outcome.ts';
import {
  checkHash,
  checkLink,
  checkShownDecision,
  checkShownRecord,
  checkVerifyUrl,
  isErased,
  isOutputErased,
  withoutErased,
} from './verify-record.ts';
import {
  checkIncluded,
  type KnownCheckpoint,
  readCheckpoint,
  type SeenCheckpoint,
  seen,
} from './verify-tree.ts';

export type StepName =
  | 'document'
  | 'hash'
  | 'link'
  | 'content'
  | 'decision'
  | 'inclusion'
  | 'signature'
  | 'witnesses'
  | 'outcome';

export interface Step {
  step: StepName;
  title: string;
  verdict: 'pass' | 'fail' | 'absent';
  explanation: string;
}

/** What a proof says that another could contradict. */
export interface Claims {
  /** Of the chain; null where the proof does not say. */
  origin: string | null;
  index: number;
  hash: string;
  previousHash: string | null;
  checkpoints: SeenCheckpoint[];
  /** Whether a trusted key stands behind it. */
  isTrusted: boolean;
}

export interface ProofVerdict {
  verdict: Verdict;
  /** A clause: why it is refuted, what is missing, who signed. */
  reason: string;
  steps: Step[];
  /** None for what is refuted or unreadable. */
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
  outcome: 'What became of it was recorded',
};

const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;

/** A step that found nothing wrong: passed, or not possible for want of something. */
interface Passed {
  verdict: 'pass' | 'absent';
  explanation: string;
}

const pass = (explanation: string): Passed => ({ verdict: 'pass', explanation });
const absent = (explanation: string): Passed => ({ verdict: 'absent', explanation });

/** One check after the other, and what is known after each. Ends with the first that fails. */
class Examination {
  readonly steps: Step[] = [];
  readonly withheld: string[] = [];
  readonly missing: string[] = [];
  readonly checkpoints: SeenCheckpoint[] = [];
  readonly #document: ProofDocument;
  readonly #trust: Trust;
  decision: DisclosedDecision | null = null;
  origin: string | null = null;
  signers: Signer[] = [];
  witnesses = 0;
  #chain: KnownCheckpoint | null = null;

  constructor(document: ProofDocument, trust: Trust) {
    this.#document = document;
    this.#trust = trust;
  }

  /** The reason of the first failure, or null. */
  async run(): Promise<string | null> {
    const { evidence, outcome } = this.#document;
    const isDecision = isDecisionProofEvidence(evidence);
    const checks: [StepName, () => Passed | Promise<Passed>][] = [
      ['hash', () => this.#hash()],
      ['link', () => this.#link()],
      ['content', () => this.#content()],
      ...(isDecision ? [['decision', () => this.#rules()] as [StepName, () => Promise<Passed>]] : []),
      ['inclusion', () => this.#inclusion()],
      ['signature', () => this.#signature()],
      ['witnesses', () => this.#witnesses()],
      ...(outcome ? [['outcome', () => this.#outcome()] as [StepName, () => Promise<Passed>]] : []),
    ];
    for (const [step, check] of checks) {
      const reason = await this.#step(step, check);
      if (reason !== null) return reason;
    }
    return null;
  }

  async #step(step: StepName, check: () => Passed | Promise<Passed>): Promise<string | null> {
    const title = TITLES[step];
    try {
      this.steps.push({ step, title, ...(await check()) });
      return null;
    } catch (error) {
      if (error instanceof Unsupported) {
        this.missing.push('a way to check signatures');
        this.steps.push({ step, title, ...absent(sentence(error.message)) });
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
      `This is record number ${index + 1} of its chain. The fingerprint of the record before it is part of its own, so neither can be exchanged without the other.`,
    );
  }

  #content(): Passed {
    const { evidence, record, erased = [] } = this.#document;
    if (isDecisionProofEvidence(evidence)) {
      this.decision = checkShownDecision(this.#document, evidence);
      const { content, withheld } = this.decision;
      this.origin = `${content.service}/chains/${content.center.id}/proof`;
      const names = withheldNames(withoutErased(withheld, erased));
      this.withheld.push(...names);
      if (names.length + erased.length === 0)
        return pass('The decision and its approvals, as you read them, are word for word what was sealed.');
      return pass(
        'Everything you read of the decision and its approvals is word for word what was sealed. What is withheld or erased is sealed too, but not in this copy.',
      );
    }
    checkShownRecord(this.#document, evidence);
    if (record.content === null || isErased(this.#document)) return absent('There is no text to compare.');
    return pass(
      'The text you read is the recorded text. Its level was set beside the record and is not part of it.',
    );
  }

  async #rules(): Promise<Passed> {
    await checkDecision(this.decision!, this.#document.record.timestamp);
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
      this.missing.push('inclusion');
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
    if (this.origin === null) checkVerifyUrl(this.#document, service, evidence.id);
    if (inclusion.leafIndex !== evidence.chain.index)
      throw new Refutation('inclusion.leafIndex is not the place of the record');
    checkIncluded(fromHex(evidence.chain.hash.slice(HASH_PREFIX.length)), inclusion, checkpoint, 'inclusion');
    this.#chain = checkpoint;
    this.origin = checkpoint.origin;
    return pass(
      `The record is one of the ${checkpoint.size} that the summary of the chain ${checkpoint.origin} covers. Removing or changing any of them would give another summary.`,
    );
  }

  async #signature(): Promise<Passed> {
    if (this.#chain === null) return absent('There is no summary whose signature could be checked.');
    const { inclusion, publicKey } = this.#document;
    const signer = await signerOf(this.#chain, 'inclusion.checkpoint', publicKey!, this.#trust);
    this.signers.push(signer);
    this.checkpoints.push(seen(this.#chain, inclusion!.checkpoint));
    return pass(wordsOf(signer));
  }

  async #witnesses(): Promise<Passed> {
    const { head, inclusion, publicKey } = this.#document;
    const quorum = quorumOf(this.#trust);
    if (head === undefined) {
      if (quorum > 0) this.missing.push('head');
      return absent('The document does not show that the summary of the chain is in the log of all chains.');
    }
    const checkpoint = readCheckpoint(head.checkpoint, 'head.checkpoint');
    const { service, chain } = checkpoint.parts;
    if (chain !== null || service !== this.#chain!.parts.service)
      throw new Refutation(`head.checkpoint is not of the log of ${this.#chain!.parts.service}`);
    checkIncluded(utf8(inclusion!.checkpoint), head, checkpoint, 'head');
    this.signers.push(await signerOf(checkpoint, 'head.checkpoint', publicKey!, this.#trust, true));
    this.checkpoints.push(seen(checkpoint, head.checkpoint));
    this.witnesses = await countWitnesses(checkpoint, this.#trust);
    const words = 'The summary of the chain is in the log of all chains, whose head the service signed.';
    if (this.witnesses < quorum) {
      this.missing.push(`quorum (${this.witnesses} of ${quorum} witnesses)`);
      return absent(
        `${words} Of the witnesses you trust, ${this.witnesses} cosigned it; you ask for ${quorum}.`,
      );
    }
    if (quorum === 0) return pass(`${words} You named no witness.`);
    return pass(`${words} ${this.witnesses} of the witnesses you trust cosigned it.`);
  }

  async #outcome(): Promise<Passed> {
    const { outcome, publicKey } = this.#document;
    const { isOutputWithheld, checkpoint } = checkOutcome(outcome!, this.decision!);
    const isErasedOutput = isOutputErased(this.#document, isOutputWithheld);
    if (isOutputWithheld && !isErasedOutput) this.withheld.push('outcome.output');
    const words = 'What became of the decision is on the journal of its center, word for word.';
    if (checkpoint === null) {
      this.missing.push('outcome.inclusion');
      return absent('What became of the decision is not yet in a signed summary of the journal.');
    }
    const { key, trusted } = await signerOf(
      checkpoint,
      'outcome.inclusion.checkpoint',
      publicKey ?? outsideKey(),
      this.#trust,
      true,
    );
    this.signers.push({ key, trusted });
    this.checkpoints.push(seen(checkpoint, outcome!.inclusion!.checkpoint));
    return pass(words);
  }
}

function outsideKey(): never {
  throw new Refutation('publicKey is missing');
}

function wordsOf({ key, trusted }: Signer): string {
  if (trusted === 'trusted')
    return `The summary of the chain carries a valid signature of ${key}, a key you trust.`;
  if (trusted === 'unvouched')
    return `The summary of the chain carries a valid signature of ${key}, for which nobody but its service vouches.`;
  return `The summary is signed with ${key}, which this document brings along itself. To be sure whose key that is, compare it with the one the service publishes.`;
}

/** The document, or the verdict where there is none to check. */
function readDocument(
  text: string,
): { document: Record<string, unknown>; ambiguity: string | null } | string {
  let value: unknown;
  let ambiguity: string | null;
  try {
    ({ value, ambiguity } = readJson(text));
  } catch (error) {
    return (error as JsonFault).message;
  }
  if (!isObject(value) || value['@type'] !== 'DecisionProof') return 'it is no decision proof';
  if (value['version'] !== '2.0') return 'it is of another version of the format';
  for (const name of ['evidence', 'verification', 'record'])
    if (!isObject(value[name])) return `it has no ${name}`;
  return { document: value, ambiguity };
}

/** Checks a text of unknown origin. Never throws. */
export async function verifyProof(text: string, trust: Trust = {}): Promise<ProofVerdict> {
  const read = readDocument(text);
  if (typeof read === 'string') {
    const step = failedDocument(read);
    return { verdict: 'unreadable', reason: read, steps: [step], claims: null, document: null };
  }
  const reason = read.ambiguity ?? proofFault(read.document);
  if (reason !== null)
    return { verdict: 'refuted', reason, steps: [failedDocument(reason)], claims: null, document: null };
  const document = read.document as unknown as ProofDocument;
  const examination = new Examination(document, trust);
  const first: Step = {
    step: 'document',
    title: TITLES.document,
    ...pass('It is a decision proof with everything that belongs to one, and nothing else.'),
  };
  const failure = await examination.run();
  const steps = [first, ...examination.steps];
  if (failure !== null) return { verdict: 'refuted', reason: failure, steps, claims: null, document };
  return {
    ...conclude(examination, document, trust),
    steps,
    claims: claimsOf(examination, document),
    document,
  };
}

function failedDocument(reason: string): Step {
  return { step: 'document', title: TITLES.document, verdict: 'fail', explanation: sentence(reason) };
}

/** Nothing is wrong with it: what is it worth? */
function conclude(
  { withheld, missing, signers, witnesses }: Examination,
  { erased = [], evidence }: ProofDocument,
  trust: Trust,
): { verdict: Verdict; reason: string } {
  const lacks = [
    ...(withheld.length > 0 ? [`withheld: ${withheld.join(', ')}`] : []),
    ...(erased.length > 0 ? [`erased: ${erased.map(({ path }) => path).join(', ')}`] : []),
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}`] : []),
  ];
  if (lacks.length > 0) return { verdict: 'partial', reason: lacks.join('; ') };
  const doubtful = signers.find(({ trusted }) => trusted !== 'trusted');
  if (doubtful?.trusted === 'unvouched')
    return {
      verdict: 'consistent',
      reason: `it agrees with itself; nobody but its service vouches for ${doubtful.key}`,
    };
  if (doubtful) return { verdict: 'consistent', reason: 'it agrees with itself; no trusted key was named' };
  const quorum = quorumOf(trust);
  const cosigned =
    quorum > 0 ? `, cosigned by ${witnesses} of ${trust.witnesses?.length ?? 0} witnesses` : '';
  // The level of a platform record is set beside it: the verdict does not speak of it, and says so.
  const label = isDecisionProofEvidence(evidence) ? '' : '; evidenceLevel is only a label';
  return { verdict: 'proven', reason: `signed by ${signers[0]!.key}${cosigned}${label}` };
}

function claimsOf({ origin, checkpoints, signers }: Examination, { evidence }: ProofDocument): Claims {
  const { hash, previousHash, index } = evidence.chain;
  const isTrusted = signers.length > 0 && signers.every(({ trusted }) => trusted === 'trusted');
  return { origin, index, hash, previousHash, checkpoints, isTrusted };
}
