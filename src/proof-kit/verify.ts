/** The verdict on an export document, from the document alone: no network, no trust in whoever handed it over. */
import type { ExportDocument } from './document.ts';
import { exportDocumentFaults } from './document-check.ts';
import {
  checkContent,
  checkHash,
  checkInclusion,
  checkLink,
  checkSignature,
  type Outcome,
  type TrustedKey,
} from './verify-steps.ts';

export type StepName = 'document' | 'hash' | 'link' | 'content' | 'inclusion' | 'signature';

export interface VerificationStep extends Outcome {
  step: StepName;
  title: string;
}

/**
 * How much the document proves.
 * - `none`: something in it is wrong.
 * - `partial`: nothing is wrong, but the content is withheld, so the readable part is unproven.
 * - `consistent`: content, fingerprint and link agree; whoever wrote the document could have made them up together.
 * - `signed`: the record is also in a log state signed by the key the document names.
 * - `trusted`: the same, signed by a key the reader trusts.
 */
export type Assurance = 'none' | 'partial' | 'consistent' | 'signed' | 'trusted';

export interface ExportVerdict {
  /** At least `consistent`. */
  valid: boolean;
  assurance: Assurance;
  /** Always all six, in the order in which a reader would ask. */
  steps: VerificationStep[];
}

export interface VerifyOptions {
  /** When given, even if empty, only a signature by one of these counts. */
  trustedKeys?: readonly TrustedKey[];
}

const TITLES: Record<StepName, string> = {
  document: 'The document is complete',
  hash: 'The fingerprint fits the content',
  link: 'The record has its place in the chain',
  content: 'What you read is what was recorded',
  inclusion: 'The record is in the signed log',
  signature: 'The signature is genuine',
};

const MAX_FAULTS_SHOWN = 5;

function toStep(step: StepName, { verdict, explanation }: Outcome): VerificationStep {
  return { step, verdict, title: TITLES[step], explanation };
}

/** Whatever a hostile document provokes ends as a failed step, never as an exception. */
async function attempt<T extends Outcome>(check: () => T | Promise<T>): Promise<T | Outcome> {
  try {
    return await check();
  } catch {
    return { verdict: 'fail', explanation: 'The document holds values that cannot be checked.' };
  }
}

function checkDocument(document: unknown): Outcome {
  const faults = exportDocumentFaults(document);
  if (faults.length === 0) {
    return { verdict: 'pass', explanation: 'It is a decision proof with every part that checking it needs.' };
  }
  const shown = faults.slice(0, MAX_FAULTS_SHOWN).join(' ');
  const more = faults.length > MAX_FAULTS_SHOWN ? ` And ${faults.length - MAX_FAULTS_SHOWN} more.` : '';
  return { verdict: 'fail', explanation: `This is not a complete decision proof. ${shown}${more}` };
}

function assuranceOf(steps: VerificationStep[], byTrustedKey: boolean): Assurance {
  const passed = (...names: StepName[]) =>
    names.every((name) => steps.some((step) => step.step === name && step.verdict === 'pass'));
  if (steps.some((step) => step.verdict === 'fail')) return 'none';
  if (!passed('document', 'hash', 'link', 'content')) return 'partial';
  if (!passed('inclusion', 'signature')) return 'consistent';
  return byTrustedKey ? 'trusted' : 'signed';
}

function verdictFrom(steps: VerificationStep[], byTrustedKey: boolean): ExportVerdict {
  const assurance = assuranceOf(steps, byTrustedKey);
  return { valid: assurance !== 'none' && assurance !== 'partial', assurance, steps };
}

function unreadable(reason: Outcome): ExportVerdict {
  const skipped: Outcome = {
    verdict: 'absent',
    explanation: 'Not checked, because the document cannot be read.',
  };
  const rest = ['hash', 'link', 'content', 'inclusion', 'signature'] as const;
  return verdictFrom([toStep('document', reason), ...rest.map((step) => toStep(step, skipped))], false);
}

/** Checks a parsed document of unknown origin. Never throws. */
export async function verifyExport(document: unknown, options: VerifyOptions = {}): Promise<ExportVerdict> {
  const form = await attempt(() => checkDocument(document));
  if (form.verdict !== 'pass') return unreadable(form);
  const read = document as ExportDocument;
  const signature = await attempt(() => checkSignature(read, options.trustedKeys));
  const steps = [
    toStep('document', form),
    toStep('hash', await attempt(() => checkHash(read))),
    toStep('link', await attempt(() => checkLink(read))),
    toStep('content', await attempt(() => checkContent(read))),
    toStep('inclusion', await attempt(() => checkInclusion(read))),
    toStep('signature', signature),
  ];
  return verdictFrom(steps, 'byTrustedKey' in signature && signature.byTrustedKey);
}

/** The same for the text of a file, which may not even be JSON. */
export async function verifyExportText(text: string, options: VerifyOptions = {}): Promise<ExportVerdict> {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return unreadable({ verdict: 'fail', explanation: 'This file is not JSON, so it is no decision proof.' });
  }
  return verifyExport(document, options);
}
