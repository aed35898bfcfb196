/** The steps of a verification, as a reader sees them: what was checked, with which result, and what that means. */
import type { Claims } from './compare-proofs.ts';
import type { ProofDocument } from './proof-document.ts';
import type { Verdict } from './verdict.ts';

export type StepName =
  | 'document'
  | 'hash'
  | 'link'
  | 'content'
  | 'decision'
  | 'inclusion'
  | 'signature'
  | 'witnesses'
  | 'closings'
  | 'credentials'
  | 'policies'
  | 'groups'
  | 'erased'
  | 'outcome'
  | 'mandate'
  | 'comparison';

export interface Step {
  step: StepName;
  title: string;
  verdict: 'pass' | 'fail' | 'absent';
  explanation: string;
}

/** What a partial document lacks; empty for any other. */
export interface Lacks {
  /** Paths of members. */
  withheld: readonly string[];
  erased: readonly string[];
  /** Whether it lacks anything else, or the signature of a key that counts. */
  hasOthers: boolean;
  /** What therefore cannot be said, as clauses. */
  unsaid: readonly string[];
}

export const NO_LACKS: Lacks = { withheld: [], erased: [], hasOthers: false, unsaid: [] };

export interface ProofVerdict {
  verdict: Verdict;
  /** A clause: why it is refuted, what is missing, or who signed. */
  reason: string;
  steps: Step[];
  lacks: Lacks;
  /** None for refuted or unreadable documents. */
  claims: Claims | null;
  /** The document, unless it is unreadable. */
  document: ProofDocument | null;
}

export const TITLES: Record<StepName, string> = {
  document: 'It is a proof, and every part of it is known',
  hash: 'The fingerprint fits the content',
  link: 'The record has its place in the chain',
  content: 'What you read is what was sealed',
  decision: 'The decision could be sealed as it says',
  inclusion: 'The record is in the signed log',
  signature: 'The signature is genuine',
  witnesses: 'Witnesses saw the same log',
  closings: 'The log follows declared losses',
  credentials: 'The passkeys belong to the people who approved',
  policies: 'The policies that the service considered allowed it',
  groups: 'The approvers belong to the groups whose seats they filled',
  erased: 'What was erased is on the journal',
  outcome: 'What became of it was recorded',
  mandate: 'The mandate covers it',
  comparison: 'It agrees with the other proofs that were checked',
};

const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;

/** A step without a fault: passed, or impossible because something is missing. */
export interface Passed {
  verdict: 'pass' | 'absent';
  explanation: string;
}

export const pass = (explanation: string): Passed => ({ verdict: 'pass', explanation });
export const absent = (explanation: string): Passed => ({ verdict: 'absent', explanation });

export function failed(step: StepName, reason: string): Step {
  return { step, title: TITLES[step], verdict: 'fail', explanation: sentence(reason) };
}
