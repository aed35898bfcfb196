/** The verdict on a proof, from its text alone: no network, no trust in the sender. */
import { Examination } from './examination.ts';
import { isObject } from './form.ts';
import { lacksIn } from './lacks.ts';
import { PROOF_FORMAT, type ProofDocument } from './proof-document.ts';
import { proofFault } from './proof-form.ts';
import { type JsonFault, readJson } from './strict-json.ts';
import type { Trust } from './trust.ts';
import type { Verdict } from './verdict.ts';
import { concludeDecision, concludeRecord, concludeRejection } from './verdict-line.ts';
import { failed, NO_LACKS, type ProofVerdict, pass, type Step, TITLES } from './verify-steps.ts';

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
    const steps = [failed('document', reason)];
    return {
      verdict: { verdict: 'refuted', reason, steps, lacks: NO_LACKS, claims: null, document: null },
      examination: null,
    };
  }
  const document = value as ProofDocument;
  const examination = new Examination(document, trust, (proof) => verifyValue(proof, null, trust));
  const first: Step = {
    step: 'document',
    title: TITLES.document,
    ...pass('It is a decision proof with everything that belongs to one, and nothing else.'),
  };
  const failure = await examination.run();
  const steps = [first, ...examination.steps];
  if (failure !== null)
    return {
      verdict: { verdict: 'refuted', reason: failure, steps, lacks: NO_LACKS, claims: null, document },
      examination,
    };
  const findings = examination.findings();
  const { decision, rejection } = examination;
  const conclusion: { verdict: Verdict; reason: string } = decision
    ? concludeDecision(findings, decision)
    : rejection
      ? concludeRejection(findings, rejection)
      : concludeRecord(findings);
  const lacks =
    conclusion.verdict === 'partial'
      ? lacksIn(findings, decision ?? rejection, examination.mandate)
      : NO_LACKS;
  return { verdict: { ...conclusion, steps, lacks, claims: examination.claims(), document }, examination };
}

function unreadable(reason: string): ProofVerdict {
  const steps = [failed('document', reason)];
  return { verdict: 'unreadable', reason, steps, lacks: NO_LACKS, claims: null, document: null };
}
