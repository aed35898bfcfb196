/** A one-line verdict for a proof without faults. */

import { callersWords, kindsOfApprovals, sharedKeys } from './approval-words.ts';
import type { DisclosedDecision, DisclosedRejection } from './disclose.ts';
import type { ProofDocument } from './proof-document.ts';
import { namedWitnesses, type Signer, type Trust } from './trust.ts';
import type { Verdict } from './verdict.ts';
import type { DeclaredClosing } from './verify-closings.ts';
import type { PasskeyAge } from './verify-credentials.ts';
import type { LogCheck } from './verify-log.ts';
import type { WitnessTimes } from './witness-time.ts';

export interface Findings {
  document: ProofDocument;
  trust: Trust;
  log: LogCheck;
  signers: readonly Signer[];
  withheld: readonly string[];
  witnessed: WitnessTimes;
  ages: readonly PasskeyAge[];
  /** The statements that closed the logs before the record's, oldest first. */
  closings: readonly DeclaredClosing[];
}

interface Conclusion {
  verdict: Verdict;
  reason: string;
}

export function concludeDecision(findings: Findings, { approvals }: DisclosedDecision): Conclusion {
  const { timestamp } = findings.document.record;
  const sealed = `sealed at ${timestamp}; approved by ${kindsOfApprovals(approvals)}`;
  const { verdict, reason } = conclude(findings, sealed, sharedKeys(approvals));
  const outcome = `outcome: ${findings.document.outcome?.status ?? 'none shown'}`;
  const words = verdict === 'proven' ? callersWords(approvals) : [];
  return { verdict, reason: [reason, outcome, ...words].join('; ') };
}

export function concludeRejection(findings: Findings, { approvals }: DisclosedRejection): Conclusion {
  const { timestamp } = findings.document.record;
  const rejected = `rejected by ${kindsOfApprovals(approvals)} at ${timestamp}`;
  const { verdict, reason } = conclude(findings, rejected, []);
  const words = verdict === 'proven' ? callersWords(approvals) : [];
  return { verdict, reason: [reason, ...words].join('; ') };
}

/** The level of a platform record is stored outside of it: the verdict does not cover it, and says so. */
export function concludeRecord(findings: Findings): Conclusion {
  return conclude(findings, null, ['evidenceLevel is only a label']);
}

/** What happened comes first. A platform record has nothing that happened, and begins with its signer. */
function conclude(findings: Findings, what: string | null, notes: readonly string[]): Conclusion {
  const lacks = lacksOf(findings);
  if (lacks !== '') return { verdict: 'partial', reason: lacks };
  const { signers, ages } = findings;
  const doubt = doubtOf(signers);
  if (doubt !== null) return { verdict: 'consistent', reason: doubt };
  const signed = `signed by ${signers[0]!.key}`;
  const middle = [
    ...existedBy(findings),
    ...afterLoss(findings),
    ...ages.map(({ what, hours }) => `passkey of ${what} was ${ageText(hours)} old`),
    ...notes,
  ];
  const all = what === null ? [signed, ...middle] : [what, ...middle, signed];
  return { verdict: 'proven', reason: all.join('; ') };
}

function lacksOf({ withheld, log, document: { erased = [] } }: Findings): string {
  const { missing, cannot } = log;
  const lacks = [
    ...(withheld.length > 0 ? [`withheld: ${withheld.join(', ')}`] : []),
    ...(erased.length > 0 ? [`erased: ${erased.map(({ path }) => path).join(', ')}`] : []),
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}`] : []),
    ...(cannot.size > 0 ? [`cannot check ${[...cannot].join(', ')}`] : []),
  ];
  if (lacks.length === 0) return '';
  const authors = new Set(erased.flatMap(({ by, confirmedBy }) => (by ? [erasers(by, confirmedBy)] : [])));
  return [...lacks, ...authors, ...clocksOff(log)].join('; ');
}

function doubtOf(signers: readonly Signer[]): string | null {
  const unvouched = signers.find(({ trusted }) => trusted === 'unvouched');
  if (unvouched) return `it agrees with itself; nobody but its service vouches for ${unvouched.key}`;
  if (signers.some(({ trusted }) => trusted === 'retired')) return 'signed by a retired key';
  const isUnnamed = signers.length === 0 || signers.some(({ trusted }) => trusted === 'unnamed');
  return isUnnamed ? 'it agrees with itself; no trusted key was named' : null;
}

type Author = NonNullable<NonNullable<ProofDocument['erased']>[number]['by']>;

function erasers(by: Author, confirmedBy: Author | undefined): string {
  const name = ({ id, kind }: Author) => id ?? kind;
  return `erased by ${name(by)}${confirmedBy ? `, confirmed by ${name(confirmedBy)}` : ''}`;
}

function existedBy({ witnessed: { counted, existedBy: at }, trust, log }: Findings): string[] {
  if (at === null) return clocksOff(log);
  const count = `${counted.length} of ${namedWitnesses(trust)} witnesses`;
  return [`existed by ${new Date(at).toISOString()} (${count})`, ...clocksOff(log)];
}

const clocksOff = ({ clocksOff: names }: LogCheck): string[] =>
  [...names].map((name) => `clock of ${name} is off`);

/** A log that follows a closed one says so. */
function afterLoss({ closings }: Findings): string[] {
  const last = closings.at(-1);
  return last ? [`in log ${last.log + 1}, after a declared loss at ${last.at}`] : [];
}

const HOURS_A_DAY = 24;
const IN_DAYS_FROM = 48;

function ageText(hours: number): string {
  if (hours >= IN_DAYS_FROM) return `${Math.floor(hours / HOURS_A_DAY)} days`;
  return hours === 1 ? '1 hour' : `${hours} hours`;
}
