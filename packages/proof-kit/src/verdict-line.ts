/** A one-line verdict for a proof without faults. */
import type { DisclosedDecision, DisclosedRejection } from './disclose.ts';
import type { ProofDocument } from './proof-document.ts';
import { type Cosigned, namedWitnesses, quorumOf, type Signer, type Trust } from './trust.ts';
import type { Verdict } from './verdict.ts';
import type { DeclaredClosing } from './verify-closings.ts';
import type { PasskeyAge } from './verify-credentials.ts';
import type { LogCheck } from './verify-log.ts';

export interface Findings {
  document: ProofDocument;
  trust: Trust;
  log: LogCheck;
  signers: readonly Signer[];
  withheld: readonly string[];
  cosigned: readonly Cosigned[];
  ages: readonly PasskeyAge[];
  /** The statements that closed the logs before the record's, oldest first. */
  closings: readonly DeclaredClosing[];
}

interface Conclusion {
  verdict: Verdict;
  reason: string;
}

export function concludeDecision(findings: Findings, { approvals }: DisclosedDecision): Conclusion {
  const keys = approvals.flatMap(({ by }) => (by.kind === 'api_key' && by.id !== undefined ? [by.id] : []));
  const shared = new Set(keys).size < keys.length ? ['both asserted by one API key'] : [];
  const { verdict, reason } = conclude(findings, '', shared);
  return { verdict, reason: `${reason}; outcome: ${findings.document.outcome?.status ?? 'none shown'}` };
}

export function concludeRejection(findings: Findings, { approvals }: DisclosedRejection): Conclusion {
  const { approver, by, reason } = approvals[0]!;
  const system = reason === undefined ? 'the system' : `the system (${reason})`;
  const who = by.kind === 'system' ? system : (approver.name ?? approver.id ?? approver.type);
  return conclude(findings, `rejected by ${who} at ${findings.document.record.timestamp}; `, []);
}

/** The level of a platform record is stored outside of it: the verdict does not cover it, and says so. */
export function concludeRecord(findings: Findings): Conclusion {
  return conclude(findings, '', ['evidenceLevel is only a label']);
}

function conclude(findings: Findings, before: string, notes: readonly string[]): Conclusion {
  const lacks = lacksOf(findings);
  if (lacks !== '') return { verdict: 'partial', reason: lacks };
  const { signers, trust, cosigned, ages } = findings;
  const doubt = doubtOf(signers);
  if (doubt !== null) return { verdict: 'consistent', reason: doubt };
  const quorum = quorumOf(trust);
  const witnessed =
    quorum > 0 ? `, cosigned by ${cosigned.length} of ${namedWitnesses(trust)} witnesses` : '';
  const all = [
    `${before}signed by ${signers[0]!.key}${witnessed}`,
    ...existedBy(cosigned),
    ...ages.map(({ what, hours }) => `passkey of ${what} was ${ageText(hours)} old`),
    ...notes,
    ...afterLoss(findings),
  ];
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
  const authors = new Set(erased.flatMap(({ by }) => (by ? [by.id ?? by.kind] : [])));
  if (authors.size > 0) lacks.push(`erased by ${[...authors].join(', ')}`);
  return lacks.join('; ');
}

function doubtOf(signers: readonly Signer[]): string | null {
  const unvouched = signers.find(({ trusted }) => trusted === 'unvouched');
  if (unvouched) return `it agrees with itself; nobody but its service vouches for ${unvouched.key}`;
  if (signers.some(({ trusted }) => trusted === 'retired')) return 'signed by a retired key';
  const isUnnamed = signers.length === 0 || signers.some(({ trusted }) => trusted === 'unnamed');
  return isUnnamed ? 'it agrees with itself; no trusted key was named' : null;
}

function existedBy(cosigned: readonly Cosigned[]): string[] {
  if (cosigned.length === 0) return [];
  const { name, at } = cosigned.reduce((first, each) => (each.at < first.at ? each : first));
  return [`existed by ${new Date(at).toISOString()} (witness ${name})`];
}

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
